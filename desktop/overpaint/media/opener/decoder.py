"""The client of the sandboxed decoder process.

The process is started with the first picture, ends itself after an idle minute, and is killed when a picture
exceeds its limits of memory or time; the next picture gets a new one. So a file that crashes or hangs a
decoder costs only its own picture. A file that takes the decoder over can see and forge later pictures until
the process is replaced. Quick to import. Must not know codecs.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np
import psutil

from overpaint.errors import MediaError
from overpaint.media.opener.bounded_reader import MediaFile, open_file
from overpaint.media.opener.decoder_messages import (
    ANSWER_MAX,
    HEAD_MAX,
    LENGTHS,
    Pixels,
    Request,
    Way,
    read_picture,
)
from overpaint.media.opener.decoder_wire import Broken, Port, start
from overpaint.processes.children import command as own_command

log = logging.getLogger(__name__)

_LOOK_S = 0.1
"""Polling interval of the process's memory and time, for which there is no event."""
_REPLACED_AFTER_CPU_S = 600.0
"""Processor time after which it is replaced, long before its own limit (``decoder_process.CPU_S``)."""

_WINDOWS_CRASH = 0xC0000000
"""Exit codes from here on are unhandled exceptions (NTSTATUS, severity error)."""


@dataclass(frozen=True, slots=True)
class DecoderLimits:
    """The limits of one picture.

    Attributes:
        cpu_s: Processor seconds.
        memory_bytes: Resident memory of the process.
        wall_s: Seconds, however busy the machine is.
        waiting: Limit of waiting callers.
    """

    cpu_s: float = 20.0
    memory_bytes: int = 2 * 1024**3
    wall_s: float = 60.0
    waiting: int = 64


