"""Screen region selection (screen snipping): each screen is covered by its screenshot, to draw a frame on.

Must not know what the region is used for.
"""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QScreen,
)
from PySide6.QtWidgets import QApplication, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.files.screen_pictures import ScreenPictures
from overpaint.portal import is_wayland

SMALLEST = 16
"""Least side of a frame in pixels; anything smaller counts as a click."""


SETTLE_MS = 250
"""Least delay between hiding the windows and the screenshot: compositors fade windows out, and the programs
behind them must repaint.
"""
LOOK_MS = 80
"""Delay between two looks at whether they have."""
PATIENCE_MS = 1500
"""Greatest delay: what moves behind the windows never stands still."""
_GLIMPSE = QSize(240, 135)


class ScreenSnip(QObject):
    """Selection of a screen region, with Overpaint's own windows hidden."""

    taken = Signal(object)
    """The region's picture, a ``QImage``."""
    region_taken = Signal(int, QRect)
    """The region's place: the screen's number, and a rectangle in its pixels."""
    refused = Signal(str)
    """The screen cannot be captured: the sentence for the user."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._aside: list[QWidget] = []
        self._places: list[QRect] = []
        self._seen: list[QImage] = []
        self._last: list[QImage] = []
        self._waited = QElapsedTimer()
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.timeout.connect(self._look)
        self._pictures = ScreenPictures(self)
        self._pictures.taken.connect(self._freeze)
        self._wanted = False
        self.covers: list[ScreenCover] = []

    def start(self) -> None:
        """Starts a selection; the region is emitted as signals, and nothing if the user cancels."""
        self.end()
        kinds = (Qt.WindowType.Window, Qt.WindowType.Dialog)  # menus and popups close by themselves
        windows = [each for each in QApplication.topLevelWidgets() if each.windowType() in kinds]
        self._aside = [each for each in windows if each.isVisible() and not each.isMinimized()]
        self._wanted = True
        # Wayland tells no program where its windows are, nor what is there.
        places = [window.frameGeometry() for window in self._aside] if not is_wayland() else []
        self._places, self._seen, self._last = places, _glimpses(places), []
        for window in self._aside:
            window.hide()
        self._waited.start()
        self._settling.start(SETTLE_MS)

    def _look(self) -> None:
        """Takes the screenshot once the windows are gone and what is behind them stands still."""
        if is_wayland():
            self._pictures.take()
            return
        now = _glimpses(self._places)
        gone = all(after != before for after, before in zip(now, self._seen, strict=True))
        if (gone and now == self._last) or self._waited.hasExpired(PATIENCE_MS):
            self._pictures.take()
            return
        self._last = now
        self._settling.start(LOOK_MS)

    def _freeze(self, frozen: list[QPixmap]) -> None:
        if not self._wanted:
            return  # the user was asked for long, and has given up meanwhile
        try:
            self._cover_screens(frozen)
        except BaseException:
            self.end()  # the windows must not stay hidden, whatever went wrong
            raise

    def _cover_screens(self, frozen: list[QPixmap]) -> None:
        for number, (screen, picture) in enumerate(zip(QGuiApplication.screens(), frozen, strict=False)):
            if picture.isNull():
                continue
            cover = ScreenCover(self._theme, picture, screen)
            cover.cut.connect(lambda picture, place, number=number: self._take(number, picture, place))
            cover.given_up.connect(self.end)
            self.covers.append(cover)
        if not self.covers:
            self.end()
            self.refused.emit(
                self.tr(
                    "This system does not let programs capture the screen. Take a screenshot and paste it."
                )
            )
        for cover in self.covers:
            cover.show()
        if self.covers:
            self.covers[0].raise_()
            self.covers[0].activateWindow()
            self.covers[0].setFocus()

    def end(self) -> None:
        """Ends the selection: closes the covers and shows the windows again."""
        self._wanted = False
        self._settling.stop()
        aside, self._aside = self._aside, []
        for window in aside:  # before the covers close, so that there is always a visible window
            window.show()
        for window in aside:
            window.raise_()
            window.activateWindow()
        covers, self.covers = self.covers, []
        for cover in covers:
            cover.close()

    def _take(self, number: int, picture: QPixmap, place: QRect) -> None:
        self.end()
        self.taken.emit(picture.toImage())
        self.region_taken.emit(number, place)


class ScreenCover(QWidget):
    """Full-screen cover with a screen's screenshot, on which the user draws a frame."""

    cut = Signal(QPixmap, QRect)
    given_up = Signal()

    def __init__(self, theme: Theme, frozen: QPixmap, screen: QScreen) -> None:
        super().__init__(None, Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(
            self.tr("Draw a frame around the picture; Esc cancels, Enter takes the whole screen")
        )
        self._theme = theme
        self.frozen = frozen
        self._from = QPoint()
        self._frame = QRect()
        self.setScreen(screen)  # which alone counts on Wayland
        self.setGeometry(screen.geometry())
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setWindowState(Qt.WindowState.WindowFullScreen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc cancels; Enter selects the whole screen."""
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.cut.emit(self.frozen, self.frozen.rect())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancels when the window manager closes it."""
        self.given_up.emit()
        super().closeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Starts the frame."""
        self._from = event.position().toPoint()
        self._frame = QRect()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Resizes the frame."""
        self._frame = QRect(self._from, event.position().toPoint()).normalized()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Selects the frame, unless it is too small."""
        if min(self._frame.width(), self._frame.height()) < SMALLEST:
            self._frame = QRect()
            self.update()
            return
        place = self._source(self._frame).toRect()
        self.cut.emit(self.frozen.copy(place), place)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the screenshot, darkened outside the frame."""
        painter = QPainter(self)
        painter.drawPixmap(self.rect(), self.frozen)
        painter.fillRect(self.rect(), QColor(0, 0, 0, 110))
        if not self._frame.isEmpty():
            painter.drawPixmap(QRectF(self._frame), self.frozen, self._source(self._frame))
            painter.setPen(QPen(QColor(self._theme.tokens.accent), 2))
            painter.drawRect(self._frame)
            return
        font = painter.font()
        font.setPixelSize(self._theme.sizes.title)
        painter.setFont(font)
        painter.setPen(QColor("#ffffff"))
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.accessibleName())

    def _source(self, frame: QRect) -> QRectF:
        scale = self.frozen.width() / max(1, self.width())
        return QRectF(frame.x() * scale, frame.y() * scale, frame.width() * scale, frame.height() * scale)


def _glimpses(places: list[QRect]) -> list[QImage]:
    """Returns small pictures of places on the desktop; empty ones where the system refuses."""
    pictures = []
    for place in places:
        screen = QGuiApplication.screenAt(place.center()) or QGuiApplication.primaryScreen()
        area = place.intersected(screen.geometry()).translated(-screen.geometry().topLeft())
        shot = screen.grabWindow(0, area.x(), area.y(), max(1, area.width()), max(1, area.height()))
        pictures.append(shot.scaled(_GLIMPSE).toImage())
    return pictures
