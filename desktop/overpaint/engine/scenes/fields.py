"""Fields of light that change: flicker, waves, caustics, molten rock, aurora, beams; added to the plate.

A field is computed on a small raster, where the eye sees no difference, and enlarged. Must not know scenes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.planes import Plane
from overpaint.engine.scenes.hashing import smooth_noise
from overpaint.engine.scenes.plate import Window

Floats = NDArray[np.float32]
FPS = 30.0

CHROMA = np.array([[0.299, 0.587, 0.114], [-0.1482, -0.2910, 0.4392], [0.4392, -0.3678, -0.0714]], np.float32)
"""BT.601: rows give y (full range), u and v (limited range) of RGB."""


@kernel
def fill_noise(out: Any, mask: Any, grid: Any, values: Any, seconds: float) -> None:
    """Noise that moves: ``values`` are cells a height across and down, drift a second across and down, rate.

    ``out`` uint8, 128 where nothing changes; ``grid`` left, top and step, in heights of the plate.
    """
    sx, sy, vx, vy, rate = values[0], values[1], values[2], values[3], values[4]
    height, width = out.shape
    t = seconds * rate
    for row in range(height):
        y = (grid[1] + (row + 0.5) * grid[2]) * sy - vy * seconds
        for column in range(width):
            m = f32(mask[row, column])
            value: Any = f32(128)
            if m > 0:
                x = (grid[0] + (column + 0.5) * grid[2]) * sx - vx * seconds
                n: Any = smooth_noise(x, y, t)
                n = f32(0.65) * n + f32(0.35) * smooth_noise(x * 2.1 + 7, y * 2.1 + 3, t * 1.7)
                # Spread to the whole range; noise keeps to the middle.
                n = min(max((n - f32(0.5)) * f32(1.9), f32(-1)), f32(1))
                value = f32(128.5) + f32(127 / 255) * m * n
            out[row, column] = np.uint8(value)


@kernel
def fill_waves(out: Any, mask: Any, grid: Any, values: Any, seconds: float) -> None:
    """Waves on a plane in perspective: ``values`` are horizon, cells across and along, speed, rate."""
    horizon, sx, sz, speed, rate = values[0], values[1], values[2], values[3], values[4]
    height, width = out.shape
    for row in range(height):
        down = (grid[1] + (row + 0.5) * grid[2]) - horizon
        if down < 0.004:
            out[row, :] = 128
            continue
        z = 1 / down
        # Waves so far off that they are finer than the raster are left out: they would flicker.
        calm = f32(min(1.0, down * down / (grid[2] * sz * 0.02 + 1e-6) * 0.02))
        for column in range(width):
            m = f32(mask[row, column]) * calm
            value: Any = f32(128)
            if m > 0:
                x = (grid[0] + (column + 0.5) * grid[2] - 0.889) * z
                n: Any = smooth_noise(x * sx, z * sz + seconds * speed, seconds * rate)
                n += f32(0.6) * smooth_noise(
                    x * sx * 2.3 + 4, z * sz * 1.9 + seconds * speed * 1.6 + x * 0.7, seconds * rate * 1.4
                )
                n = min(max((n - f32(0.8)) * f32(1.7), f32(-1)), f32(1))
                value = f32(128.5) + f32(127 / 255) * m * n
            out[row, column] = np.uint8(value)


class Field:
    """A field of one colour that brightens and darkens the plate.

    Args:
        shape: Of the full picture, rows and columns.
        window: The part of the plate that is shown.
        mask: uint8 (H / 2, W / 2), where it is seen.
        fill: ``fill_noise`` or ``fill_waves``.
        values: Its values.
        colour: RGB change at the field's most, levels; both ways.
        step: Pixels of the picture in one of the raster.
    """

    def __init__(
        self,
        shape: tuple[int, int],
        window: Window,
        mask: Plane,
        fill: Callable[..., None],
        values: Sequence[float],
        colour: Sequence[float],
        step: int,
    ) -> None:
        small = (max(2, shape[1] // step), max(2, shape[0] // step))
        self._mask = np.asarray(cv2.resize(mask, small, interpolation=cv2.INTER_AREA), np.uint8)
        rows = np.flatnonzero(self._mask.max(1))
        first = max(0, int(rows[0]) - 1) if len(rows) else 0
        end = min(small[1], int(rows[-1]) + 2) if len(rows) else 1
        self._rows = slice(first, end)
        self._mask = np.ascontiguousarray(self._mask[first:end])
        pixel = shape[1] / small[0] / window.scale
        top = -window.top / window.scale + first * pixel
        self._grid = np.array([-window.left / window.scale, top, pixel], np.float32)
        self._small: Plane = np.zeros(self._mask.shape, np.uint8)
        self._fill, self._values = fill, np.array(values, np.float32)
        self._gains = tuple(float(v) / 127 for v in CHROMA @ np.array(colour, np.float32))
        scale = shape[0] / small[1]
        self._bands = (
            slice(round(first * scale), round(end * scale)),
            slice(round(first * scale / 2), round(end * scale / 2)),
        )

    def draw(self, frame: int, planes: tuple[Plane, Plane, Plane]) -> None:
        """Adds a frame's field to the planes."""
        self._fill(self._small, self._mask, self._grid, self._values, frame / FPS)
        for index, plane in enumerate(planes):
            gain = self._gains[index]
            if abs(gain) * 127 < 0.5:
                continue
            part = plane[self._bands[min(index, 1)]]
            large = cv2.resize(self._small, part.shape[::-1], interpolation=cv2.INTER_LINEAR)
            cv2.addWeighted(part, 1.0, large, gain, -128 * gain, dst=part)


