"""Line integral convolution along the structure tensor: noise that follows forms, as brush marks do.

Noise is smeared along the picture's edge directions (after line integral convolution, Cabral & Leedom 1993,
over a smoothed structure tensor, Kyprianidis & Döllner 2008) at quarter size, where a bristle is one pixel
wide. Three short smears of growing reach replace one long one: six samples instead of dozens. Must not know
what is done with it.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.materials.shelf import Shelf
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

FOLLOW = 0.25
"""Weight of a new frame in the temporal average of directions, so that noise does not shake the strokes."""

DIAGONAL = 5.0
"""Strength, in squared levels, of the weak diagonal edge that is added everywhere where there is no swirl."""

EDDIES, EDDY = 7, 0.15
"""Default number of eddies of a swirl, and the radius of one as a share of the height."""

MOVED = 1.0
"""Change of a block of 16×16 pixels, in levels, above which it counts as moved and gets its new direction."""


@kernel
def _tangents(first: int, end: int, tensor: Any, along: Any, down: Any) -> None:
    """Unit vectors along edges, from the structure tensor (xx, xy, yy)."""
    width = along.shape[1]
    for row in range(first, end):
        xx, xy, yy, across, below = tensor[0, row], tensor[1, row], tensor[2, row], along[row], down[row]
        for x in range(width):
            half = (xx[x] - yy[x]) * f32(0.5)
            both = xy[x]
            size = np.sqrt(half * half + both * both) + f32(1e-3)
            # Half-angle formulas of the smaller eigenvalue's vector, which is (-sin, cos) of half the angle.
            cosine = half / size
            a = np.sqrt(max(f32(0.5) - f32(0.5) * cosine, f32(0)))
            b = np.sqrt(max(f32(0.5) + f32(0.5) * cosine, f32(0)))
            across[x] = a
            below[x] = -b if both > f32(0) else b


@kernel
def _smear(first: int, end: int, field: Any, along: Any, down: Any, reach: Any, out: Any) -> None:
    """Mean of a pixel and the two at distance ``reach`` along its direction, before and behind it."""
    height, width = field.shape
    for row in range(first, end):
        across, below, result, own = along[row], down[row], out[row], field[row]
        for x in range(width):
            dx, dy = across[x] * reach, below[x] * reach
            left = min(max(np.int32(f32(x) - dx + f32(0.5)), np.int32(0)), np.int32(width - 1))
            above = min(max(np.int32(f32(row) - dy + f32(0.5)), np.int32(0)), np.int32(height - 1))
            right = min(max(np.int32(f32(x) + dx + f32(0.5)), np.int32(0)), np.int32(width - 1))
            under = min(max(np.int32(f32(row) + dy + f32(0.5)), np.int32(0)), np.int32(height - 1))
            result[x] = (own[x] + field[above, left] + field[under, right]) * f32(1 / 3)


def bumps(shelf: Shelf, height: int, width: int, breadth: float, seed: int) -> Floats:
    """The noise that is smeared, float32 (height, width); mean 0, standard deviation 1."""
    tile = textures.tile(shelf, min(height, width), (textures.Grain(breadth),), seed)
    return np.asarray(textures.repeated(tile, height, width), np.float32)


class Flow:
    """A direction field from the structure tensor, and noise smeared along it.

    Args:
        stage: Canvas, threads and inputs.
        length: Length of a stroke, pixels at 1080 rows.
        breadth: Width of a mark, pixels at 1080 rows.
        smoothness: Range over which directions are averaged, pixels at 1080 rows.
        swirl: Strength of the eddies that strokes follow where the picture is flat, squared levels; 0 lays
            strokes diagonally there.
        eddies: Number of eddies.
        seed: Seed of the random numbers.

    Attributes:
        along, down: float32 (H / 4, W / 4), unit vectors along the edges; set by ``follow``.
        energy: float32 (H / 4, W / 4), strength of nearby edges, in squared levels; set by ``follow``.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        length: float = 56.0,
        breadth: float = 4.5,
        smoothness: float = 28.0,
        swirl: float = 0.0,
        eddies: int = EDDIES,
        seed: int = 41,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._size = (max(8, canvas.width // 4), max(8, canvas.height // 4))
        width, height = self._size
        self._noise = stage.shelf.get(bumps, stage.shelf, height, width, breadth, seed)
        reach = max(2.0, length * canvas.scale / 8)
        self._reaches = [f32(max(1.0, reach * share)) for share in (0.12, 0.35, 0.53)]
        self._tensor_size = (max(4, canvas.width // 16), max(4, canvas.height // 16))
        self._sigma = max(0.6, smoothness * canvas.scale / 16)
        self._reach = 2 * round(3 * self._sigma) + 1
        # A weak edge everywhere gives flat places a direction.
        self._bias = _swirl(*self._tensor_size, swirl, eddies) if swirl else _diagonal(*self._tensor_size)
        self._tensor: Floats | None = None
        self._seen: Plane | None = None
        self.along: Floats = np.zeros((height, width), np.float32)
        self.down: Floats = np.zeros((height, width), np.float32)
        self._pages = [np.zeros((height, width), np.float32) for _ in range(2)]
        self._half: Floats = np.zeros(canvas.half, np.float32)
        self.energy: Floats = np.zeros((height, width), np.float32)

    def quarter(self, canvas: Canvas) -> Floats:
        """The noise along the frame's directions, float32 (H / 4, W / 4); the next call overwrites it."""
        self.follow(canvas)
        return self.drawn(self._noise)

    def follow(self, canvas: Canvas) -> None:
        """Sets the directions for ``drawn``, and ``energy``, from a frame."""
        tensor = self._observe(canvas)
        self._bands.run(_tangents, self._size[1], tensor, self.along, self.down)

    def drawn(self, field: Floats) -> Floats:
        """Smears a field along the directions.

        Args:
            field: float32 (H / 4, W / 4).

        Returns:
            float32 (H / 4, W / 4); the next call overwrites it.
        """
        page = 0
        for reach in self._reaches:
            self._bands.run(_smear, self._size[1], field, self.along, self.down, reach, self._pages[page])
            field, page = self._pages[page], 1 - page
        return field

    def field(self, canvas: Canvas) -> Floats:
        """The noise of ``quarter``, enlarged and scaled to a standard deviation near 1.

        Returns:
            float32 (H / 2, W / 2); the next call overwrites it.
        """
        field = self.quarter(canvas) * f32(2.2)
        cv2.resize(field, self._half.shape[::-1], dst=self._half, interpolation=cv2.INTER_CUBIC)
        return self._half

    def _observe(self, canvas: Canvas) -> Floats:
        """The temporally averaged structure tensor of the frame (xx, xy, yy); float32 (3, H / 4, W / 4)."""
        size = (2 * self._tensor_size[0], 2 * self._tensor_size[1])
        small: Any = cv2.resize(canvas.low_source, size, interpolation=cv2.INTER_AREA)
        gx: Any = cv2.Sobel(small, cv2.CV_32F, 1, 0, scale=0.25)
        gy: Any = cv2.Sobel(small, cv2.CV_32F, 0, 1, scale=0.25)
        parts = [
            cv2.GaussianBlur(
                cv2.resize(part, self._tensor_size, interpolation=cv2.INTER_AREA), (0, 0), self._sigma
            )
            for part in (gx * gx, gx * gy, gy * gy)
        ]
        tensor = np.stack(parts).astype(np.float32)
        if self._tensor is None or self._seen is None:
            self._tensor = tensor
        else:
            change = cv2.absdiff(small, self._seen)
            moved = cv2.resize(change, self._tensor_size, interpolation=cv2.INTER_AREA)
            # Directions are renewed around a movement as far as smoothing carries its effect.
            reach = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (self._reach, self._reach))
            new = cv2.dilate(np.asarray(moved > MOVED, np.float32), reach)
            self._tensor += np.maximum(new, FOLLOW) * (tensor - self._tensor)
        self._seen = small
        self.energy = np.asarray(cv2.resize(self._tensor[0] + self._tensor[2], self._size), np.float32)
        return np.stack([cv2.resize(part, self._size) for part in self._tensor + self._bias])


def _edges(angle: Any, strength: float) -> Floats:
    """The structure tensor (xx, xy, yy) of edges that run at an angle, radians clockwise from the x axis."""
    across, down = -np.sin(angle), np.cos(angle)
    return np.stack([across * across, across * down, down * down]).astype(np.float32) * np.float32(strength)


def _diagonal(width: int, height: int) -> Floats:
    return _edges(np.full((height, width), np.pi / 4), DIAGONAL)


def _swirl(width: int, height: int, strength: float, eddies: int) -> Floats:
    """The structure tensor of eddies at fixed places in a wavy current across the picture."""
    rng = np.random.default_rng(7)
    rows, columns = np.mgrid[:height, :width].astype(np.float32) / np.float32(height)
    along = np.ones((height, width), np.float32)
    down = 0.6 * np.sin(columns * 5.0 + rows * 3.0)
    for k in range(eddies):
        x, y = (k + rng.uniform(0.1, 0.9)) / eddies * width / height, rng.uniform(0.05, 0.95)
        dx, dy = columns - x, rows - y
        near = np.exp(-(dx * dx + dy * dy) / (2 * EDDY * EDDY)) / EDDY * rng.choice((-4.0, 4.0))
        along, down = along - dy * near, down + dx * near
    return _edges(np.arctan2(down, along), strength)
