"""Export of results: copy to the clipboard, save elsewhere, open with the system's program.

Reads and copies files in a worker thread. Must not know panels.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QMimeData, QObject, QRunnable, Qt, QThreadPool, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QWidget

from overpaint.errors import MediaError
from overpaint.gui.files.images import WHOLE, decoded
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.transforms import TransformItem

log = logging.getLogger(__name__)


class ResultDesk(QObject):
    """Commands that export results.

    Args:
        decoder: Decodes a result that is copied as a picture.
        parent: Parent of the file dialogs.
    """

    said = Signal(str, bool)
    """The outcome: a sentence for the user, and whether the command succeeded."""

    _pictured = Signal(QImage, str)
    _made = Signal(str)

    def __init__(self, decoder: PictureDecoder, parent: QWidget) -> None:
        super().__init__(parent)
        self._decoder = decoder
        self._window = parent
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._made.connect(self.open_file, Qt.ConnectionType.QueuedConnection)
        self._pictured.connect(self._copy_picture, Qt.ConnectionType.QueuedConnection)

    def copy(self, items: Sequence[TransformItem]) -> None:
        """Copies results to the clipboard as files; a single picture also as image data."""
        paths = [item.result for item in items]
        if len(items) == 1 and items[0].kind == "image":
            path = paths[0]
            self._do(lambda: self._pictured.emit(self._read(path), path))
        elif paths:
            QGuiApplication.clipboard().setMimeData(_files(paths))
            self.said.emit(self.tr("Copied {} files.").format(len(paths)), True)

    def save(self, items: Sequence[TransformItem]) -> None:
        """Asks for a place, and saves copies there."""
        if len(items) == 1:
            source = Path(items[0].result)
            dialog = QFileDialog(self._window, self.tr("Save a copy"))
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setDefaultSuffix(source.suffix.lstrip("."))
            dialog.selectFile(source.name)
            dialog.fileSelected.connect(lambda target: self.save_as(source, Path(target)))
        elif items:
            dialog = QFileDialog(self._window, self.tr("Save copies in"))
            dialog.setFileMode(QFileDialog.FileMode.Directory)
            sources = [Path(item.result) for item in items]
            dialog.fileSelected.connect(lambda folder: self.save_all(sources, Path(folder)))
        else:
            return
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def save_as(self, source: Path, target: Path) -> None:
        """Copies one file."""

        def work() -> None:
            if source != target:
                shutil.copyfile(source, target)
            self.said.emit(self.tr("Saved as {}.").format(target), True)

        self._do(work)

    def save_all(self, sources: Sequence[Path], folder: Path) -> None:
        """Copies files into a folder, without overwriting any."""

        def work() -> None:
            for source in sources:
                shutil.copyfile(source, _free(folder, source))
            self.said.emit(self.tr("Saved {} files in {}.").format(len(sources), folder), True)

        self._do(work)

    def open_file(self, path: str) -> None:
        """Opens a file or folder with the system's default program."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(path)):
            self.said.emit(self.tr("No program opens {}.").format(path), False)

    def open_folder(self, folder: str) -> None:
        """Opens a folder, after creating it if necessary."""

        def work() -> None:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self._made.emit(folder)

        self._do(work)

    def wait(self) -> None:
        """Waits for the worker thread, before the program ends."""
        self._pool.waitForDone(2000)

    def _read(self, path: str) -> QImage:
        """Decodes a picture; null if it cannot be read."""
        try:
            return decoded(self._decoder, Path(path), WHOLE)
        except MediaError as error:
            log.info("no picture of %s: %s", path, error)
            return QImage()

    def _copy_picture(self, image: QImage, path: str) -> None:
        mime = _files([path])
        if not image.isNull():
            mime.setImageData(image)
        QGuiApplication.clipboard().setMimeData(mime)
        self.said.emit(self.tr("Copied {}.").format(Path(path).name), True)

    def _do(self, work: Callable[[], None]) -> None:
        self._pool.start(_Work(self, work))


class _Work(QRunnable):
    def __init__(self, desk: ResultDesk, work: Callable[[], None]) -> None:
        super().__init__()
        self._desk = desk
        self._work = work

    def run(self) -> None:
        try:
            self._work()
        except OSError as error:
            where = error.filename2 or error.filename or ""
            self._desk.said.emit(
                QCoreApplication.translate("ResultDesk", "That did not work: {} ({}).").format(
                    error.strerror, where
                ),
                False,
            )
        except Exception:
            log.exception("a result could not be handed out")
            self._desk.said.emit(QCoreApplication.translate("ResultDesk", "That did not work."), False)


def _files(paths: Sequence[str]) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(path) for path in paths])
    return mime


def _free(folder: Path, source: Path) -> Path:
    path, count = folder / source.name, 1
    while path.exists():
        count += 1
        path = folder / f"{source.stem}-{count}{source.suffix}"
    return path
