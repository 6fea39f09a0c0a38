"""Intake of reference photos: decoded in the sandboxed process, shrunk, and encoded again as JPEG.

Encoding again proves that the data is a picture, keeps it within the service's size limit, and drops the
metadata that a camera writes (place, time, device).
"""

from __future__ import annotations

import base64
import binascii
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
from PySide6.QtGui import QImage, QImageWriter

from overpaint.errors import MediaError
from overpaint.gui.files.images import decoded, holds_picture, picture_in
from overpaint.media.opener.decoder import PictureDecoder

log = logging.getLogger(__name__)

LONGEST_SIDE = 1536
JPEG_QUALITY = 92
ENDINGS = ("jpg", "jpeg", "png", "webp", "avif", "heic", "heif", "bmp", "gif", "tif", "tiff")
THUMBNAIL_SIDE = 64


class PhotoReader(QObject):
    """Reader of photo files and pasted pictures; its output is sent in ``SetReference``.

    Args:
        decoder: The sandboxed decoder.
        parent: The Qt parent.
    """

    photo_read = QtSignal(str, QImage)
    """A photo was read: the JPEG as base64, and its thumbnail."""
    shown = QtSignal(str, QImage)
    """The thumbnail of a photo that is in use already: its base64, and the thumbnail."""
    refused = QtSignal(str)
    """A photo cannot be used: the sentence for the user."""

    def __init__(self, decoder: PictureDecoder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._decoder = decoder
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    def read_file(self, path: str) -> None:
        """Reads a picture file; the result is emitted as a signal."""
        self._start(Path(path), self.tr("{} is not a picture that can be read. Use JPEG, PNG or WebP."))

    def read_image(self, image: QImage | bytes) -> None:
        """Reads a picture from the clipboard or another program; the result is emitted as a signal."""
        self._start(image, self.tr("That photo cannot be used."))

    def read_data(self, image_data: str) -> None:
        """Reads a base64 picture file from a preset; the result is emitted as a signal."""
        try:
            data = base64.b64decode(image_data, validate=True)
        except (binascii.Error, ValueError):
            data = b""
        self._start(data, self.tr("The preset's photo cannot be read."))

    def show_data(self, image_data: str) -> None:
        """Decodes the thumbnail of a base64 picture file, which stays as it is; emitted as ``shown``."""
        self._pool.start(_Thumbnail(self, self._decoder, image_data))

    def read_mime(self, mime: QMimeData) -> bool:
        """Reads what was dropped or pasted; returns False if there is no photo in it."""
        path = photo_path(mime)
        if path:
            self.read_file(path)
            return True
        picture = picture_in(mime)
        if picture is None:
            return False
        self.read_image(picture)
        return True

    def _start(self, picture: QImage | bytes | Path, refusal: str) -> None:
        self._pool.start(_Job(self, self._decoder, picture, refusal))

    def wait(self) -> None:
        """Waits for the worker thread, before the program ends."""
        self._pool.clear()
        self._pool.waitForDone(1000)


def photo_path(mime: QMimeData) -> str:
    """Path of the first picture file in dropped or pasted data, by its extension; empty if there is none."""
    for url in mime.urls():
        if url.isLocalFile() and Path(url.toLocalFile()).suffix.lower().lstrip(".") in ENDINGS:
            return url.toLocalFile()
    return ""


def holds_photo(mime: QMimeData) -> bool:
    """Whether dropped or pasted data holds a photo, by MIME type or extension; nothing is decoded."""
    return holds_picture(mime) or bool(photo_path(mime))


class _Job(QRunnable):
    def __init__(
        self, reader: PhotoReader, decoder: PictureDecoder, picture: QImage | bytes | Path, refusal: str
    ) -> None:
        super().__init__()
        self._reader = reader
        self._decoder = decoder
        self._picture = picture
        self._refusal = refusal

    def run(self) -> None:
        try:
            self._read()
        except MediaError as error:
            log.info("a reference photo was refused: %s", error)
            name = self._picture.name if isinstance(self._picture, Path) else ""
            self._reader.refused.emit(self._refusal.format(name))
        except Exception:
            log.exception("a reference photo could not be read")
            self._reader.refused.emit(QCoreApplication.translate("PhotoReader", "That photo cannot be used."))

    def _read(self) -> None:
        image = decoded(self._decoder, self._picture, (LONGEST_SIDE, LONGEST_SIDE))
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


class _Thumbnail(QRunnable):
    def __init__(self, reader: PhotoReader, decoder: PictureDecoder, image_data: str) -> None:
        super().__init__()
        self._reader, self._decoder, self._data = reader, decoder, image_data

    def run(self) -> None:
        try:
            image = decoded(self._decoder, base64.b64decode(self._data), (THUMBNAIL_SIDE, THUMBNAIL_SIDE))
            self._reader.shown.emit(self._data, image)
        except MediaError as error:
            log.info("the photo in use has no thumbnail: %s", error)
        except Exception:
            log.exception("the photo in use has no thumbnail")


def _scaled(image: QImage, side: int) -> QImage:
    return image.scaled(
        QSize(side, side), Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
