"""The page for OBS (a browser source): the camera's picture, served to programs of this computer.

It is an output of the live process, not of a session: its address and its picture survive sessions, cores
and services. The hold policy applies as for the camera. The address is that of a file in the data folder,
never of a port: a program that takes the port while Overpaint is off learns nothing (``web.watch_files``).
Off by default. Must not know windows.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from overpaint.errors import OverpaintError, ProcessError
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.session.output.camera_stage import CameraStage
from overpaint.session.output.standing_frame import StandingFrame
from overpaint.web.listening_port import LOOPBACK, open_listener
from overpaint.wire import live as wire
from overpaint.wire.messages import trouble_of

if TYPE_CHECKING:
    from overpaint.web.watch_files import Door
    from overpaint.web.watch_server import WatchServer

log = logging.getLogger(__name__)

PORTS = range(8790, 8800)
"""Tried first, below the ephemeral ports: former versions used them, and requests to an old address are told
the new one."""
_OUTDATED = ProcessError("obs_page_moved")


class PageSink:
    """The sink of the page for OBS.

    Args:
        publish: Receives each frame.
        note_original: Records, where pages read it, whether originals are shown: a page that loses this
            process must not leave one standing (``web.watch_files``). Raises ``OSError``.
    """

    title = "OBS"

    def __init__(self, publish: Callable[[StyledFrame], None], note_original: Callable[[bool], None]) -> None:
        self._publish = publish
        self._note_original = note_original
        self._noted: bool | None = None
        self._fails = False
        self.written = 0

    def open(self, width: int, height: int, fps: float) -> None:
        """Does nothing: it is ready at once."""

    def write(self, frame: StyledFrame) -> None:
        """Shows one frame; an original only once its record is written."""
        original = frame.kind is FrameKind.ORIGINAL
        if original and not self._note(True):
            return
        self._publish(frame)
        self.written += 1
        if not original:
            self._note(False)

    def _note(self, original: bool) -> bool:
        """Records whether originals are shown; returns whether that worked."""
        if original == self._noted:
            return True
        try:
            self._note_original(original)
        except OSError as error:
            if not self._fails:  # it is tried again with every frame
                log.info("the page for OBS cannot be told whether the original is shown: %s", error)
            self._fails = True
            return False
        self._noted, self._fails = original, False
        return True

    def close(self) -> None:
        """Does nothing: there is nothing to finish."""


class WatchPage:
    """The page for OBS and its server, while it is switched on. Runs on one event loop.

    Args:
        size: (width, height) of every frame.
        fps: Nominal frames a second.
        standing: The standing frame, and the hold policy.
        changed: Called when ``facts`` has changed.

    Attributes:
        stage: Its output thread; None while there is no page.
        folder: The folder of the page's files; without one there is no page.
        outdated: Whether OBS may still have an address of a former version; false once somebody watches.
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
        self._address = ""
        self.folder: Path | None = None
        self.outdated = False

    @property
    def viewers(self) -> int:
        """The number of viewers."""
        return self._server.viewers if self._server is not None else 0

    @property
    def facts(self) -> wire.WatchPage:
        """Returns its state for a window."""
        trouble = self._trouble or (_OUTDATED if self.outdated and self._address else None)
        return wire.WatchPage(address=self._address, viewers=self.viewers, trouble=trouble_of(trouble))

    def switch(self, on: bool) -> None:
        """Opens or closes the page; returns at once."""
        if on and self._running is None:
            self._running = asyncio.get_running_loop().create_task(self._run())
        elif not on and self._running is not None:
            self._running.cancel()
            self._ending.add(self._running)
            self._running.add_done_callback(self._ending.discard)
            self._running = None
            self._address = ""

    async def close(self) -> None:
        """Closes the page; nothing of it runs any more afterwards."""
        self.switch(False)
        if self._ending:
            await asyncio.wait(self._ending)

    async def _run(self) -> None:
        self._trouble = None
        opened: tuple[WatchServer, Door] | None = None
        stage: CameraStage | None = None
        try:
            if self._ending:  # the former server closes its socket, which must not be this one's
                await asyncio.wait(set(self._ending))
            server, door = opened = await self._open()
            self._server = server
            stage = CameraStage(lambda: PageSink(server.publish, door.note), self._standing, lambda: None)
            stage.start()
            self.stage = stage
            self._changed()
            await asyncio.get_running_loop().create_future()
        except OverpaintError as error:
            self._trouble = error
        except Exception:  # a task's root
            log.exception("the page for OBS failed")
            self._trouble = ProcessError("obs_page_failed")
        finally:
            self._server = self.stage = None
            self._address = ""
            if stage is not None:
                await asyncio.to_thread(stage.stop)
            if opened is not None:
                server, door = opened
                await _shut(door)
                await server.close()
            self._changed()

    async def _open(self) -> tuple[WatchServer, Door]:
        # HTTP and aiortc take half a second to load: only when used, and not on the event loop.
        module = await asyncio.to_thread(importlib.import_module, "overpaint.web.watch_server")
        files = await asyncio.to_thread(importlib.import_module, "overpaint.web.watch_files")
        if self.folder is None:
            raise ProcessError("obs_page_without_folder")
        listener = _listener()
        try:
            server: WatchServer = module.WatchServer(listener, *self._size, self._fps, self._count)
            door: Door = files.Door(self.folder, server.port, server.key)
            self._address = await asyncio.to_thread(door.open)
        except OSError as error:
            raise ProcessError(
                "obs_page_not_written", folder=str(self.folder), reason=str(error.strerror)
            ) from error
        finally:
            if not self._address:
                listener.close()
        server.open()
        return server, door

    def _count(self) -> None:
        """Updates the number of viewers."""
        if self.viewers:
            self.outdated = False
        self._changed()


async def _shut(door: Door) -> None:
    try:
        await asyncio.to_thread(door.shut)
    except OSError as error:  # without the file, pages cannot find this server
        log.warning("the page for OBS is closed, but its file is not: %s", error)


def _listener() -> socket.socket:
    """Opens a listening socket on loopback.

    Raises:
        ProcessError: No port is free.
    """
    for port in PORTS:
        with suppress(ProcessError):
            return open_listener(LOOPBACK, port)
    return open_listener(LOOPBACK, 0)
