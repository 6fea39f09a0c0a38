"""The supervision of live processes without a window: when one dies or hangs, a successor is started.

With a window, ``gui.connection`` does that. Here it is the camera process, since it runs in every call that
uses the camera, has little that could hang, and does not depend on the live process. It keeps the live
process's course, and sends the successor what the window would send: first privacy and hold, then the
session, then going on air. Both follow the same rules (``same_source``, ``same_again``, ``RestartLimit``). A
window that watched has priority for a while. Must not know devices, widgets or frames.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from overpaint.errors import LinkError, ProcessError
from overpaint.processes import roles
from overpaint.processes.channel import Channel
from overpaint.processes.supervision.heartbeat import PING, PONG, Watchdog
from overpaint.processes.supervision.live_successor import LiveSuccessor
from overpaint.wire.course import Course
from overpaint.wire.live import (
    AnyIntent,
    AnyNews,
    Hello,
    LiveSnapshot,
    SetHold,
    SetOnAir,
    SetPrivacy,
    StartSession,
    parse_news,
)

log = logging.getLogger(__name__)

MOST, WITHIN_S = 3, 600.0
"""Rate limit of restarts; if the process dies more often, its user must act."""
LOOK_AGAIN_S = 0.1
WINDOW_S = 10.0
"""Time in which a window that watched may start the successor."""


def course_of(snapshot: LiveSnapshot, *, guarded: bool = False) -> Course:
    """Returns the course of a snapshot."""
    return Course(
        running=snapshot.state not in ("stopped", "failed"),
        on_air=snapshot.on_air,
        private=snapshot.private,
        hold=snapshot.hold,
        source=snapshot.source,
        source_title=snapshot.source_title,
        guarded=guarded,
    )


def same_source(before: Course, now: Course) -> bool:
    """Returns whether the source is the same, by name: a number may mean another camera now."""
    return (before.source_title, before.source.split(":")[0]) == (
        now.source_title,
        now.source.split(":")[0],
    )


def same_again(before: Course) -> tuple[AnyIntent, ...]:
    """Returns the intents that restore a course, privacy and hold first. A recording is not resumed."""
    return (
        *((SetPrivacy(on=True),) if before.private else ()),
        *((SetHold(on=True),) if before.hold else ()),
        StartSession(),
        *((SetOnAir(on=True),) if before.on_air else ()),
    )


class RestartLimit:
    """The count of recent restarts of a live process.

    Args:
        clock: Returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: deque[float] = deque(maxlen=MOST)

    def take(self) -> bool:
        """Counts a restart; False, uncounted, at the limit."""
        if len(self._times) == MOST and self._clock() - self._times[0] < WITHIN_S:
            return False
        self._times.append(self._clock())
        return True


class LiveWatch:
    """The watch on a data folder's live process and its successors.

    Args:
        folder: The data folder.
        ended: Ends the watch.
    """

    def __init__(self, folder: Path, ended: threading.Event) -> None:
        self._folder = folder
        self._ended = ended
        self._next = LiveSuccessor(folder)
        self._restarts = RestartLimit()
        self._course = Course()
        self._owed: Course | None = None
        self._window_ends_s = 0.0
        """Time (``time.monotonic``) until which a window that watched has priority."""

    def run(self) -> None:
        """Watches until the end."""
        try:
            while not self._ended.is_set():
                channel = roles.reach(self._folder, "live")
                if channel is None:
                    self._ended.wait(LOOK_AGAIN_S)
                    continue
                self._watch(channel)
                self._replace(channel.peer_pid)
        except ValidationError:
            log.info("the live process speaks another version of Overpaint, and is not watched")
        finally:
            self._next.doubt(False)

    def _watch(self, channel: Channel) -> None:
        """Watches one live process until it is gone. Raises ``ValidationError``."""
        self._course = Course()
        watchdog: Watchdog | None = None
        try:
            channel.send(Hello(role="watcher").model_dump_json().encode())
            watchdog = Watchdog(
                channel.peer_pid, lambda: channel.send(PING), "the live process", doubted=self._doubt
            )
            while True:
                message = channel.receive()
                if message == PONG:
                    watchdog.answered()
                elif message is not None:
                    self._hear(parse_news(message))
                self._go_on(channel)
        except LinkError:
            pass
        finally:
            if watchdog is not None:
                watchdog.close()
            channel.close()

    def _hear(self, news: AnyNews) -> None:
        if isinstance(news, Course) and not self._course.ends:
            self._course = news

    def _doubt(self, on: bool) -> None:
        self._next.doubt(on and self._course.running and not self._course.guarded)

    def _go_on(self, channel: Channel) -> None:
        """Restores the course of a replaced live process in its successor, once its source is available."""
        owed, now = self._owed, self._course
        if owed is None or not now.source:
            return
        if now.running or now.guarded:
            self._owed = None  # the window restores it, and knows its user's later intents
            return
        if self._window_may_come():
            return
        self._owed = None
        if not same_source(owed, now):
            log.warning("%s is not there any more: the live process does not go on", owed.source_title)
            return
        for intent in same_again(owed):
            channel.send(intent.model_dump_json().encode())
        log.warning("the live process came back by itself")

    def _replace(self, former: int | None) -> None:
        """Starts a successor where needed."""
        before = self._owed or self._course
        if not before.running or self._ended.is_set():
            self._owed = None
            self._next.doubt(False)
            return
        self._owed = before
        self._window_ends_s = time.monotonic() + WINDOW_S if before.guarded else 0.0
        if self._window_starts(former):
            self._next.doubt(False)
            return
        while self._restarts.take():
            try:
                self._next.start()
            except ProcessError as error:
                log.warning("%s", error)
            else:
                return
        log.warning("the live process ended for the fourth time in ten minutes, and is not started again")
        self._owed = None
        self._next.doubt(False)

    def _window_starts(self, former: int | None) -> bool:
        """Returns whether a window that watched starts the successor; it may still end before that."""
        while self._window_may_come():
            note = roles.read_note(self._folder, "live")
            if note is not None and note.pid != former:
                return True
            if self._ended.wait(LOOK_AGAIN_S):
                return True
        return False

    def _window_may_come(self) -> bool:
        return time.monotonic() < self._window_ends_s and roles.is_announced(self._folder, roles.WINDOW)
