"""Local contrast enhancement (unsharp masking): more, or less, contrast of details of one size."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.doubling import row_between
from overpaint.engine.passes.pass_interface import Stage


@kernel
def _crisp(first: int, end: int, y: Any, soft: Any, amount: Any, quiet: Any, out: Any) -> None:
    """Unsharp mask: adds to luma its difference from ``soft`` (half size, enlarged), reduced by ``quiet``."""
    width = soft.shape[1]
    line = np.empty(width + 2, np.float32)
    for row in range(first, end):
        row_between(soft, row, line)
        lumas, result = y[row], out[row]
        for x in range(width):
            middle = line[x + 1] * f32(0.75)
            even, odd = f32(lumas[2 * x]), f32(lumas[2 * x + 1])
            change = even - middle - line[x] * f32(0.25)
            change -= min(max(change, -quiet), quiet)
            even += min(max(change * amount, f32(-40)), f32(40)) + f32(0.5)
            result[2 * x] = np.uint8(min(max(even, f32(0)), f32(255)))
            change = odd - middle - line[x + 2] * f32(0.25)
            change -= min(max(change, -quiet), quiet)
            odd += min(max(change * amount, f32(-40)), f32(40)) + f32(0.5)
            result[2 * x + 1] = np.uint8(min(max(odd, f32(0)), f32(255)))


class Clarity:
    """A local-contrast pass, which strengthens or softens detail of one size.

    Args:
        stage: Canvas, threads and inputs.
        amount: 0.3 is crisp, 1 harsh; negative values soften.
        radius: Size of the detail, pixels at 1080 rows: 3 for eyelashes and text, 60 for the form of a face.
        quiet: Contrast in levels that is left as it is, so that noise is not amplified.
    """

    def __init__(
        self, stage: Stage, *, amount: float = 0.3, radius: float = 40.0, quiet: float = 1.5
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._amount, self._quiet = f32(amount), f32(quiet)
        self._sigma = canvas.sigma(radius / 2)
        # A wide blur is made at reduced size, which costs k² times less at a factor of k and looks the same.
        self._shrink = max(1, min(8, int(self._sigma / 2)))
        height, width = canvas.half
        self._small = (max(1, width // self._shrink), max(1, height // self._shrink))
        self._low = np.zeros_like(canvas.low)
        self._soft: NDArray[np.float32] = np.zeros(canvas.half, np.float32)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``."""
        cv2.resize(canvas.y, self._low.shape[::-1], dst=self._low, interpolation=cv2.INTER_AREA)
        small = cv2.resize(self._low, self._small, interpolation=cv2.INTER_AREA).astype(np.float32)
        soft = cv2.GaussianBlur(small, (0, 0), self._sigma / self._shrink)
        cv2.resize(soft, self._soft.shape[::-1], dst=self._soft, interpolation=cv2.INTER_LINEAR)
        out = canvas.fresh()
        self._bands.run(_crisp, canvas.height, canvas.y, self._soft, self._amount, self._quiet, out)
        canvas.y = out
