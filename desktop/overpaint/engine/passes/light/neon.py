"""Neon glow (bloom): bright places turn white and glow in a colour that changes across the picture."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.colours import yuv
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane, soft

Floats = NDArray[np.float32]


@kernel
def _burn(first: int, end: int, y: Any, glow: Any, out: Any) -> None:
    """Screen blend of ``y`` and a half-size glow (0..255), enlarged bilinearly."""
    height, width = glow.shape
    line = np.empty(width + 2, np.float32)
    for row in range(first, end):
        near = row >> 1
        far = min(max(near + (1 if row & 1 else -1), 0), height - 1)
        close, distant, lumas, result = glow[near], glow[far], y[row], out[row]
        for x in range(width):
            line[x + 1] = (f32(close[x]) * f32(0.75) + f32(distant[x]) * f32(0.25)) * f32(1 / 255)
        line[0], line[width + 1] = line[1], line[width]
        for x in range(width):
            middle = line[x + 1] * f32(0.75)
            even, odd = f32(lumas[2 * x]), f32(lumas[2 * x + 1])
            even += (f32(255) - even) * (middle + line[x] * f32(0.25)) + f32(0.5)
            odd += (f32(255) - odd) * (middle + line[x + 2] * f32(0.25)) + f32(0.5)
            result[2 * x] = np.uint8(min(even, f32(255)))
            result[2 * x + 1] = np.uint8(min(odd, f32(255)))


@kernel
def _tint(
    first: int, end: int, plane: Any, glow: Any, core: Any, low: Any, hue: Any, night: Any, keep: Any,
    cast: Any,
) -> None:  # fmt: skip
    """Blends the chroma of the scene with that of the glow, less in a tube's white core.

    The tubes' light, of which there is more where the picture is lighter, colours the scene by ``cast``.
    """
    width = plane.shape[1]
    for row in range(first, end):
        values, glows, cores, hues, lumas = plane[row], glow[row], core[row], hue[row], low[row]
        for x in range(width):
            shine = min(f32(glows[x]) * f32(3.6 / 255), f32(1)) * (f32(1) - f32(cores[x]) * f32(0.35 / 255))
            lit = min(max((f32(lumas[x]) - f32(40)) * f32(1 / 130), f32(0)), f32(1)) * cast
            dark = night + (hues[x] - night) * lit + (f32(values[x]) - f32(128)) * keep
            value = f32(128.5) + dark + (hues[x] - dark) * shine
            values[x] = np.uint8(min(max(value, f32(16)), f32(240)))


class Neon:
    """A neon-glow pass.

    Args:
        stage: Canvas, threads and inputs; with a photo, the tubes take its colours.
        colours: Colours of the tubes, #rrggbb, in their order across the picture.
        night: Colour of the unlit scene, #rrggbb.
        keep: Factor on the scene's own chroma, 0..1.
        threshold: Luma above which a place glows.
        amount: Strength of the glow, 0..2.
        radius: Reach of the glow, pixels at 1080 rows.
        cast: Share of the tubes' colours in the light on the scene, 0..1.
        period: Distance after which the colours repeat, pixels at 1080 rows.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        colours: tuple[str, ...] = ("#ff2bd6", "#7a3cff", "#19d3ff"),
        night: str = "#140a38",
        keep: float = 0.25,
        threshold: float = 120.0,
        amount: float = 0.9,
        radius: float = 36.0,
        cast: float = 0.0,
        period: float = 1900.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        tubes = yuv(colours)[:, 1:] - 128
        if stage.photo is not None:
            places = np.linspace(0.3, 0.8, len(tubes))
            tubes = np.stack([stage.photo.colourful(float(place))[1:] - 128 for place in places])
        self._hues = self._across(tubes, *canvas.half, period)
        self._night = [f32(chroma - 128) for chroma in yuv([night])[0, 1:]]
        self._keep, self._cast, self._amount = f32(keep), f32(cast), amount
        levels = np.arange(256, dtype=np.float32)
        self._bright = np.round(np.clip((levels - threshold) / (255 - threshold), 0, 1) * 255).astype(
            np.uint8
        )
        height, width = canvas.half
        self._small = (max(8, width // 4), max(8, height // 4))
        self._near, self._wide = canvas.sigma(radius / 14), canvas.sigma(radius / 8)
        self._lit: Plane = np.zeros(canvas.half, np.uint8)
        self._core: Plane = np.zeros(canvas.half, np.uint8)
        self._glow: Plane = np.zeros(canvas.half, np.uint8)

    @staticmethod
    def _across(tubes: Any, height: int, width: int, period: float) -> list[Floats]:
        """Chroma (u, v) at each place: a periodic gradient of the colours along a diagonal."""
        x, y = textures.grid(height, width)
        at = ((x * 0.9 + y * 0.45) / period + 0.5) % 1 * len(tubes)
        stops = np.vstack([tubes, tubes[:1]])
        return [np.interp(at, np.arange(len(stops)), stops[:, c]).astype(np.float32) for c in range(2)]

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        cv2.resize(canvas.y, self._lit.shape[::-1], dst=self._lit, interpolation=cv2.INTER_AREA)
        cv2.LUT(self._lit, self._bright, dst=self._core)
        small = cv2.resize(self._core, self._small, interpolation=cv2.INTER_AREA)
        wide = soft(np.asarray(small, np.uint8), self._wide)
        cv2.resize(wide, self._glow.shape[::-1], dst=self._glow, interpolation=cv2.INTER_LINEAR)
        near = soft(self._core, self._near)
        cv2.addWeighted(near, 0.6 * self._amount, self._glow, 1.5 * self._amount, 0, dst=self._glow)
        out = canvas.fresh()
        self._bands.run(_burn, canvas.height, canvas.y, self._glow, out)
        canvas.y = out
        for plane, hue, night in zip((canvas.u, canvas.v), self._hues, self._night, strict=True):
            self._bands.run(
                _tint, canvas.half[0], plane, self._glow, self._core, self._lit, hue, night, self._keep,
                self._cast,
            )  # fmt: skip
