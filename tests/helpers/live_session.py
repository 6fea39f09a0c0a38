"""A session as the live process runs it, without devices: every frame that comes out of it is kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from helpers.clips import person_clip
from overpaint.app import make_link
from overpaint.media import pictures
from overpaint.media.frames import StyledFrame
from overpaint.media.sources import Source
from overpaint.media.sources.file_source import FileSource
from overpaint.session.backend.service_access import Endpoint, Fallback, NoFallback, ServiceAccess
from overpaint.session.output.frame_router import FrameHub
from overpaint.session.realtime.events import Style
from overpaint.session.realtime.purchase_records import SessionOptions
from overpaint.session.realtime.runner import SessionRunner


@dataclass
class Viewer:
    """Takes what would reach the camera."""

    frames: list[StyledFrame] = field(default_factory=list)

    def deliver(self, frame: StyledFrame) -> None:
        self.frames.append(frame)


@dataclass
class Session:
    """What a test needs of it."""

    runner: SessionRunner
    viewer: Viewer
    hub: FrameHub

    async def until(self, condition: Callable[[], object], seconds: float = 30.0) -> None:
        async with asyncio.timeout(seconds):
            while not condition():  # noqa: ASYNC110 - what it waits for is in another process
                await asyncio.sleep(0.02)

    async def frames(self, count: int, seconds: float = 30.0) -> list[StyledFrame]:
        """So many more."""
        before = len(self.viewer.frames)
        await self.until(lambda: len(self.viewer.frames) >= before + count, seconds)
        return self.viewer.frames[before:]

    async def credits(self) -> int:
        """What the service that is used now says."""
        await self.runner.refresh_account()
        assert self.runner.purchases.account is not None
        return self.runner.purchases.account.credits_remaining


@dataclass
class At:
    """A service whose place is known.

    Attributes:
        url: Where it is.
        key: For it.
        alive: Whether its process is there.
        server: Its address as the user entered it; empty where it is this computer's own, which is free.
    """

    url: str
    key: str
    alive: bool = True
    server: str = ""

    async def endpoint(self) -> Endpoint:
        return Endpoint(self.url, self.key, self.server)

    def keep_standby(self, on: bool) -> None:
        """It has none."""


@asynccontextmanager
async def live_session(
    access: ServiceAccess,
    options: SessionOptions | None = None,
    style: Style | None = None,
    source: Source | None = None,
    viewer: Viewer | None = None,
    fallback: Fallback | None = None,
) -> AsyncIterator[Session]:
    """Not started yet; stopped at the end. A person's clip goes in unless another source is given."""
    viewer = viewer or Viewer()
    hub = FrameHub(viewer, lambda _: None)
    options = options or SessionOptions(model="service-realtime-720p", ttl_seconds=60)
    runner = SessionRunner(
        access,
        hub,
        make_link,
        options,
        lambda: None,
        fallback or NoFallback(),
        lambda: None,
        lambda session, server: None,
    )
    runner.style = style or Style(prompt="film noir")
    source = source or FileSource(person_clip())
    await asyncio.to_thread(source.start, *options.size, hub)
    try:
        yield Session(runner, viewer, hub)
    finally:
        await runner.stop()
        source.stop()


def colour(frame: StyledFrame) -> float:
    """How far hues lie apart: a grey look has one, be it tinted; the room has many."""
    _, u, v = pictures.planes(frame.image)
    return float(u.std() + v.std())
