"""Previews of screens and windows for the source dialog, taken one at a time.

They go to windows, and nowhere else. Must not know how a screen is captured.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable

from overpaint.wire.live import SourceChoice
from overpaint.wire.sources import SourcePicture

AGAIN_S = 1.5
"""Pause between two rounds."""


class SourcePictures:
    """The previews of sources, on the event loop on which it is created.

    Args:
        look_again: Updates the list of sources.
        sources: The list of sources.
        picture: Takes a JPEG of a source, or None; may block for a while.
        tell: Receives each preview.
        forget: Called at the end: the previews are out of date from then on.
    """

    def __init__(
        self,
        look_again: Callable[[], Awaitable[None]],
        sources: Callable[[], list[SourceChoice]],
        picture: Callable[[str], bytes | None],
        tell: Callable[[SourcePicture], None],
        forget: Callable[[], None],
    ) -> None:
        self._look_again = look_again
        self._sources = sources
        self._picture = picture
        self._tell = tell
        self._forget = forget
        self._work: asyncio.Task[None] | None = None

    def want(self, on: bool) -> None:
        """Starts, or stops after the present preview."""
        if not on and self._work is not None:
            self._work.cancel()
            self._work = None
        elif on and self._work is None:
            self._work = asyncio.get_running_loop().create_task(self._run(), name="source pictures")
        if not on:
            self._forget()

    def follow(self, watched: bool) -> None:
        """Stops where no window is left."""
        if not watched:
            self.want(False)

    async def close(self) -> None:
        """Stops it."""
        work = self._work
        self.want(False)
        if work is not None:
            await asyncio.wait([work])

    async def _run(self) -> None:
        while True:
            await self._look_again()
            for choice in self._sources():
                if choice.kind not in ("screen", "window") or choice.seen != "whole":
                    continue
                data = await asyncio.to_thread(self._picture, choice.source)
                if data is not None:
                    picture = base64.b64encode(data).decode()
                    self._tell(SourcePicture(source=choice.source, picture=picture))
            await asyncio.sleep(AGAIN_S)
