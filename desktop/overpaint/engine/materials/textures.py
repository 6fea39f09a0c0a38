"""Procedural textures: papers, grains and halftone screens, made once for a size and kept on the shelf.

Fine texture is a seamless tile: random phases in the frequency domain, weighted by the wanted spectrum
(Fourier synthesis, Peitgen & Saupe, The Science of Fractal Images, 1988). Everything is made from fixed
seeds and from lengths in pixels at 1080 rows, so that a look is alike at every size and the same in every
run. Must not know frames.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.materials.shelf import Shelf
from overpaint.engine.planes import REFERENCE_HEIGHT, scale_of

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
ScalarT = TypeVar("ScalarT", bound=np.generic)
Values = NDArray[np.floating] | cv2.typing.MatLike

TILE_ROWS, TILE_COLUMNS = 512, 1024
"""Size of a tile, pixels at 1080 rows: so large that its repetition is not noticed."""

TINY = 8
"""Pictures smaller than 1080 rows by this factor get a smaller tile, which is made faster."""

_STEPS = 1024
"""Entries of a spectrum's table, over 0..1 cycles per pixel."""


@dataclass(frozen=True, slots=True)
class Grain:
    """A component of a tile: noise of round bumps, or of strokes (anisotropic noise).

    Attributes:
        cell: Size of a bump, or width of a stroke, pixels at 1080 rows.
        weight: Standard deviation of this component.
        length: Length of a stroke, pixels at 1080 rows; 0 for round bumps.
        angle_deg: Direction of a stroke.
    """

    cell: float
    weight: float = 1.0
    length: float = 0.0
    angle_deg: float = 0.0


TOOTH = (Grain(2.2, 0.56), Grain(5.0, 0.4), Grain(1.6, 0.25, 14.0))
"""Fine relief of a sheet of paper: its tooth, and fibres along it."""


def tile(shelf: Shelf, side: int, grains: tuple[Grain, ...], seed: int) -> Floats:
    """A seamless tile of texture.

    Args:
        shelf: Cache for the tile at full size, from which this one is scaled.
        side: Shorter side of the picture that the tile is for, pixels.
        grains: Components of the texture.
        seed: Seed of the random numbers.

    Returns:
        float32, mean 0; its variance is the sum of the grains' squared weights.
    """
    scale = side / REFERENCE_HEIGHT
    part = TINY if scale * TINY <= 1 else 1
    # No bump is smaller than a pixel, so that small pictures show the texture, too.
    coarse = tuple(
        Grain(max(g.cell, 1 / scale) / part, g.weight, g.length / part, g.angle_deg) for g in grains
    )
    master = shelf.get(_master, coarse, seed, part)
    if side == REFERENCE_HEIGHT:
        return master
    size = (max(1, round(TILE_COLUMNS * scale)), max(1, round(TILE_ROWS * scale)))
    return _spread(cv2.resize(master, size, interpolation=cv2.INTER_CUBIC), _deviation(grains))


def _master(grains: tuple[Grain, ...], seed: int, part: int) -> Floats:
    """The tile for 1080 rows, or for ``1 / part`` of them."""
    rows, columns = TILE_ROWS // part, TILE_COLUMNS // part
    down = np.fft.fftfreq(rows).astype(np.float32)[:, None]
    across = np.fft.rfftfreq(columns).astype(np.float32)[None]
    power = sum(_power(grain, across, down) for grain in grains)
    phases = np.random.default_rng(seed).random((*np.shape(power), 2), np.float32)
    waves = (phases - np.float32(0.5)).view(np.complex64)[..., 0]
    waves *= np.sqrt(power)
    waves[0, 0] = 0
    return _spread(np.fft.irfft2(waves, (rows, columns)), _deviation(grains))


def _deviation(grains: tuple[Grain, ...]) -> float:
    return math.sqrt(sum(grain.weight**2 for grain in grains))


def _spread(values: Values, deviation: float) -> Floats:
    """Values shifted and scaled to mean 0 and a standard deviation."""
    mean, spread = cv2.meanStdDev(values)
    factor = deviation / (float(spread[0, 0]) or 1.0)
    scaled = np.asarray(values, np.float32) * np.float32(factor)
    scaled -= np.float32(float(mean[0, 0]) * factor)
    return scaled


