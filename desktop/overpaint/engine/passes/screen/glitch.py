"""A broken signal: torn lines, colours that come apart, blocks that did not arrive.

A face in the middle of the picture is left alone but in short bursts. What breaks when follows from the
number of the frame alone, so every run is the same.
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
"""A burst of so many frames ends every period; between bursts only a few calm tears are seen."""

HOLD, BEAT = 24, 2
"""For how many frames a calm tear, and one of a burst, stays as it is."""

CALM_PX, WILD_PX = 64.0, 74.0
"""How far lines are torn sideways at most, pixels at 1080 rows: a face stays whole enough to read."""

CALM_SPLIT, WILD_SPLIT = 20.0, 14.0
"""How far red and blue are apart in torn lines, pixels at 1080 rows."""

FACE = (0.2, 0.7)
"""Share of the height where faces are; calm tears lie above or below."""

MAGENTA, CYAN = (24, 26), (14, -34)
"""How far the colour of lost blocks is off, in levels of u and v."""

BLOCK = 20
"""Side of the squares that a lost block shows, pixels at 1080 rows."""


@kernel
def _tear(first: int, end: int, y: Any, u: Any, v: Any, offset: Any, split: Any, pad: int, out: Any) -> None:
    """Moves pairs of rows sideways, red and blue apart from green by ``split``; chroma is moved in place.

    Offsets and splits are whole chroma samples; what leaves on one side comes in on the other.
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
    """What is torn in a frame.

    Args:
        frame: Its number.

    Returns:
        Top and height as shares of the picture's, sideways shift and split of colours in pixels at 1080
        rows, for each torn strip.
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
    """Which blocks of a frame are lost: top, left, height and width as shares of the picture's."""
    lost = np.random.default_rng((13, (frame + HOLD // 2) // HOLD))
    found = []
    for _ in range(6):
        # To the left and to the right of whoever sits in the middle.
        left = float(lost.choice([lost.uniform(-0.04, 0.16), lost.uniform(0.74, 0.94)]))
        wide, tall = float(lost.uniform(0.05, 0.16)), float(lost.uniform(0.02, 0.08))
        found.append((float(lost.uniform(0, 0.95)), max(0.0, left), tall, wide))
    return found


class Glitch:
    """Tears lines of ``y``, ``u`` and ``v``, splits their colours and loses blocks.

    Args:
        stage: Where it works.
        split: How far red and blue are apart, pixels at 1080 rows: half of it at the height of a face,
            twice at the upper and the lower edge.
        amount: Factor on how far lines are torn, 0..1; with 0 no block is lost either.
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
        """Shows a block as the few squares that arrived, in a colour that is off by ``tint`` (u, v)."""
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
