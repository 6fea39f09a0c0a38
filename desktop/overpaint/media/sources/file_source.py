"""The file source: a video or picture file, looped at its own rate. The demo is such a file.

The file is opened and decoded in its own sandboxed process (``file_player``), whose pictures come through
shared memory; all its messages are checked. A process that dies or hangs is restarted once; one that reports
waiting for a slow disk is waited for. Must not know codecs.
"""

from __future__ import annotations

import contextlib
import logging
import math
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from overpaint.errors import LinkError, MediaError, SourceError
from overpaint.media.file_player import (
    ASK,
    ASPECT,
    COMMAND,
    OPENED,
    READING,
    REASONS,
    REFUSED,
    STILL_FPS,
    PlayOrder,
    said_number,
)
from overpaint.media.frames import FrameKind, Picture, RawFrame, now_ns
from overpaint.media.links.frame_ring import LentRing, RingPort
from overpaint.media.opener.bounded_reader import open_file
from overpaint.media.sources import SourceListener
from overpaint.processes import children
from overpaint.processes.channel import Channel, ChannelServer
from overpaint.processes.sandbox import sandbox
from overpaint.processes.supervision.heartbeat import Watchdog
from overpaint.wire.sources import SourceOffer

log = logging.getLogger(__name__)

START_S = 20.0
"""Time limit for the process to load and to open the file."""
END_S = 1.0
"""Time limit for the system to end it."""
SLOW_AFTER = 4
"""Consecutive reports of waiting for the disk, one per quarter of a second, until the user is told."""
RESTART_AGAIN_FRAMES = 1800
"""Number of played frames after which a process that dies is restarted as if it were the first."""