def _power(grain: Grain, across: Floats, down: Floats) -> Floats:
    """Power spectrum of a tile at the frequencies ``across`` and ``down``, cycles per pixel."""
    bump = _bump(grain.cell)
    # Two box filters approximate a stroke with soft ends.
    frequencies = np.arange(_STEPS, dtype=np.float32) / _STEPS
    stroke = bump * np.sinc(frequencies * max(2.0, grain.length * 0.7)) ** 4 if grain.length else bump
    along, beside = across, down
    if grain.angle_deg:
        angle = math.radians(grain.angle_deg)
        cosine, sine = np.float32(math.cos(angle)), np.float32(math.sin(angle))
        along, beside = across * cosine + down * sine, down * cosine - across * sine
    power = _looked_up(stroke, along) * _looked_up(bump, beside)
    return np.asarray(power * (grain.weight**2 / float(power.sum())), np.float32)


def _looked_up(table: NDArray[np.floating], frequency: Floats) -> Floats:
    return np.asarray(table, np.float32).take((np.abs(frequency) * _STEPS).astype(np.int32))


def _bump(cell: float) -> NDArray[np.floating]:
    """Power spectrum of value noise: random heights on a lattice, cubic interpolation, blurred where fine."""
    x = (np.arange(48) + 0.5) / 24
    near = (1.25 * x - 2.25) * x * x + 1
    far = ((-0.75 * x + 3.75) * x - 6) * x + 3
    kernel = np.where(x < 1, near, far) / 24
    frequencies = np.arange(_STEPS) / _STEPS
    heights = 2 * np.cos(2 * np.pi * cell * frequencies[:, None] * x) @ kernel
    # Without a blur small bumps would show their lattice.
    softness = cell / 3 if 1.5 < cell < 6 else 0.0
    return np.asarray((heights * np.exp(-2 * (np.pi * softness * frequencies) ** 2)) ** 2)


def repeated(pattern: NDArray[ScalarT], height: int, width: int) -> NDArray[ScalarT]:
    """A tile repeated to the right and downwards until a size is covered."""
    cut = np.ascontiguousarray(pattern[:height, :width])
    down, right = height - cut.shape[0], width - cut.shape[1]
    # OpenCV's type stubs do not say that the dtype is kept.
    return np.asarray(cv2.copyMakeBorder(cut, 0, down, 0, right, cv2.BORDER_WRAP), cut.dtype)


def screen(shelf: Shelf, height: int, width: int, grains: tuple[Grain, ...], seed: int) -> Bytes:
    """A screen of thresholds 0..255, uniformly distributed, made from texture (stochastic screening)."""
    return np.asarray(repeated(even(tile(shelf, min(height, width), grains, seed)), height, width), np.uint8)


def sheet(shelf: Shelf, height: int, width: int, grains: tuple[Grain, ...], seed: int) -> Bytes:
    """Texture around 128, in levels, repeated over a picture; see ``tile``."""
    relief = tile(shelf, min(height, width), grains, seed)
    levels = np.clip(relief + np.float32(128), 0, 255).astype(np.uint8)
    return np.asarray(repeated(levels, height, width), np.uint8)


