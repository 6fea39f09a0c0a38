"""Reference photos: what is read, what is refused before it can do harm."""

from __future__ import annotations

import base64
import struct
import zlib

import cv2
import numpy as np
import pytest

from overpaint.core.photos import decode_photo, picture_size
from overpaint.errors import EngineError


def encoded(suffix: str, width: int = 37, height: int = 21, *parameters: int) -> bytes:
    picture = np.full((height, width, 3), (10, 200, 60), np.uint8)
    return cv2.imencode(suffix, picture, list(parameters))[1].tobytes()


def base(data: bytes) -> str:
    return base64.b64encode(data).decode()


FILES = {
    "png": encoded(".png"),
    "jpeg": encoded(".jpg"),
    "progressive jpeg": encoded(".jpg", 37, 21, cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
    "webp": encoded(".webp"),
    "lossless webp": encoded(".webp", 37, 21, cv2.IMWRITE_WEBP_QUALITY, 101),
    "bmp": encoded(".bmp"),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_photo_is_read_with_the_size_that_its_header_claims(kind: str) -> None:
    assert picture_size(FILES[kind]) == (37, 21)
    picture = decode_photo(base(FILES[kind]))
    assert picture.shape == (21, 37, 3) and picture.dtype == np.uint8
    assert np.abs(picture.astype(int) - (10, 200, 60)).max() < 12


def test_transparency_and_sixteen_bits_become_plain_colour() -> None:
    deep = np.full((8, 8, 4), 40_000, np.uint16)
    assert decode_photo(base(cv2.imencode(".png", deep)[1].tobytes())).shape == (8, 8, 3)


def test_a_photo_is_upright() -> None:
    plain = encoded(".jpg")
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    turned = plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:]
    assert picture_size(turned) == (37, 21)
    assert decode_photo(base(turned)).shape == (37, 21, 3)


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that claims to be huge."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))


@pytest.mark.parametrize(
    ("image_data", "part"),
    [
        ("", "not a JPEG"),
        ("****", "not valid base64"),
        ("é", "not valid base64"),
        (base(b"GIF89a" + b"\0" * 40), "not a JPEG"),
        (base(b"<svg/>"), "not a JPEG"),
        (base(bomb(60_000, 60_000)), "64 megapixels"),
        (base(bomb(0, 5)), "damaged"),
        (base(FILES["png"][:30]), "damaged"),
        (base(FILES["jpeg"][:10]), "not a JPEG"),
        (base(b"\xff\xd8" + b"\xff" * 50), "not a JPEG"),
        (base(b"\xff\xd8\xff\xe0\0\0" * 4), "not a JPEG"),
        (base(b"RIFF\0\0\0\0WEBPVP8 "), "not a JPEG"),
        (base(b"\0" * (8 * 1024 * 1024 + 1)), "larger than 8 MB"),
        (base(b"\0" * (9 * 1024 * 1024)), "larger than 8 MB"),
    ],
)
def test_what_is_no_usable_photo_is_one_sentence(image_data: str, part: str) -> None:
    with pytest.raises(EngineError, match=part) as refusal:
        decode_photo(image_data)
    assert refusal.value.kind == "bad_reference"


def test_no_file_makes_the_header_reader_fail() -> None:
    random = np.random.default_rng(1)
    for data in FILES.values():
        for _ in range(200):
            broken = bytearray(data[: random.integers(2, len(data))])
            for place in random.integers(2, max(3, len(broken)), 4):
                if place < len(broken):
                    broken[place] = random.integers(0, 256)
            picture_size(bytes(broken))
