"""The screen and window sources, through QtMultimedia (X11, Windows, macOS); ``portal_source`` has Wayland's.

A screen that does not change may deliver no frames: then its last picture is delivered again, as a new
sample.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from overpaint.errors import SourceError
from overpaint.media import pictures
from overpaint.media.frames import Picture, now_ns
from overpaint.media.macos.screen_permission import may_record_screen
from overpaint.media.sources import SourceInfo, Wishes
from overpaint.media.sources.identities import part_identity, screen_identity
from overpaint.media.sources.pointer import X11Pointer, draw
from overpaint.media.sources.portal_source import CastTarget
from overpaint.media.sources.qt_loop import MainThread
from overpaint.media.sources.qt_source import QtSource, as_it_comes
from overpaint.media.sources.x11_windows import X11Visibility, managed_windows
from overpaint.wire.sources import FrameRate, SourceOffer, Visibility

if TYPE_CHECKING:
    from PySide6.QtGui import QGuiApplication, QScreen
    from PySide6.QtMultimedia import (
        QCapturableWindow,
        QMediaCaptureSession,
        QScreenCapture,
        QVideoFrame,
        QVideoSink,
        QWindowCapture,
    )

_RATES: tuple[FrameRate, ...] = (30, 60)
_REPEAT_MS = 66
_DRAWN_AGAIN_S = 0.4
"""Time in which the program of an uncovered window draws it again; until then it is empty."""


def list_screens(main_thread: MainThread) -> tuple[SourceInfo, ...]:
    """Lists the screens that can be captured, by number; none without a display."""

    def look() -> tuple[SourceInfo, ...]:
        return tuple(
            SourceInfo(f"screen:{index}", _screen_title(index, screen), "screen", screen_identity(screen))
            for index, screen in enumerate(_screens())
        )

    return main_thread.call(look)


def list_windows(main_thread: MainThread) -> tuple[SourceInfo, ...]:
    """Lists other programs' windows, by title.

    Two windows of one title cannot be distinguished, and are listed once.
    """
    titles = [title for title in dict.fromkeys(main_thread.call(_window_titles)) if title]
    seen = _seen_windows(titles)
    return tuple(
        SourceInfo(f"window:{title}", title, "window", f"window:{title}", visibility)
        for title in titles
        if (visibility := seen.get(title, "whole")) is not None
    )


class _StillSource(QtSource):
    """The base of screens and windows: delivers a still picture again."""

    silence_ms = _REPEAT_MS

    def __init__(self, main_thread: MainThread, wishes: Wishes = as_it_comes) -> None:
        super().__init__(main_thread, wishes)
        self._pointer: X11Pointer | None = None
        self._pointer_on: tuple[int, int, str] = (0, 0, "")
        self._session: QMediaCaptureSession | None = None

    def _ask_system(self) -> None:
        """Raises ``SourceError`` where macOS does not let us record the screen."""
        if not may_record_screen():
            raise SourceError("screen_denied_macos")

    def _show_pointer(self, left: int = 0, top: int = 0, window: str = "") -> None:
        """Draws the pointer on X11, where Qt's capture leaves it out; elsewhere the system decides."""
        from PySide6.QtGui import QGuiApplication

        ours = QGuiApplication.platformName() == "xcb"
        self.offer = SourceOffer(rates=_RATES, pointer="switch" if ours else "system")
        self._pointer_on = (left, top, window)

    def _part(self, image: Picture) -> Picture:
        if self.offer.pointer != "switch" or not self._wishes(self.identity).pointer:
            return image
        try:
            self._pointer = self._pointer or X11Pointer(*self._pointer_on)
        except OSError:
            self.offer = SourceOffer(rates=_RATES, pointer="system")
            return image
        pointer = self._pointer.look()
        if pointer is not None:
            draw(image, pointer)
        return image

    def _shut(self) -> None:
        pointer, self._pointer = self._pointer, None
        if pointer is not None:
            pointer.close()
        self._session = None

    def _silent(self) -> None:
        if self._last is not None:
            self._deliver(self._last, now_ns())

    def _no_picture(self) -> SourceError:
        if sys.platform == "darwin":
            return SourceError("capture_gives_no_picture_macos", source=self.title)
        return SourceError("capture_gives_no_picture", source=self.title)

    def _unreadable(self, text: str) -> SourceError:
        lost, reason = self._first.is_set(), text.rstrip(".")
        if reason:
            return SourceError(
                "capture_lost" if lost else "capture_refused", source=self.title, reason=reason
            )
        return SourceError(
            "capture_lost_to_system" if lost else "capture_refused_by_system", source=self.title
        )


