"""The screen and window sources of Wayland: cast by the desktop's portal, carried by PipeWire.

The desktop asks its user once for each source; afterwards a restore token stands for the answer. The user
can end a cast in the desktop's own panel at any time: then it is not begun again by itself. Must not know
how the portal or PipeWire is spoken to.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.errors import SourceError
from overpaint.media import pictures
from overpaint.media.frames import Picture, RawFrame, now_ns
from overpaint.media.pipewire.video_reader import VideoReader
from overpaint.media.sources import SourceInfo, SourceListener, Wishes
from overpaint.media.sources.qt_source import MOST_FPS, Pace, as_it_comes
from overpaint.portal.cast_grants import CastGrants
from overpaint.portal.portal_connection import PortalError
from overpaint.portal.screen_cast import CastKind, ScreenCast, offered_kinds
from overpaint.wire.sources import SHARED_WINDOW, FrameRate, SourceOffer

_RATES: tuple[FrameRate, ...] = (30, 60)
_REPEAT_S = 0.066
"""A picture that stands still is delivered again after this time."""
_FIRST_S = 5.0
"""Time limit of the first picture, once the user has allowed the cast."""
_CODES = {
    "RGBx": cv2.COLOR_RGBA2YUV_I420,
    "RGBA": cv2.COLOR_RGBA2YUV_I420,
    "BGRx": cv2.COLOR_BGRA2YUV_I420,
    "BGRA": cv2.COLOR_BGRA2YUV_I420,
}


@dataclass(frozen=True, slots=True)
class CastTarget:
    """A screen, a part of one, or a window to be cast.

    Attributes:
        kind: Screen or window.
        title: Its name for the user.
        identity: Under which it is remembered.
        corner: Left and top of that screen on the desktop; None for a window, and for the only screen.
        region: Left, top, width and height of the part, pixels of the cast; None for all of it.
    """

    kind: CastKind
    title: str
    identity: str
    corner: tuple[int, int] | None = None
    region: tuple[int, int, int, int] | None = None


class Reader(Protocol):
    """A running reader of a cast's pictures."""

    @property
    def agreed(self) -> bool:
        """Whether the format is agreed on, so that pictures may come."""

    def close(self) -> None:
        """Ends it; nothing calls back after it."""


ReadVideo = Callable[[int, int, int, Callable[[NDArray[np.uint8], str], None], Callable[[], None]], Reader]
"""Makes a reader, as ``VideoReader`` does."""


