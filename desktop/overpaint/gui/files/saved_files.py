"""List model of the saved recordings and snapshots, newest first.

Folders are read and files put into the trash in a worker thread: a folder may lie on a network. Only files
that bear the names of Overpaint's own are listed. Must not know widgets.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QDateTime,
    QFile,
    QLocale,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRunnable,
    QSize,
    Qt,
    QThreadPool,
    QUrl,
    Signal,
)
from PySide6.QtGui import QPixmap

from overpaint.gui.files.thumbnails import Thumbnails
from overpaint.gui.words.numbers import file_size
from overpaint.media.opener.decoder import PictureDecoder

log = logging.getLogger(__name__)

Index = QModelIndex | QPersistentModelIndex

LISTED = 500
"""Limit of listed files, the newest ones."""
THUMBNAIL = QSize(128, 72)
_NAME = re.compile(r"Overpaint \d{4}-\d\d-\d\d \d\d-\d\d-\d\d\b.*\.(mp4|mkv|png)")


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A recording or snapshot.

    Attributes:
        path: Its path.
        size_bytes: Its size.
        written_at: When it was written last, seconds since the epoch.
    """

    path: Path
    size_bytes: int
    written_at: float

    @property
    def is_snapshot(self) -> bool:
        """Whether it is a snapshot, as opposed to a recording."""
        return self.path.suffix == ".png"


class SavedFiles(QAbstractListModel):
    """List model of recordings and snapshots; call ``wait`` before it ends.

    Args:
        decoder: The sandboxed decoder of their thumbnails.
        ratio: Physical pixels of a device-independent one.
        parent: The Qt parent.
    """

    listed = Signal()
    """The folders have been read."""
    refused = Signal(str)
    """A file could not be put into the trash: the sentence for the user."""

    _read = Signal(object)
    _gone = Signal(object)

    def __init__(self, decoder: PictureDecoder, ratio: float, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files: list[SavedFile] = []
        self._ratio = ratio
        self._thumbnails = Thumbnails(THUMBNAIL * ratio, decoder, self)
        self._thumbnails.ready.connect(self._show_thumbnail)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._read.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._gone.connect(self._remove, Qt.ConnectionType.QueuedConnection)

    def read(self, folders: Iterable[Path], running: str = "") -> None:
        """Lists the files of folders; ``listed`` follows.

        Args:
            folders: The folders; one that does not exist is empty.
            running: Path of a recording that is being written, which is not listed.
        """
        wanted = tuple(dict.fromkeys(folders))
        self._pool.start(_Work(lambda: self._read.emit(saved_files(wanted, running))))

    def trash(self, file: SavedFile) -> None:
        """Puts a file into the system's trash, from where it can be restored."""

        def work() -> None:
            if QFile(str(file.path)).moveToTrash() or not file.path.exists():
                self._gone.emit(file)
            else:
                self.refused.emit(self.tr("{} cannot be put into the trash.").format(file.path.name))

        self._pool.start(_Work(work))

    def file(self, index: Index) -> SavedFile:
        """The file of a row."""
        return self._files[index.row()]

    def wait(self) -> None:
        """Waits for the worker threads."""
        self._thumbnails.wait()
        self._pool.waitForDone(2000)

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of files."""
        return 0 if parent is not None and parent.isValid() else len(self._files)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Data of a row by role: kind, time and size in two lines; thumbnail; path as tool tip."""
        if not index.isValid() or index.row() >= len(self._files):
            return None
        file = self._files[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{self._kind(file)}\n{self._when(file)} · {file_size(file.size_bytes)}"
        if role == Qt.ItemDataRole.DecorationRole:
            return self._picture(file)
        if role == Qt.ItemDataRole.ToolTipRole:
            return str(file.path)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._kind(file)}. {self._when(file)}"
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows can be dragged out."""
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def mimeTypes(self) -> list[str]:
        """Files are dragged as their paths."""
        return ["text/uri-list"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The paths of files, for another program."""
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(self.file(index).path)) for index in indexes])
        return mime

    def _kind(self, file: SavedFile) -> str:
        return self.tr("Snapshot") if file.is_snapshot else self.tr("Recording")

    @staticmethod
    def _when(file: SavedFile) -> str:
        when = QDateTime.fromSecsSinceEpoch(int(file.written_at))
        return QLocale().toString(when, QLocale.FormatType.ShortFormat)

    def _picture(self, file: SavedFile) -> QPixmap:
        picture = self._thumbnails.picture(str(file.path))
        shown = QPixmap(THUMBNAIL * self._ratio) if picture is None else QPixmap(picture)
        if picture is None:
            shown.fill(Qt.GlobalColor.transparent)
        shown.setDevicePixelRatio(self._ratio)
        return shown

    def _show(self, files: list[SavedFile]) -> None:
        self.beginResetModel()
        self._files = files
        self.endResetModel()
        self.listed.emit()

    def _remove(self, file: SavedFile) -> None:
        if file in self._files:
            row = self._files.index(file)
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._files[row]
            self.endRemoveRows()

    def _show_thumbnail(self, path: str) -> None:
        for row, file in enumerate(self._files):
            if str(file.path) == path:
                self.dataChanged.emit(self.index(row), self.index(row), [Qt.ItemDataRole.DecorationRole])


def saved_files(folders: Iterable[Path], running: str = "") -> list[SavedFile]:
    """The recordings and snapshots in folders, newest first; unreadable folders and files are left out."""
    found = []
    for folder in folders:
        try:
            paths = [path for path in folder.iterdir() if _NAME.fullmatch(path.name)]
        except OSError as error:
            log.info("no recordings in %s: %s", folder, error.strerror)
            continue
        for path in paths:
            try:
                state = path.stat()
            except OSError:  # gone meanwhile
                continue
            if str(path) != running and state.st_size:
                found.append(SavedFile(path, state.st_size, state.st_mtime))
    return sorted(found, key=lambda file: file.written_at, reverse=True)[:LISTED]


class _Work(QRunnable):
    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work

    def run(self) -> None:
        try:
            self._work()
        except Exception:
            log.exception("a folder of recordings could not be read")
