"""Previews of looks for the gallery: the user's own picture restyled in each, one at a time.

The look that the user points at moves (live preview on hover): its preview is painted again and again. Only
on a window's request; never while a session starts, nor while the stream is below its frame rate. The
previews go only to windows, as small pictures, and are painted on this computer with any service. Must not
know how looks paint nor how a window shows them.
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
"""Age after which a preview is painted anew."""
MOMENT_S = 15.0
"""Previews painted within this time show the same frame, so that looks can be compared."""
LEISURE_S = 4.0
"""Delay after the start of a process, in which the stream's first picture has priority."""
PATIENCE_S = 1.0
"""Interval of checks whether the stream has time, or has a frame."""
MOVING_FPS = 15
MOVING_SHARE = 0.4
"""Greatest share of the time in which a moving preview may be painted: a slow look gets fewer frames."""
AT_ITS_RATE = 0.93
"""Share of the source's frames that a stream must deliver to count as holding its rate."""
_FAR_PAST = float("-inf")


class Painter(Protocol):
    """A painter of frames in looks."""

    async def paint(self, prompt: str, image: Picture, photo: bytes | None, moving: bool = False) -> bytes:
        """Paints, see ``transforms.look_pictures.LookPainter``. Raises ``OverpaintError``."""

    async def close(self) -> None:
        """Ends its worker."""


class Stream(Protocol):
    """The live stream, whose source is painted, and which has priority."""

    @property
    def source(self) -> str:
        """The source, as ``--source`` takes it."""

    @property
    def photo(self) -> bytes | None:
        """The reference photo, a picture file; the same object while it is the same photo."""

    def newest_frame(self) -> RawFrame | None:
        """Returns the source's newest frame; None before the first."""

    def in_light(self, prompt: str) -> str:
        """Returns a prompt as it is sent, with the user's light correction."""

    def has_time(self) -> bool:
        """Returns whether background work may run now."""


class LiveStream:
    """The ``Stream`` of a live process.

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

    def in_light(self, prompt: str) -> str:
        """See ``Stream``."""
        return self._live.style.in_light(prompt)

    def has_time(self) -> bool:
        """Returns whether the stream is stopped, or holds its rate."""
        phase, now, hub = self._live.runner.state.phase, now_ns(), self._live.hub
        if phase is not Phase.LIVE:
            return phase in (Phase.STOPPED, Phase.FAILED)
        return 0 < AT_ITS_RATE * hub.captured.per_second(now) <= hub.styled.per_second(now)


class LookPictures:
    """The previews of looks, on the event loop on which it is created.

    Args:
        painter: Paints; closed at the end.
        stream: The live stream.
        tell: Receives each preview.
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
        self._moving: WantedLook | None = None
        self._moving_photo: bytes | None = None
        self._moved: RawFrame | None = None
        self._painted_at: dict[str, float] = {}
        self._frame: RawFrame | None = None
        self._frame_at = _FAR_PAST
        self._news = asyncio.Event()
        self._work = self._loop.create_task(self._run(), name="look pictures")

    def want(self, looks: tuple[WantedLook, ...], moving: WantedLook | None = None) -> None:
        """Sets the looks to paint, in order, and the one that moves; none stops it."""
        self._wanted = looks
        if moving != self._moving:
            self._moving, self._moved = moving, None
            # Once, since the painter keeps a look for the same object.
            self._moving_photo = _own_photo(moving) if moving is not None else None
        self._news.set()

    def follow(self, watched: bool) -> None:
        """Notices a change of source or photo; stops where no window is left."""
        if not watched:
            self._wanted, self._moving = (), None
        self._news.set()

    async def close(self) -> None:
        """Stops it and the painter."""
        self._work.cancel()
        await asyncio.wait([self._work])
        await self._painter.close()

    async def _run(self) -> None:
        await asyncio.sleep(self._leisure_s)
        while True:
            self._follow_source()
            if self._moving is not None:
                await self._move(self._moving)
                continue
            look = self._due()
            if look is None:
                await self._wait(FRESH_S if self._wanted else None)
            elif not self._stream.has_time() or (frame := self._moment()) is None:
                await asyncio.sleep(PATIENCE_S)
            else:
                # Even a failure is not tried again at once.
                self._painted_at[look.name] = self._loop.time()
                await self._paint(look, frame)

    async def _move(self, look: WantedLook) -> None:
        """Paints the newest frame, if it is a new one, and waits until the next one's turn."""
        frame = self._stream.newest_frame()
        if not self._stream.has_time():
            await self._wait(PATIENCE_S)
        elif frame is None or frame is self._moved:
            await self._wait(1 / MOVING_FPS)
        else:
            first, self._moved, began = self._moved is None, frame, self._loop.time()
            painted = await self._paint(look, frame, moving=True)
            self._painted_at[look.name] = self._loop.time()
            if self._moving != look:
                return
            # The first one takes longer: the look is compiled for it.
            took = 0.0 if first else self._loop.time() - began
            await self._wait(max(1 / MOVING_FPS, took / MOVING_SHARE) - took if painted else PATIENCE_S)

    def _follow_source(self) -> None:
        """Discards all previews when source or photo has changed."""
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
        """Waits for the time to pass, at most until something is asked for or changes."""
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

    async def _paint(self, look: WantedLook, frame: RawFrame, moving: bool = False) -> bool:
        """Paints a frame and tells of it; returns whether it could."""
        try:
            prompt = self._stream.in_light(look.prompt)
            photo = self._moving_photo if moving else _own_photo(look)
            photo = self._photo if look.photo is None else photo
            data = await self._painter.paint(prompt, frame.image, photo, moving)
        except OverpaintError as error:
            log.info("no picture of the look %s: %s", look.name, error)
            return False
        # Else source or photo has changed meanwhile, or the user points at it no more.
        if (
            self._stream.source == self._source
            and self._stream.photo is self._photo
            and (not moving or self._moving == look)
        ):
            self._tell(LookPicture(name=look.name, picture=base64.b64encode(data).decode()))
        return True


def _own_photo(look: WantedLook) -> bytes | None:
    """The photo that belongs to a look; None where there is none, or it is no base64."""
    try:
        return base64.b64decode(look.photo or "") or None
    except ValueError as error:
        log.info("the photo of the look %s cannot be read: %s", look.name, error)
        return None
