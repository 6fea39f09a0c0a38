"""Reference photo of files' own: chosen or pasted, and what is taken from it.

Must not know the live picture's photo, nor how an order is processed.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.files.photo_intake import ENDINGS, PhotoReader
from overpaint.gui.widgets.looks.photo_chip import PhotoChip
from overpaint.gui.widgets.looks.photo_use import PhotoUseChoice
from overpaint.media.opener.decoder import PictureDecoder


class FilePhoto(QWidget):
    """Chooser of a photo for files.

    Args:
        theme: The theme.
        decoder: Decodes the photo.

    Attributes:
        data: The photo as base64 of a JPEG; empty for none.
    """

    changed = Signal()
    refused = Signal(str)
    """A photo cannot be used: the sentence for the user."""

    def __init__(self, theme: Theme, decoder: PictureDecoder) -> None:
        super().__init__()
        self.data = ""
        self.chip = PhotoChip(theme, snips=False)
        self.use = PhotoUseChoice(theme, upright=True)
        self.use.hide()
        self._reader = PhotoReader(decoder, self)
        self._reader.photo_read.connect(self._take)
        self._reader.refused.connect(self.refused)
        self.chip.file_wanted.connect(self._open)
        self.chip.paste_wanted.connect(lambda: self._reader.read_mime(QGuiApplication.clipboard().mimeData()))
        self.chip.remove.clicked.connect(self.clear)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.chip, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.use)

    def read_file(self, path: str) -> None:
        """Uses the photo in a file."""
        self._reader.read_file(path)

    def clear(self) -> None:
        """Removes the photo."""
        self._take("", None)

    def wait(self) -> None:
        """Waits for the worker thread, before the program ends."""
        self._reader.wait()

    def _take(self, data: str, thumbnail: QImage | None) -> None:
        self.data = data
        self.chip.show_thumbnail(thumbnail)
        self.chip.show_present(bool(data))
        self.use.setVisible(bool(data))
        self.changed.emit()

    def _open(self) -> None:
        dialog = QFileDialog(self.window(), self.tr("Choose a photo for these files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Pictures ({})").format(" ".join(f"*.{end}" for end in ENDINGS)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.read_file)
        dialog.open()
