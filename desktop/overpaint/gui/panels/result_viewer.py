"""Result viewer: a result and its input with a draggable divider, and commands to export the result.

Steps through the list model that it is given. Must not know the queue.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QRunnable, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QImage, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.files.queue_model import TransformListModel
from overpaint.gui.files.result_export import ResultDesk
from overpaint.gui.files.thumbnails import read_picture
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import ElidedLabel, text_label
from overpaint.gui.widgets.picture_pair import PicturePair
from overpaint.gui.words.transform_words import TransformWords
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.transforms import TransformItem

LARGEST = QSize(8192, 8192)
"""Decoding size: 1:1 shows the pixels of the file, up to the largest pictures that the service takes (64
megapixels) with sides of at most this."""


class ResultViewer(QDialog):
    """Result viewer, a dialog.

    Args:
        theme: The theme.
        items: List model with the previous and the next result.
        desk: Copies, saves and opens results.
        decoder: Decodes the pictures.
        parent: The window.
    """

    def __init__(
        self,
        theme: Theme,
        items: TransformListModel,
        desk: ResultDesk,
        decoder: PictureDecoder,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Result"))
        self._items = items
        self._desk = desk
        self._words = TransformWords(self)
        self.item: TransformItem | None = None
        self._reader = _PairReader(decoder, self)
        self._reader.read.connect(self._show_pictures)
        self.name = ElidedLabel("title")
        self.facts = ElidedLabel("muted")
        self.compare = PicturePair(theme, self.tr("Original"), self.tr("Restyled"))
        self.previous = ThemedButton(theme, "left", role="icon", hint=self.tr("Previous result (Page up)"))
        self.following = ThemedButton(theme, "right", role="icon", hint=self.tr("Next result (Page down)"))
        self.fit = ThemedButton(theme, text=self.tr("Fit"), role="link", hint=self.tr("Shows all of it (0)"))
        self.pixels = ThemedButton(
            theme,
            text=self.tr("1:1"),
            role="link",
            hint=self.tr("Shows every pixel (1, or a double click); the wheel zooms at the pointer"),
        )
        for button in (self.fit, self.pixels):
            button.setCheckable(True)
        self.zoom = text_label("small")
        self.zoom.setMinimumWidth(self.zoom.fontMetrics().horizontalAdvance("1000 %"))
        self.zoom.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.play = ThemedButton(theme, "play", self.tr("Play"))
        self.play.setToolTip(self.tr("Plays the clip in the program that your system has for it"))
        self.copy = ThemedButton(theme, "copy", self.tr("Copy"))
        self.save = ThemedButton(theme, "save", self.tr("Save a copy…"), "primary")
        self.reveal = ThemedButton(theme, "folder", self.tr("Open folder"))
        self.shut = ThemedButton(theme, text=self.tr("Close"))
        self._lay_out()
        self._join()
        room = parent.size()
        self.resize(min(1200, room.width() - 60), min(860, room.height() - 40))

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.name)
        words.addWidget(self.facts)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addLayout(words, 1)
        for widget in (self.zoom, self.fit, self.pixels):
            head.addWidget(widget)
        head.addWidget(self.previous)
        head.addWidget(self.following)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        for button in (self.save, self.copy, self.reveal, self.play):
            foot.addWidget(button)
        foot.addStretch(1)
        foot.addWidget(self.shut)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 16)
        layout.setSpacing(12)
        layout.addLayout(head)
        layout.addWidget(self.compare, 1)
        layout.addLayout(foot)

    def _join(self) -> None:
        self.compare.zoomed.connect(self._show_zoom)
        self.fit.clicked.connect(self.compare.fit)
        self.pixels.clicked.connect(lambda: self.compare.zoom_to(1.0))
        self.previous.clicked.connect(lambda: self.step(-1))
        self.following.clicked.connect(lambda: self.step(1))
        self.play.clicked.connect(lambda: self._hand_out("play"))
        self.copy.clicked.connect(lambda: self._hand_out("copy"))
        self.save.clicked.connect(lambda: self._hand_out("save"))
        self.reveal.clicked.connect(lambda: self._hand_out("reveal"))
        self.shut.clicked.connect(self.accept)

    def show_item(self, item: TransformItem) -> None:
        """Shows a finished item."""
        self.item = item
        self.name.show_text(self._words.name(item))
        self.facts.show_text(f"{item.prompt} · {Path(item.result).name}")
        self.play.setVisible(item.kind == "video")
        shown = self._results()
        at = next((row for row, each in enumerate(shown) if each.id == item.id), 0)
        self.previous.setEnabled(at > 0)
        self.following.setEnabled(at + 1 < len(shown))
        self.compare.show_pictures(None, None, self.tr("Reading…"))
        self._reader.start(item)
        self.compare.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_zoom(self) -> None:
        percent = self.compare.percent
        self.zoom.setText(self.tr("{} %").format(percent))
        self.fit.setChecked(self.compare.fitted)
        self.pixels.setChecked(percent == 100)

    def step(self, by: int) -> None:
        """Shows the previous (-1) or the next (1) result in the list."""
        shown = self._results()
        at = next((row for row, each in enumerate(shown) if self.item and each.id == self.item.id), None)
        if at is not None and 0 <= at + by < len(shown):
            self.show_item(shown[at + by])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keyboard shortcuts of the buttons."""
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.step(-1 if event.key() == Qt.Key.Key_PageUp else 1)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self._hand_out("copy")
        elif event.matches(QKeySequence.StandardKey.Save):
            self._hand_out("save")
        else:
            super().keyPressEvent(event)

    def _hand_out(self, way: str) -> None:
        item = self.item
        if item is None:
            return
        match way:
            case "play":
                self._desk.open_file(item.result)
            case "copy":
                self._desk.copy([item])
            case "save":
                self._desk.save([item])
            case "reveal":
                self._desk.open_folder(str(Path(item.result).parent))

    def done(self, result: int) -> None:
        """Waits for the worker thread before the dialog, its receiver, is deleted."""
        self._reader.wait()
        super().done(result)

    def _results(self) -> list[TransformItem]:
        rows = (self._items.item(row) for row in range(self._items.rowCount()))
        return [item for item in rows if item.state == "done"]

    def _show_pictures(self, id: str, before: QImage, after: QImage) -> None:
        if self.item is None or id != self.item.id:
            return
        if after.isNull():
            text = self.tr("{} no longer exists.").format(self.item.result)
            self.compare.show_pictures(None, None, text)
        else:
            self.compare.show_pictures(None if before.isNull() else before, after)


class _PairReader(QObject):
    """Reader of an item's two pictures, in a worker thread."""

    read = Signal(str, QImage, QImage)

    def __init__(self, decoder: PictureDecoder, parent: QObject) -> None:
        super().__init__(parent)
        self._decoder = decoder
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    def start(self, item: TransformItem) -> None:
        """Reads the pictures of an item; drops former requests that have not begun."""
        self._pool.clear()
        self._pool.start(_Pair(self, self._decoder, item))

    def wait(self) -> None:
        self._pool.clear()
        self._pool.waitForDone(3000)


class _Pair(QRunnable):
    def __init__(self, reader: _PairReader, decoder: PictureDecoder, item: TransformItem) -> None:
        super().__init__()
        self._decoder = decoder
        self._reader = reader
        self._item = item

    def run(self) -> None:
        before = read_picture(self._decoder, Path(self._item.source), LARGEST)
        after = read_picture(self._decoder, Path(self._item.result), LARGEST)
        self._reader.read.emit(self._item.id, before, after)
