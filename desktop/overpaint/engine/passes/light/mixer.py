"""A channel mixer for black and white, like a colour filter on a lens: it makes colours lighter or darker."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage


@kernel
def _mix(first: int, end: int, y: Any, u: Any, v: Any, blue: Any, red: Any, out: Any) -> None:
    """Sets out = y + blue * (u - 128) + red * (v - 128); planes of chroma have half the size of luma."""
    half = u.shape[1]
    for row in range(first, end):
        us, vs, lumas, result = u[row >> 1], v[row >> 1], y[row], out[row]
        for x in range(half):
            add = (f32(us[x]) - f32(128)) * blue + (f32(vs[x]) - f32(128)) * red + f32(0.5)
            result[2 * x] = np.uint8(min(max(f32(lumas[2 * x]) + add, f32(0)), f32(255)))
            result[2 * x + 1] = np.uint8(min(max(f32(lumas[2 * x + 1]) + add, f32(0)), f32(255)))


class Mixer:
    """A channel-mixer pass, which adds chroma to luma.

    Args:
        stage: Canvas, threads and inputs.
        red: Weight of red (v); positive values make red lighter. 0.6 is an orange filter, which makes skin
            lighter.
        blue: Weight of blue (u); positive values make blue lighter. 0.5 with a red of -0.6 is the
            orthochromatic film of 1910.
        soften: Blur of the chroma that is added, pixels at 1080 rows, because compressed chroma is blocky.
    """

    def __init__(self, stage: Stage, *, red: float = 0.0, blue: float = 0.0, soften: float = 4.0) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._red, self._blue = f32(red), f32(blue)
        side = max(1, round(soften * canvas.scale / 2))
        self._side = (side, side)
        self._u, self._v = np.zeros_like(canvas.u), np.zeros_like(canvas.v)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y`` and ``low``."""
        cv2.blur(canvas.u, self._side, dst=self._u)
        cv2.blur(canvas.v, self._side, dst=self._v)
        out = canvas.fresh()
        self._bands.run(_mix, canvas.height, canvas.y, self._u, self._v, self._blue, self._red, out)
        canvas.y = out
        cv2.resize(out, canvas.low.shape[::-1], dst=canvas.low, interpolation=cv2.INTER_AREA)
