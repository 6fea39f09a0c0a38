"""Glitch effect (a broken signal): torn lines, split colour channels, lost blocks.

A face in the middle of the picture is torn in short bursts only. The faults depend on the number of the frame
alone, so that every run is the same.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage

PERIOD, BURST = 96, 10
"""Length of a period, and of the burst at its end, frames; between bursts there are only a few calm tears."""

HOLD, BEAT = 24, 2
"""Frames for which a calm tear, and a tear of a burst, stays unchanged."""

CALM_PX, WILD_PX = 64.0, 74.0
"""Largest sideways shift of torn lines, calm and in a burst, pixels at 1080 rows; a face stays readable."""

CALM_SPLIT, WILD_SPLIT = 20.0, 14.0
"""Shift of red and of blue against green in torn lines, calm and in a burst, pixels at 1080 rows."""

FACE = (0.2, 0.7)
"""Range of the height, as shares, where faces are; calm tears lie above or below."""

MAGENTA, CYAN = (24, 26), (14, -34)
"""Shifts (u, v) of the colour of lost blocks, levels."""

BLOCK = 20
"""Side of the squares in a lost block, pixels at 1080 rows."""


@kernel
def _tear(first: int, end: int, y: Any, u: Any, v: Any, offset: Any, split: Any, pad: int, out: Any) -> None:
    """Shifts pairs of rows sideways, and red and blue by ``split`` against green (chromatic aberration).

    Offsets and splits are whole chroma samples. Rows wrap around. Chroma is changed in place.
    """
    half = u.shape[1]
    lumas = np.empty((4, half + 2 * pad), np.float32)
    blues, reds = np.empty(half + 2 * pad, np.float32), np.empty(half + 2 * pad, np.float32)
    total = np.empty((3, half), np.float32)
    for row in range(first, end):
        for x in range(half + 2 * pad):
            at = (x - pad + half) % half
            blues[x], reds[x] = f32(u[row, at]) - f32(128), f32(v[row, at]) - f32(128)
            lumas[0, x], lumas[1, x] = f32(y[2 * row, 2 * at]), f32(y[2 * row, 2 * at + 1])
            lumas[2, x], lumas[3, x] = f32(y[2 * row + 1, 2 * at]), f32(y[2 * row + 1, 2 * at + 1])
        here, apart = pad - offset[row], split[row]
        red_v = reds[here - apart : here - apart + half]
        blue_u = blues[here + apart : here + apart + half]
        mid_u, mid_v = blues[here : here + half], reds[here : here + half]
        total[:] = f32(0)
        sum_r, sum_g, sum_b = total[0], total[1], total[2]
        for k in range(4):
            line, result, side = lumas[k], out[2 * row + (k >> 1)], k & 1
            line_r, line_g = line[here - apart :], line[here:]
            line_b = line[here + apart :]
            for x in range(half):
                red = min(max(line_r[x] + f32(1.596) * red_v[x], f32(0)), f32(255))
                green = line_g[x] - f32(0.392) * mid_u[x] - f32(0.813) * mid_v[x]
                green = min(max(green, f32(0)), f32(255))
                blue = min(max(line_b[x] + f32(2.017) * blue_u[x], f32(0)), f32(255))
                sum_r[x] += red
                sum_g[x] += green
                sum_b[x] += blue
                luma = red * f32(0.299) + green * f32(0.587) + blue * f32(0.114)
                result[2 * x + side] = np.uint8(luma + f32(0.5))
        us, vs = u[row], v[row]
        for x in range(half):
            b = sum_r[x] * f32(-0.037) + sum_g[x] * f32(-0.07275) + sum_b[x] * f32(0.10975)
            r = sum_r[x] * f32(0.10975) + sum_g[x] * f32(-0.092) + sum_b[x] * f32(-0.01775)
            us[x], vs[x] = np.uint8(b + f32(128.5)), np.uint8(r + f32(128.5))


def tears(frame: int) -> list[tuple[float, float, float, float]]:
    """The torn strips of a frame.

    Args:
        frame: Number of the frame.

    Returns:
        For each strip, top and height as shares of the picture's height, sideways shift and split of colours
        in pixels at 1080 rows.
    """
    calm = np.random.default_rng((11, frame // HOLD))
    above, below = FACE
    found = []
    for place in calm.random(7) * (above + 1 - below):
        top = float(place if place < above else place - above + below)
        tall, shift = float(calm.uniform(0.006, 0.034)), float(calm.uniform(-1, 1)) * CALM_PX
        found.append((top, min(tall, above - top) if top < above else tall, shift, CALM_SPLIT))
    if frame % PERIOD >= PERIOD - BURST:
        wild = np.random.default_rng((12, frame // BEAT))
        found += [
            (
                float(wild.random()),
                float(wild.uniform(0.01, 0.06)),
                float(wild.normal()) * WILD_PX / 2,
                WILD_SPLIT,
            )
            for _ in range(6)
        ]
    return [(top, tall, float(np.clip(shift, -WILD_PX, WILD_PX)), apart) for top, tall, shift, apart in found]


def losses(frame: int) -> list[tuple[float, float, float, float]]:
    """The lost blocks of a frame: top, left, height and width as shares of the picture's."""
    lost = np.random.default_rng((13, (frame + HOLD // 2) // HOLD))
    found = []
    for _ in range(6):
        # At the left and the right, since the person is usually in the middle.
        left = float(lost.choice([lost.uniform(-0.04, 0.16), lost.uniform(0.74, 0.94)]))
        wide, tall = float(lost.uniform(0.05, 0.16)), float(lost.uniform(0.02, 0.08))
        found.append((float(lost.uniform(0, 0.95)), max(0.0, left), tall, wide))
    return found


class Glitch:
    """A glitch pass: torn lines, split colour channels and lost blocks.

    Args:
        stage: Canvas, threads and inputs.
        split: Shift of red and of blue against green, pixels at 1080 rows; half of it at the height of a
            face, up to twice towards the upper and lower edge.
        amount: Factor on the shift of torn lines, 0..1; at 0 no block is lost either.
    """

    def __init__(self, stage: Stage, *, split: float = 5.0, amount: float = 1.0) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        self._amount = amount
        self._per_px = canvas.scale / 2
        most = max(2 * split, CALM_SPLIT, WILD_SPLIT)
        self._pad = int(np.ceil((max(CALM_PX, WILD_PX) * amount + most) * self._per_px)) + 2
        rows = canvas.half[0]
        away = np.abs(np.linspace(0, 1, rows) - sum(FACE) / 2) / (1 - sum(FACE) / 2)
        apart = np.round(split * (0.5 + 1.5 * away**2) * self._per_px)
        self._spread: NDArray[np.int64] = np.maximum(apart, 1).astype(np.int64)
        self._offset: NDArray[np.int64] = np.zeros(rows, np.int64)
        self._apart: NDArray[np.int64] = np.zeros(rows, np.int64)
        self._frames = 0

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        rows = canvas.half[0]
        self._offset.fill(0)
        np.copyto(self._apart, self._spread)
        for top, tall, shift, apart in tears(self._frames):
            strip = slice(int(top * rows), int((top + tall) * rows) + 1)
            self._offset[strip] = round(shift * self._amount * self._per_px)
            self._apart[strip] = max(1, round(apart * self._per_px))
        out = canvas.fresh()
        self._bands.run(_tear, rows, canvas.y, canvas.u, canvas.v, self._offset, self._apart, self._pad, out)
        canvas.y = out
        for number, place in enumerate(losses(self._frames) if self._amount else ()):
            self._lose(canvas, place, MAGENTA if number % 2 else CYAN)
        self._frames += 1

    def _lose(self, canvas: Canvas, place: tuple[float, float, float, float], tint: tuple[int, int]) -> None:
        """Pixelates a block, and shifts its colour by ``tint`` (u, v)."""
        step = max(2, round(BLOCK * self._per_px))
        rows, columns = canvas.half
        top, left = int(place[0] * rows) // step * step, int(place[1] * columns) // step * step
        end, right = top + max(step, int(place[2] * rows)), left + max(step, int(place[3] * columns))
        for plane, unit, shift in ((canvas.y, 2, 0), (canvas.u, 1, tint[0]), (canvas.v, 1, tint[1])):
            part = plane[top * unit : end * unit, left * unit : right * unit]
            size = (max(1, part.shape[1] // (step * unit)), max(1, part.shape[0] // (step * unit)))
            few = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
            few = np.clip(few.astype(np.int16) + shift, 16, 240).astype(np.uint8)
            part[:] = cv2.resize(few, part.shape[::-1], interpolation=cv2.INTER_NEAREST)