@kernel
def fill_aurora(out: Any, mask: Any, grid: Any, seconds: float) -> None:
    """Curtains of aurora: float32 (3, H, W), shares of green, of violet, and the rest unused."""
    height, width = mask.shape
    for column in range(width):
        x = grid[0] + (column + 0.5) * grid[2]
        for curtain in range(3):
            k = curtain * 7.3
            foot = 0.40 - 0.085 * curtain
            foot += 0.16 * (smooth_noise(x * 1.5 + k, seconds * 0.045, k) - 0.5)
            foot += 0.06 * (smooth_noise(x * 4.2 + k, seconds * 0.09, k + 3) - 0.5)
            glow = smooth_noise(x * 1.1 + k + seconds * 0.03, k, seconds * 0.06)
            glow = max(0.0, (glow - 0.28) * 1.7)
            ray = 0.55 + 0.75 * smooth_noise(
                x * 26 + k + 0.8 * math.sin(seconds * 0.15 + x * 3), k, seconds * 0.22
            )
            glow *= ray
            tall = 0.13 + 0.20 * smooth_noise(x * 5 + k, seconds * 0.1, k + 9)
            for row in range(height):
                y = grid[1] + (row + 0.5) * grid[2]
                up = foot - y
                if up < -0.05:
                    break
                if up < 0:
                    light = glow * (1 + up / 0.05) ** 2
                    high = 0.0
                else:
                    light = glow * math.exp(-up / tall)
                    high = min(1.0, up / 0.30)
                m = f32(mask[row, column]) * f32(light / 255)
                out[0, row, column] += m * f32(1 - 0.75 * high)
                out[1, row, column] += m * f32(high)


@kernel
def fill_beams(out: Any, mask: Any, grid: Any, beams: Any, seconds: float) -> None:
    """Beams of lamps in haze, added to ``out``, float32 (3, H, W).

    ``beams`` is float32 (N, 9): x, y, angle, sway, rate, width, and RGB.
    """
    height, width = mask.shape
    for n in range(beams.shape[0]):
        b = beams[n]
        angle = b[2] + b[3] * math.sin(seconds * b[4] + n * 1.9)
        ax, ay = f32(math.sin(angle)), f32(math.cos(angle))
        pulse = f32(0.75 + 0.25 * math.sin(seconds * b[4] * 1.7 + n * 2.6))
        for row in range(height):
            v = f32(grid[1] + (row + 0.5) * grid[2]) - b[1]
            for column in range(width):
                u = f32(grid[0] + (column + 0.5) * grid[2]) - b[0]
                along = u * ax + v * ay
                if along <= f32(0.005):
                    continue
                across = (u * ay - v * ax) / (along * b[5] + f32(0.012))
                across = across * across
                if across > f32(6):
                    continue
                light = (
                    pulse / (f32(1) + across) ** 3 / (f32(0.5) + f32(1.6) * along + f32(1.2) * along * along)
                )
                light *= f32(mask[row, column]) * f32(1 / 255)
                out[0, row, column] += light * b[6]
                out[1, row, column] += light * b[7]
                out[2, row, column] += light * b[8]


class Lights:
    """Light of several colours that is added to the plate: aurora or beams.

    Args:
        shape: Of the full picture, rows and columns.
        window: The part of the plate that is shown.
        mask: uint8 (H / 2, W / 2), where it is seen.
        fill: What adds RGB levels (3, H, W) to a raster, given the mask, the grid and seconds.
        step: Pixels of the picture in one of the raster.
    """

    def __init__(
        self, shape: tuple[int, int], window: Window, mask: Plane, fill: Callable[..., None], step: int
    ) -> None:
        small = (max(2, shape[1] // step), max(2, shape[0] // step))
        self._mask = np.asarray(cv2.resize(mask, small, interpolation=cv2.INTER_AREA), np.uint8)
        pixel = shape[1] / small[0] / window.scale
        self._grid = np.array([-window.left / window.scale, -window.top / window.scale, pixel], np.float32)
        self._rgb: Floats = np.zeros((3, small[1], small[0]), np.float32)
        self._fill = fill

    def draw(self, frame: int, planes: tuple[Plane, Plane, Plane]) -> None:
        """Adds a frame's light to the planes."""
        self._rgb[:] = 0
        self._fill(self._rgb, self._mask, self._grid, frame / FPS)
        changes = np.tensordot(CHROMA, self._rgb, 1)
        luma = np.clip(changes[0] + 0.5, 0, 255).astype(np.uint8)
        cv2.add(
            planes[0], cv2.resize(luma, planes[0].shape[::-1], interpolation=cv2.INTER_LINEAR), dst=planes[0]
        )
        for plane, change in zip(planes[1:], changes[1:], strict=True):
            small = np.clip(change + 128.5, 0, 255).astype(np.uint8)
            large = cv2.resize(small, plane.shape[::-1], interpolation=cv2.INTER_LINEAR)
            cv2.addWeighted(plane, 1.0, large, 1.0, -128, dst=plane)


def aurora(values: Mapping[str, Any]) -> Callable[..., None]:
    """What fills a raster with aurora: green below, violet above."""
    low, high = (np.array(values[name], np.float32) for name in ("low", "high"))

    def fill(rgb: Floats, mask: Plane, grid: Floats, seconds: float) -> None:
        parts = np.zeros_like(rgb)
        fill_aurora(parts, mask, grid, seconds)
        rgb += low[:, None, None] * parts[0] + high[:, None, None] * parts[1]

    return fill


def beams(values: Mapping[str, Any]) -> Callable[..., None]:
    """What fills a raster with beams."""
    rows = np.array(values["beams"], np.float32)

    def fill(rgb: Floats, mask: Plane, grid: Floats, seconds: float) -> None:
        fill_beams(rgb, mask, grid, rows, seconds)

    return fill
