"""Finds the service core of this machine, or starts it, and holds it for as long as it is used.

The core is a process of its own (``overpaint serve``); one serves all windows and streams of a data
folder. Its lease channel hands over address and key, and tells by its end that the core died.
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
from overpaint.processes.channel import Channel
from overpaint.processes.spare import SpareCore
from overpaint.processes.starting import start_core
from overpaint.session.access import Endpoint

log = logging.getLogger(__name__)

START_TIMEOUT_S = 30.0


class CoreLease:
    """The local core.

    Args:
        folder: The data folder that it serves.
        lost: Called, from any thread, when the core has died.
        start: Starts the core of that folder where it is not already under way; ``start_core`` when left out.
    """

    def __init__(
        self,
        folder: Path,
        lost: Callable[[], None] = lambda: None,
        start: Callable[[], None] | None = None,
    ) -> None:
        self._folder = folder
        self._start = start or partial(start_core, folder)
        self._lost = lost
        self._spare = SpareCore(folder)
        self._guard = threading.Lock()
        self._channel: Channel | None = None
        self._endpoint: Endpoint | None = None
        self.pid: int | None = None

    @property
    def alive(self) -> bool:
        """Whether the core that was last handed out still runs."""
        return self._channel is not None

    async def endpoint(self) -> Endpoint:
        """Address and key of the running core, started when there is none.

        Raises:
            ProcessError: It cannot be started; the sentence has its own last words.
        """
        return await asyncio.to_thread(self._acquire)

    def keep_spare(self, on: bool) -> None:
        """Whether another core, which has loaded already, is to take the place of one that dies."""
        if on:
            self._spare.keep()
        else:
            self._spare.drop()

    def release(self) -> None:
        """Lets go of the core; an embedded one ends when nobody holds it; idempotent."""
        self._spare.drop()
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.close()

    def _acquire(self) -> Endpoint:
        with self._guard:
            if self._channel is not None and self._endpoint is not None:
                return self._endpoint
            deadline = time.monotonic() + START_TIMEOUT_S
            channel = roles.call(self._folder, "core")
            while channel is None and time.monotonic() < deadline:
                if not self._spare.take_over():
                    self._start()
                channel = roles.call(self._folder, "core")
            welcome = channel.receive(timeout=5.0) if channel is not None else None
            if channel is None or welcome is None:
                raise ProcessError("The service core does not start.", mend=f"See {self._log}.")
            self._hold(channel, json.loads(welcome))
            assert self._endpoint is not None
            return self._endpoint

    def _hold(self, channel: Channel, welcome: dict[str, str]) -> None:
        self._endpoint = Endpoint(welcome["url"], welcome["key"])
        note = roles.read_note(self._folder, "core")
        self.pid = note.pid if note is not None else None
        self._channel = channel
        threading.Thread(target=self._watch, args=(channel,), name="core-lease", daemon=True).start()

    def _watch(self, channel: Channel) -> None:
        try:
            while True:
                channel.receive()
        except LinkError:
            if self._channel is channel:
                log.info("the service core is gone")
                self._channel = None
                self._lost()

    @property
    def _log(self) -> Path:
        return self._folder / "core.log"
