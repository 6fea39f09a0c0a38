"""The lease of the local core: found or started, watched, and held for as long as it is used.

The core is a process of its own (``overpaint serve``); one serves all windows and streams of a data
folder. Its lease channel hands over address and key, carries the heartbeat, and tells when a balance may
have changed; its end means that the core died. A core that hangs is killed, and its standby takes over.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from overpaint.errors import LinkError, ProcessError
from overpaint.processes import roles
from overpaint.processes.channel import HANDSHAKE_S, Channel
from overpaint.processes.command_lines import start_core
from overpaint.processes.supervision.heartbeat import PING, PONG, Watchdog
from overpaint.processes.supervision.standby import StandbyCore
from overpaint.session.backend.service_access import Endpoint
from overpaint.wire.credits import BOOKS_CHANGED

log = logging.getLogger(__name__)

START_TIMEOUT_S = 30.0


class CoreLease:
    """A lease of the local core.

    Args:
        folder: The data folder that it serves.
        lost: Called, from any thread, when the core has died, or hangs.
        books_changed: Called, from any thread, when a balance that this core keeps may have changed.
        start: Starts the core of that folder where none is starting already; ``start_core`` by default.
    """

    def __init__(
        self,
        folder: Path,
        lost: Callable[[], None],
        books_changed: Callable[[], None],
        start: Callable[[], None] | None = None,
    ) -> None:
        self._folder = folder
        self._start = start or partial(start_core, folder)
        self._lost = lost
        self._books_changed = books_changed
        self._standby = StandbyCore(folder)
        self._guard = threading.Lock()
        self._channel: Channel | None = None
        self._watchdog: Watchdog | None = None
        self._endpoint: Endpoint | None = None
        self.pid: int | None = None

    @property
    def server(self) -> str:
        """Empty, as of every local core."""
        return ""

    @property
    def alive(self) -> bool:
        """Whether the core of the last endpoint still runs."""
        return self._channel is not None

    async def endpoint(self) -> Endpoint:
        """Address and key of the running core, started when there is none.

        Raises:
            ProcessError: It cannot be started; the sentence contains its last message.
        """
        return await asyncio.to_thread(self._acquire)

    def keep_standby(self, on: bool) -> None:
        """Keeps a loaded standby core that takes over when the core dies, or drops it."""
        if on:
            self._standby.keep()
        else:
            self._standby.drop()

    def release(self) -> None:
        """Gives the lease back; an embedded core ends after its last lease; idempotent."""
        self._standby.drop()
        channel, self._channel = self._channel, None
        if self._watchdog is not None:
            self._watchdog.close()
        if channel is not None:
            channel.close()

    def _acquire(self) -> Endpoint:
        with self._guard:
            # An open channel proves nothing: a process that hangs keeps its channel open, too.
            watchdog = self._watchdog if self._channel is not None else None
            if watchdog is not None and self._endpoint is not None and watchdog.proves_alive():
                return self._endpoint
            channel, welcome = self._join()
            self._endpoint = Endpoint(welcome["url"], welcome["key"])
            self._hold(channel)
            return self._endpoint

    def _join(self) -> tuple[Channel, dict[str, str]]:
        """Connects to the core; where there is none, the standby takes over or a new core is started.

        Raises:
            ProcessError: No core in time.
            LinkError: The core ended while connecting.
        """
        deadline = time.monotonic() + START_TIMEOUT_S
        channel = roles.reach(self._folder, "core")
        while time.monotonic() < deadline:
            if channel is None:
                if not self._standby.take_over():
                    self._start()
                channel = roles.reach(self._folder, "core")
                continue
            welcome = channel.receive(timeout=HANDSHAKE_S)
            if welcome is not None:
                return channel, json.loads(welcome)
            channel.close()
            channel = None
            roles.end_hung(self._folder, "core")
        raise ProcessError("core_does_not_start", log=str(self._log))

    def _hold(self, channel: Channel) -> None:
        note = roles.read_note(self._folder, "core")
        self.pid = channel.peer_pid or (note.pid if note is not None else None)
        self._channel = channel
        self._watchdog = watchdog = Watchdog(
            self.pid, lambda: channel.send(PING), "the service core", lambda: self._lose(channel)
        )
        threading.Thread(
            target=self._listen, args=(channel, watchdog), name="core-lease", daemon=True
        ).start()

    def _listen(self, channel: Channel, watchdog: Watchdog) -> None:
        try:
            while True:
                said = channel.receive()
                if said == PONG:
                    watchdog.answered()
                elif said == BOOKS_CHANGED:
                    self._books_changed()
        except LinkError:
            watchdog.close()
            self._lose(channel)

    def _lose(self, channel: Channel) -> None:
        if self._channel is channel:
            log.info("the service core is gone")
            self._channel = None
            self._lost()

    @property
    def _log(self) -> Path:
        return self._folder / "core.log"


class LocalFallback:
    """A ``Fallback`` that the user always allows.

    Args:
        lease: The local core.
    """

    def __init__(self, lease: CoreLease) -> None:
        self._lease = lease

    def acquire_fallback(self) -> CoreLease:
        """See ``Fallback``."""
        return self._lease

    def release_fallback(self) -> None:
        """See ``Fallback``."""
        self._lease.release()
