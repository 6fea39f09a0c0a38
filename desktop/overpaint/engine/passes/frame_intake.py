"""The intake of every look: a temporal low-pass filter with motion detection (noise reduction, no trails).

A recursive average whose weight depends on motion: still places are averaged over time, moving places take
the new frame at once. Motion is detected in quarter-size block means, where sensor noise of σ = 4 is below
one level, and at single pixels where the change is large.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.planes import FULL_FROM_LIMITED, Plane, split

MOTION_LEAST, MOTION_FULL = 2.0, 7.0
"""Change of a block's mean, in levels, above which it counts as moving, and from which the new frame is taken
in full."""

NOISE_MOST = 12.0
"""Change of a single pixel, in levels, that noise of σ = 4 rarely exceeds."""

GROWTH_MOST, LEAST_WEIGHT = 4.0, 0.08
"""Amplification from which the averaging is longest, and its least weight of a new frame."""


def _ramp(least: int, calm: float, full: float) -> Plane:
    """Weight of a new frame, 0..255, by the change of a block's mean in levels."""
    share = np.clip((np.arange(256, dtype=np.float32) - calm) / (full - calm), 0, 1)
    return np.asarray(np.round(least + share * (255 - least)), np.uint8)


@kernel
def _average(
    first: int, end: int, new: Any, weight: Any, state: Any, likely: Any, scale: Any, black: Any, out: Any
) -> None:
    """Moves state (1/64 levels) towards new by weight / 255; out = (state - black) * scale.

    From 1 / likely to 2 / likely (1/64 levels), the change of a single pixel becomes unlikely to be noise:
    there the new value takes over.

    The weight has half the size of luma, or the size of chroma.
    """
    width = new.shape[1]
    coarse = weight.shape[1] < width
    shares = np.empty(width, np.float32)
    for row in range(first, end):
        if coarse:
            weights = weight[row >> 1]
            for x in range(width >> 1):
                share = f32(weights[x]) * f32(1 / 255)
                shares[2 * x] = share
                shares[2 * x + 1] = share
        else:
            weights = weight[row]
            for x in range(width):
                shares[x] = f32(weights[x]) * f32(1 / 255)
        fresh, kept, result = new[row], state[row], out[row]
        for x in range(width):
            old = f32(kept[x])
            change = f32(fresh[x]) * f32(64) - old
            sure = min(abs(change) * likely - f32(1), f32(1))
            old += change * max(shares[x], sure)
            kept[x] = np.int16(old + f32(0.5))
            result[x] = np.uint8(min(max((old - black) * scale + f32(0.5), f32(0)), f32(255)))


class Settle:
    """The temporal noise reduction that fills a canvas from frames.

    Args:
        canvas: The canvas whose size the frames have.
        bands: Thread pool for kernels.
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
        self._weight: Plane = np.zeros((half_height, half_width), np.uint8)
        self._halved: Plane = np.zeros((half_height, half_width), np.uint8)
        self._blocks: Any = None
        self._likely = f32(1 / (64 * NOISE_MOST))
        self._expected = 0.0, 1.0
        self._ramp = _ramp(self._least, MOTION_LEAST, MOTION_FULL)

    def expect(self, noise: float, growth: float) -> None:
        """Adapts the averaging to the noise that a picture has and to how much later steps amplify it.

        Args:
            noise: Standard deviation of a frame's luma, levels.
            growth: Factor by which luma is amplified; 1 changes nothing.
        """
        if self._least >= 255:
            return
        growth = min(max(1.0, growth), GROWTH_MOST)
        if (noise, growth) == self._expected:
            return
        self._expected = noise, growth
        least = max(round(self._least / growth), round(255 * LEAST_WEIGHT))
        self._ramp = _ramp(min(least, self._least), MOTION_LEAST / growth**0.3, MOTION_FULL / growth**0.5)
        self._likely = f32(1 / (64 * (NOISE_MOST if growth == 1 else max(NOISE_MOST, 3 * noise))))

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
            full, same = (f32(255 / 219 / 64), f32(16 * 64)), (f32(1 / 64), f32(0))
            likely = self._likely
            run(_average, height, y, self._weight, self._luma_state, likely, *full, canvas.source)
            run(_average, half, u, self._weight, self._u_state, likely, *same, canvas.u)
            run(_average, half, v, self._weight, self._v_state, likely, *same, canvas.v)
        canvas.begin()

    def _weigh(self, y: Plane) -> None:
        """Sets the weights from the motion against the averaged blocks."""
        cv2.resize(y, self._weight.shape[::-1], dst=self._halved, interpolation=cv2.INTER_AREA)
        blocks = cv2.resize(self._halved, self._quarter, interpolation=cv2.INTER_AREA)
        if self._blocks is None:
            self._blocks = blocks
            self._weight.fill(255)
            return
        moved = cv2.absdiff(blocks, self._blocks)
        moved = cv2.dilate(cv2.blur(moved, (3, 3)), np.ones((5, 5), np.uint8))
        weight = cv2.blur(cv2.LUT(moved, self._ramp), (5, 5))
        # The blocks are averaged with the same weights as the picture.
        follow = cv2.multiply(
            cv2.subtract(blocks, self._blocks, dtype=cv2.CV_16S), weight, scale=1 / 255, dtype=cv2.CV_16S
        )
        self._blocks = cv2.add(self._blocks, follow, dtype=cv2.CV_8U)
        cv2.resize(weight, self._weight.shape[::-1], dst=self._weight)
