"""Paper cut-outs (posterisation with drop shadows): sheets over each other, the lighter ones above.

Tones become heights: a smooth half-size luma is posterised at full size, which gives clean edges, and a
shadow falls where the picture is higher in the direction of the light.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage

Floats = NDArray[np.float32]


@kernel
def _cut(first: int, end: int, tone: Any, shade: Any, steps: Any, sheets: Any, sharp: Any, out: Any) -> None:
    """Posterises a half-size tone at full size, and darkens it by a half-size shade.

    Args:
        first: First row.
        end: Row after the last.
        tone: float32 (h, w), levels.
        shade: float32 (h, w), factor 0..1.
        steps: float32 (3,): tone where the second sheet begins, 1 / distance of two steps, number of the
            last step.
        sheets: float32 (2,): luma of the lowest sheet, difference in luma between two sheets.
        sharp: 1 / width of an edge in levels of tone.
        out: uint8 (2h, 2w), written.
    """
    height, width = tone.shape
    tones = np.empty(width + 2, np.float32)
    shades = np.empty(width + 2, np.float32)
    value = np.empty(2 * width, np.float32)
    light = np.empty(2 * width, np.float32)
    begin, dense, last = steps[0], steps[1], steps[2]
    sharpness = sharp / dense
    for row in range(first, end):
        near = row >> 1
        far = min(max(near + (1 if row & 1 else -1), 0), height - 1)
        for x in range(width):
            tones[x + 1] = tone[near, x] * f32(0.75) + tone[far, x] * f32(0.25)
            shades[x + 1] = shade[near, x] * f32(0.75) + shade[far, x] * f32(0.25)
        tones[0], tones[width + 1] = tones[1], tones[width]
        shades[0], shades[width + 1] = shades[1], shades[width]
        for x in range(width):
            value[2 * x] = tones[x + 1] * f32(0.75) + tones[x] * f32(0.25)
            value[2 * x + 1] = tones[x + 1] * f32(0.75) + tones[x + 2] * f32(0.25)
            light[2 * x] = shades[x + 1] * f32(0.75) + shades[x] * f32(0.25)
            light[2 * x + 1] = shades[x + 1] * f32(0.75) + shades[x + 2] * f32(0.25)
        result = out[row]
        for x in range(2 * width):
            # Only the nearest step matters: the others are entirely below or above.
            place = (value[x] - begin) * dense
            step = np.floor(min(max(place + f32(0.5), f32(0)), last))
            edge = min(max((place - step) * sharpness + f32(0.5), f32(0)), f32(1))
            luma = (sheets[0] + (step + edge) * sheets[1]) * light[x]
            result[x] = np.uint8(min(max(luma + f32(0.5), f32(0)), f32(255)))


class Papercut:
    """A paper cut-out pass from ``low`` to ``y``.

    Args:
        stage: Canvas, threads and inputs.
        sheets: Number of sheets.
        begin: Luma at which the second sheet begins.
        full: Luma at which the last sheet begins.
        dark: Luma of the lowest sheet.
        light: Luma of the topmost sheet.
        smoothness: Blur of the tone before the steps, pixels at 1080 rows; it removes small details.
        drop: Length of shadows, pixels at 1080 rows.
        depth: Darkness of shadows, 0..1.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        sheets: int = 6,
        begin: float = 40.0,
        full: float = 205.0,
        dark: float = 34.0,
        light: float = 244.0,
        smoothness: float = 5.0,
        drop: float = 9.0,
        depth: float = 0.5,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        steps = np.linspace(begin, full, sheets - 1)
        dense = (sheets - 2) / (full - begin) if sheets > 2 else 1e-3
        self._steps = np.array([begin, dense, sheets - 2], np.float32)
        self._sheets = np.array([dark, (light - dark) / (sheets - 1)], np.float32)
        self._sigma = canvas.sigma(smoothness / 2)
        self._tone: Floats = np.zeros(canvas.half, np.float32)
        self._drop = max(1.0, drop * canvas.scale / 2)
        self._soft = canvas.sigma(drop / 3)
        self._depth = depth
        table = np.zeros(256, np.float32)
        for step in steps:
            table += np.clip((np.arange(256) - step) / 6 + 0.5, 0, 1).astype(np.float32)
        self._heights = np.asarray(table * (250 / (sheets - 1)), np.uint8)
        self._one_sheet = 250 / (sheets - 1)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``."""
        np.copyto(self._tone, canvas.low)
        cv2.GaussianBlur(self._tone, (0, 0), self._sigma, dst=self._tone)
        height = cv2.LUT(self._tone.astype(np.uint8), self._heights)
        # Light comes from the upper left: a place is in shadow where the heights there are greater.
        move = np.array([[1, 0, self._drop * 0.7], [0, 1, self._drop]], np.float32)
        thrown = cv2.warpAffine(height, move, height.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        over: Any = cv2.GaussianBlur(cv2.subtract(thrown, height), (0, 0), self._soft)
        shade = 1 - np.minimum(over.astype(np.float32) * (1 / self._one_sheet), 1.4) * f32(self._depth)
        out = canvas.fresh()
        self._bands.run(
            _cut, canvas.height, self._tone, np.asarray(shade, np.float32), self._steps, self._sheets,
            f32(0.8), out,
        )  # fmt: skip
        canvas.y = out
