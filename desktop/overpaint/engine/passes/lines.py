"""Ink and pencil lines at full size, from the frame's own luma: what keeps a face a face.

Difference of Gaussians with a soft threshold (XDoG, Winnemöller et al. 2012), darker sides only.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from overpaint.engine.canvas import Canvas, Plane
from overpaint.engine.kernels import f32, kernel
from overpaint.engine.passes.stage import Stage


@kernel
def _difference(first: int, end: int, fine: Any, wide: Any, gain: Any, threshold: Any, out: Any) -> None:
    """Ink 0..255 where ``fine`` (16 times a luma) is darker than ``wide`` (half size) by the threshold."""
    height, width = wide.shape
    row_wide = np.empty(width, np.float32)
    for row in range(first, end):
        near = row >> 1
        far = min(max(near + (1 if row & 1 else -1), 0), height - 1)
        for x in range(width):
            row_wide[x] = f32(wide[near, x]) * f32(0.75) + f32(wide[far, x]) * f32(0.25)
        for x in range(width):
            before, after = max(x - 1, 0), min(x + 1, width - 1)
            a = row_wide[x] * f32(0.75)
            even = (a + row_wide[before] * f32(0.25) - f32(fine[row, 2 * x])) * f32(0.0625) - threshold
            odd = (a + row_wide[after] * f32(0.25) - f32(fine[row, 2 * x + 1])) * f32(0.0625) - threshold
            out[row, 2 * x] = np.uint8(min(max(even * gain, f32(0)), f32(255)))
            out[row, 2 * x + 1] = np.uint8(min(max(odd * gain, f32(0)), f32(255)))


class Lines:
    """Draws lines over ``y``.

    Args:
        stage: Where it works.
        width: Width of a line, pixels at 1080 rows.
        gain: How fast a line gets dark with contrast.
        threshold: Contrast in levels below which nothing is drawn.
        ink: Luma of the ink, 0..255.
        opacity: 0..1.
        colour: True keeps chroma under the ink; False draws neutral ink.
        alone: True draws on blank paper (255) instead of the picture so far.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        width: float = 2.0,
        gain: float = 22.0,
        threshold: float = 1.6,
        ink: int = 14,
        opacity: float = 1.0,
        colour: bool = False,
        alone: bool = False,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        line = width * stage.line_scale
        self._fine = canvas.sigma(line * 0.6, 0.55)
        self._wide = canvas.sigma(line * 0.6 * 1.7 / 2, 0.5)
        self._gain, self._threshold = np.float32(gain), np.float32(threshold)
        self._colour, self._alone = colour, alone
        self._ink = np.zeros_like(canvas.source)
        self._low_ink = np.zeros_like(canvas.low)
        self._shade = np.zeros_like(canvas.source)
        self._neutral = np.full_like(canvas.u, 128)
        self._luma = np.int32(ink)
        self._opacity = np.int32(round(255 * opacity))

    def apply(self, canvas: Canvas) -> None:
        """Puts ink on ``y`` (and takes colour out under it)."""
        fine = cv2.GaussianBlur(_finer(canvas.source), (0, 0), self._fine)
        wide = cv2.GaussianBlur(_finer(canvas.low_source), (0, 0), self._wide)
        self._bands.run(_difference, canvas.height, fine, wide, self._gain, self._threshold, self._ink)
        out = canvas.fresh()
        if self._alone:
            self._shade.fill(255)
        self._bands.run(
            _draw, canvas.height, self._shade if self._alone else canvas.y, self._ink, self._luma,
            self._opacity, out,
        )  # fmt: skip
        canvas.y = out
        if not self._colour:
            cv2.resize(self._ink, self._low_ink.shape[::-1], dst=self._low_ink, interpolation=cv2.INTER_AREA)
            for plane in (canvas.u, canvas.v):
                self._bands.run(
                    _draw, canvas.half[0], plane, self._low_ink, np.int32(128), self._opacity, plane
                )


def _finer(plane: Plane) -> Any:
    """Luma times 16 as 16-bit: a line's contrast is a few levels, so whole levels would be too coarse."""
    return cv2.addWeighted(plane, 16, plane, 0, 0, dtype=cv2.CV_16U)


@kernel
def _draw(first: int, end: int, below: Any, ink: Any, luma: Any, opacity: Any, out: Any) -> None:
    """Sets out = below, with ``luma`` laid over it as densely as ink and opacity say."""
    width = below.shape[1]
    for row in range(first, end):
        for x in range(width):
            share = np.int32(ink[row, x]) * opacity + 127
            share = (share + (share >> 8)) >> 8
            base = np.int32(below[row, x])
            out[row, x] = np.uint8(base + (((luma - base) * share + 127) >> 8))
