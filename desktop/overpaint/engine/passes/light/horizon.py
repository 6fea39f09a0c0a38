"""A gradient map that changes with height: each luma has one colour at the top and another at the bottom."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.colours import yuv
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage

Floats = NDArray[np.float32]


@kernel
def _paint(first: int, end: int, luma: Any, high: Any, deep: Any, share: Any, out: Any) -> None:
    """Applies a lookup table that changes by row, from ``high`` (share 0) to ``deep`` (share 1)."""
    width = luma.shape[1]
    table = np.empty(256, np.uint8)
    for row in range(first, end):
        part = share[row]
        for level in range(256):
            table[level] = np.uint8(high[level] + (deep[level] - high[level]) * part + f32(0.5))
        lumas, result = luma[row], out[row]
        for x in range(width):
            result[x] = table[lumas[x]]


def ramp(colours: tuple[str, ...], spread: tuple[float, float]) -> Floats:
    """The colour ramp (lookup table): a colour for each luma level.

    Args:
        colours: #rrggbb, dark to light, evenly spaced.
        spread: Levels at which the first and the last colour are reached.

    Returns:
        float32 (3, 256): luma, u, v.
    """
    stops = yuv(colours)
    at = np.clip((np.arange(256) - spread[0]) / (spread[1] - spread[0]), 0, 1) * (len(stops) - 1)
    places = np.arange(len(stops))
    return np.stack([np.interp(at, places, stops[:, c]) for c in range(3)]).astype(np.float32)


class Horizon:
    """A gradient-map pass by luma and height.

    Args:
        stage: Canvas, threads and inputs; with a photo, its palette gives the chroma, dark to light.
        high: Colours at the top, #rrggbb, dark to light.
        deep: Colours at the bottom, #rrggbb, dark to light.
        middle: Height at which both have equal shares, 0 the top, 1 the bottom.
        spread: Levels of luma at which the first and the last colour are reached.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        high: tuple[str, ...],
        deep: tuple[str, ...],
        middle: float = 0.5,
        spread: tuple[float, float] = (12.0, 240.0),
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._ramps = [ramp(high, spread), ramp(deep, spread)]
        if stage.photo is not None:
            for table in self._ramps:
                places = np.linspace(0, 1, 5)
                tints = np.stack([stage.photo.colourful(float(place)) for place in places])
                for c in (1, 2):
                    table[c] = np.interp(np.arange(256) / 255, places, tints[:, c])
        self._rows = self._shares(canvas.height, middle)
        self._low_rows = self._shares(canvas.half[0], middle)
        self._low = np.zeros_like(canvas.low)

    @staticmethod
    def _shares(rows: int, middle: float) -> Floats:
        down = (np.arange(rows, dtype=np.float32) + 0.5) / rows
        place = np.clip((down - middle) * 1.4 + 0.5, 0, 1)
        return np.asarray(place * place * (3 - 2 * place), np.float32)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        cv2.resize(canvas.y, self._low.shape[::-1], dst=self._low, interpolation=cv2.INTER_LINEAR)
        high, deep = self._ramps
        out = canvas.fresh()
        self._bands.run(_paint, canvas.height, canvas.y, high[0], deep[0], self._rows, out)
        canvas.y = out
        for index, plane in ((1, canvas.u), (2, canvas.v)):
            self._bands.run(
                _paint, canvas.half[0], self._low, high[index], deep[index], self._low_rows, plane
            )
