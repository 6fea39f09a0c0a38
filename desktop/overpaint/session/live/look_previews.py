"""Previews of looks for the gallery: the user's own picture in each, one after another.

Only while a window shows looks and asks; never while a session starts, nor while the stream is not at
its rate. What is painted here goes to windows as small pictures, and nowhere else. Must not know how
looks paint nor how a window shows them.
"""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable
from typing import Protocol

from overpaint.errors import OverpaintError
from overpaint.media.frames import Picture, RawFrame, now_ns
from overpaint.session.live.live_process import Live
from overpaint.session.realtime.state import Phase
from overpaint.wire.looks import LookPicture, WantedLook

log = logging.getLogger(__name__)

FRESH_S = 120.0
"""A picture is painted anew after this long."""
MOMENT_S = 15.0
"""Pictures painted within this time show the same moment, so that looks can be compared."""
LEISURE_S = 4.0
"""Nothing is painted in the first seconds of a process: then the first picture of the stream counts."""
PATIENCE_S = 1.0
"""Wait before the stream is looked at again, or for a frame."""
AT_ITS_RATE = 0.93
"""Share of the source's frames that come out of a stream that holds its rate."""
_FAR_PAST = float("-inf")


class Painter(Protocol):
    """Paints a frame in a look."""

    async def paint(self, prompt: str, image: Picture, photo: bytes | None) -> bytes:
        """See ``transforms.look_pictures.LookPainter``. Raises ``OverpaintError``."""

    async def close(self) -> None:
        """Ends what it has started."""


class Stream(Protocol):
    """The stream whose source is painted, and which comes first."""

    @property
    def source(self) -> str:
        """The source, as ``--source`` takes it."""

    @property
    def photo(self) -> bytes | None:
        """The reference photo, a picture file; the same object for as long as it is the same photo."""

    def newest_frame(self) -> RawFrame | None:
        """The source's newest frame; None while there is none."""

    def has_time(self) -> bool:
        """Whether work that nobody waits for may be done now."""


class LiveStream:
    """The stream of a live process.

    Args:
        live: The live process.
    """

    def __init__(self, live: Live) -> None:
        self._live = live

    @property
    def source(self) -> str:
        """See ``Stream``."""
        return self._live.source.identity

    @property
    def photo(self) -> bytes | None:
        """See ``Stream``."""
        return self._live.runner.style.reference

    def newest_frame(self) -> RawFrame | None:
        """See ``Stream``."""
        return self._live.hub.originals.newest

    def has_time(self) -> bool:
        """While the stream stands still, or holds its rate."""
        phase, now, hub = self._live.runner.state.phase, now_ns(), self._live.hub
        if phase is not Phase.LIVE:
            return phase in (Phase.STOPPED, Phase.FAILED)
        return 0 < AT_ITS_RATE * hub.captured.per_second(now) <= hub.styled.per_second(now)


class LookPictures:
    """Paints what is asked for, on the event loop that it is made on.

    Args:
        painter: Paints; closed at the end.
        stream: What is painted, and when there is time.
        tell: Takes each picture.
        leisure_s: See ``LEISURE_S``.
    """

    def __init__(
        self,
        painter: Painter,
        stream: Stream,
        tell: Callable[[LookPicture], None],
        leisure_s: float = LEISURE_S,
    ) -> None:
        self._painter = painter
        self._stream = stream
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._leisure_s = leisure_s
        self._source = ""
        self._photo: bytes | None = None
        self._wanted: tuple[WantedLook, ...] = ()
        self._painted_at: dict[str, float] = {}
        self._frame: RawFrame | None = None
        self._frame_at = _FAR_PAST
        self._news = asyncio.Event()
        self._work = self._loop.create_task(self._run(), name="look pictures")

    def want(self, looks: tuple[WantedLook, ...]) -> None:
        """Which looks are to be painted, the first one first; none ends it."""
        self._wanted = looks
        self._news.set()

    def follow(self, watched: bool) -> None:
        """The source may be another one now, or there may be no window any more."""
        if not watched:
            self._wanted = ()
        self._news.set()

    async def close(self) -> None:
        """Ends it, and the painter."""
        self._work.cancel()
        await asyncio.wait([self._work])
        await self._painter.close()

    async def _run(self) -> None:
        await asyncio.sleep(self._leisure_s)
        while True:
            self._follow_source()
            look = self._due()
            if look is None:
                await self._wait(FRESH_S if self._wanted else None)
            elif not self._stream.has_time() or (frame := self._moment()) is None:
                await asyncio.sleep(PATIENCE_S)
            else:
                await self._paint(look, frame)

    def _follow_source(self) -> None:
        """Another source, or another photo, means that everything is to be painted anew."""
        if self._stream.source != self._source:
            self._source = self._stream.source
            self._painted_at.clear()
            self._frame, self._frame_at = None, _FAR_PAST
        if self._stream.photo is not self._photo:
            self._photo = self._stream.photo
            self._painted_at.clear()

    def _due(self) -> WantedLook | None:
        now = self._loop.time()
        painted_at = self._painted_at
        due = (look for look in self._wanted if now - painted_at.get(look.name, _FAR_PAST) >= FRESH_S)
        return next(due, None)

    async def _wait(self, seconds: float | None) -> None:
        self._news.clear()
        try:
            # Not wait_for: Python 3.11's loses a cancellation that comes as the event does.
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return

    def _moment(self) -> RawFrame | None:
        now = self._loop.time()
        if self._frame is None or now - self._frame_at > MOMENT_S:
            self._frame, self._frame_at = self._stream.newest_frame(), now
        return self._frame

    async def _paint(self, look: WantedLook, frame: RawFrame) -> None:
        # Whatever comes of it, it is not tried again at once.
        self._painted_at[look.name] = self._loop.time()
        try:
            data = await self._painter.paint(look.prompt, frame.image, self._photo)
        except OverpaintError as error:
            log.info("no picture of the look %s: %s", look.name, error)
            return
        # Else one of them has changed meanwhile.
        if self._stream.source == self._source and self._stream.photo is self._photo:
            self._tell(LookPicture(name=look.name, picture=base64.b64encode(data).decode()))