class ScreenSource(_StillSource):
    """A screen, or a part of one.

    Args:
        index: Its number in ``list_screens``.
        main_thread: Qt's thread.
        region: Left, top, width and height of the part, pixels; None for all of it.
        wishes: Returns the user's options.
    """

    def __init__(
        self,
        index: int,
        main_thread: MainThread,
        region: tuple[int, int, int, int] | None = None,
        wishes: Wishes = as_it_comes,
    ) -> None:
        super().__init__(main_thread, wishes)
        self._region = region
        self.title = f"screen {index}"
        self._index = index
        self._capture: QScreenCapture | None = None
        self._app: QGuiApplication | None = None
        self._name = ""

    def _open(self, sink: QVideoSink) -> None:
        from PySide6.QtGui import QGuiApplication
        from PySide6.QtMultimedia import QMediaCaptureSession, QScreenCapture

        screen = _screen(self._index)
        self.title, self.identity = _named(self._index, screen, self._region)
        self._capture = QScreenCapture()
        self._capture.setScreen(screen)
        self._capture.errorOccurred.connect(self._on_error)
        self._name = screen.name()
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            self._app = app
            app.screenRemoved.connect(self._on_removed)
        self._ask_system()
        self._session = QMediaCaptureSession()
        self._session.setScreenCapture(self._capture)
        corner = screen.geometry().topLeft()  # the only part of Qt's geometries that is in pixels
        self._show_pointer(corner.x(), corner.y())
        self._session.setVideoSink(sink)
        self._capture.start()

    def _part(self, image: Picture) -> Picture:
        image = super()._part(image)
        return image if self._region is None else pictures.crop(image, self._region)

    def _shut(self) -> None:
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.errorOccurred.disconnect(self._on_error)
            capture.stop()
        app, self._app = self._app, None
        if app is not None:
            app.screenRemoved.disconnect(self._on_removed)
        super()._shut()

    def _on_error(self, _kind: QScreenCapture.Error, text: str) -> None:
        self._fail(self._unreadable(text))

    def _on_removed(self, screen: QScreen) -> None:
        if screen.name() == self._name:
            self._fail(SourceError("screen_disconnected", screen=self.title))


class WindowSource(_StillSource):
    """A window. While it is minimised, its last picture stands; on an X11 desktop without a compositor also
    while others cover it, or a part of it is outside the screen, because then there is no picture of it. A
    window that is covered from the start, often by this program, is started; its first picture comes later.

    Args:
        name: Its title, or a part of it.
        main_thread: Qt's thread.
        wishes: Returns the user's options.
    """

    def __init__(self, name: str, main_thread: MainThread, wishes: Wishes = as_it_comes) -> None:
        super().__init__(main_thread, wishes)
        self.title = name
        self._name = name
        self._capture: QWindowCapture | None = None
        self._window: QCapturableWindow | None = None
        self._visibility: X11Visibility | None = None
        self._drawn_at_s = 0.0

    def _open(self, sink: QVideoSink) -> None:
        from PySide6.QtMultimedia import QMediaCaptureSession, QWindowCapture

        if not _screens():
            raise _no_display()
        self._window = self._find()
        self.title = self._window.description()
        self.identity = f"window:{self.title}"
        self._capture = QWindowCapture()
        self._capture.setWindow(self._window)
        self._capture.errorOccurred.connect(self._on_error)
        self._ask_system()
        self._session = QMediaCaptureSession()
        self._session.setWindowCapture(self._capture)
        self._show_pointer(window=self.title)
        self._visibility = _visibility_of(self.title)
        self._session.setVideoSink(sink)
        self._capture.start()

    def _received(self, frame: QVideoFrame) -> None:
        # Earlier captures may have been made while something covered the window.
        if self._can_be_seen(self._visibility):
            super()._received(frame)

    def _silent(self) -> None:
        self._can_be_seen(self._visibility)
        super()._silent()

    def _can_be_seen(self, visibility: X11Visibility | None) -> bool:
        found = visibility.look() if visibility is not None else "whole"
        self.trouble = None if found == "whole" else self._unseen(found)
        now_s = time.monotonic()
        if found != "whole":
            self._drawn_at_s = now_s + _DRAWN_AGAIN_S
            self._first.set()  # it is there: nobody need wait for its picture any longer
        return now_s >= self._drawn_at_s

    def _unseen(self, visibility: Visibility) -> SourceError:
        if visibility == "minimised":
            return SourceError("window_minimised", window=self.title)
        return SourceError("window_covered", window=self.title)

    def _find(self) -> QCapturableWindow:
        windows = _windows()
        wanted = self._name.casefold()
        for fits in (wanted.__eq__, lambda title: wanted in title):
            for window in windows:
                if fits(window.description().casefold()):
                    return window
        there = ", ".join(f"“{window.description()}”" for window in windows if window.description())
        if there:
            raise SourceError("window_unknown", window=self._name, choices=there)
        raise SourceError("window_unknown_and_no_other", window=self._name)

    def _shut(self) -> None:
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.errorOccurred.disconnect(self._on_error)
            capture.stop()
        self._window = None
        visibility, self._visibility = self._visibility, None
        if visibility is not None:
            visibility.close()
        self.trouble = None
        super()._shut()

    def _on_error(self, _kind: QWindowCapture.Error, text: str) -> None:
        window = self._window
        if self._first.is_set() and window is not None and window.isValid():
            return  # minimised: it still exists, and its last picture stands
        if self._first.is_set():
            self._fail(SourceError("window_closed", window=self.title))
        else:
            self._fail(self._unreadable(text))


