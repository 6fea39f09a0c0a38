"""Drag-and-drop targets of the window, and the cover that shows during a drag what each would do with a drop.

A photo dropped on the prompt line becomes the reference photo of the live picture; files dropped anywhere
else are added to the transform queue. Must not know how either is processed.
"""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDropEvent,
    QFont,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMainWindow, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.files.intake import holds_something, local_paths
from overpaint.gui.files.photo_intake import holds_photo
from overpaint.gui.panels.prompt_line import PromptLine
from overpaint.gui.panels.transforms_panel import TransformsPanel

LINGER_MS = 120
"""Delay before the cover hides: between leaving one widget and entering the next, a drag is over neither."""
_COVER = 243

Target = Literal["", "transforms", "photo"]


class DropGuide(QObject):
    """Drag-and-drop handler of the window, and paste handler for files in the prompt's field.

    Args:
        window: Must accept drops, and forward its drag events to ``enter``, ``leave`` and ``drop``.
        theme: The theme.
        model: Drops are accepted only while it is ``usable``.
        prompt: Target of a reference photo.
        transforms: Target of everything else.
    """

    def __init__(
        self,
        window: QMainWindow,
        theme: Theme,
        model: SessionModel,
        prompt: PromptLine,
        transforms: TransformsPanel,
    ) -> None:
        super().__init__(window)
        self._model = model
        self._prompt = prompt
        self._transforms = transforms
        self.cover = DropCover(window, theme, prompt)
        self._leaving = QTimer(self, interval=LINGER_MS, singleShot=True)
        self._leaving.timeout.connect(self.cover.hide)
        # The window has no event filter and forwards its drag events itself: a filter would also run for the
        # events that each picture causes.
        for widget in (prompt, prompt.field):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handles drag events and pasted files of the prompt before its widgets do."""
        if isinstance(event, QDragEnterEvent):
            return self._enter_prompt(watched, event)
        if event.type() == QEvent.Type.DragLeave:
            self.leave()
        elif event.type() == QEvent.Type.Drop:
            self._leaving.stop()
            self.cover.hide()
        elif watched is self._prompt.field and event.type() == QEvent.Type.KeyPress:
            return isinstance(event, QKeyEvent) and self._paste(event)
        return False

    def _enter_prompt(self, watched: QObject, event: QDragEnterEvent) -> bool:
        mime = event.mimeData()
        if not holds_something(mime):
            return False
        if watched is self._prompt.field:
            event.ignore()  # else the field would insert the file's URL; the prompt line takes the drop
            return True
        if holds_photo(mime) and self._takes(event):
            self._show("photo", event)
            return False
        event.ignore()
        return not holds_photo(mime)

    def enter(self, event: QDragEnterEvent) -> None:
        """Handles a drag that enters the window: accepts what can be restyled, and shows the cover."""
        if holds_something(event.mimeData()) and self._takes(event):
            self._show("transforms", event)
            event.acceptProposedAction()
        else:
            event.ignore()

    def leave(self) -> None:
        """Handles a drag that leaves the window or one of its parts: hides the cover after ``LINGER_MS``."""
        self._leaving.start()

    def _takes(self, event: QDropEvent) -> bool:
        return event.source() is None and self._model.usable

    def _show(self, target: Target, event: QDragEnterEvent) -> None:
        self._leaving.stop()
        self.cover.show_target(target, holds_photo(event.mimeData()))

    def drop(self, event: QDropEvent) -> None:
        """Handles a drop on the window: adds the files to the transform queue."""
        self._leaving.stop()
        self.cover.hide()
        if self._takes(event) and self._transforms.intake.take_mime(event.mimeData()):
            # Always a copy: after a move, the program that the drag came from would delete its file.
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
        else:
            event.ignore()

    def _paste(self, event: QKeyEvent) -> bool:
        """Pastes files: a single picture as the reference photo, anything else into the transform queue."""
        mime = QGuiApplication.clipboard().mimeData()
        paths = local_paths(mime)
        if not (event.matches(QKeySequence.StandardKey.Paste) and paths and self._model.usable):
            return False
        if len(paths) == 1 and holds_photo(mime):
            return self._prompt.photos.reader.read_mime(mime)
        self._transforms.paste()
        return True


class DropCover(QWidget):
    """Overlay over the window during a drag: says what a drop does, there and on the prompt line.

    Args:
        window: The widget that it covers.
        theme: The theme.
        prompt: Left uncovered while a photo is dragged.
    """

    def __init__(self, window: QWidget, theme: Theme, prompt: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._prompt = prompt
        self.target: Target = ""
        self._offers_photo = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_target(self, target: Target, offers_photo: bool) -> None:
        """Shows the overlay for a target.

        Args:
            target: The target that the drag is over.
            offers_photo: Whether the prompt line would accept the drag, too.
        """
        self.target, self._offers_photo = target, offers_photo
        words = self._words()
        self.setAccessibleName(words[0])
        self.setGeometry(self._window.rect())
        self.raise_()
        self.show()
        self.update()

    def _words(self) -> tuple[str, str, str]:
        return (
            self.tr("Drop to restyle"),
            self.tr("Nothing begins before you press the button in Transforms."),
            self.tr("…or here, as the reference photo of the live picture"),
        )

    def _prompt_rect(self) -> QRect:
        place = self._prompt.mapTo(self._window, self._prompt.rect().topLeft())
        return QRect(place, self._prompt.size())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the overlay, the hole over the prompt line, and the texts."""
        tokens, sizes = self._theme.tokens, self._theme.sizes
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(tokens.window)
        ground.setAlpha(_COVER)
        hole = self._prompt_rect().adjusted(-4, -4, 4, 4)
        if self._offers_photo:
            painter.setClipRegion(self.rect())
            painter.fillRect(QRect(0, 0, self.width(), hole.top()), ground)
            painter.fillRect(QRect(0, hole.bottom(), self.width(), self.height() - hole.bottom()), ground)
            painter.fillRect(QRect(0, hole.top(), hole.left(), hole.height()), ground)
            painter.fillRect(
                QRect(hole.right(), hole.top(), self.width() - hole.right(), hole.height()), ground
            )
        else:
            painter.fillRect(self.rect(), ground)
        title, text, photo = self._words()
        on_photo = self.target == "photo"
        above = QRect(0, 0, self.width(), (hole.top() if self._offers_photo else self.height()) - 30)
        self._paint_frame(painter, self.rect().adjusted(8, 8, -8, -8), not on_photo)
        if self._offers_photo:
            self._paint_frame(painter, hole, on_photo)
        centre = above.center().y()
        self._write(
            painter, title, sizes.title, tokens.text, QRect(above.left(), centre - 34, above.width(), 34)
        )
        self._write(
            painter, text, sizes.body, tokens.muted, QRect(above.left(), centre + 4, above.width(), 26)
        )
        if self._offers_photo:
            line = QRect(hole.left(), hole.top() - 32, hole.width(), 26)
            self._write(painter, photo, sizes.body, tokens.text if on_photo else tokens.muted, line)
        painter.end()

    def _paint_frame(self, painter: QPainter, rect: QRect, active: bool) -> None:
        tokens = self._theme.tokens
        pen = QPen(QColor(tokens.accent if active else tokens.muted), 2.5 if active else 1.2)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(rect), 12, 12)

    def _write(self, painter: QPainter, text: str, pixels: int, colour: str, room: QRect) -> None:
        font = QFont(self.font())
        font.setPixelSize(pixels)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), text)
