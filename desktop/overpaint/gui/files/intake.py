"""Intake of files for the transform queue: dropped, pasted or chosen; pasted pictures are saved first.

Saves in a worker thread. Must not know panels.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QMimeData, QObject, QRunnable, QThreadPool, Signal
from PySide6.QtGui import QGuiApplication, QImage

from overpaint.errors import MediaError
from overpaint.gui.files.images import WHOLE, decoded, holds_picture, picture_in
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.transforms import PATHS_MAX, AddTransforms

log = logging.getLogger(__name__)

FOLDER = "Pasted"
"""Subfolder of the results' folder for pasted pictures."""


def local_paths(mime: QMimeData) -> list[str]:
    """Paths of the local files and folders in dropped or pasted data."""
    return [url.toLocalFile() for url in mime.urls() if url.isLocalFile()]


def holds_something(mime: QMimeData) -> bool:
    """Whether dropped or pasted data may hold pictures or clips."""
    return holds_picture(mime) or bool(local_paths(mime))


class TransformIntake(QObject):
    """Adds files and pictures to the transform queue.

    Args:
        decoder: Decodes pictures of other programs.
        parent: The Qt parent.
    """

    intended = Signal(object)
    refused = Signal(str)
    """Something was not accepted: the sentence for the user."""

    _saved = Signal(str)

    def __init__(self, decoder: PictureDecoder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._decoder = decoder
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._saved.connect(lambda path: self.take_paths([path]))
        self.folder = ""

    def take_paths(self, paths: Sequence[str]) -> None:
        """Adds files and folders."""
        for first in range(0, len(paths), PATHS_MAX):
            self.intended.emit(AddTransforms(paths=list(paths[first : first + PATHS_MAX])))

    def take_mime(self, mime: QMimeData) -> bool:
        """Adds what was dropped or pasted; returns False if there is nothing usable in it."""
        paths = local_paths(mime)
        if paths:
            self.take_paths(paths)
            return True
        picture = picture_in(mime)
        if picture is not None and self.folder:
            self._pool.start(_Saving(self, self._decoder, picture, Path(self.folder) / FOLDER))
            return True
        if mime.hasUrls():
            self.refused.emit(self.tr("Save that picture as a file first, then add the file."))
        return False

    def paste(self) -> bool:
        """Adds what is on the clipboard; returns False if there is nothing usable."""
        return self.take_mime(QGuiApplication.clipboard().mimeData())

    def wait(self) -> None:
        """Waits for the worker thread, before the program ends."""
        self._pool.waitForDone(2000)


class _Saving(QRunnable):
    def __init__(
        self, intake: TransformIntake, decoder: PictureDecoder, picture: QImage | bytes, folder: Path
    ) -> None:
        super().__init__()
        self._intake = intake
        self._decoder = decoder
        self._picture = picture
        self._folder = folder

    def run(self) -> None:
        try:
            image = decoded(self._decoder, self._picture, WHOLE)
        except MediaError as error:
            log.info("a pasted picture was refused: %s", error)
            self._intake.refused.emit(
                QCoreApplication.translate("TransformIntake", "That picture cannot be read.")
            )
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = _free_name(self._folder)
            whole = image.save(str(path))
        except Exception:
            log.exception("a pasted picture could not be saved")
            whole = False
        if whole:
            self._intake._saved.emit(str(path))
        else:
            self._intake.refused.emit(
                QCoreApplication.translate("TransformIntake", "The picture cannot be saved in {}.").format(
                    self._folder
                )
            )


def _free_name(folder: Path) -> Path:
    stem, count = f"Pasted {datetime.now().astimezone():%Y-%m-%d %H-%M-%S}", 1
    while True:
        path = folder / (f"{stem}.png" if count == 1 else f"{stem} {count}.png")
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            count += 1
        else:
            return path
