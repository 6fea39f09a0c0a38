"""The recording sink: an MP4 or MKV that stays playable when the process dies or the disk is full.

Each frame and each sample keeps its capture time, so motion stays smooth, and the sound in step with the
picture however late that is restyled. It ends by itself before the disk is full. There is either a playable
file or none. Must not know sessions or microphones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import av
from av.packet import Packet
from av.stream import Stream

from overpaint.errors import SinkError
from overpaint.media.audio import Sound
from overpaint.media.frames import StyledFrame
from overpaint.media.sinks.disk_room import DiskRoom, free_bytes
from overpaint.media.sinks.encoder import Encoder
from overpaint.media.sinks.media_file import FAILURES, MediaFile, check_place, refused
from overpaint.media.sinks.recording_format import SILENT, RecordingFormat


class RecordingSink:
    """A sink that writes a file, which exists once it is playable: from the second frame, or at its end.

    Args:
        path: Path of the file, which ends in .mp4 or .mkv; an existing file is replaced once there is
            something to play. Its folder must exist.
        format: Quality, size, sound.
        free: Reads how many bytes are free in a folder.

    Attributes:
        size: Bytes of the file so far.
        copied: Frames that were written as they were received.
    """

    def __init__(
        self,
        path: Path,
        format: RecordingFormat = SILENT,
        free: Callable[[Path], int] = free_bytes,
    ) -> None:
        self.title = str(path)
        self.path = path
        self.written = self.size = self.copied = 0
        self._format = format
        self._room = DiskRoom(path.parent, format.most_bits, free)
        self._size: tuple[int, int, float] | None = None
        self._file: MediaFile | None = None
        self._encoder: Encoder | None = None

    @property
    def left_s(self) -> float | None:
        """Seconds for which the disk has room at the present rate; None while that is unknown."""
        return self._room.left_s

    def open(self, width: int, height: int, fps: float) -> None:
        """Prepares for frames.

        Raises:
            SinkError: Missing folder, denied, unsupported name, or no room on the disk.
        """
        check_place(self.path)
        self._room.check_begin()
        self._size = (width, height, fps)

    def write(self, frame: StyledFrame) -> None:
        """Encodes one frame. Raises ``SinkError`` (``disk_full``, ``lost``)."""
        if self._size is None:
            raise SinkError("recording_not_open")
        try:
            if self._file is None or self._encoder is None:
                width, height, fps = self._size
                self._file = MediaFile(self.path)
                self._encoder = Encoder(self._file.container, (width, height), fps, self._format)
            self._mux(self._encoder.picture(frame))
            self.written, self.copied = self.written + 1, self._encoder.copied
        except FAILURES as error:
            self._size = None
            raise refused(self.path, error, kept=self._end(error)) from error
        if self._room.is_short(self.size, frame.captured_ns):
            self._size = None
            kept = self._end()
            if not kept:
                raise SinkError("recording_none_disk_full")
            raise SinkError("recording_ended_disk_low", file=self.path.name)

    def write_sound(self, sound: Sound) -> None:
        """Encodes the next samples; the first one was captured with the first frame, which comes before it.

        Raises:
            SinkError: ``disk_full``, ``lost``.
        """
        if self._encoder is None:
            return
        try:
            self._mux(self._encoder.sound(sound))
        except FAILURES as error:
            self._size = None
            raise refused(self.path, error, kept=self._end(error)) from error

    def close(self) -> None:
        """Finishes the file; idempotent.

        Raises:
            SinkError: Its end could not be written, it no longer exists, or there were no frames (``empty``).
        """
        size, self._size = self._size, None
        if size is None:
            return
        if self._file is None:
            raise SinkError("recording_empty")
        file = self._file
        kept = self._end()
        if file.error is not None:
            raise refused(self.path, file.error, kept=kept) from file.error
        if not kept:
            raise SinkError("recording_moved", file=self.path.name)

    # ---- inside --------------------------------------------------------------------------------------

    def _mux(self, packets: Iterable[Packet[Stream]]) -> None:
        """Writes packets. Raises ``FAILURES``."""
        assert self._file is not None
        self._file.mux(packets)
        self.size = max(self.size, self._file.size)

    def _end(self, failed: OSError | av.FFmpegError | None = None) -> bool:
        """Closes everything; returns whether there is a playable file."""
        file, encoder = self._file, self._encoder
        self._file = self._encoder = None
        if file is None:
            return False
        rest: list[Packet[Stream]] = []
        if encoder is not None and encoder.frames:
            try:
                rest = encoder.end()
            except FAILURES as error:
                failed = failed or error
        return file.end(rest, failed)
