"""The replay sink: the last seconds, encoded, in memory; a part of them becomes a file when that is wanted.

Packets are kept in groups that begin with a key frame, and whole groups are forgotten, so that what is kept
can always be decoded and its memory has a bound (the format's ceiling for that time). Nothing is encoded for
saving. Must not know sessions or microphones.
"""

from __future__ import annotations

import io
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
from av.codec.context import Flags
from av.packet import Packet
from av.stream import Stream

from overpaint.errors import SinkError
from overpaint.media.audio import RATE, Sound
from overpaint.media.frames import StyledFrame
from overpaint.media.sinks.disk_room import DiskRoom, free_bytes
from overpaint.media.sinks.encoder import Encoder
from overpaint.media.sinks.media_file import FAILURES, MediaFile, check_place, refused
from overpaint.media.sinks.recording_format import RecordingFormat

REPLAY_S = 30
"""Seconds that are kept, at least; at most one group more."""

LEAD_S = 2 * 1024 / RATE
"""Sound before the first picture that a decoder needs: AAC decodes a block with the one before it. Without
it the sound would begin later than the picture, which an MP4 that is written in fragments cannot say.
"""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A packet.

    Attributes:
        data: Its bytes.
        at_s: When it is shown, seconds after the first frame.
        pts: The same in units of the time base.
        duration: In units of the time base.
        time_base: Of its stream.
        is_key: Whether decoding can begin with it.
        is_video: Picture, as opposed to sound.
    """

    data: bytes
    at_s: float
    pts: int
    duration: int
    time_base: Fraction
    is_key: bool
    is_video: bool


@dataclass(slots=True)
class _Group:
    """The packets from one key frame to the next; sound comes later than the picture beside it.

    Attributes:
        begin_s: When the key frame is shown.
        lead: The last packets of sound before it.
    """

    begin_s: float
    lead: list[_Kept] = field(default_factory=list)
    packets: list[_Kept] = field(default_factory=list)
    size: int = 0


class ReplaySink:
    """A sink that keeps the last seconds.

    Args:
        format: Quality, size, sound.
        seconds: How many.
        free: Reads how many bytes are free in a folder.

    Attributes:
        size: Bytes that are kept.
    """

    title = "replay"

    def __init__(
        self, format: RecordingFormat, seconds: float = REPLAY_S, free: Callable[[Path], int] = free_bytes
    ) -> None:
        self.written = self.size = 0
        self._format = format
        self._seconds = seconds
        self._free = free
        self._guard = threading.Lock()
        self._groups: deque[_Group] = deque()
        self._newest_s = 0.0
        self._encoder: Encoder | None = None

    @property
    def seconds(self) -> float:
        """Duration of what is kept."""
        with self._guard:
            return self._newest_s - self._groups[0].begin_s if self._groups else 0.0

    def open(self, width: int, height: int, fps: float) -> None:
        """Prepares for frames. Raises ``SinkError``: the encoder cannot be opened."""
        try:
            # Gives the encoder its streams, and the files their parameters; nothing is written to it.
            container = av.open(io.BytesIO(), "w", format="null")
            encoder = Encoder(container, (width, height), fps, self._format, late_header=True)
            if encoder.audio is not None:
                encoder.audio.codec_context.flags |= Flags.global_header
            container.start_encoding()
        except FAILURES as error:
            raise SinkError("replay_failed", reason=str(error)) from error
        self._encoder = encoder

    def write(self, frame: StyledFrame) -> None:
        """Encodes and keeps one frame. Raises ``SinkError``."""
        self._take(lambda encoder: encoder.picture(frame))
        self.written += 1

    def write_sound(self, sound: Sound) -> None:
        """Encodes and keeps the next samples. Raises ``SinkError``."""
        self._take(lambda encoder: encoder.sound(sound))

    def close(self) -> None:
        """Forgets everything; idempotent."""
        with self._guard:
            encoder, self._encoder = self._encoder, None
            self._groups.clear()
            self.size = 0
        if encoder is not None:
            with suppress(*FAILURES):  # nothing was written to it
                encoder.video.container.close()  # else its memory is never given back

    def save(self, path: Path) -> None:
        """Writes what is kept into a file, from any thread; keeping goes on meanwhile.

        Raises:
            SinkError: Nothing is kept yet (``empty``); no room (``disk_full``); the file cannot be written.
        """
        with self._guard:
            encoder = self._encoder
            packets = [packet for group in self._groups for packet in group.packets]
            lead = self._groups[0].lead if self._groups else []
            begin_s = self._groups[0].begin_s if self._groups else 0.0
        if encoder is None or not packets:
            raise SinkError("replay_empty")
        check_place(path)
        DiskRoom(path.parent, self._format.most_bits, self._free).check_begin()
        try:
            file = MediaFile(path)
            video = file.container.add_stream_from_template(encoder.video)
            video.codec_context.extradata = encoder.header
            audio = file.container.add_stream_from_template(encoder.audio) if encoder.audio else None
            for kept in (*lead, *packets):
                if (
                    kept.at_s >= begin_s - LEAD_S
                    and (stream := video if kept.is_video else audio) is not None
                ):
                    file.mux([_packet(kept, begin_s, stream)])
        except FAILURES as error:
            raise refused(path, error, kept=file.end(failed=error)) from error
        whole = file.end()
        if file.error is not None:
            raise refused(path, file.error, kept=whole) from file.error

    # ---- inside --------------------------------------------------------------------------------------

    def _take(self, encode: Callable[[Encoder], Iterable[Packet[Stream]]]) -> None:
        encoder = self._encoder
        if encoder is None:
            raise SinkError("recording_not_open")
        try:
            packets = [_kept(packet) for packet in encode(encoder)]
        except FAILURES as error:
            raise SinkError("replay_failed", reason=str(error)) from error
        with self._guard:
            for packet in packets:
                self._keep(packet)

    def _keep(self, packet: _Kept) -> None:
        """Keeps a packet, and forgets the groups that are too old."""
        if packet.is_video:
            self._newest_s = packet.at_s
            if packet.is_key:
                former = self._groups[-1].packets if self._groups else []
                lead = [each for each in former if not each.is_video and each.at_s >= packet.at_s - LEAD_S]
                self._groups.append(_Group(packet.at_s, lead))
        if not self._groups:
            return
        self._groups[-1].packets.append(packet)
        self._groups[-1].size += len(packet.data)
        self.size += len(packet.data)
        while len(self._groups) > 1 and self._groups[1].begin_s <= self._newest_s - self._seconds:
            self.size -= self._groups.popleft().size


def _kept(packet: Packet[Stream]) -> _Kept:
    pts = packet.pts or 0
    return _Kept(
        bytes(packet),
        float(pts * packet.time_base),
        pts,
        packet.duration or 0,
        packet.time_base,
        packet.is_keyframe,
        packet.stream.type == "video",
    )


def _packet(kept: _Kept, begin_s: float, stream: Stream) -> Packet[Stream]:
    """Returns a packet of a file that begins at a time."""
    packet: Packet[Stream] = Packet(kept.data)
    packet.stream, packet.time_base = stream, kept.time_base
    packet.pts = packet.dts = kept.pts - round(begin_s / kept.time_base)
    packet.duration, packet.is_keyframe = kept.duration, kept.is_key
    return packet
