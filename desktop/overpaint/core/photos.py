"""Reference photos that callers send: base64 → picture, within limits.

A small file can claim to be a huge picture, so the size is read from the file's header before
anything is decoded. Must not know sessions.
"""

from __future__ import annotations

import base64
import binascii
import struct

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.errors import EngineError
from overpaint.wire.service import REFERENCE_MAX_BYTES

MAX_PIXELS = 64_000_000


def decode_photo(image_data: str) -> NDArray[np.uint8]:
    """Decodes a photo of a ``set_image`` message.

    Args:
        image_data: Base64 of a JPEG, PNG, WebP or BMP file of at most 8 MB and 64 megapixels.

    Returns:
        BGR uint8 (H, W, 3), upright as its EXIF tells.

    Raises:
        EngineError: ``bad_reference``; the sentence says why.
    """
    data = _bytes(image_data)
    size = picture_size(data)
    if size is None:
        raise _bad("The photo is not a JPEG, PNG, WebP or BMP picture.")
    width, height = size
    if width * height > MAX_PIXELS:
        raise _bad(f"The photo has {width} × {height} pixels; 64 megapixels is the limit.")
    picture = None
    if width > 0 and height > 0:
        try:
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error as error:
            raise _bad("The photo is damaged.") from error
    if picture is None:
        raise _bad("The photo is damaged.")
    return np.asarray(picture, np.uint8)


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height as the header of a picture file claims them; None for any other file.

    Sources: PNG (ISO 15948) 11.2.2, JPEG (ITU T.81) B.2.2, WebP container (RFC 9649), BITMAPINFOHEADER.
    """
    try:
        if data[:8] == b"\x89PNG\r\n\x1a\n":
            return struct.unpack(">II", data[16:24])
        if data[:2] == b"\xff\xd8":
            return _jpeg_size(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp_size(data)
        if data[:2] == b"BM":
            width, height = struct.unpack("<ii", data[18:26])
            return width, abs(height)
    except (struct.error, IndexError):
        return None
    return None


def _bytes(image_data: str) -> bytes:
    if len(image_data) > (REFERENCE_MAX_BYTES + 2) // 3 * 4:
        raise _bad("The photo is larger than 8 MB.")
    try:
        data = base64.b64decode(image_data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise _bad("The photo is not valid base64.") from error
    if len(data) > REFERENCE_MAX_BYTES:
        raise _bad("The photo is larger than 8 MB.")
    return data


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    place = 2
    while True:
        while data[place] == 0xFF and data[place + 1] == 0xFF:  # fill bytes
            place += 1
        if data[place] != 0xFF:
            return None
        marker = data[place + 1]
        (length,) = struct.unpack(">H", data[place + 2 : place + 4])
        # Start of frame: C0–CF but the tables DHT (C4), JPG (C8) and DAC (CC).
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return width, height
        place += 2 + length


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        (bits,) = struct.unpack("<I", data[21:25])
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None


def _bad(sentence: str) -> EngineError:
    return EngineError(sentence, kind="bad_reference", mend="Choose another photo.")
