"""Numbers drawn into frames, so that a test knows which frame it sees, whole or torn, after any look."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

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
    """Draws a number into a 1080p luma plane, three times."""
    for top in ROWS:
        for bit in range(BITS):
            left = 24 + bit * BLOCK
            luma[top : top + BLOCK, left : left + BLOCK] = 230 if number >> bit & 1 else 20


def read(luma: NDArray[np.uint8]) -> int | None:
    """The number in a luma plane; None when the rows disagree (torn) or it cannot be read."""
    numbers = set()
    edge = BLOCK // 4
    for top in ROWS:
        number = 0
        for bit in range(BITS):
            left = 24 + bit * BLOCK
            inner = luma[top + edge : top + BLOCK - edge, left + edge : left + BLOCK - edge]
            number |= (float(inner.mean()) > 125) << bit
        numbers.add(number)
    return numbers.pop() if len(numbers) == 1 else None


def stamped_clip(path: Path, seconds: float = 10.0) -> Path:
    """A 1080p30 clip of a person who sways, every frame stamped with its number."""
    person = portrait(2000, 1125)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30, options={"preset": "ultrafast", "crf": "20"})
        stream.width, stream.height, stream.pix_fmt = 1920, 1080, "yuv420p"
        for number in range(round(seconds * 30)):
            x = round(40 + 39 * np.sin(number / 9))
            image = np.ascontiguousarray(person[20:1100, x : x + 1920])
            frame = av.VideoFrame.from_ndarray(image, format="bgr24").reformat(format="yuv420p")
            planes = frame.to_ndarray()
            stamp(planes[:1080], number)
            frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            frame.pts, frame.time_base = number, Fraction(1, 30)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.fixture(scope="session")
def stamped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six seconds of it, numbers 0 to 179; made once for every test that only looks on."""
    return stamped_clip(tmp_path_factory.mktemp("stamped") / "stamped.mp4", seconds=6)


def numbers_in(path: Path) -> Iterator[tuple[int | None, NDArray[np.uint8]]]:
    """The number of every frame of a recording, and its luma plane."""
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            luma = np.asarray(frame.to_ndarray()[: frame.height], np.uint8)
            yield read(luma), luma