class PortalSource:
    """A screen, a part of one, or a window.

    Args:
        find: Returns the target. Raises ``SourceError`` where there is no such screen.
        grants: What was allowed before.
        wishes: Returns the user's options.
        ask_again: Whether the user is to choose anew, whatever was allowed before.
        read: Makes the reader of its pictures.

    Attributes:
        title: See ``Source``.
        identity: See ``Source``.
        aspect: See ``Source``.
        offer: See ``Source``.
        trouble: See ``Source``.
    """

    def __init__(
        self,
        find: Callable[[], CastTarget],
        grants: CastGrants,
        wishes: Wishes = as_it_comes,
        ask_again: bool = False,
        read: ReadVideo = VideoReader,
    ) -> None:
        self.title = self.identity = ""
        self.aspect = 0.0
        self.offer = SourceOffer(rates=_RATES, pointer="switch")
        self.trouble: SourceError | None = None
        self._find, self._grants, self._wishes, self._read = find, grants, wishes, read
        self._ask_again = ask_again
        self._target: CastTarget | None = None
        self._cast: ScreenCast | None = None
        self._reader: Reader | None = None
        self._repeating: threading.Thread | None = None
        self._listener: SourceListener | None = None
        self._size = (0, 0)
        self._pace = Pace()
        self._news = threading.Condition()
        self._newest: tuple[Picture, int] | None = None
        self._fresh = self._running = False
        self._first = threading.Event()
        self._over: SourceError | None = None

    @property
    def fps(self) -> float:
        """Most frames a second that are passed on."""
        return float(self._wishes(self.identity).fps)

    def ask(self) -> None:
        """Gets the user's consent; blocks while the desktop's dialog is open. ``stop`` ends that.

        Raises:
            SourceError: There is no portal or no such screen, or the user refuses.
        """
        target = self._target = self._find()
        self.title, self.identity = target.title, target.identity
        name = _remembered_as(target)
        token = "" if self._ask_again else self._grants.token(name)
        cast = self._cast = ScreenCast(target.kind, self._wishes(self.identity).pointer, token, self._ended)
        try:
            cast.open()
            if None not in (target.corner, cast.corner) and target.corner != cast.corner:
                raise SourceError("cast_of_other_screen", screen=target.title)
        except PortalError as error:
            self._give_up()
            raise _sentence(error, target.title) from error
        except SourceError:
            self._give_up()
            raise
        self._ask_again = False
        self._grants.keep(name, cast.token)

    def start(self, width: int, height: int, listener: SourceListener) -> None:
        """Begins delivery, and waits for the first picture; asks the user first where that was not done.

        Raises:
            SourceError: It cannot be captured; the sentence says why.
        """
        self._end_reading()
        self._over = self.trouble = None
        cast = self._cast or self._allowed()
        if cast is None:  # stopped meanwhile
            raise SourceError("capture_not_allowed", source=self.title)
        self._size, self._pace = (width, height), Pace()
        self._newest, self._fresh, self._running = None, False, True
        self._first.clear()
        self._listener = listener
        try:
            self._reader = self._read(cast.pipewire(), cast.node, int(MOST_FPS), self._received, self._ended)
            self._repeating = threading.Thread(target=self._deliver, name="screen", daemon=True)
            self._repeating.start()
            arrived = self._first.wait(_FIRST_S)
            if self._over is not None or not (arrived or self._reader.agreed):
                raise self._over or SourceError("cast_gives_no_picture", source=self.title)
            if not arrived:  # some compositors cast a screen only when it changes
                self.trouble = SourceError("cast_stands_still", source=self.title)
        except (PortalError, OSError) as error:
            self.stop()
            raise SourceError("pipewire_missing") from error
        except BaseException:
            self.stop()
            raise

    def _allowed(self) -> ScreenCast | None:
        self.ask()
        return self._cast

    def stop(self) -> None:
        """Ends delivery and the cast, and a wait for the user; no callback comes after it. Idempotent."""
        self._end_reading()
        self._give_up()

    def _give_up(self) -> None:
        cast, self._cast = self._cast, None
        if cast is not None:
            cast.close()

    def _end_reading(self) -> None:
        self._listener = None
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()
        with self._news:
            self._running = False
            self._news.notify()
        repeating, self._repeating = self._repeating, None
        if repeating is not None:
            repeating.join()

    def _received(self, picture: NDArray[np.uint8], layout: str) -> None:
        """Converts a picture on PipeWire's thread, while its memory is valid."""
        time_ns = now_ns()
        if not self._pace.admits(time_ns, self.fps):
            return
        image = np.asarray(cv2.cvtColor(pictures.even(picture), _CODES[layout]), np.uint8)
        region = self._target.region if self._target is not None else None
        if region is not None:
            image = pictures.crop(image, region)
        self.aspect = image.shape[1] / (image.shape[0] * 2 // 3)
        image = pictures.fit(image, *self._size)
        with self._news:
            self._newest, self._fresh = (image, time_ns), True
            self._news.notify()

    def _deliver(self) -> None:
        """Delivers each new picture, and the last one again while nothing changes on the screen."""
        number = 0
        while True:
            with self._news:
                self._news.wait_for(lambda: self._fresh or not self._running, _REPEAT_S)
                if not self._running:
                    return
                newest, fresh, self._fresh = self._newest, self._fresh, False
            listener = self._listener
            if newest is None or listener is None:
                continue
            image, time_ns = newest
            listener.frame(RawFrame(image, number, time_ns if fresh else now_ns()))
            number += 1
            self.trouble = None
            self._first.set()

    def _ended(self) -> None:
        """Handles that the desktop ended the cast; from the portal's thread or PipeWire's."""
        error = SourceError("capture_ended_by_desktop", source=self.title)
        listener, self._listener = self._listener, None
        if listener is not None and (self._first.is_set() or self.trouble is not None):
            listener.lost(error)
        self._over = error
        self._first.set()


def portal_window(name: str, grants: CastGrants, wishes: Wishes, ask_again: bool) -> PortalSource:
    """Makes the source of a window that the user chooses in the desktop's dialog, remembered by a name."""
    return PortalSource(lambda: CastTarget("window", name, f"window:{name}"), grants, wishes, ask_again)


def remembered_windows(grants: CastGrants) -> tuple[SourceInfo, ...]:
    """Lists the window that the user chose in the desktop's dialog; no others are known."""
    identity = f"window:{SHARED_WINDOW}"
    if not grants.token(identity):
        return ()
    return (SourceInfo(identity, SHARED_WINDOW, "window", identity),)


def check_portal() -> bool:
    """Checks that this desktop gives programs its screens; returns whether it gives windows, too.

    Raises:
        SourceError: It does not; the sentence says why.
    """
    try:
        return "window" in offered_kinds()
    except PortalError as error:
        raise _sentence(error, "the screen") from error


def _remembered_as(target: CastTarget) -> str:
    """Returns the name of its grant: all parts of a screen have one."""
    return target.identity.partition("@")[0]


def _sentence(error: PortalError, source: str) -> SourceError:
    match error.reason:
        case "refused" | "ended":
            return SourceError("capture_not_allowed", source=source)
        case "no_bus":
            return SourceError("capture_without_bus")
        case "no_portal" if error.sentence == "window":
            return SourceError("capture_of_windows_missing")
        case "no_portal":
            return SourceError("capture_portal_missing")
        case _:
            return SourceError("capture_portal_fails", reason=error.sentence or "no answer")


__all__ = ["CastTarget", "PortalSource", "check_portal", "portal_window", "remembered_windows"]