def cast_target(index: int, region: tuple[int, int, int, int] | None) -> CastTarget:
    """Returns a screen, or a part of it, as Wayland's portal is to cast it; on the main thread.

    Raises:
        SourceError: There is no such screen.
    """
    screen = _screen(index)
    title, identity = _named(index, screen, region)
    corner = screen.geometry().topLeft()
    at = (corner.x(), corner.y()) if len(_screens()) > 1 else None
    return CastTarget("screen", title, identity, at, region)


def _screen(index: int) -> QScreen:
    screens = _screens()
    if not screens:
        raise _no_display()
    if index >= len(screens):
        there = ", ".join(f"screen:{n}" for n in range(len(screens)))
        raise SourceError("screen_unknown", number=index, choices=there)
    return screens[index]


def _named(index: int, screen: QScreen, region: tuple[int, int, int, int] | None) -> tuple[str, str]:
    """Returns title and identity of a screen, or of a part of it."""
    title, identity = _screen_title(index, screen), screen_identity(screen)
    if region is None:
        return title, identity
    return f"Part of {title}", part_identity(identity, region)


def _visibility_of(title: str) -> X11Visibility | None:
    """Returns the visibility check of a window; None where a compositor keeps every window's picture."""
    from PySide6.QtGui import QGuiApplication

    if QGuiApplication.platformName() != "xcb":
        return None
    try:
        return X11Visibility(title)
    except OSError:
        return None


def _screens() -> list[QScreen]:
    """Lists Qt's screens without the dummy of its platform without a display."""
    from PySide6.QtGui import QGuiApplication

    if QGuiApplication.platformName() in ("offscreen", "minimal"):
        return []
    return list(QGuiApplication.screens())


def _windows() -> list[QCapturableWindow]:
    from PySide6.QtMultimedia import QWindowCapture

    return QWindowCapture.capturableWindows() if _screens() else []


def _window_titles() -> list[str]:
    return [window.description() for window in _windows()]


def _seen_windows(titles: list[str]) -> dict[str, Visibility | None]:
    """Returns how windows are seen now; None for those that are no source. Empty where that is unknown."""
    if sys.platform == "win32":
        import ctypes

        user = ctypes.windll.user32
        found = {title: user.FindWindowW(None, title) for title in titles}
        return {title: "minimised" for title, window in found.items() if window and user.IsIconic(window)}
    if sys.platform == "linux" and titles:
        with suppress(OSError):
            return managed_windows()
    return {}


def _screen_title(index: int, screen: QScreen) -> str:
    size = screen.geometry().size() * screen.devicePixelRatio()
    return f"Screen {index + 1} ({screen.name()}, {size.width()}×{size.height()})"


def _no_display() -> SourceError:
    return SourceError("display_missing_linux" if sys.platform == "linux" else "display_missing")
