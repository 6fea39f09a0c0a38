"""Preview dialog: a file before and after, in the look of its order, and the order itself with its price.

Must not know how previews are painted, nor how an order is processed.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QRunnable, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.files.file_preview import FilePreview
from overpaint.gui.files.thumbnails import read_picture
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import ElidedLabel, text_label
from overpaint.gui.widgets.picture_pair import PicturePair
from overpaint.gui.words.troubles import translated
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.service import PROMPT_MAX_CHARACTERS

ROOM = QSize(960, 960)
"""Decoding size of the original: that of a preview."""


class PreviewDialog(QDialog):
    """Preview dialog; closing it orders nothing.

    Args:
        theme: The theme.
        preview: What it shows.
        decoder: Decodes the original.
        parent: The window.
    """

    ordered = Signal()
    stepped = Signal(int)
    """Another file is wanted: the previous (-1) or the next (1) one."""

    def __init__(self, theme: Theme, preview: FilePreview, decoder: PictureDecoder, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Preview"))
        self._preview = preview
        self._reader = _OriginalReader(decoder, self)
        self._reader.read.connect(self._show_original)
        self._source = ""
        self._server = ""
        self._original: QImage | None = None
        self._compared: tuple[QImage | None, QImage | None, str] | None = None
        self.name = ElidedLabel("title")
        self.facts = text_label("muted", wrap=True)
        self.compare = PicturePair(theme, self.tr("Original"), self.tr("Preview"))
        self.previous = ThemedButton(theme, "left", role="icon", hint=self.tr("Previous file (Page up)"))
        self.following = ThemedButton(theme, "right", role="icon", hint=self.tr("Next file (Page down)"))
        self.look = QLineEdit()
        mark(self.look, role="search")
        self.look.setMaxLength(PROMPT_MAX_CHARACTERS)
        self.look.setAccessibleName(self.tr("Look for these files"))
        self.look.setPlaceholderText(self.tr("Describe the look"))
        self.order = ThemedButton(theme, role="primary")
        self.shut = ThemedButton(theme, text=self.tr("Not yet"))
        # Enter in the field orders nothing.
        for button in (self.previous, self.following, self.order, self.shut):
            button.setAutoDefault(False)
        self._lay_out()
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.following.clicked.connect(lambda: self.stepped.emit(1))
        self.order.clicked.connect(self.ordered)
        self.shut.clicked.connect(self.reject)
        preview.changed.connect(self.show_preview)
        room = parent.size()
        self.resize(min(1200, room.width() - 60), min(860, room.height() - 40))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.name, 1)
        head.addWidget(self.previous)
        head.addWidget(self.following)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        for widget, stretch in ((self.look, 1), (self.order, 0), (self.shut, 0)):
            foot.addWidget(widget, stretch)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 16)
        layout.setSpacing(12)
        layout.addLayout(head)
        layout.addWidget(self.facts)
        layout.addWidget(self.compare, 1)
        layout.addLayout(foot)

    def show_order(self, text: str, possible: bool, server: str, places: tuple[bool, bool]) -> None:
        """Shows the order.

        Args:
            text: Label of its button, with the price where there is one.
            possible: Whether it can be ordered.
            server: Address of the service that takes it; empty for this computer's own.
            places: Whether there is a previous and a next file.
        """
        self._server = server
        self.order.show_label(text)
        self.order.setEnabled(possible)
        self.previous.setEnabled(places[0])
        self.following.setEnabled(places[1])
        self.show_preview()

    def show_preview(self) -> None:
        """Shows the newest preview beside the original."""
        preview = self._preview
        if preview.look is None:
            self.facts.setText("")
            self._show_pair(None, None, self.tr("Describe the look."))
            return
        if preview.look.item.source != self._source:
            self._source, self._original = preview.look.item.source, None
            self.name.show_text(Path(self._source).name)
            self._reader.start(self._source)
        self.facts.setText(self._said())
        if preview.image is not None:
            self._show_pair(self._original, preview.image, "")
        else:
            self._show_pair(None, None, "" if preview.trouble is not None else self.tr("Painting…"))

    def _show_pair(self, before: QImage | None, after: QImage | None, text: str) -> None:
        pair = (before, after, text)
        if pair != self._compared:  # the same ones once more would lose the user's zoom
            self._compared = pair
            self.compare.show_pictures(*pair)

    def _said(self) -> str:
        preview = self._preview
        if preview.trouble is not None:
            return self.tr("There is no preview: {}").format(translated(preview.trouble).sentence)
        clip = preview.look is not None and preview.look.item.kind == "video"
        if preview.unchanged and self._server:
            return self.tr("This computer cannot do what the prompt says; the service may.")
        if preview.unchanged:
            return self.tr("Nothing in the prompt can be done: the file would stay as it is.")
        if self._server:
            return self.tr(
                "Painted by this computer, smaller than the result. The service may paint it differently."
            )
        if clip:
            return self.tr("One picture of the clip, smaller than the result. Nothing is saved yet.")
        return self.tr("Smaller than the result. Nothing is saved yet.")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page up and Page down step through the files."""
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.stepped.emit(-1 if event.key() == Qt.Key.Key_PageUp else 1)
        else:
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        """Waits for the worker thread before the dialog, its receiver, is deleted."""
        self._reader.wait()
        super().done(result)

    def _show_original(self, source: str, image: QImage) -> None:
        if source == self._source:
            self._original = None if image.isNull() else image
            self.show_preview()


class _OriginalReader(QObject):
    """Reader of the original, in a worker thread."""

    read = Signal(str, QImage)

    def __init__(self, decoder: PictureDecoder, parent: QObject) -> None:
        super().__init__(parent)
        self._decoder = decoder
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    def start(self, source: str) -> None:
        self._pool.clear()
        self._pool.start(_Original(self, self._decoder, source))

    def wait(self) -> None:
        self._pool.clear()
        self._pool.waitForDone(3000)


class _Original(QRunnable):
    def __init__(self, reader: _OriginalReader, decoder: PictureDecoder, source: str) -> None:
        super().__init__()
        self._reader = reader
        self._decoder = decoder
        self._source = source

    def run(self) -> None:
        self._reader.read.emit(self._source, read_picture(self._decoder, Path(self._source), ROOM))
