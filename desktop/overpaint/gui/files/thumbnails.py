"""Thumbnail cache of pictures and clips.

A worker thread waits for the sandboxed decoder. Must not know the queue.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from pathlib import Path

from PySide6.QtCore import QObject, QRunnable, QSize, Qt, QThread, QThreadPool, Signal
from PySide6.QtGui import QImage, QPixmap

from overpaint.errors import MediaError
from overpaint.gui.files.images import to_qimage
from overpaint.media.opener.decoder import PictureDecoder

log = logging.getLogger(__name__)

REMEMBERED = 400


class Thumbnails(QObject):
    """Thumbnail cache, least recently used out first.

    Args:
        size: Size of a thumbnail in physical pixels; pictures are cropped to fill it.
        decoder: The sandboxed decoder.
        parent: The Qt parent.
    """

    ready = Signal(str)
    """The thumbnail of a path has been loaded."""

    _read = Signal(str, QImage)

    def __init__(self, size: QSize, decoder: PictureDecoder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._size = size
        self._decoder = decoder
        self._kept: OrderedDict[str, QPixmap | None] = OrderedDict()
        self._asked: set[str] = set()
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._pool.setThreadPriority(QThread.Priority.LowPriority)
        self._read.connect(self._keep, Qt.ConnectionType.QueuedConnection)

    def picture(self, path: str) -> QPixmap | None:
        """The thumbnail of a file; None while it is being loaded, or if the file cannot be decoded."""
        if path in self._kept:
            self._kept.move_to_end(path)
            return self._kept[path]
        if path not in self._asked:
            self._asked.add(path)
            self._pool.start(_Job(path, self._size, self._decoder, self._read))
        return None

    def wait(self) -> None:
        """Waits for the worker thread, before the program ends."""
        self._pool.clear()
        self._pool.waitForDone(2000)

    def _keep(self, path: str, image: QImage) -> None:
        self._asked.discard(path)
        self._kept[path] = None if image.isNull() else QPixmap.fromImage(image)
        while len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)
        self.ready.emit(path)


class _Job(QRunnable):
    def __init__(self, path: str, size: QSize, decoder: PictureDecoder, read: object) -> None:
        super().__init__()
        self._path = path
        self._size = size
        self._decoder = decoder
        self._done = read

    def run(self) -> None:
        image = read_picture(self._decoder, Path(self._path), self._size)
        if not image.isNull():
            image = image.scaled(
                self._size,
                Qt.AspectRatioMode.KeepAspectRatioByExpanding,
                Qt.TransformationMode.SmoothTransformation,
            )
            rest = image.size() - self._size
            image = image.copy(rest.width() // 2, rest.height() // 2, self._size.width(), self._size.height())
        self._done.emit(self._path, image)  # type: ignore[attr-defined]


def read_picture(decoder: PictureDecoder, path: Path, room: QSize) -> QImage:
    """Decodes a picture file, or a frame of a clip, at about the size at which it covers ``room``.

    Blocks. Returns a null image if it cannot be decoded.
    """
    try:
        return to_qimage(decoder.file(path, (room.width(), room.height()), clips=True))
    except MediaError as error:
        log.info("no picture of %s: %s", path.name, error)
        return QImage()
