"""Recordings dialog: the saved recordings and snapshots, to be opened, dragged out, found and deleted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QModelIndex, QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHBoxLayout, QListView, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.files.result_export import ResultDesk
from overpaint.gui.files.saved_files import THUMBNAIL, SavedFiles
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.media.opener.decoder import PictureDecoder

WIDTH, HEIGHT = 560, 520


class RecordingsDialog(QDialog):
    """Recordings dialog.

    Args:
        theme: The theme.
        decoder: The sandboxed decoder of thumbnails.
        parent: The window.

    Attributes:
        files: The list model.
        view: The list.
    """

    def __init__(self, theme: Theme, decoder: PictureDecoder, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Recordings and snapshots"))
        mark(self, role="dialog")
        self.files = SavedFiles(decoder, parent.devicePixelRatioF(), self)
        self._desk = ResultDesk(decoder, self)
        self._folder = Path()
        self.said = text_label("muted", wrap=True)
        self.view = QListView()
        mark(self.view, role="saved")
        self.view.setModel(self.files)
        self.view.setAccessibleName(self.windowTitle())
        self.view.setIconSize(QSize(THUMBNAIL))
        self.view.setSpacing(2)
        self.view.setUniformItemSizes(True)
        self.view.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.play = ThemedButton(theme, "play", self.tr("Open"), role="primary")
        self.reveal = ThemedButton(theme, "folder", self.tr("Show in folder"))
        self.delete = ThemedButton(theme, text=self.tr("Delete"), role="danger")
        self.delete.setToolTip(self.tr("Puts the file into the trash (Del)"))
        self.shut = ThemedButton(theme, text=self.tr("Close"))
        self._lay_out(parent)
        self.play.clicked.connect(self._open)
        self.reveal.clicked.connect(self._reveal)
        self.delete.clicked.connect(self._delete)
        self.shut.clicked.connect(self.accept)
        self.view.activated.connect(self._open)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.view).activated.connect(self._delete)
        self.view.selectionModel().currentChanged.connect(self._show_state)
        for changed in (self.files.listed, self.files.rowsRemoved):
            changed.connect(self._select)
        self.files.refused.connect(self.said.setText)
        self._desk.said.connect(lambda sentence, _: self.said.setText(sentence))
        self._show_state()

    def read(self, folders: Iterable[Path], running: str) -> None:
        """Lists what is in the folders, of which the first is shown where nothing is selected.

        Args:
            folders: The folders of recordings and snapshots.
            running: Path of the recording that is being written; empty without one.
        """
        folders = tuple(folders)
        self._folder = folders[0]
        self.said.setText(self.tr("Looking for recordings…"))
        self.files.read(folders, running)

    def done(self, result: int) -> None:
        """Waits for the worker threads, which use this dialog."""
        self.files.wait()
        self._desk.wait()
        super().done(result)

    def _lay_out(self, parent: QWidget) -> None:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        for button in (self.play, self.reveal, self.delete, self.shut):
            button.setAutoDefault(False)  # Enter in the list opens a file, and must not close the dialog
            foot.addWidget(button)
        foot.insertStretch(3, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 18)
        layout.setSpacing(12)
        layout.addWidget(text_label("title", self.windowTitle()))
        layout.addWidget(self.said)
        layout.addWidget(self.view, 1)
        layout.addLayout(foot)
        self.resize(min(WIDTH, parent.width() - 60), min(HEIGHT, parent.height() - 60))

    def _select(self) -> None:
        """Selects the newest file, unless one is selected, and says where they are."""
        if not self.files.rowCount():
            self.said.setText(self.tr("Nothing was recorded yet. Ctrl+R records, Ctrl+S saves a snapshot."))
        else:
            self.said.setText(self.tr("Drag one into another program, or open it."))
            if not self.view.currentIndex().isValid():
                self.view.setCurrentIndex(self.files.index(0))
        self._show_state()

    def _show_state(self) -> None:
        chosen = self.view.currentIndex().isValid()
        self.play.setEnabled(chosen)
        self.delete.setEnabled(chosen)

    def _open(self, _: QModelIndex | bool = False) -> None:
        index = self.view.currentIndex()
        if index.isValid():
            self._desk.open_file(str(self.files.file(index).path))

    def _reveal(self) -> None:
        index = self.view.currentIndex()
        folder = self.files.file(index).path.parent if index.isValid() else self._folder
        self._desk.open_folder(str(folder))

    def _delete(self) -> None:
        index = self.view.currentIndex()
        if index.isValid():
            self.files.trash(self.files.file(index))
