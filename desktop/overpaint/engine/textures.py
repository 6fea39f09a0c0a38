"""Papers, grains and screens, made once for a size.

Everything is made from fixed seeds and from lengths in pixels at 1080 rows, so that a look is alike
at every size and the same in every run. Must not know frames.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import REFERENCE_HEIGHT

Floats = NDArray[np.float32]


def noise(height: int, width: int, cell: float, seed: int) -> Floats:
    """Smooth random relief of mean 0 and deviation 1.

    Args:
        height: Rows.
        width: Columns.
        cell: Size of a bump, pixels at 1080 rows.
        seed: Which relief.
    """
    size = max(1.0, cell * height / REFERENCE_HEIGHT)
    rng = np.random.default_rng(seed)
    rows, columns = math.ceil(height / size) + 3, math.ceil(width / size) + 3
    # Drawn row by row from the top left, so that a wider picture has the same relief and more.
    coarse = rng.standard_normal((rows, columns), np.float32)
    grown = cv2.resize(
        coarse, (math.ceil(columns * size), math.ceil(rows * size)), interpolation=cv2.INTER_CUBIC
    )
    if 1.5 < size < 6:
        # Small bumps would show the lattice; large ones are smooth enough, and blurring them is slow.
        grown = cv2.GaussianBlur(grown, (0, 0), size / 3)
    cut = grown[:height, :width]
    spread = float(cut.std()) or 1.0
    return np.ascontiguousarray((cut - cut.mean()) / spread, np.float32)


def paper(height: int, width: int, roughness: float = 1.0, seed: int = 1) -> Floats:
    """Relief of a sheet of paper: tooth, fibres and clouds; mean 0, deviation about 1."""
    tooth = noise(height, width, 2.2, seed) * 0.7 + noise(height, width, 5.0, seed + 1) * 0.5
    run = (max(1, round(14 * height / REFERENCE_HEIGHT)), 1)
    fibres = np.asarray(cv2.blur(noise(height, width, 1.6, seed + 2), run), np.float32)
    fibres = fibres / (float(fibres.std()) or 1.0)
    clouds = noise(height, width, 120.0, seed + 3)
    return np.asarray(roughness * (tooth * 0.8 + fibres * 0.25) + clouds * 0.45, np.float32)


def grid(height: int, width: int) -> tuple[Floats, Floats]:
    """Coordinates (x, y) in pixels at 1080 rows, measured from the middle; each (height, width)."""
    k = REFERENCE_HEIGHT / height
    x = (np.arange(width, dtype=np.float32) + 0.5 - width / 2) * k
    y = (np.arange(height, dtype=np.float32) + 0.5 - height / 2) * k
    across, down = np.meshgrid(x, y)
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def strokes(
    height: int, width: int, angle_deg: float, period: float, wander: float, jitter: float, seed: int
) -> Floats:
    """Parallel hand-drawn strokes: 0 in the middle of a stroke, 1 between two.

    Args:
        height: Rows.
        width: Columns.
        angle_deg: Direction of the strokes.
        period: Distance of two strokes, pixels at 1080 rows.
        wander: How far strokes stray from straight in long waves, pixels at 1080 rows.
        jitter: How much a hand trembles, pixels at 1080 rows.
        seed: Which hand.
    """
    x, y = grid(height, width)
    angle = math.radians(angle_deg)
    across = -x * math.sin(angle) + y * math.cos(angle)
    across = across + wander * noise(height, width, 220, seed)
    if jitter:
        across = across + jitter * noise(height, width, 9, seed + 1)
    return np.asarray(np.abs((across / period) % 1 - 0.5) * 2, np.float32)


def fibres(height: int, width: int, angle_deg: float, length: float, breadth: float, seed: int) -> Floats:
    """Irregular strokes of a soft point: noise drawn out in one direction; mean 0, deviation 1.

    Args:
        height: Rows.
        width: Columns.
        angle_deg: Direction of the strokes.
        length: Length of a stroke, pixels at 1080 rows.
        breadth: Width of a stroke, pixels at 1080 rows.
        seed: Which strokes.
    """
    k = height / REFERENCE_HEIGHT
    side = math.ceil(math.hypot(height, width)) + 4
    # ``noise`` measures its cells against the rows that it is given: here the square's, not the picture's.
    field = noise(side, side, breadth * height / side, seed)
    run = max(2, round(length * k * 0.7))
    for _ in range(2):
        # Two boxes are near enough to a Gaussian and cost the same for any length.
        field = np.asarray(cv2.blur(field, (run, 1)), np.float32)
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), -angle_deg, 1.0)
    turn[0, 2] -= (side - width) / 2
    turn[1, 2] -= (side - height) / 2
    cut = np.asarray(cv2.warpAffine(field, turn, (width, height), flags=cv2.INTER_CUBIC), np.float32)
    return np.asarray((cut - cut.mean()) / (float(cut.std()) or 1.0), np.float32)


def dots(height: int, width: int, angle_deg: float, period: float) -> NDArray[np.uint8]:
    """A halftone screen: thresholds 0..255, evenly distributed, so that dots cover as much as the tone says.

    Args:
        height: Rows.
        width: Columns.
        angle_deg: Angle of the screen.
        period: Distance of two dots, pixels at 1080 rows.
    """
    x, y = grid(height, width)
    angle = math.radians(angle_deg)
    along = (x * math.cos(angle) + y * math.sin(angle)) * (2 * math.pi / period)
    across = (-x * math.sin(angle) + y * math.cos(angle)) * (2 * math.pi / period)
    wave = (np.cos(along) + np.cos(across)) / 4 + 0.5
    return even(np.asarray(wave, np.float32))


def even(pattern: Floats) -> NDArray[np.uint8]:
    """The same pattern with its values spread evenly over 0..255 (a histogram equalisation)."""
    span = float(pattern.max() - pattern.min()) or 1.0
    levels = np.clip((pattern - pattern.min()) * (4095 / span), 0, 4095).astype(np.int64)
    share = np.cumsum(np.bincount(levels.ravel(), minlength=4096)).astype(np.float64)
    table = (share / share[-1] * 255).astype(np.uint8)
    return np.asarray(table[levels], np.uint8)
