"""Drop targets: what becomes of dragged files on each, shown while they are dragged over the window.

The prompt line takes a reference photo for the live picture; everywhere else files are taken to be
restyled. Must not know what happens to them afterwards.
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
"""Between leaving one widget and entering the next the drag is over neither."""
_COVER = 243

Target = Literal["", "transforms", "photo"]


class DropGuide(QObject):
    """The handler of drops on the window, and of files pasted into the prompt's field.

    Args:
        window: Must accept drops, and tell of them (``enter``, ``leave``, ``drop``).
        theme: The theme.
        model: Says whether anything can be taken now.
        prompt: Takes the photo.
        transforms: Takes everything else.
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
        # The window itself is not watched but calls: a filter would see an event of it with every picture.
        for widget in (prompt, prompt.field):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Looks at what is dragged over the prompt before its widgets do."""
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
            event.ignore()  # not as the text of its address: the line around the field takes it
            return True
        if holds_photo(mime) and self._takes(event):
            self._show("photo", event)
            return False
        event.ignore()
        return not holds_photo(mime)

    def enter(self, event: QDragEnterEvent) -> None:
        """Something is dragged over the window."""
        if holds_something(event.mimeData()) and self._takes(event):
            self._show("transforms", event)
            event.acceptProposedAction()
        else:
            event.ignore()

    def leave(self) -> None:
        """It is dragged away again, or over another part of the window."""
        self._leaving.start()

    def _takes(self, event: QDropEvent) -> bool:
        return event.source() is None and self._model.usable

    def _show(self, target: Target, event: QDragEnterEvent) -> None:
        self._leaving.stop()
        self.cover.show_target(target, holds_photo(event.mimeData()))

    def drop(self, event: QDropEvent) -> None:
        """It is dropped on the window."""
        self._leaving.stop()
        self.cover.hide()
        if self._takes(event) and self._transforms.intake.take_mime(event.mimeData()):
            # Copying is all that is done to a file: one that moves would be deleted where it was.
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
        else:
            event.ignore()

    def _paste(self, event: QKeyEvent) -> bool:
        """Files pasted into the field: one picture is the photo, anything else is to be restyled."""
        mime = QGuiApplication.clipboard().mimeData()
        paths = local_paths(mime)
        if not (event.matches(QKeySequence.StandardKey.Paste) and paths and self._model.usable):
            return False
        if len(paths) == 1 and holds_photo(mime):
            return self._prompt.photos.read_mime(mime)
        self._transforms.paste()
        return True


class DropCover(QWidget):
    """The cover of the window during a drag: says what a drop will do, there and on the prompt line.

    Args:
        window: What it covers.
        theme: The theme.
        prompt: Stays visible.
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
        """Shows what a drop at this place will do.

        Args:
            target: Which place the drag is over.
            offers_photo: Whether the prompt line would take it too.
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
            self.tr("Nothing is charged before you press the button in Transforms."),
            self.tr("…or here, as the reference photo of the live picture"),
        )

    def _prompt_rect(self) -> QRect:
        place = self._prompt.mapTo(self._window, self._prompt.rect().topLeft())
        return QRect(place, self._prompt.size())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the cover, its hole, and the words."""
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
