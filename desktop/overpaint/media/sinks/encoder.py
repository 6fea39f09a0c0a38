"""The encoder of recordings: styled frames to H.264, samples to AAC.

A frame that was received as H.264 is not encoded again where its unit fits in (``unit_chain``). Each frame
and each sample keeps its capture time. Must not know files.
"""

from __future__ import annotations

from fractions import Fraction

from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.codec.context import Flags
from av.container import OutputContainer
from av.packet import Packet
from av.stream import Stream
from av.video.frame import PictureType, VideoFrame
from av.video.stream import VideoStream

from overpaint.media import pictures
from overpaint.media.access_units import START, AccessUnit
from overpaint.media.audio import RATE, Sound
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.sinks.recording_format import RATE_CONTROLS, SOUND_BITS, RecordingFormat
from overpaint.media.sinks.unit_chain import OWN_ID, UnitChain

TIME_BASE = Fraction(1, 90_000)
GROUP_S = 1.0
"""Time between two pictures at which decoding can begin."""
_FOREVER = 1 << 20
"""Frames after which the encoder itself would begin a group."""
_SMPTE170M, _BT709_TRANSFER, _LIMITED_RANGE = 6, 1, 1


class Encoder:
    """The encoder of one recording.

    Args:
        container: Gets the streams of picture and sound. Nothing is muxed here.
        size: Width and height of the frames.
        fps: Nominal frames a second.
        format: Quality, size, sound.
        late_header: Whether the parameters of the streams are written after the pictures, not with the first.

    Attributes:
        header: The file's parameter sets: the encoder's, then received ones.
        video: The stream of the picture.
        audio: That of the sound; None without one.
        first_ns: When the first frame was captured; 0 before it.
        frames: Number of frames so far.
        copied: Number of those that were not encoded.
        samples: Number of samples so far.
    """

    def __init__(
        self,
        container: OutputContainer,
        size: tuple[int, int],
        fps: float,
        format: RecordingFormat,
        *,
        late_header: bool = False,
    ) -> None:
        self._size = format.size_of(*size)
        self._least_ns = round(0.75e9 / format.fps) if format.fps else 0
        self._last: StyledFrame | None = None
        self._last_pts = -1
        self._key_ns = 0
        self._copies, self._late_header = format.copies(fps), late_header
        self._chain = UnitChain(self._size, RATE_CONTROLS[format.quality].ceiling)
        self.first_ns = self.frames = self.copied = self.samples = 0
        self.video: VideoStream = container.add_stream(
            "libx264", rate=Fraction(format.rate(fps)).limit_denominator(1001)
        )
        self.video.width, self.video.height = self._size
        self.video.pix_fmt = "yuv420p"
        self.video.time_base = TIME_BASE
        context = self.video.codec_context
        context.time_base = TIME_BASE
        context.gop_size = _FOREVER
        context.thread_count = 1
        context.colorspace = _SMPTE170M
        context.color_primaries = context.color_trc = _BT709_TRANSFER
        context.color_range = _LIMITED_RANGE
        context.flags |= Flags.global_header
        control = RATE_CONTROLS[format.quality]
        self.video.options = {
            "preset": control.preset,
            "x264-params": f"{control.more}:sps-id={OWN_ID}",
            "crf": str(control.factor),
            "maxrate": str(control.ceiling),
            "bufsize": str(control.ceiling),
            "tune": "zerolatency",
            "forced-idr": "1",
        }
        context.open()
        self.header = bytes(context.extradata or b"")
        self.audio: AudioStream | None = None
        if format.with_sound:
            # A third of the time of FFmpeg's default search, at a bit rate where nobody hears it.
            options = {"aac_coder": "fast"}
            self.audio = container.add_stream("aac", rate=RATE, layout="stereo", options=options)
            self.audio.codec_context.bit_rate = SOUND_BITS

    def picture(self, frame: StyledFrame) -> list[Packet[Stream]]:
        """Encodes a frame, or takes it as it was received.

        Returns:
            Its packets; none for a frame that comes faster than the format has frames.

        Raises:
            av.FFmpegError: The encoder failed.
        """
        unit = self._unit(frame)
        if unit is None and self._is_surplus(frame):
            return []
        if not self.frames:
            self.first_ns = frame.captured_ns
        # Timestamps in the file always increase, even when two frames share a capture time.
        pts = max(round((frame.captured_ns - self.first_ns) * 90_000 / 1e9), self._last_pts + 1)
        packets = self._encoded(frame, pts) if unit is None else [self._copy(unit, pts)]
        self._last, self._last_pts = frame, pts
        self.frames += 1
        return packets

    def _unit(self, frame: StyledFrame) -> AccessUnit | None:
        """Returns the unit to write for a frame; None for one to encode."""
        names_sets = self._copies and (self._late_header or not self.frames)
        if names_sets and self._chain.adopt(frame):
            self.header += b"".join(START + each for each in self._chain.parameters)
            self.video.codec_context.extradata = self.header
        # The first is encoded: then the second begins a group in any case (see below).
        return self._chain.next(frame) if self.frames else None

    def _copy(self, unit: AccessUnit, pts: int) -> Packet[Stream]:
        packet: Packet[Stream] = Packet(unit.slices)
        packet.stream, packet.time_base = self.video, TIME_BASE
        packet.pts = packet.dts = pts
        packet.is_keyframe = unit.is_key
        self.copied += 1
        return packet

    def _encoded(self, frame: StyledFrame, pts: int) -> list[Packet[Stream]]:
        picture = VideoFrame.from_ndarray(pictures.resize(frame.image, *self._size), format="yuv420p")
        picture.pts, picture.time_base = pts, TIME_BASE
        picture.colorspace, picture.color_range = _SMPTE170M, _LIMITED_RANGE
        # A fragment is written when the next one begins: so from the second frame on there is something to
        # play. By time, not by number of frames: there are few in a pause.
        if self._chain.end() or self.frames <= 1 or frame.captured_ns - self._key_ns > (GROUP_S - 0.01) * 1e9:
            picture.pict_type = PictureType.I
            self._key_ns = frame.captured_ns
        return list(self.video.encode(picture))

    def sound(self, sound: Sound) -> list[Packet[Stream]]:
        """Encodes the next samples; the first one was captured with the first frame, which comes before it.

        Raises:
            av.FFmpegError: The encoder failed.
        """
        if self.audio is None or not self.frames or not len(sound):
            return []
        frame = AudioFrame.from_ndarray(sound.reshape(1, -1), format="s16", layout="stereo")
        frame.sample_rate, frame.time_base = RATE, Fraction(1, RATE)
        frame.pts = self.samples
        self.samples += len(sound)
        return list(self.audio.encode(frame))

    def end(self) -> list[Packet[Stream]]:
        """Returns what the encoders still had. Raises ``av.FFmpegError``."""
        rest: list[Packet[Stream]] = list(self.video.encode(None))
        if self.audio is not None and self.samples:
            rest += self.audio.encode(None)
        return rest

    def _is_surplus(self, frame: StyledFrame) -> bool:
        """Returns whether a frame comes too soon; one of another kind never does: the slate shows at once."""
        last = self._last
        if last is None or frame.kind is not last.kind or frame.kind is FrameKind.SLATE:
            return False
        return 0 <= frame.captured_ns - last.captured_ns < self._least_ns