def noise(height: int, width: int, cell: float, seed: int) -> Floats:
    """Smooth value noise of mean 0 and standard deviation 1, which does not repeat.

    Args:
        height: Rows.
        width: Columns.
        cell: Size of a bump, pixels at 1080 rows.
        seed: Seed of the random numbers.
    """
    size = max(1.0, cell * scale_of(height, width))
    rng = np.random.default_rng(seed)
    rows, columns = math.ceil(height / size) + 3, math.ceil(width / size) + 3
    coarse = rng.standard_normal((rows, columns), np.float32)
    # Large bumps are as smooth when computed for every fourth pixel and interpolated.
    step = 4 if size >= 16 else 1
    grown = cv2.resize(
        coarse,
        (math.ceil(columns * size / step), math.ceil(rows * size / step)),
        interpolation=cv2.INTER_CUBIC,
    )
    cut = _spread(np.ascontiguousarray(grown[: -(-height // step), : -(-width // step)]), 1.0)
    return cut if step == 1 else np.asarray(cv2.resize(cut, (width, height)), np.float32)


def grid(height: int, width: int) -> tuple[Floats, Floats]:
    """Coordinates in pixels at 1080 rows, measured from the middle: x (1, width) and y (height, 1)."""
    k = 1 / scale_of(height, width)
    x = (np.arange(width, dtype=np.float32) + 0.5 - width / 2) * k
    y = (np.arange(height, dtype=np.float32) + 0.5 - height / 2) * k
    return np.asarray(x[None], np.float32), np.asarray(y[:, None], np.float32)


def strokes(height: int, width: int, angle_deg: float, period: float, wander: float, seed: int) -> Bytes:
    """A screen of parallel hand-drawn strokes: 0 in the middle of a stroke, 255 between two.

    Args:
        height: Rows.
        width: Columns.
        angle_deg: Direction of the strokes.
        period: Distance of two strokes, pixels at 1080 rows.
        wander: Deviation of strokes from straight in long waves, pixels at 1080 rows.
        seed: Seed of the random numbers.
    """
    x, y = grid(height, width)
    angle = math.radians(angle_deg)
    across = noise(height, width, 220, seed)
    across *= np.float32(wander / period)
    across += x * np.float32(-math.sin(angle) / period) + y * np.float32(math.cos(angle) / period)
    across -= np.floor(across)
    across -= np.float32(0.5)
    return np.asarray(cv2.convertScaleAbs(across, alpha=510), np.uint8)


def dots(height: int, width: int, angle_deg: float, period: float) -> Bytes:
    """A halftone screen: thresholds 0..255, uniformly distributed, so that dots cover the share of the tone.

    Args:
        height: Rows.
        width: Columns.
        angle_deg: Angle of the screen.
        period: Distance of two dots, pixels at 1080 rows.
    """
    x, y = grid(height, width)
    angle, turns = math.radians(angle_deg), 2 * math.pi / period
    # cos(a + b) = cos a cos b - sin a sin b: the sum of two waves is a matrix product of rows and columns.
    along, down = x * (math.cos(angle) * turns), y * (math.sin(angle) * turns)
    across, below = x * (-math.sin(angle) * turns), y * (math.cos(angle) * turns)
    columns = np.concatenate([np.cos(along), np.sin(along), np.cos(across), np.sin(across)])
    rows = np.concatenate([np.cos(down), -np.sin(down), np.cos(below), -np.sin(below)], axis=1)
    wave = cv2.gemm(rows.astype(np.float32), columns.astype(np.float32), 1, np.empty(0), 0)
    levels = _levels(wave, -2, 2)
    # A part of the picture with some hundreds of dots is enough for the distribution of values.
    return np.asarray(_shares(levels[:320, :320]).take(levels), np.uint8)


def even(pattern: Floats) -> Bytes:
    """A pattern with its values spread evenly over 0..255 (histogram equalisation)."""
    least, most, _, _ = cv2.minMaxLoc(pattern)
    levels = _levels(pattern, least, most)
    return np.asarray(_shares(levels).take(levels), np.uint8)


def _levels(
    pattern: NDArray[np.floating] | cv2.typing.MatLike, least: float, most: float
) -> NDArray[np.uint16]:
    """Values from ``least`` to ``most`` as 0..4095."""
    factor = 4095 / ((most - least) or 1.0)
    scaled = np.asarray(pattern, np.float32) * np.float32(factor)
    scaled -= np.float32(least * factor - 0.5)
    return np.clip(scaled, 0, 4095, out=scaled).astype(np.uint16)


def _shares(levels: NDArray[np.uint16]) -> Bytes:
    """Cumulative distribution: for each level the share of values up to it, 0..255."""
    share = np.cumsum(np.bincount(levels.ravel(), minlength=4096)).astype(np.float64)
    return np.asarray(share / share[-1] * 255, np.uint8)


def moving(shelf: Shelf, height: int, width: int, margin: int, grain: Grain, seed: int) -> NDArray[np.int8]:
    """Noise larger than a picture, so that it can be shown at another offset on each frame.

    Args:
        shelf: Cache for the tile.
        height: Rows of the picture.
        width: Columns of the picture.
        margin: Largest offset, pixels.
        grain: Component of the noise.
        seed: Seed of the random numbers.

    Returns:
        int8 (height + margin, width + margin), in steps of 1/32 of the standard deviation.
    """
    steps = np.rint(tile(shelf, min(height, width), (grain,), seed) * 32)
    steps = np.clip(steps, -127, 127).astype(np.int8)
    return np.asarray(repeated(steps, height + margin, width + margin), np.int8)
