"""Conversion of pictures to ``QImage``: from the sandboxed decoder, the clipboard, and the app's own files.

Qt's format detection is never used: it would also accept SVG and PDF, which can refer to other files. Must
not know where pictures come from.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QSize
from PySide6.QtGui import QImage, QImageReader

from overpaint.media.opener.decoder import PictureDecoder

WHOLE = (65_535, 65_535)
"""A decoding size that limits no picture."""

MIME_TYPES = (
    *("image/png", "image/jpeg", "image/webp", "image/avif", "image/heic", "image/gif", "image/tiff"),
    "image/bmp",
)
"""Picture formats accepted from other programs, in order of preference."""

_IN_THIS_PROCESS = "QMimeData"
"""Class of MIME data that this process created; Qt uses subclasses for data of other programs."""

_BITMAPS = sys.platform in ("win32", "darwin")
"""Whether the system's clipboard holds plain bitmaps, which are copied and not decoded."""


def to_qimage(pixels: NDArray[np.uint8]) -> QImage:
    """Copies a decoded picture into a ``QImage``.

    Args:
        pixels: uint8 (H, W, 3) BGR, or (H, W, 4) BGRA.
    """
    height, width, channels = pixels.shape
    layout = QImage.Format.Format_BGR888 if channels == 3 else QImage.Format.Format_ARGB32
    data = np.ascontiguousarray(pixels)
    return QImage(data.data, width, height, channels * width, layout).copy()


def own_jpeg(data: bytes) -> QImage:
    """Reads a JPEG made by one of the app's processes, with Qt's JPEG reader only; null if it is no JPEG."""
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(b"jpeg"))
    reader.setAutoDetectImageFormat(False)
    return reader.read()


def shipped_webp(path: Path, size: QSize | None = None) -> QImage:
    """Reads a WebP that ships with the app, with Qt's WebP reader only; null if it cannot be read.

    Args:
        path: The file.
        size: Size of the result; that of the picture if None.
    """
    reader = QImageReader(str(path), QByteArray(b"webp"))
    reader.setAutoDetectImageFormat(False)
    if size is not None:
        reader.setScaledSize(size)
    return reader.read()


def holds_picture(mime: QMimeData) -> bool:
    """Whether dropped or pasted data holds a picture itself, as opposed to the path of a picture file."""
    if _is_own(mime):
        return mime.hasImage()
    return any(mime.hasFormat(each) for each in MIME_TYPES) or (_BITMAPS and mime.hasImage())


def picture_in(mime: QMimeData) -> QImage | bytes | None:
    """The picture in dropped or pasted data: another program's encoded file, or an image of this process.

    Does not call ``QMimeData.imageData`` for encoded data: it would decode it with any of Qt's readers.
    """
    if _is_own(mime):
        image = mime.imageData() if mime.hasImage() else None
        return image if isinstance(image, QImage) and not image.isNull() else None
    kind = next((each for each in MIME_TYPES if mime.hasFormat(each)), None)
    if kind is not None:
        return bytes(mime.data(kind).data())
    return _system_bitmap(mime)


def decoded(decoder: PictureDecoder, picture: QImage | bytes | Path, room: tuple[int, int]) -> QImage:
    """Decodes a picture from a file or from encoded data; returns an image as it is. Blocks.

    Raises:
        MediaError: It cannot be decoded.
    """
    if isinstance(picture, QImage):
        return picture
    if isinstance(picture, bytes):
        return to_qimage(decoder.data(picture, room, "inside"))
    return to_qimage(decoder.file(picture, room, "inside"))


def _system_bitmap(mime: QMimeData) -> QImage | None:
    image = mime.imageData() if _BITMAPS and mime.hasImage() else None
    return image if isinstance(image, QImage) and not image.isNull() else None


def _is_own(mime: QMimeData) -> bool:
    return mime.metaObject().className() == _IN_THIS_PROCESS
