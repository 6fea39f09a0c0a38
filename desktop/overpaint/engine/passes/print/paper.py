"""Paper texture, vignette, film grain and glow (bloom, halation)."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.materials.shelf import Shelf
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane, half_sides, soft


@kernel
def _multiply(first: int, end: int, y: Any, sheet: Any, out: Any) -> None:
    """Sets out = y * sheet / 128 (multiply blend)."""
    width = y.shape[1]
    for row in range(first, end):
        lumas, reliefs, result = y[row], sheet[row], out[row]
        for x in range(width):
            value = f32(lumas[x]) * f32(reliefs[x]) * f32(1 / 128) + f32(0.5)
            result[x] = np.uint8(min(value, f32(255)))


class Paper:
    """A paper pass: the relief of a sheet under the drawing, and a vignette.

    Args:
        stage: Canvas, threads and inputs.
        tooth: Strength of the relief, 0..1.
        roughness: Factor on the fine relief; the broad clouds keep their strength.
        vignette: Darkening of the corners, 0..1.
        seed: Seed of the random numbers.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        tooth: float = 0.3,
        roughness: float = 1.0,
        vignette: float = 0.0,
        seed: int = 1,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._sheet = stage.shelf.get(
            _sheet, stage.shelf, canvas.height, canvas.width, tooth, roughness, vignette, seed
        )

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``."""
        out = canvas.fresh()
        self._bands.run(_multiply, canvas.height, canvas.y, self._sheet, out)
        canvas.y = out


def _sheet(
    shelf: Shelf, height: int, width: int, tooth: float, roughness: float, vignette: float, seed: int
) -> Plane:
    """Reflectance of a sheet, uint8 (height, width), 128 for 1: its tooth, broad clouds and a vignette."""
    # Clouds and vignette are smooth, so a quarter of the size is enough for them.
    small = (-(-height // 4), -(-width // 4))
    broad = np.ones(small, np.float32)
    if tooth:
        broad += 0.12 * tooth * 0.45 * textures.noise(*small, 120, seed + 3)
    if vignette:
        x, y = textures.grid(*small)
        right, low = half_sides(*small)
        # The vignette of a portrait picture is that of a landscape picture, rotated.
        wide, narrow = (0.9, 1.0) if height > width else (1.0, 0.9)
        away = np.hypot(x / right * wide, y / low * narrow) / 1.35
        broad *= 1 - vignette * np.clip(away, 0, 1) ** 2.6
    sheet: Any = cv2.resize(broad, (width, height))
    if tooth and roughness:
        relief = (
            textures.tile(shelf, min(height, width), textures.TOOTH, seed)
            * np.float32(0.12 * tooth * roughness)
            + 1
        )
        sheet *= textures.repeated(relief, height, width)
    return np.asarray(cv2.convertScaleAbs(sheet, alpha=128), np.uint8)


@kernel
def _sprinkle(first: int, end: int, y: Any, noise: Any, amount: Any, top: int, left: int, out: Any) -> None:
    """Adds noise (in 1/32) times ``amount``, from an offset of ``top`` and ``left``; less in the darkest and
    lightest tones.
    """
    width = y.shape[1]
    for row in range(first, end):
        lumas, grains, result = y[row], noise[row + top, left : left + width], out[row]
        for x in range(width):
            level = f32(lumas[x])
            much = amount * (f32(0.011) + level * (f32(255) - level) * f32(1.25e-6))
            result[x] = np.uint8(min(max(level + f32(grains[x]) * much + f32(0.5), f32(0)), f32(255)))


class Grain:
    """Film grain, strongest in the mid tones, with another offset on every second frame.

    Args:
        stage: Canvas, threads and inputs.
        amount: Standard deviation in levels.
        size: Size of a grain, pixels at 1080 rows.
    """

    def __init__(self, stage: Stage, *, amount: float = 5.0, size: float = 2.0) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._margin = 64
        self._noise = stage.shelf.get(
            textures.moving, stage.shelf, canvas.height, canvas.width, self._margin, textures.Grain(size), 7
        )
        self._amount = np.float32(amount)
        self._frames = 0

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``."""
        # Offsets from a low-discrepancy sequence: they differ clearly between steps, and are the same in
        # every run.
        step = self._frames // 2
        top, left = int(step * 0.7548776662 % 1 * self._margin), int(step * 0.5698402910 % 1 * self._margin)
        self._frames += 1
        out = canvas.fresh()
        self._bands.run(_sprinkle, canvas.height, canvas.y, self._noise, self._amount, top, left, out)
        canvas.y = out


@kernel
def _screen(first: int, end: int, y: Any, glow: Any, out: Any) -> None:
    """Screen blend of ``y`` and a half-size glow (0..255)."""
    half = glow.shape[1]
    for row in range(first, end):
        lights, lumas, result = glow[row >> 1], y[row], out[row]
        for x in range(half):
            light = f32(lights[x]) * f32(1 / 255)
            even, odd = f32(lumas[2 * x]), f32(lumas[2 * x + 1])
            result[2 * x] = np.uint8(even + (f32(255) - even) * light + f32(0.5))
            result[2 * x + 1] = np.uint8(odd + (f32(255) - odd) * light + f32(0.5))


class Glow:
    """A glow pass (bloom): highlights that shine into their surroundings.

    Args:
        stage: Canvas, threads and inputs.
        amount: Strength of the glow, 0..1.
        threshold: Luma above which light counts as a highlight.
        radius: Reach of the glow, pixels at 1080 rows.
        warmth: Shift of the halo towards orange, levels of chroma (the halation of film).
    """

    def __init__(
        self,
        stage: Stage,
        *,
        amount: float = 0.4,
        threshold: float = 160.0,
        radius: float = 40.0,
        warmth: float = 0.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        levels = np.arange(256, dtype=np.float32)
        light = np.clip((levels - threshold) / (255 - threshold), 0, 1) * 255 * amount
        self._bright = np.round(light).astype(np.uint8)
        self._small = (max(8, canvas.width // 8), max(8, canvas.height // 8))
        self._sigma = canvas.sigma(radius / 8)
        self._glow = np.zeros_like(canvas.low)
        self._warmth = np.float32(warmth / 128)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, and for a coloured halo also ``u`` and ``v``."""
        cv2.resize(canvas.y, self._glow.shape[::-1], dst=self._glow, interpolation=cv2.INTER_AREA)
        small = cv2.resize(self._glow, self._small, interpolation=cv2.INTER_AREA)
        light = soft(np.asarray(cv2.LUT(small, self._bright), np.uint8), self._sigma)
        cv2.resize(light, self._glow.shape[::-1], dst=self._glow, interpolation=cv2.INTER_CUBIC)
        out = canvas.fresh()
        self._bands.run(_screen, canvas.height, canvas.y, self._glow, out)
        canvas.y = out
        if self._warmth:
            self._bands.run(_warm, canvas.half[0], self._glow, self._warmth, canvas.u, canvas.v)


@kernel
def _warm(first: int, end: int, glow: Any, warmth: Any, u: Any, v: Any) -> None:
    """Moves chroma towards orange where the glow is."""
    width = glow.shape[1]
    for row in range(first, end):
        lights, us, vs = glow[row], u[row], v[row]
        for x in range(width):
            push = f32(lights[x]) * warmth
            us[x] = np.uint8(min(max(f32(us[x]) - push * f32(0.7) + f32(0.5), f32(16)), f32(240)))
            vs[x] = np.uint8(min(max(f32(vs[x]) + push + f32(0.5), f32(16)), f32(240)))
