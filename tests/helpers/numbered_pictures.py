"""Pictures that say which they are: a number in black and white blocks at the top and again at the bottom.

A torn picture has two numbers, a stale or repeated one the wrong number. The rest is a colour field that
depends on the number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from overpaint.media.pictures import planes

BITS = 12


def stamped(number: int, width: int, height: int) -> NDArray[np.uint8]:
    """An I420 picture (height * 3 // 2, width) with the number's lowest 12 bits."""
    image = np.empty((height * 3 // 2, width), np.uint8)
    luma, blue, red = planes(image)
    luma[:] = np.linspace(60, 180, width, dtype=np.uint8)[None, :]
    blue[:], red[:] = _tint(number)
    side = _side(width)
    for bit in range(BITS):
        level = 235 if number >> bit & 1 else 16
        columns = slice(bit * side, bit * side + side)
        luma[:side, columns] = level
        luma[-side:, columns] = level
    return image


def read_stamps(image: NDArray[np.uint8]) -> tuple[int, int]:
    """The numbers at the top and at the bottom."""
    luma, _, _ = planes(image)
    side = _side(image.shape[1])
    edge = max(1, side // 4)
    numbers = []
    for rows in (luma[:side], luma[-side:]):
        blocks = rows[edge:-edge, : side * BITS].reshape(side - 2 * edge, BITS, side)[:, :, edge:-edge]
        levels = blocks.mean(axis=(0, 2))
        numbers.append(sum(1 << bit for bit, level in enumerate(levels) if level > 125))
    return numbers[0], numbers[1]


def colour_error(image: NDArray[np.uint8], number: int) -> float:
    """Mean distance, in levels, of the middle of the picture from what ``stamped`` painted there."""
    painted = stamped(number, image.shape[1], image.shape[0] * 2 // 3)
    errors = []
    for got, wanted in zip(planes(image), planes(painted), strict=True):
        middle = slice(got.shape[0] // 4, got.shape[0] * 3 // 4)
        errors.append(np.abs(got[middle].astype(int) - wanted[middle].astype(int)).mean())
    return float(max(errors))


def _tint(number: int) -> tuple[int, int]:
    return 90 + number * 7 % 70, 160 - number * 5 % 70


def _side(width: int) -> int:
    return width // 16
