"""The file player: a process that plays a media file for the live process, in a sandbox.

It reads its order, one line of JSON, from standard input, opens the lent ring of shared memory, connects to
its starter, and enters the sandbox: from then on it can only read that file, and send pictures and messages.
It ends with its connection. Quick to import: decoders are loaded later. Must not know sessions or looks.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from overpaint.errors import LinkError, MediaError
from overpaint.media.frames import FrameKind, Picture, now_ns
from overpaint.media.links.frame_ring import RingPort
from overpaint.processes.channel import connect
from overpaint.processes.sandbox import sandbox
from overpaint.processes.tracker import attach_untracked

if TYPE_CHECKING:
    from av.container import InputContainer

    from overpaint.media.opener.bounded_reader import MediaFile
    from overpaint.media.opener.stills import Still

COMMAND = "play-file"
MEMORY_BYTES = 2 * 1024**3
"""Limit of private memory: sixteen reference pictures of 64 megapixels, and the rest of decoding."""

STILL_FPS = 30.0

OPENED, ASPECT, REFUSED, READING = b"o", b"a", b"r", b"d"
"""First byte of a message to the owner: opened (frames a second), aspect (width by height), the reason
of its end (one of ``REASONS``), and, on ``ASK``, that it waits for the disk; otherwise there is no answer.
"""
ASK = b"?"
_number = struct.Struct("<d")
REASONS = ("missing", "denied", "unreadable", "too_large", "memory")


@dataclass(frozen=True, slots=True)
class PlayOrder:
    """The order of a file player.

    Attributes:
        address: Address of the owner's ``ChannelServer``.
        secret: Secret of the owner's ``ChannelServer``.
        path: The file.
        width: Width of the frames, pixels.
        height: Height of the frames, pixels.
        memory: Name of the shared memory for its pictures.
    """

    address: str
    secret: str
    path: str
    width: int
    height: int
    memory: str

    def line(self) -> bytes:
        """Returns it as a line of JSON."""
        return json.dumps(asdict(self)).encode() + b"\n"


def run_player() -> int:
    """Plays the order on standard input until the connection ends. Returns the exit status."""
    order = PlayOrder(**json.loads(sys.stdin.buffer.readline()))
    try:
        capacity = order.width * order.height * 3 // 2
        disk = _DiskWait()
        memory = attach_untracked(order.memory)
        port = RingPort(
            connect(order.address, order.secret),
            capacity,
            on_word=lambda _: disk.tell_owner(port),
            mine=memory,
        )
    except (LinkError, OSError):  # the owner has closed the connection
        return 1
    sandbox.enter([Path(order.path)], memory_bytes=MEMORY_BYTES)
    threading.Thread(target=_listen, args=(port,), name="owner", daemon=True).start()
    try:
        port.tell(REFUSED + _played(order, port, disk).encode())
    except LinkError:
        pass
    os._exit(0)  # the sandbox allows no clean-up; the system does it


def said_number(word: bytes) -> float:
    """Reads the number in a message. Raises ``struct.error`` where there is none."""
    return float(_number.unpack(word[1:])[0])


def packed_number(number: float) -> bytes:
    """Returns a number as it follows the first byte of a message."""
    return _number.pack(number)


def _listen(port: RingPort) -> None:
    try:
        port.run()
    except LinkError:
        os._exit(0)


class _DiskWait:
    """The detector of waiting for the file's disk.

    Attributes:
        file: The open file; None before.
    """

    file: MediaFile | None = None

    def tell_owner(self, port: RingPort) -> None:
        """Reports waiting for the disk; else nothing, since only pictures prove that it decodes."""
        if self.file is not None and self.file.reading:
            port.tell(READING)


def _played(order: PlayOrder, port: RingPort, disk: _DiskWait) -> str:
    """Plays in a loop; returns the reason of the end. Raises ``LinkError``."""
    import av

    from overpaint.media.decoding import open_media
    from overpaint.media.opener.bounded_reader import open_file
    from overpaint.media.opener.clips import Clip

    try:
        disk.file = open_file(Path(order.path))
        media = open_media(disk.file)
        player = _Player(order, port)
        if not isinstance(media, Clip):
            player.show(media)
        with media:
            return player.play(media.container)
    except MemoryError:  # before the others: PyAV's is also one of its own errors
        return "memory"
    except MediaError as error:
        return error.kind if error.kind in REASONS else "unreadable"
    except (av.FFmpegError, OSError, ValueError):
        return "unreadable"


class _Player:
    """The player of one file at its own rate, which skips late frames."""

    def __init__(self, order: PlayOrder, port: RingPort) -> None:
        self._port = port
        self._size = (order.width, order.height)
        self._interval = 1.0 / STILL_FPS
        self._due = time.perf_counter()
        self._number = 0
        self._aspect = 0.0

    def show(self, still: Still) -> NoReturn:
        """Shows a picture repeatedly. Raises ``LinkError``."""
        from overpaint.media.decoding import still_i420

        self._port.tell(OPENED + _number.pack(STILL_FPS))
        image = still_i420(still, *self._size)
        self._tell_aspect(still.bgr.shape[1] / still.bgr.shape[0])
        while True:
            self._send(image)

    def play(self, container: InputContainer) -> str:
        """Plays a clip repeatedly; returns the reason of its end. Raises ``LinkError``."""
        from av.video.reformatter import VideoReformatter

        from overpaint.media.decoding import aspect_of, decoded, i420

        stream = container.streams.video[0]
        stream.codec_context.thread_count = 1
        rate = stream.average_rate
        fps = float(rate) if rate and 1 <= rate <= 240 else STILL_FPS
        self._interval = 1.0 / fps
        self._port.tell(OPENED + _number.pack(fps))
        reformatter = VideoReformatter()
        while True:
            image, count = None, 0
            for frame in decoded(container, stream):
                count += 1
                self._tell_aspect(aspect_of(frame))
                image = i420(frame, *self._size, reformatter)
                self._send(image)
            if image is None:
                return "unreadable"
            while count == 1:  # the clip has only one frame
                self._send(image)
            container.seek(0)

    def _send(self, image: Picture) -> None:
        time.sleep(max(0.0, self._due - time.perf_counter()))
        self._port.send(image, self._number, now_ns(), FrameKind.ORIGINAL)
        self._number += 1
        # A file that cannot keep its rate falls behind; it does not catch up in bursts.
        self._due = max(self._due + self._interval, time.perf_counter() - self._interval)

    def _tell_aspect(self, aspect: float) -> None:
        if aspect != self._aspect:
            self._aspect = aspect
            self._port.tell(ASPECT + _number.pack(aspect))
