"""The base of sources that a sandboxed process plays: started, supervised, restarted once.

What is played is untrusted: it is opened and decoded in a process of its own, whose pictures come through
shared memory; all its messages are checked. A process that dies or hangs is restarted once; one that reports
waiting (for a slow disk, for the network) is waited for. Must not know codecs, files or protocols.
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
from typing import Protocol

from overpaint.errors import LinkError, SourceError
from overpaint.media.file_player import ASK, ASPECT, OPENED, READING, REFUSED, STILL_FPS, said_number
from overpaint.media.frames import FrameKind, Picture, RawFrame, now_ns
from overpaint.media.links.frame_ring import LentRing, RingPort
from overpaint.media.sources import SourceListener
from overpaint.processes import children
from overpaint.processes.channel import Channel, ChannelServer
from overpaint.processes.sandbox import sandbox
from overpaint.processes.supervision.heartbeat import Watchdog
from overpaint.wire.sources import SourceOffer

log = logging.getLogger(__name__)

START_S = 20.0
"""Time limit for the process to load and to open what it plays."""
END_S = 1.0
"""Time limit for the system to end it."""
SLOW_AFTER = 4
"""Consecutive reports of waiting, one per quarter of a second, until the user is told."""
RESTART_AGAIN_FRAMES = 1800
"""Number of played frames after which a process that dies is restarted as if it were the first."""


class Played(Protocol):
    """The thing that a process plays.

    Attributes:
        name: Its name for the user and the log.
        command: The command of the process that plays it.
        reasons: Reasons of its end that the process may state.
    """

    @property
    def name(self) -> str:
        """See the class."""

    @property
    def command(self) -> str:
        """See the class."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """See the class."""

    def check(self) -> None:
        """Raises ``SourceError`` where it certainly cannot be played, before a process is started for it."""

    def order(self, address: str, secret: str, size: tuple[int, int], memory: str) -> bytes:
        """Returns the line that the process reads: its owner's address and secret, frame size, and ring."""

    def refusal(self, reason: str) -> SourceError:
        """Returns the error for one of ``reasons``, or "slow", "waits" or "crash"."""


class PlayedSource:
    """A source that a process plays; late frames are skipped.

    Args:
        played: What is played.
        title: Its name for the user.
        identity: See ``Source``.
    """

    def __init__(self, played: Played, title: str, identity: str = "") -> None:
        self.title = title
        self.identity = identity
        self.fps = STILL_FPS
        self.aspect = 0.0
        self.offer = SourceOffer()
        self.trouble: SourceError | None = None
        self._played = played
        self._number = 0
        self._ending = threading.Event()
        self._guard = threading.RLock()
        self._player: PlayerProcess | None = None
        self._thread: threading.Thread | None = None

    def start(self, width: int, height: int, listener: SourceListener) -> None:
        """Opens it and plays it from now on. Raises ``SourceError``."""
        self._played.check()
        self._ending.clear()
        self._number, self.trouble = 0, None
        player = self._begin_again(width, height, listener)
        self._thread = threading.Thread(
            target=self._supervise, args=(player, width, height, listener), name="source-played", daemon=True
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
                    raise self._played.refusal(reason)
                if self._number - begun_at < RESTART_AGAIN_FRAMES and player.attempt > 1:
                    raise self._played.refusal("crash")
                log.warning("the process that plays %s has died, and is started again", self._played.name)
                attempt = 1 if self._number - begun_at >= RESTART_AGAIN_FRAMES else 2
                player = self._begin_once_more(width, height, listener, attempt)
        except SourceError as error:
            if not self._ending.is_set():
                log.info("%s ended: %s", self._played.name, error)
                listener.lost(error)

    def _begin_again(self, width: int, height: int, listener: SourceListener) -> PlayerProcess:
        """Starts a process that plays; a second one where the first dies. Raises ``SourceError``."""
        try:
            return self._begin(width, height, listener, 1)
        except DiedError:
            return self._begin_once_more(width, height, listener, 2)

    def _begin_once_more(
        self, width: int, height: int, listener: SourceListener, attempt: int
    ) -> PlayerProcess:
        try:
            return self._begin(width, height, listener, attempt)
        except DiedError as error:
            raise self._played.refusal("crash") from error

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
                self.trouble = self._played.refusal("waits") if on else None

        self.trouble = None  # the trouble of the former process
        player = PlayerProcess(self._played, (width, height), attempt, picture, seen, slow)
        with self._guard:
            if self._ending.is_set():
                player.end()
                raise SourceError("player_stopped")
            self._player = player
        try:
            self.fps = player.opened()
        except (SourceError, DiedError):
            player.end()
            raise
        return player


class DiedError(Exception):
    """The end of a process before it had opened what it plays."""


class PlayerProcess:
    """The owner's end of a player, which is never trusted.

    Args:
        played: What it plays.
        size: Width and height of the frames, pixels.
        attempt: Number of the attempt, from 1.
        on_picture: Receives picture and capture time, in this object's thread; raises ``LinkError`` to end.
        on_aspect: Receives the pictures' width by height, before the first of them.
        on_slow: Called when pictures stop because it waits, and when they come again.

    Attributes:
        attempt: As given.
        pid: Its process id.

    Raises:
        SourceError: It cannot be started (``lost``).
    """

    def __init__(
        self,
        played: Played,
        size: tuple[int, int],
        attempt: int,
        on_picture: Callable[[Picture, int], None],
        on_aspect: Callable[[float], None],
        on_slow: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self.attempt = attempt
        self._played = played
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
            reason = error.strerror or str(error)
            raise SourceError("player_does_not_start", file=played.name, reason=reason) from error
        self.pid = self._child.pid
        threading.Thread(target=self._await_end, name=f"child-{self.pid}", daemon=True).start()
        assert self._child.stdin is not None
        with contextlib.suppress(OSError), self._child.stdin as words:  # the process may be dead already
            words.write(order)

    def opened(self) -> float:
        """Waits until it has opened it; returns its frames a second.

        Raises:
            SourceError: It could not, or took too long; ``DiedError`` where it died of it.
        """
        try:
            said = self._opened.get(timeout=START_S)
        except queue.Empty:
            raise self._played.refusal("slow") from None
        if isinstance(said, float):
            # From now on every picture is a heartbeat: the slowest file has one a second.
            self._watchdog = Watchdog(self.pid, self._ask, f"The process that plays {self._played.name}")
            return said
        if said is not None:
            raise self._played.refusal(said)
        raise DiedError

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

    def _start(self, size: tuple[int, int]) -> bytes:
        """Starts the process; returns its order. Raises ``OSError``, and leaves nothing behind then."""
        with contextlib.ExitStack() as undone:
            self._server = ChannelServer(self._serve, "player")
            undone.callback(self._server.close)
            self._ring = LentRing(size[0] * size[1] * 3 // 2)
            undone.callback(self._ring.remove)
            flags = 0
            if sys.platform == "win32":
                flags = subprocess.CREATE_NO_WINDOW
            self._child = subprocess.Popen(
                children.command(self._played.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                creationflags=flags,
                start_new_session=sys.platform != "win32",
                env=sandbox.environment(),
            )
            undone.pop_all()
        return self._played.order(self._server.address, self._server.secret, size, self._ring.memory.name)

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
        """Asks whether it waits. Raises ``LinkError``."""
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

    def _waits_for_input(self) -> None:
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
            self._waits_for_input()
        elif kind == REFUSED:
            reason = self._played.reasons[self._played.reasons.index(word[1:].decode("ascii"))]
            self._opened.put(reason)
            self._ended.put(reason)
        else:
            raise ValueError(kind)
