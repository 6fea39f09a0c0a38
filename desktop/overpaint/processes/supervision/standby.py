"""The standby core: a loaded core that takes over when the running one dies.

A new core takes almost three seconds of one CPU core to load (measured on two cores, at 1080p), during which
the picture would stand still; a standby takes over in well under one second. It loads beside a running stream
at the lowest priority, needs some 110 MB while it waits, and ends with its starter. Must not know sessions.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from pathlib import Path

import psutil

from overpaint.errors import ProcessError
from overpaint.processes.command_lines import begin_standby_core
from overpaint.processes.supervision.heartbeat import PING, PONG, Patience, Watchdog, is_stopped

log = logging.getLogger(__name__)

ROOM_BYTES = 1 << 30
"""Required free memory: with less, the system might kill the running core."""
TAKES_OVER_S = 5.0
"""Time limit for taking over, after which a new core is started instead."""
PATIENCE = Patience(period_s=2.0, stopped=2, idle=3, busy=5)
"""Limits of missed answers of a waiting standby; a loss is not urgent."""


class StandbyCore:
    """The standby core of a data folder. From any thread.

    Args:
        folder: The data folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = threading.Lock()
        self._waiting: _Waiting | None = None

    @property
    def pid(self) -> int | None:
        """Process id of a loaded standby; None without one."""
        waiting = self._waiting
        return waiting.pid if waiting is not None and waiting.loaded.is_set() else None

    def keep(self) -> None:
        """Begins a standby, unless there is one or little memory is free; returns at once."""
        with self._guard:
            if self._waiting is not None:
                if self._waiting.alive:
                    return
                self._waiting.end()
                self._waiting = None
            if psutil.virtual_memory().available < ROOM_BYTES:
                return
            try:
                self._waiting = _Waiting(self._folder)
            except (ProcessError, OSError) as error:
                log.info("there is no standby core: %s", error)

    def drop(self) -> None:
        """Ends it; idempotent."""
        with self._guard:
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.end()

    def take_over(self) -> bool:
        """Makes the standby the core of its folder; returns when it answers.

        Returns:
            Whether there is a core now. A standby that is still loading is no faster than a new core: it is
            ended.
        """
        with self._guard:
            waiting, self._waiting = self._waiting, None
        if waiting is None:
            return False
        try:
            if waiting.loaded.is_set():
                waiting.take_over()
                return True
        except (ProcessError, OSError) as error:
            log.info("the standby core does not take over: %s", error)
        waiting.end()
        return False


class _Waiting:
    """A standby process, which loads and then waits."""

    def __init__(self, folder: Path) -> None:
        self._child = begin_standby_core(folder)
        self.pid = self._child.pid
        self.loaded = threading.Event()
        self._answers = False
        self._watchdog: Watchdog | None = None
        self._listener = threading.Thread(target=self._listen, name="standby-core", daemon=True)
        self._listener.start()

    @property
    def alive(self) -> bool:
        return self._child.alive

    def take_over(self) -> None:
        """Cues it. Raises ``ProcessError``, and ``OSError`` where it has ended."""
        if self._watchdog is not None:
            self._watchdog.close()
        if is_stopped(self.pid):
            raise ProcessError("standby_stopped")
        self._child.cue()
        self._listener.join(TAKES_OVER_S)
        if not self._answers:
            raise ProcessError("standby_silent")

    def end(self) -> None:
        if self._watchdog is not None:
            self._watchdog.close()
        self._child.kill()
        self._listener.join()
        self._child.close()

    def _listen(self) -> None:
        if not self._child.hear():
            return
        self._watchdog = watchdog = Watchdog(
            self.pid, lambda: self._child.say(PING), "the standby core", patience=PATIENCE
        )
        self.loaded.set()
        log.info("a standby core waits")
        while said := self._child.hear():
            if said.strip() == PONG:
                watchdog.answered()
            else:
                self._answers = True
                self._child.close()
                return
        watchdog.close()
        with suppress(ProcessError):  # it was dropped
            self._child.wait()
            self._answers = True
