"""The main loop of a live process with windows: publishes snapshots and saves state until the end.

Must not know how the parts were built, nor what an intent means.
"""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable

from overpaint.processes.supervision.succession import course_of
from overpaint.session.live.live_process import Live
from overpaint.session.live.persistence import LiveMemory
from overpaint.session.live.window_server import WindowServer
from overpaint.wire.course import Course
from overpaint.wire.looks import ReferencePhoto

log = logging.getLogger(__name__)

SNAPSHOT_S = 1.0
"""Interval of snapshots with measured figures; any other change is published at once."""
LONELY_S = 60.0
"""Time after which a live process ends itself that is off air, not watched, and without a window."""


async def attend(
    live: Live,
    windows: WindowServer,
    memory: LiveMemory,
    stop: asyncio.Event,
    news: asyncio.Event,
    busy: Callable[[], bool],
) -> None:
    """Serves windows until ``stop`` is set, or nobody needs the process any more.

    Args:
        live: The live process, with the restored style.
        windows: The open window server.
        memory: Restores and saves state.
        stop: Ends the loop.
        news: Set whenever the snapshot has changed.
        busy: Whether there is work that goes on without a window.
    """
    # A window gets the state at once, however long devices and the core take.
    preparing = asyncio.create_task(memory.restore_devices(live))
    try:
        await _tell(live, windows, memory, stop, news, busy)
    finally:
        preparing.cancel()
        await asyncio.wait([preparing])
        await memory.keep(live)


async def _tell(
    live: Live,
    windows: WindowServer,
    memory: LiveMemory,
    stop: asyncio.Event,
    news: asyncio.Event,
    busy: Callable[[], bool],
) -> None:
    loop = asyncio.get_running_loop()
    needed_at = loop.time()
    course: Course | None = None
    photo: bytes | None = b""
    while not stop.is_set():
        news.clear()
        snapshot = live.snapshot()
        windows.publish(snapshot)
        if course != (now := course_of(snapshot, guarded=windows.guarded)):
            course = now
            windows.publish(course)
        if (reference := live.runner.style.reference) is not photo:
            photo = reference
            windows.publish(ReferencePhoto(image_data=base64.b64encode(photo or b"").decode()))
        await memory.keep(live)
        seen = live.page.viewers or live.on_air
        if windows.windows or busy() or seen:
            needed_at = loop.time()
        elif loop.time() - needed_at > LONELY_S:
            log.info("nobody needs this process any more")
            return
        waits = [asyncio.ensure_future(stop.wait()), asyncio.ensure_future(news.wait())]
        await asyncio.wait(waits, timeout=SNAPSHOT_S, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
