"""Reference photos: read, shrunk and encoded in a thread, whatever way they come in.

Every photo is encoded anew: that proves that it is one, keeps it within the service's limit, and
leaves out what a camera writes beside the picture (place, time, device).
"""

from __future__ import annotations

import base64
import logging
from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QCoreApplication,
    QIODevice,
    QMimeData,
    QObject,
    QRunnable,
    QSize,
    Qt,
    QThreadPool,
)
from PySide6.QtCore import Signal as QtSignal
from PySide6.QtGui import QImage, QImageReader, QImageWriter

log = logging.getLogger(__name__)

LONGEST_SIDE = 1536
JPEG_QUALITY = 92
ENDINGS = ("jpg", "jpeg", "png", "webp", "bmp", "gif", "tif", "tiff")
THUMBNAIL_SIDE = 64


class PhotoReader(QObject):
    """Turns files and pasted pictures into what ``SetReference`` carries."""

    photo_read = QtSignal(str, QImage)
    """Base64 of a JPEG, and a small picture of it."""
    refused = QtSignal(str)
    """A sentence."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    def read_file(self, path: str) -> None:
        """Reads a picture file; answers by a signal."""
        self._pool.start(_Job(self, path, None))

    def read_image(self, image: QImage) -> None:
        """Takes a picture from the clipboard or from another program; answers by a signal."""
        self._pool.start(_Job(self, "", image))

    def read_data(self, image_data: str) -> None:
        """Takes a picture file as base64, as a preset holds it; answers by a signal."""
        self._pool.start(_Job(self, "", QImage(), image_data))

    def read_mime(self, mime: QMimeData) -> bool:
        """Takes what was dropped or pasted; False when there is no photo in it."""
        path = photo_path(mime)
        if path:
            self.read_file(path)
            return True
        if mime.hasImage():
            image = mime.imageData()
            if isinstance(image, QImage) and not image.isNull():
                self.read_image(image)
                return True
        return False

    def wait(self) -> None:
        """Waits for what is under way (before the program ends)."""
        self._pool.clear()
        self._pool.waitForDone(1000)


def photo_path(mime: QMimeData) -> str:
    """The first picture file of what is dropped or pasted; empty when there is none."""
    for url in mime.urls():
        if url.isLocalFile() and Path(url.toLocalFile()).suffix.lower().lstrip(".") in ENDINGS:
            return url.toLocalFile()
    return ""


def holds_photo(mime: QMimeData) -> bool:
    """Whether something dropped or pasted is a photo, by its looks."""
    return mime.hasImage() or bool(photo_path(mime))


class _Job(QRunnable):
    def __init__(self, reader: PhotoReader, path: str, image: QImage | None, data: str = "") -> None:
        super().__init__()
        self._reader = reader
        self._path = path
        self._image = image
        self._data = data

    def run(self) -> None:
        try:
            self._read()
        except Exception:
            log.exception("a reference photo could not be read")
            self._reader.refused.emit(QCoreApplication.translate("PhotoReader", "That photo cannot be used."))

    def _read(self) -> None:
        image = self._image
        if self._data:
            image = QImage.fromData(QByteArray.fromBase64(self._data.encode()))
            if image.isNull():
                self._reader.refused.emit(
                    QCoreApplication.translate("PhotoReader", "The preset's photo cannot be read.")
                )
                return
        if image is None:
            source = QImageReader(self._path)
            source.setAutoTransform(True)
            image = source.read()
            if image.isNull():
                name = Path(self._path).name
                self._reader.refused.emit(
                    QCoreApplication.translate(
                        "PhotoReader", "{} is not a picture that can be read. Use JPEG, PNG or WebP."
                    ).format(name)
                )
                return
        image = image.convertToFormat(QImage.Format.Format_RGB32)
        if max(image.width(), image.height()) > LONGEST_SIDE:
            image = _scaled(image, LONGEST_SIDE)
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QImageWriter(buffer, QByteArray(b"jpeg"))
        writer.setQuality(JPEG_QUALITY)
        writer.write(image)
        self._reader.photo_read.emit(base64.b64encode(data.data()).decode(), _scaled(image, THUMBNAIL_SIDE))


def _scaled(image: QImage, side: int) -> QImage:
    return image.scaled(
        QSize(side, side), Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