class PictureDecoder:
    """A decoder of pictures, and of clips' first pictures, one at a time. Thread-safe; blocks its callers.

    Args:
        limits: The limits of one picture.
        command: Command line of the process; this program's own by default.
    """

    def __init__(self, limits: DecoderLimits | None = None, command: Sequence[str] | None = None) -> None:
        self._limits = limits or DecoderLimits()
        self._command = list(command or own_command("decode"))
        self._places = threading.BoundedSemaphore(self._limits.waiting)
        self._turn = threading.Lock()
        self._process: _Process | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Process id of the present process; None without one."""
        process = self._process
        return process.pid if process is not None else None

    def file(self, path: Path, room: tuple[int, int], way: Way = "cover", *, clips: bool = False) -> Pixels:
        """Decodes the picture in a file.

        Args:
            path: Path of a regular file.
            room: Target width and height, pixels; pictures are never enlarged.
            way: Whether it is shrunk until it just covers the room, or until it fits inside.
            clips: Whether clips are accepted, too: a picture near the beginning.

        Returns:
            uint8 (H, W, 3) BGR, or (H, W, 4) BGRA where it is transparent; upright, sRGB.

        Raises:
            MediaError: There is no such picture, or it cannot be decoded within the limits.
        """
        with open_file(path) as file:
            if sys.platform == "win32":
                return self._decoded(Request(*room, way, clips, str(path.absolute())), b"", None)
            return self._decoded(Request(*room, way, clips), b"", file)

    def data(self, data: bytes, room: tuple[int, int], way: Way = "cover") -> Pixels:
        """Decodes as ``file`` does, from memory."""
        return self._decoded(Request(*room, way), data, None)

    def close(self) -> None:
        """Ends the process; present and later requests fail. Idempotent."""
        self._closed = True
        # A caller may be waiting for it, or just starting it: it is killed until no caller has the turn.
        while not self._turn.acquire(timeout=_LOOK_S):
            process = self._process
            if process is not None:
                process.kill()
        self._drop()
        self._turn.release()

    def __enter__(self) -> PictureDecoder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _decoded(self, request: Request, data: bytes, file: MediaFile | None) -> Pixels:
        if not self._places.acquire(blocking=False):
            raise MediaError("decoder_busy")
        try:
            with self._turn:
                return self._asked(request, data, file)
        finally:
            self._places.release()

    def _asked(self, request: Request, data: bytes, file: MediaFile | None) -> Pixels:
        for attempt in (1, 2):
            process = self._ready()
            try:
                return process.ask(request, data, file, self._limits)
            except Broken:
                self._drop()
                verdict = process.verdict()
                # It may have ended for another reason, such as being idle: tried once more.
                if verdict is None and attempt == 1 and not self._closed:
                    continue
                raise verdict or process.failure(self._closed) from None
            except ValueError as error:
                log.warning("a decoder process gave no answer that fits: %s", error)
                self._drop()
                raise MediaError("media_file_damaged") from error
            except MediaError:
                raise
            except BaseException:
                self._drop()  # the rest of this answer would be mistaken for the next one
                raise
            finally:
                if process.worn:
                    self._drop()
        raise AssertionError("unreachable")

    def _ready(self) -> _Process:
        if self._closed:
            raise MediaError("decoder_closing")
        if self._process is not None and not self._process.alive:
            self._drop()
        if self._process is None:
            try:
                self._process = _Process(self._command)
            except OSError as error:
                raise MediaError("decoder_does_not_start", reason=error.strerror or str(error)) from error
        return self._process

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


def opaque(pixels: Pixels) -> Pixels:
    """Puts a decoded picture on white where it is transparent: BGR uint8 (H, W, 3)."""
    if pixels.shape[2] == 3:
        return pixels
    weight = pixels[..., 3:].astype(np.float32) / 255
    return np.asarray(pixels[..., :3] * weight + 255 * (1 - weight) + 0.5).astype(np.uint8)


class _Process:
    """A decoder process."""

    def __init__(self, command: Sequence[str]) -> None:
        self._child: subprocess.Popen[bytes]
        self._port: Port
        self._child, self._port = start(command)
        self._verdict: MediaError | None = None
        self.pid = self._child.pid

    @property
    def alive(self) -> bool:
        return self._child.poll() is None

    @property
    def worn(self) -> bool:
        """Whether it has used so much processor time that it should be replaced."""
        return _cpu_s(self.pid) > _REPLACED_AFTER_CPU_S

    def ask(self, request: Request, data: bytes, file: MediaFile | None, limits: DecoderLimits) -> Pixels:
        """Decodes one picture.

        Raises:
            MediaError: The process's refusal.
            Broken: The process ended.
            ValueError: Its answer is invalid.
        """
        answered = threading.Event()
        watch = threading.Thread(
            target=self._watch, args=(answered, limits, _cpu_s(self.pid)), name="decoder watch", daemon=True
        )
        watch.start()
        try:
            head = request.packed(len(data))
            self._port.send(head, file.descriptor() if file is not None else None)
            if data:
                self._port.send(data)
            head_bytes, payload_bytes = LENGTHS.unpack(self._port.receive(LENGTHS.size))
            if head_bytes > HEAD_MAX or payload_bytes > ANSWER_MAX:
                raise ValueError("too long")
            answer = bytes(self._port.receive(head_bytes))
            payload = self._port.receive(payload_bytes)
        finally:
            answered.set()
            watch.join()
        return read_picture(request, answer, payload)

    def verdict(self) -> MediaError | None:
        """Returns why it was killed during a picture; None where it ended by itself."""
        code = self._child.wait()
        log.info("decoder process %d ended with %d", self.pid, code)
        return self._verdict

    def failure(self, closed: bool) -> MediaError:
        """Returns the error for its end, after a second try."""
        code = self._child.returncode or 0
        if closed or 0 < code < _WINDOWS_CRASH:  # ended by Python, not by a decoder's crash
            return MediaError("decoder_does_not_run")
        return MediaError("media_file_damaged")

    def kill(self) -> None:
        with suppress(OSError):
            self._child.kill()

    def end(self) -> None:
        self.kill()
        self._child.wait()
        self._port.close()

    def _watch(self, answered: threading.Event, limits: DecoderLimits, cpu_before_s: float) -> None:
        since = time.monotonic()
        while not answered.wait(_LOOK_S):
            if _memory_bytes(self.pid) > limits.memory_bytes:
                self._verdict = MediaError("media_file_takes_memory")
            elif _cpu_s(self.pid) - cpu_before_s > limits.cpu_s or time.monotonic() - since > limits.wall_s:
                self._verdict = MediaError("media_file_takes_time")
            if self._verdict is not None:
                self.kill()
                return


def _cpu_s(pid: int) -> float:
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def _memory_bytes(pid: int) -> int:
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0
