"""The window's connection to the live process: sends intents, receives snapshots, reconnects.

A reader thread finds the live process, starts it when there is none (also after the watchdog killed one that
hung), and receives; a sender thread sends. Qt's thread only appends intents to a bounded queue and takes the
newest snapshot. Must not know widgets, nor what a snapshot means.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import assert_never

from pydantic import ValidationError
from PySide6.QtCore import QObject, Qt, Signal, SignalInstance

from overpaint.errors import LinkError, OverpaintError
from overpaint.gui.words.troubles import words
from overpaint.processes import roles
from overpaint.processes.channel import Channel
from overpaint.processes.supervision.heartbeat import PING, PONG, Watchdog
from overpaint.wire.course import Course
from overpaint.wire.credits import Charges
from overpaint.wire.live import (
    AnyIntent,
    AnyNews,
    Hello,
    LiveSnapshot,
    Quit,
    SetPreview,
    parse_news,
    topic,
)
from overpaint.wire.looks import LookPicture, ReferencePhoto
from overpaint.wire.preferences import Updates
from overpaint.wire.servers import Server
from overpaint.wire.sources import SoundLevel, SourcePicture
from overpaint.wire.transforms import TransformPreview, Transforms, TransformsProgress

log = logging.getLogger(__name__)

START_DELAYS_S = (0.0, 1.0, 2.0, 4.0, 8.0)
"""Backoff: the wait before each attempt to start the live process; after the last one the user is asked."""
APPEAR_TIMEOUT_S = 20.0
"""Time that a started live process has to announce its address."""
_LOOK_AGAIN_S = 0.05
_STEADY_S = 30.0
_WAITING_INTENTS = 256


class LiveBridge(QObject):
    """Connection to the live process, which is opened again whenever it breaks.

    Messages are emitted on the thread of this object; ``connection_changed``, ``given_up`` and ``flushed`` on
    worker threads: connected to methods of a ``QObject``, they arrive on its thread.

    Args:
        data_dir: The data folder, in which the live process announces its address.
        start_live: Starts the live process; called in a thread, may block, may raise ``OverpaintError``.
        doubt_live: Called with whether the live process may hang, so that a successor can be loaded early.
        start_delays_s: Wait before each attempt to start it; as many attempts as entries.
    """

    snapshot_changed = Signal(LiveSnapshot)
    """The newest snapshot. Here and below, an older message that was not delivered yet is skipped."""
    sound_level_changed = Signal(SoundLevel)
    """The levels of recorded sound."""
    transforms_changed = Signal(Transforms)
    progress_changed = Signal(TransformsProgress)
    file_previewed = Signal(TransformPreview)
    charges_changed = Signal(Charges)
    server_changed = Signal(Server)
    updates_changed = Signal(Updates)
    look_painted = Signal(LookPicture)
    reference_changed = Signal(str)
    """The reference photo in use as base64; empty for none."""
    source_pictured = Signal(SourcePicture)
    connection_changed = Signal(bool)
    given_up = Signal(str, str)
    """The live process cannot be started: why, and how to mend it, for the user. ``retry`` tries again."""
    flushed = Signal()
    """All intents queued before ``finish`` have been sent, or cannot be sent any more."""

    _news_arrived = Signal()

    def __init__(
        self,
        data_dir: Path,
        start_live: Callable[[], None],
        doubt_live: Callable[[bool], None],
        start_delays_s: tuple[float, ...] = START_DELAYS_S,
    ) -> None:
        super().__init__()
        self.data_dir = data_dir
        self._start_live = start_live
        self._start_delays_s = start_delays_s
        self._doubt_live = doubt_live
        self._guard = threading.Lock()
        self._work = threading.Condition(self._guard)
        self._channel: Channel | None = None
        self._intents: deque[AnyIntent] = deque(maxlen=_WAITING_INTENTS)
        self._preview: SetPreview | None = None
        self._quit: Quit | None = None
        self._newest: dict[str, AnyNews] = {}
        self._finishing = False
        self._setbacks = 0
        self._trouble: tuple[str, str] | None = None
        self._closed = threading.Event()
        self._retry = threading.Event()
        self._news_arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._reader = threading.Thread(target=self._read, name="live-reader", daemon=True)
        self._sender = threading.Thread(target=self._send, name="live-sender", daemon=True)

    def start(self) -> None:
        """Starts both threads, and with them the search for the live process."""
        self._reader.start()
        self._sender.start()

    def send(self, intent: AnyIntent) -> None:
        """Queues an intent; never blocks.

        Without a connection the intent is dropped, except the preview's size and ``Quit``, which are sent
        after connecting. ``recovery`` keeps the intents that hide the user.
        """
        with self._work:
            if isinstance(intent, SetPreview):
                self._preview = intent
                waiting = [item for item in self._intents if not isinstance(item, SetPreview)]
                self._intents = deque(waiting, maxlen=_WAITING_INTENTS)
            if self._channel is None and isinstance(intent, Quit):
                self._quit = intent
            if self._channel is None or self._finishing:
                return
            self._intents.append(intent)
            self._work.notify()

    def retry(self) -> None:
        """Tries again to start the live process, after ``given_up``."""
        self._retry.set()

    def finish(self) -> None:
        """Accepts no more intents; emits ``flushed`` when the queued ones have been sent."""
        with self._work:
            self._finishing = True
            self._work.notify()

    def close(self) -> None:
        """Ends both threads; no signal is emitted afterwards. Idempotent."""
        with self._work:
            self._closed.set()
            self._retry.set()
            channel, self._channel = self._channel, None
            self._work.notify_all()
        if channel is not None:
            channel.close()
        for thread in (self._reader, self._sender):
            if thread.is_alive():
                # A thread may be blocked by a process that does not answer: it is a daemon, and left to end
                # by itself.
                thread.join(timeout=0.5)

    # ---- Qt's thread

    def _deliver(self) -> None:
        with self._guard:
            newest, self._newest = self._newest, {}
        for news in newest.values():
            if self._closed.is_set():
                return
            match news:
                case LiveSnapshot():
                    self.snapshot_changed.emit(news)
                case Transforms():
                    self.transforms_changed.emit(news)
                case TransformsProgress():
                    self.progress_changed.emit(news)
                case TransformPreview():
                    self.file_previewed.emit(news)
                case Charges():
                    self.charges_changed.emit(news)
                case Server():
                    self.server_changed.emit(news)
                case Updates():
                    self.updates_changed.emit(news)
                case LookPicture():
                    self.look_painted.emit(news)
                case ReferencePhoto(image_data=image_data):
                    self.reference_changed.emit(image_data)
                case SourcePicture():
                    self.source_pictured.emit(news)
                case SoundLevel():
                    self.sound_level_changed.emit(news)
                case Course():
                    pass  # meant for the processes that supervise the live process
                case _:
                    assert_never(news)

    # ---- the reader thread

    def _read(self) -> None:
        try:
            # After ``finish`` a live process that is gone was asked to end, or needs no window.
            while not self._closed.is_set() and not self._finishing:
                channel = self._reach()
                if channel is not None:
                    self._converse(channel)
        except Exception:
            log.exception("the connection to the live process ended for an unknown reason")
            self._tell(self.given_up, self.tr("The window failed to talk to Overpaint's live process."), "")
        finally:
            with self._work:
                self._quit = None  # there is nobody to be told
                self._work.notify()

    def _reach(self) -> Channel | None:
        """Connects to the live process, starting it if necessary; None when this attempt failed."""
        channel = roles.reach(self.data_dir, "live")
        if channel is not None:
            return channel
        if self._setbacks >= len(self._start_delays_s):
            self._give_up()
            return None
        if self._closed.wait(self._start_delays_s[self._setbacks]) or self._finishing:
            return None
        self._setbacks += 1
        try:
            self._start_live()
        except OverpaintError as error:
            self._trouble = words(error)
            return None
        return self._await_live()

    def _give_up(self) -> None:
        self._retry.clear()
        sentence, mend = self._trouble or (self.tr("Overpaint's live process does not start."), "")
        self._tell(self.given_up, sentence, mend)
        self._retry.wait()
        self._setbacks, self._trouble = 0, None

    def _await_live(self) -> Channel | None:
        # A process that is starting has no channel yet: poll for the note in which it announces its address.
        deadline = time.monotonic() + APPEAR_TIMEOUT_S
        while time.monotonic() < deadline and not self._closed.wait(_LOOK_AGAIN_S):
            channel = roles.call(self.data_dir, "live")
            if channel is not None:
                return channel
        return None

    def _converse(self, channel: Channel) -> None:
        connected = time.monotonic()
        watchdog: Watchdog | None = None
        try:
            channel.send(Hello(role="window").model_dump_json().encode())
            with self._work:
                if self._closed.is_set():
                    return
                self._channel = channel
                self._intents.clear()
                self._intents.extend(each for each in (self._preview, self._quit) if each is not None)
                self._quit = None
                self._work.notify()
            self._tell(self.connection_changed, True)
            self._doubt_live(False)
            watchdog = Watchdog(
                channel.peer_pid, lambda: channel.send(PING), "the live process", doubted=self._doubt_live
            )
            while True:
                message = channel.receive()
                if message == PONG:
                    watchdog.answered()
                elif message is not None:
                    self._keep(parse_news(message))
        except LinkError:
            pass
        except ValidationError:
            log.exception("the live process does not speak this window's language")
            self._trouble = (
                self.tr("Another version of Overpaint is running."),
                self.tr("Close it, then try again."),
            )
            self._setbacks = len(self._start_delays_s)
        finally:
            if watchdog is not None:
                watchdog.close()
            channel.close()
            with self._work:
                self._channel = None
                self._newest = {}
            self._tell(self.connection_changed, False)
        if self._setbacks >= len(self._start_delays_s):
            self._give_up()
        elif time.monotonic() - connected > _STEADY_S:
            self._setbacks = 0
        else:
            self._closed.wait(_LOOK_AGAIN_S)

    def _keep(self, news: AnyNews) -> None:
        with self._guard:
            waiting = bool(self._newest)
            self._newest[topic(news)] = news
        if not waiting:
            self._tell(self._news_arrived)

    def _tell(self, signal: SignalInstance, *values: object) -> None:
        with self._guard:
            if not self._closed.is_set():
                signal.emit(*values)

    # ---- the sender thread

    def _send(self) -> None:
        try:
            while (next_one := self._next_intent()) is not None:
                intent, channel = next_one
                try:
                    channel.send(intent.model_dump_json().encode())
                except LinkError:
                    channel.close()  # the reader thread notices, and reconnects
        except Exception:
            log.exception("sending to the live process ended for an unknown reason")
        self._tell(self.flushed)

    def _next_intent(self) -> tuple[AnyIntent, Channel] | None:
        with self._work:
            while not self._closed.is_set():
                if self._intents and self._channel is not None:
                    return self._intents.popleft(), self._channel
                if self._finishing and self._quit is None:
                    return None
                self._work.wait()
            return None
