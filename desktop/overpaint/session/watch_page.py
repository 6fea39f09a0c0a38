"""The page that OBS shows: what the camera shows, served to programs of this computer.

It is an output of the live process, not of a session: whatever becomes of sessions, cores and services,
its address stays and its picture goes on. What it shows is decided by a ``CameraStage``, as for the
camera. Off unless the user wants it; its port and token are remembered, since OBS remembers them. Must
not know windows.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from overpaint.errors import OverpaintError, ProcessError
from overpaint.media.frames import StyledFrame
from overpaint.session import facts
from overpaint.session.outputs import CameraStage
from overpaint.session.standing import StandingFrame
from overpaint.web.listening import LOOPBACK, open_listener
from overpaint.wire import live as wire

if TYPE_CHECKING:
    from overpaint.web.watch_server import WatchServer

log = logging.getLogger(__name__)

PORTS = range(8790, 8800)
"""Tried first: below those that systems lend to any program."""
PORT_PATIENCE_S = 10.0
"""How long the remembered port is waited for: the process before this one may still be ending."""
RETRY_S = 0.5


class PageSink:
    """The page as a sink of styled frames.

    Args:
        publish: Takes each frame.
    """

    title = "OBS"

    def __init__(self, publish: Callable[[StyledFrame], None]) -> None:
        self._publish = publish
        self.written = 0

    def open(self, width: int, height: int, fps: float) -> None:
        """Is ready at once."""

    def write(self, frame: StyledFrame) -> None:
        """Shows one frame."""
        self._publish(frame)
        self.written += 1

    def close(self) -> None:
        """Has nothing to finish."""


class WatchPage:
    """The page, while it is wanted. Lives on one event loop.

    Args:
        size: (width, height) of every frame.
        fps: Frames a second to expect.
        standing: Knows what is shown while nothing new comes, and what may be shown.
        changed: Called when ``facts`` would tell something new.

    Attributes:
        stage: Decides what is shown; None while there is no page.
        port: Remembered; 0 before there was one.
        token: The same; empty before there was one.
    """

    def __init__(
        self,
        size: tuple[int, int],
        fps: float,
        standing: StandingFrame,
        changed: Callable[[], None],
    ) -> None:
        self._size = size
        self._fps = fps
        self._standing = standing
        self._changed = changed
        self._server: WatchServer | None = None
        self._trouble: OverpaintError | None = None
        self._running: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self.stage: CameraStage | None = None
        self.port = 0
        self.token = ""

    @property
    def viewers(self) -> int:
        """How many watch."""
        return self._server.viewers if self._server is not None else 0

    @property
    def facts(self) -> wire.WatchPage:
        """What a window is told of it."""
        address = self._server.address if self._server is not None else ""
        return wire.WatchPage(address=address, viewers=self.viewers, trouble=facts.trouble(self._trouble))

    def switch(self, on: bool) -> None:
        """Opens the page, or ends it; returns at once."""
        if on and self._running is None:
            self._running = asyncio.get_running_loop().create_task(self._run())
        elif not on and self._running is not None:
            self._running.cancel()
            self._ending.add(self._running)
            self._running.add_done_callback(self._ending.discard)
            self._running = None

    async def close(self) -> None:
        """Ends the page; nothing of it runs any more afterwards."""
        self.switch(False)
        if self._ending:
            await asyncio.wait(self._ending)

    async def _run(self) -> None:
        self._trouble = None
        server: WatchServer | None = None
        stage: CameraStage | None = None
        try:
            server = self._server = await self._open()
            stage = CameraStage(lambda: PageSink(server.publish), self._standing, lambda: None)
            stage.start()
            self.stage = stage
            self._changed()
            await asyncio.get_running_loop().create_future()
        except OverpaintError as error:
            self._trouble = error
        except Exception:  # a task's root
            log.exception("the page for OBS failed")
            self._trouble = ProcessError("The page for OBS has failed.", mend="Turn it off and on again.")
        finally:
            self._server = self.stage = None
            if stage is not None:
                await asyncio.to_thread(stage.stop)
            if server is not None:
                await server.close()
            self._changed()

    async def _open(self) -> WatchServer:
        # HTTP and aiortc take half a second to load: only for those who use them, and not on the event loop.
        module = await asyncio.to_thread(importlib.import_module, "overpaint.web.watch_server")
        listener = await self._listen()
        former, self.port = self.port, listener.getsockname()[1]
        self.token = self.token or secrets.token_urlsafe(24)
        if former not in (0, self.port):
            self._trouble = ProcessError(
                f"Another program has port {former} now, so the page for OBS has another address.",
                kind="port_in_use",
                mend="Copy it into OBS again.",
            )
        try:
            server: WatchServer = module.WatchServer(
                listener, self.token, *self._size, self._fps, self._changed
            )
        except BaseException:
            listener.close()
            raise
        server.open()
        return server

    async def _listen(self) -> socket.socket:
        """A socket on the remembered port, or on another where that one stays taken.

        Raises:
            ProcessError: There is no port at all.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + PORT_PATIENCE_S
        while self.port and loop.time() < end:
            try:
                return open_listener(LOOPBACK, self.port)
            except ProcessError as error:
                log.info("the page for OBS waits for its port: %s", error)
                await asyncio.sleep(RETRY_S)
        for port in PORTS:
            with suppress(ProcessError):
                return open_listener(LOOPBACK, port)
        return open_listener(LOOPBACK, 0)
