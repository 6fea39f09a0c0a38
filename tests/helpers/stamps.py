"""Numbers drawn into frames, so that a test knows which frame it sees, whole or torn, after any look."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import portrait

BITS = 9
BLOCK = 72
"""Pixels at 1080p: large enough to survive painterly looks and codecs."""
ROWS = (12, 504, 996)
"""Tops of three rows of the same number: a torn frame has different ones."""


def stamp(luma: NDArray[np.uint8], number: int) -> None:
    """Draws a number into a 1080p luma plane, or a smaller one of the same shape, three times."""
    for bit, row, column in _blocks(luma, 0):
        luma[row, column] = 230 if number >> bit & 1 else 20


def read(luma: NDArray[np.uint8]) -> int | None:
    """The number in a luma plane; None when the rows disagree (torn) or it cannot be read."""
    numbers = [0] * len(ROWS)
    for index, (bit, row, column) in enumerate(_blocks(luma, BLOCK // 4)):
        numbers[index // BITS] |= (float(luma[row, column].mean()) > 125) << bit
    return numbers[0] if len(set(numbers)) == 1 else None


def _blocks(luma: NDArray[np.uint8], edge: int) -> Iterator[tuple[int, slice, slice]]:
    """Every bit's number and place, less an edge."""
    scale = luma.shape[0] / 1080
    for top in ROWS:
        for bit in range(BITS):
            left = 24 + bit * BLOCK
            yield (
                bit,
                slice(round((top + edge) * scale), round((top + BLOCK - edge) * scale)),
                slice(round((left + edge) * scale), round((left + BLOCK - edge) * scale)),
            )


def watermark(planes: NDArray[np.uint8]) -> None:
    """Paints an I420 picture's colours over with a saturated chessboard, which no grey look can carry.

    It is everywhere: not the smallest part of a raw picture, and no fading one, goes unseen.
    """
    height, width = planes.shape[0] * 2 // 3, planes.shape[1]
    side = height // 24
    rows, columns = np.arange(height // 2) // side, np.arange(width // 2) // side
    odd = (rows[:, None] + columns) % 2 == 1
    blue, red = planes[height:].reshape(2, height // 2, width // 2)
    blue[:], red[:] = np.where(odd, 220, 40), np.where(odd, 40, 220)


def stamped_clip(
    path: Path, seconds: float = 10.0, size: tuple[int, int] = (1920, 1080), *, watermarked: bool = False
) -> Path:
    """A clip of a person who sways, 30 frames a second, every one stamped with its number."""
    width, height = size
    sway = width // 48
    person = portrait(width + 2 * sway, height)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30, options={"preset": "ultrafast", "crf": "20"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for number in range(round(seconds * 30)):
            x = round(sway + (sway - 1) * np.sin(number / 9))
            image = np.ascontiguousarray(person[:, x : x + width])
            frame = av.VideoFrame.from_ndarray(image, format="bgr24").reformat(format="yuv420p")
            planes = frame.to_ndarray()
            stamp(planes[:height], number)
            if watermarked:
                watermark(planes)
            frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            frame.pts, frame.time_base = number, Fraction(1, 30)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.fixture(scope="session")
def stamped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six seconds of it, numbers 0 to 179; made once for every test that only looks on."""
    return stamped_clip(tmp_path_factory.mktemp("stamped") / "stamped.mp4", seconds=6)


@pytest.fixture(scope="session")
def watermarked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six seconds of it in 720p, every raw frame marked as such."""
    path = tmp_path_factory.mktemp("watermarked") / "watermarked.mp4"
    return stamped_clip(path, seconds=6, size=(1280, 720), watermarked=True)


class Recorded(NamedTuple):
    """A frame of a recording.

    Attributes:
        number: Drawn into it; None where it is torn.
        luma: uint8, (height, width).
        at_s: Its time in the recording.
    """

    number: int | None
    luma: NDArray[np.uint8]
    at_s: float


def numbers_in(path: Path) -> Iterator[Recorded]:
    """Every frame of a recording."""
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            luma = np.asarray(frame.to_ndarray()[: frame.height], np.uint8)
            assert frame.time is not None
            yield Recorded(read(luma), luma, frame.time)