class FileSource:
    """A file played in a loop at its own rate; late frames are skipped.

    Args:
        path: Video or picture.
        title: Its name for the user; the file's name by default.
    """

    def __init__(self, path: Path, title: str | None = None) -> None:
        self.title = title or path.name
        self.identity = ""
        self.fps = STILL_FPS
        self.aspect = 0.0
        self.offer = SourceOffer()
        self.trouble: SourceError | None = None
        self._path = path
        self._number = 0
        self._ending = threading.Event()
        self._guard = threading.RLock()
        self._player: PlayerProcess | None = None
        self._thread: threading.Thread | None = None

    def start(self, width: int, height: int, listener: SourceListener) -> None:
        """Opens the file and plays it from now on. Raises ``SourceError``."""
        _check(self._path)
        self._ending.clear()
        self._number, self.trouble = 0, None
        player = self._begin_again(width, height, listener)
        self._thread = threading.Thread(
            target=self._supervise, args=(player, width, height, listener), name="source-file", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Ends playing; idempotent."""
        with self._guard:  # no frame is being delivered, and none will be
            self._ending.set()
            player, self._player = self._player, None
        if player is not None:
            player.end()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    # ---- inside ----------------------------------------------------------------------------------

    def _supervise(self, player: PlayerProcess, width: int, height: int, listener: SourceListener) -> None:
        """Waits for the end of each process in turn."""
        try:
            while not self._ending.is_set():
                begun_at = self._number
                reason = player.ended()
                if self._ending.is_set():
                    return
                player.end()
                if reason is not None:
                    raise refusal(self._path, reason)
                if self._number - begun_at < RESTART_AGAIN_FRAMES and player.attempt > 1:
                    raise refusal(self._path, "crash")
                log.warning("the process that plays %s has died, and is started again", self._path.name)
                attempt = 1 if self._number - begun_at >= RESTART_AGAIN_FRAMES else 2
                player = self._begin(width, height, listener, attempt)
        except SourceError as error:
            if not self._ending.is_set():
                log.info("source file ended: %s", error)
                listener.lost(error)

    def _begin_again(self, width: int, height: int, listener: SourceListener) -> PlayerProcess:
        """Starts a process that plays; a second one where the first dies. Raises ``SourceError``."""
        try:
            return self._begin(width, height, listener, 1)
        except _DiedError:
            return self._begin(width, height, listener, 2)

    def _begin(self, width: int, height: int, listener: SourceListener, attempt: int) -> PlayerProcess:
        def picture(image: Picture, captured_ns: int) -> None:
            if image.shape != (height * 3 // 2, width):
                raise LinkError("player_broke_the_rules")
            with self._guard:
                if self._ending.is_set() or self._player is not player:
                    return
                frame = RawFrame(image, self._number, min(captured_ns, now_ns()))
                self._number += 1
                listener.frame(frame)

        def seen(aspect: float) -> None:
            self.aspect = aspect

        def slow(on: bool) -> None:
            if self._player is player:
                self.trouble = refusal(self._path, "slow disk") if on else None

        self.trouble = None  # the trouble of the former process
        player = PlayerProcess(self._path, (width, height), attempt, picture, seen, slow)
        with self._guard:
            if self._ending.is_set():
                player.end()
                raise _DiedError("player_stopped")
            self._player = player
        try:
            self.fps = player.opened()
        except SourceError:
            player.end()
            raise
        return player


class _DiedError(SourceError):
    """The error that the process died before it had opened the file."""


class PlayerProcess:
    """The owner's end of a file player, which is never trusted.

    Args:
        path: The file.
        size: Width and height of the frames, pixels.
        attempt: Number of the attempt, from 1.
        on_picture: Receives picture and capture time, in this object's thread; raises ``LinkError`` to end.
        on_aspect: Receives the pictures' width by height, before the first of them.
        on_slow: Called when pictures stop because of a slow disk, and when they come again.

    Attributes:
        attempt: As given.
        pid: Its process id.

    Raises:
        SourceError: It cannot be started (``lost``).
    """

    def __init__(
        self,
        path: Path,
        size: tuple[int, int],
        attempt: int,
        on_picture: Callable[[Picture, int], None],
        on_aspect: Callable[[float], None],
        on_slow: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self.attempt = attempt
        self._path = path
        self._on_picture, self._on_aspect, self._on_slow = on_picture, on_aspect, on_slow
        self._port: RingPort | None = None
        self._waits = 0
        self._said: set[bytes] = set()
        self._opened: queue.SimpleQueue[float | str | None] = queue.SimpleQueue()
        self._ended: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._connected, self._served = threading.Event(), threading.Event()
        self._watchdog: Watchdog | None = None
        try:
            order = self._start(size)
        except OSError as error:
            raise SourceError(
                "player_does_not_start", file=path.name, reason=error.strerror or str(error)
            ) from error
        self.pid = self._child.pid
        threading.Thread(target=self._await_end, name=f"child-{self.pid}", daemon=True).start()
        assert self._child.stdin is not None
        with contextlib.suppress(OSError), self._child.stdin as words:  # the process may be dead already
            words.write(order.line())

    def opened(self) -> float:
        """Waits until it has opened the file; returns its frames a second.

        Raises:
            SourceError: It could not, or took too long; ``_DiedError`` where it died of it.
        """
        try:
            said = self._opened.get(timeout=START_S)
        except queue.Empty:
            raise refusal(self._path, "slow") from None
        if isinstance(said, float):
            # From now on every picture is a heartbeat: the slowest file has one a second.
            self._watchdog = Watchdog(self.pid, self._ask, f"The process that plays {self._path.name}")
            return said
        if said is not None:
            raise refusal(self._path, said)
        raise _DiedError("played_file_crashes_decoder", file=self._path.name)

    def ended(self) -> str | None:
        """Waits for its end; returns its reason, None where it died without one."""
        return self._ended.get()

    def end(self) -> None:
        """Kills it; idempotent."""
        self._ended.put(None)
        if self._watchdog is not None:
            self._watchdog.close()
        self._child.kill()
        self._server.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(END_S)
        self._ring.remove()

    # ---- inside ----------------------------------------------------------------------------------

    def _start(self, size: tuple[int, int]) -> PlayOrder:
        """Starts the process; returns its order. Raises ``OSError``, and leaves nothing behind then."""
        with contextlib.ExitStack() as undone:
            self._server = ChannelServer(self._serve, "file-player")
            undone.callback(self._server.close)
            self._ring = LentRing(size[0] * size[1] * 3 // 2)
            undone.callback(self._ring.remove)
            flags = 0
            if sys.platform == "win32":
                flags = subprocess.CREATE_NO_WINDOW
            self._child = subprocess.Popen(
                children.command(COMMAND),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                creationflags=flags,
                start_new_session=sys.platform != "win32",
                env=sandbox.environment(),
            )
            undone.pop_all()
        name = self._ring.memory.name
        path = str(self._path.resolve())
        return PlayOrder(self._server.address, self._server.secret, path, *size, name)

    def _serve(self, channel: Channel) -> None:
        if channel.peer_pid not in (None, self.pid):
            return
        self._connected.set()
        port = self._port = RingPort(channel, 0, self._picture, on_word=self._heard, theirs=self._ring)
        try:
            port.run()
        finally:
            self._child.kill()  # it has ended, or broken the protocol
            self._served.set()

    def _ask(self) -> None:
        """Asks whether it waits for the disk. Raises ``LinkError``."""
        if self._port is not None:
            self._port.tell(ASK)

    def _await_end(self) -> None:
        self._child.wait()
        if self._connected.is_set():
            self._served.wait()  # its last messages are handled first
        self._opened.put(None)
        self._ended.put(None)

    def _picture(self, image: Picture, number: int, captured_ns: int, kind: FrameKind) -> None:
        if self._watchdog is not None:
            self._watchdog.answered()
        if self._waits >= SLOW_AFTER:
            self._on_slow(False)
        self._waits = 0
        self._on_picture(image, captured_ns)

    def _waits_for_disk(self) -> None:
        if self._watchdog is not None:
            self._watchdog.answered()
        self._waits += 1
        if self._waits == SLOW_AFTER:
            self._on_slow(True)

    def _heard(self, word: bytes) -> None:
        try:
            self._understand(word)
        except (struct.error, ValueError) as error:
            raise LinkError("player_broke_the_rules") from error

    def _understand(self, word: bytes) -> None:
        kind = word[:1]
        if kind in self._said:
            raise ValueError(kind)
        if kind in (OPENED, REFUSED):
            self._said.add(kind)  # once: unread messages are kept
        if kind == OPENED:
            fps = said_number(word)
            if not 1 <= fps <= 240:
                raise ValueError(fps)
            self._opened.put(fps)
        elif kind == ASPECT:
            aspect = said_number(word)
            if not (math.isfinite(aspect) and aspect > 0):
                raise ValueError(aspect)
            self._on_aspect(aspect)
        elif word == READING:
            self._waits_for_disk()
        elif kind == REFUSED:
            reason = REASONS[REASONS.index(word[1:].decode("ascii"))]
            self._opened.put(reason)
            self._ended.put(reason)
        else:
            raise ValueError(kind)


def refusal(path: Path, reason: str) -> SourceError:
    """The error for one of ``file_player.REASONS``, or "slow", "slow disk" or "crash"."""
    name = path.name
    if reason == "missing":
        return SourceError("played_file_missing", path=str(path))
    if reason == "denied":
        return SourceError("played_file_denied", file=name)
    if reason == "memory":
        return SourceError("played_file_takes_memory", file=name)
    if reason == "too_large":
        return SourceError("played_file_too_large", file=name)
    if reason == "slow":
        return SourceError("played_file_slow_to_open", file=name)
    if reason == "slow disk":
        return SourceError("played_file_disk_slow", file=name)
    if reason == "crash":
        return SourceError("played_file_crashes_decoder", file=name)
    return SourceError("played_file_unreadable", file=name)


def _check(path: Path) -> None:
    """Raises ``SourceError`` for an unreadable file, before a process is started for it."""
    try:
        open_file(path).close()
    except MediaError as error:
        raise refusal(path, error.kind) from None
