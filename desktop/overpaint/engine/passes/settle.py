"""The first step of every look: takes a frame in and calms its noise without trails.

A recursive average whose weight depends on motion: still places are averaged over time, moving
places take the new frame at once. Motion is judged on quarter-size block means, where sensor noise
of σ = 4 is below one level, and per pixel for what is large anyway.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.bands import Bands
from overpaint.engine.canvas import FULL_FROM_LIMITED, Canvas, Plane, split
from overpaint.engine.kernels import kernel

MOTION_LEAST, MOTION_FULL = 2.0, 7.0
"""Change of a block's mean, in levels, from which it counts as moving, and as wholly new."""


@kernel
def _average(first: int, end: int, new: Any, weight: Any, table: Any, state: Any, out: Any) -> None:
    """Sets state += (table[new] - state) * weight, in 1/64 levels; weight is 0..255 for 0..1."""
    width = new.shape[1]
    for row in range(first, end):
        for x in range(width):
            old = np.int32(state[row, x])
            change = (np.int32(table[new[row, x]]) << 6) - old
            size = abs(change) >> 6
            # Beyond 24 levels noise is out of the question: the pixel is new.
            part = max(np.int32(weight[row, x]), min((size - 12) * 20, np.int32(255)))
            old += (change * part + 128) >> 8 if part < 255 else change
            state[row, x] = np.int16(old)
            out[row, x] = np.uint8((old + 32) >> 6)


class Settle:
    """Fills a canvas's source planes from frames.

    Args:
        canvas: Whose ``source``, ``u`` and ``v`` are filled.
        bands: Threads.
        steadiness: 0 (every frame as it is) to 1 (still places averaged over about ten frames).
    """

    def __init__(self, canvas: Canvas, bands: Bands, steadiness: float) -> None:
        self._bands = bands
        self._least = round(255 * (1 - 0.85 * min(1.0, max(0.0, steadiness))))
        half_height, half_width = canvas.half
        self._quarter = (max(1, canvas.width // 4), max(1, canvas.height // 4))
        self._luma_state: NDArray[np.int16] = np.zeros((canvas.height, canvas.width), np.int16)
        self._u_state: NDArray[np.int16] = np.zeros((half_height, half_width), np.int16)
        self._v_state: NDArray[np.int16] = np.zeros_like(self._u_state)
        self._weight: Plane = np.zeros((canvas.height, canvas.width), np.uint8)
        self._half_weight: Plane = np.zeros((half_height, half_width), np.uint8)
        self._blocks: Any = None
        self._same = np.arange(256, dtype=np.uint8)
        levels = np.arange(256, dtype=np.float32)
        ramp = np.clip((levels - MOTION_LEAST) / (MOTION_FULL - MOTION_LEAST), 0, 1)
        self._ramp: Plane = np.round(self._least + ramp * (255 - self._least)).astype(np.uint8)

    def take(self, image: Plane, canvas: Canvas) -> None:
        """Starts a frame on the canvas.

        Args:
            image: I420 uint8 (H * 3 // 2, W).
            canvas: Its ``source``, ``low``, ``u`` and ``v`` are set.
        """
        y, u, v = split(image)
        if self._least >= 255:
            cv2.LUT(y, FULL_FROM_LIMITED, dst=canvas.source)
            np.copyto(canvas.u, u)
            np.copyto(canvas.v, v)
        else:
            self._weigh(y)
            run, height, half = self._bands.run, canvas.height, canvas.half[0]
            run(_average, height, y, self._weight, FULL_FROM_LIMITED, self._luma_state, canvas.source)
            run(_average, half, u, self._half_weight, self._same, self._u_state, canvas.u)
            run(_average, half, v, self._half_weight, self._same, self._v_state, canvas.v)
        canvas.begin()

    def _weigh(self, y: Plane) -> None:
        """Sets both weight maps from what moved since the blocks seen last."""
        blocks = cv2.resize(y, self._quarter, interpolation=cv2.INTER_AREA)
        if self._blocks is None:
            self._blocks = blocks
            self._weight.fill(255)
            self._half_weight.fill(255)
            return
        moved = cv2.absdiff(blocks, self._blocks)
        moved = cv2.dilate(cv2.blur(moved, (3, 3)), np.ones((5, 5), np.uint8))
        weight = cv2.blur(cv2.LUT(moved, self._ramp), (5, 5))
        # The blocks follow the picture as the picture's own average does.
        follow = cv2.multiply(
            cv2.subtract(blocks, self._blocks, dtype=cv2.CV_16S), weight, scale=1 / 255, dtype=cv2.CV_16S
        )
        self._blocks = cv2.add(self._blocks, follow, dtype=cv2.CV_8U)
        cv2.resize(weight, self._weight.shape[::-1], dst=self._weight)
        cv2.resize(weight, self._half_weight.shape[::-1], dst=self._half_weight)
