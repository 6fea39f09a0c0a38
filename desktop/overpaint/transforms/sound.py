"""The audio track of a clip: AAC is copied, other codecs are transcoded to AAC. Must not know pictures."""

from __future__ import annotations

from fractions import Fraction

from av.audio.stream import AudioStream
from av.container import InputContainer, OutputContainer
from av.packet import Packet
from av.stream import Stream

from overpaint.transforms.clip_files import sounds_of

_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)
"""Sample rates of AAC (ISO 14496-3, table 1.18) up to 48 kHz, which players support."""
_BITS_A_CHANNEL = 96_000


class Sound:
    """The audio track of an MP4 being written.

    Args:
        container: The input.
        output: The output, to which the track's stream is added.
        number: Index of the audio stream in the input.

    Attributes:
        source: The stream to demux.
    """

    def __init__(self, container: InputContainer, output: OutputContainer, number: int) -> None:
        self.source: AudioStream = container.streams.audio[number]
        self._output = output
        context = self.source.codec_context
        # AAC without its AudioSpecificConfig (ADTS, AVI) cannot be copied into an MP4.
        self._copied = context.name == "aac" and bool(context.extradata)
        self._stream = self._copy() if self._copied else self._encoder()

    def take(self, packet: Packet[Stream], begin_s: Fraction) -> None:
        """Copies or transcodes one packet of ``source``; packets come in order.

        Args:
            packet: As demuxed, including the empty one that flushes the decoder.
            begin_s: Start time of the clip.

        Raises:
            InvalidRequestError: The clip is damaged.
        """
        begin = round(begin_s / Fraction(packet.time_base))
        if not self._copied:
            for frame in sounds_of(packet):
                if frame.pts is not None and frame.time_base is not None:
                    frame.pts -= round(begin_s / Fraction(frame.time_base))
                self._output.mux(self._stream.encode(frame))
            return
        if packet.size == 0 or packet.dts is None:
            return
        packet.pts = (packet.dts if packet.pts is None else packet.pts) - begin
        packet.dts -= begin
        packet.stream = self._stream
        self._output.mux(packet)

    def finish(self) -> None:
        """Flushes the encoder."""
        if not self._copied:
            self._output.mux(self._stream.encode(None))

    def _copy(self) -> AudioStream:
        return self._output.add_stream_from_template(self.source)

    def _encoder(self) -> AudioStream:
        context = self.source.codec_context
        rate = min(_RATES, key=lambda known: (abs(known - context.sample_rate), known))
        channels = min(2, context.layout.nb_channels)
        stream = self._output.add_stream("aac", rate=rate, layout="mono" if channels == 1 else "stereo")
        stream.codec_context.bit_rate = _BITS_A_CHANNEL * channels
        stream.codec_context.thread_count = 1
        return stream
