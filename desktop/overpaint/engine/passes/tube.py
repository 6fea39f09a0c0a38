"""A television's tube: bent glass, scanlines that swell with light, and stripes of phosphor."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas, Plane
from overpaint.engine.kernels import f32, kernel
from overpaint.engine.passes.stage import Stage

Floats = NDArray[np.float32]


@kernel
def _scan(first: int, end: int, y: Any, lines: Any, gain: Any, out: Any) -> None:
    """Darkens between the lines of the beam, less where it is bright: a strong beam is a wide one."""
    width = y.shape[1]
    for row in range(first, end):
        lumas, result, gap = y[row], out[row], lines[row]
        for x in range(width):
            level = f32(lumas[x]) * gain
            dark = gap * (f32(1) - level * f32(0.0026))
            level = level * (f32(1) - max(dark, f32(0))) + f32(0.5)
            result[x] = np.uint8(min(level, f32(255)))


@kernel
def _phosphor(first: int, end: int, plane: Any, low: Any, stripes: Any) -> None:
    """Tints columns by the phosphor that glows there, as brightly as the picture is."""
    width = plane.shape[1]
    for row in range(first, end):
        values, lumas = plane[row], low[row]
        for x in range(width):
            value = f32(values[x]) + stripes[x] * f32(lumas[x]) * f32(1 / 255) + f32(0.5)
            values[x] = np.uint8(min(max(value, f32(16)), f32(240)))


def bend(height: int, width: int, bulge: float) -> tuple[Floats, Floats]:
    """Where each pixel of a bent screen comes from.

    Args:
        height: Rows.
        width: Columns.
        bulge: How much nearer the corners are pulled in, 0..0.2.

    Returns:
        Columns and rows, float32 (height, width).
    """
    x = (np.arange(width, dtype=np.float32) + 0.5) / width * 2 - 1
    y = (np.arange(height, dtype=np.float32) + 0.5) / height * 2 - 1
    across, down = np.meshgrid(x, y)
    bent_x = across * (1 + bulge * down * down)
    bent_y = down * (1 + bulge * 1.3 * across * across)
    columns = (bent_x + 1) / 2 * width - 0.5
    rows = (bent_y + 1) / 2 * height - 0.5
    return np.asarray(columns, np.float32), np.asarray(rows, np.float32)


class Tube:
    """Shows the picture on a tube.

    Args:
        stage: Where it works.
        lines: Distance of two scanlines, pixels at 1080 rows.
        depth: How dark it is between them, 0..1.
        stripes: How strongly phosphor stripes show, levels of chroma.
        bulge: How bent the glass is, 0..0.2.
        gain: Brightness, to make up for the dark lines.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        lines: float = 4.5,
        depth: float = 0.45,
        stripes: float = 22.0,
        bulge: float = 0.05,
        gain: float = 1.25,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._gain = f32(gain)
        # Below three pixels a line would be a moiré, so a small picture gets fewer lines.
        period = max(3.0, lines * canvas.scale)
        phase = (np.arange(canvas.height, dtype=np.float32) + 0.5) / period
        self._lines: Floats = (depth * (0.5 + 0.5 * np.cos(2 * np.pi * phase))).astype(np.float32)
        third = max(1, round(canvas.scale))
        which = (np.arange(canvas.half[1]) // third) % 3
        # Red, green and blue stripes, one chroma sample wide at 1080 rows: together they are grey.
        self._u = (stripes * np.array([-0.35, -0.65, 1.0], np.float32)[which]).astype(np.float32)
        self._v = (stripes * np.array([1.0, -0.75, -0.25], np.float32)[which]).astype(np.float32)
        self._maps = [
            cv2.convertMaps(*bend(*size, bulge), cv2.CV_16SC2)
            for size in ((canvas.height, canvas.width), canvas.half)
        ]
        self._low: Plane = np.zeros_like(canvas.low)
        self._page: Plane = np.zeros_like(canvas.low)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        bent = canvas.fresh()
        cv2.remap(canvas.y, *self._maps[0], cv2.INTER_LINEAR, dst=bent, borderMode=cv2.BORDER_CONSTANT)
        canvas.y = bent
        cv2.resize(bent, self._low.shape[::-1], dst=self._low, interpolation=cv2.INTER_AREA)
        out = canvas.fresh()
        self._bands.run(_scan, canvas.height, bent, self._lines, self._gain, out)
        canvas.y = out
        for plane, stripes in ((canvas.u, self._u), (canvas.v, self._v)):
            cv2.remap(
                plane, *self._maps[1], cv2.INTER_LINEAR, dst=self._page,
                borderMode=cv2.BORDER_CONSTANT, borderValue=128,
            )  # fmt: skip
            np.copyto(plane, self._page)
            self._bands.run(_phosphor, canvas.half[0], plane, self._low, stripes)
