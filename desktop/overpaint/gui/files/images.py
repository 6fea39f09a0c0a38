"""Pictures for the window: made of decoded arrays, and of what the application itself has made.

Qt's own readers are never asked what a file is: they would take SVG and PDF, which name other files. Must not
know where pictures come from.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData
from PySide6.QtGui import QImage, QImageReader

from overpaint.media.opener.decoder import PictureDecoder
from overpaint.media.opener.decoder_messages import Way

WHOLE = (65_535, 65_535)
"""Room for any picture."""

MIME_TYPES = (
    *("image/png", "image/jpeg", "image/webp", "image/avif", "image/heic", "image/gif", "image/tiff"),
    "image/bmp",
)
"""What is taken of another program's pictures, in this order."""

_IN_THIS_PROCESS = "QMimeData"
"""Qt's class of what this process has made itself; what comes from other programs is of a class below it."""

_BITMAPS = sys.platform in ("win32", "darwin")
"""Whether the system's clipboard has bitmaps of its own kind, which the system or Qt copies, not decodes."""


def to_qimage(pixels: NDArray[np.uint8]) -> QImage:
    """A copy of a decoded picture.

    Args:
        pixels: uint8 (H, W, 3) BGR, or (H, W, 4) BGRA.
    """
    height, width, channels = pixels.shape
    layout = QImage.Format.Format_BGR888 if channels == 3 else QImage.Format.Format_ARGB32
    data = np.ascontiguousarray(pixels)
    return QImage(data.data, width, height, channels * width, layout).copy()


def own_jpeg(data: bytes) -> QImage:
    """A JPEG that one of our own processes made; null where it is none. Only Qt's JPEG reader sees it."""
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(b"jpeg"))
    reader.setAutoDetectImageFormat(False)
    return reader.read()


def shipped_webp(path: Path) -> QImage:
    """A WebP that ships with the application; null where there is none. Only Qt's WebP reader sees it."""
    reader = QImageReader(str(path), QByteArray(b"webp"))
    reader.setAutoDetectImageFormat(False)
    return reader.read()


def holds_picture(mime: QMimeData) -> bool:
    """Returns whether there is a picture in what is dropped or pasted (not: a picture file)."""
    if _is_own(mime):
        return mime.hasImage()
    return any(mime.hasFormat(each) for each in MIME_TYPES) or (_BITMAPS and mime.hasImage())


def picture_in(mime: QMimeData) -> QImage | bytes | None:
    """The picture in what is dropped or pasted: the file as another program gave it, or an image of ours.

    Not ``QMimeData.imageData``, which decodes what other programs give with any of Qt's readers.
    """
    if _is_own(mime):
        image = mime.imageData() if mime.hasImage() else None
        return image if isinstance(image, QImage) and not image.isNull() else None
    kind = next((each for each in MIME_TYPES if mime.hasFormat(each)), None)
    if kind is not None:
        return bytes(mime.data(kind).data())
    return _system_bitmap(mime)


def decoded(
    decoder: PictureDecoder, picture: QImage | bytes | Path, room: tuple[int, int], way: Way = "inside"
) -> QImage:
    """A picture from wherever it comes. Blocks.

    Raises:
        MediaError: It cannot be decoded.
    """
    if isinstance(picture, QImage):
        return picture
    if isinstance(picture, bytes):
        return to_qimage(decoder.data(picture, room, way))
    return to_qimage(decoder.file(picture, room, way))


def _system_bitmap(mime: QMimeData) -> QImage | None:
    image = mime.imageData() if _BITMAPS and mime.hasImage() else None
    return image if isinstance(image, QImage) and not image.isNull() else None


def _is_own(mime: QMimeData) -> bool:
    return mime.metaObject().className() == _IN_THIS_PROCESS
