"""A small copy of the picture for a net, and the way of what it paints back onto the canvas.

How the painted luma follows the picture's own is fitted, place by place (guided filter, He et al. 2010),
and with these slopes carried up to half size, so that edges come from the picture and not from the small
copy, while brushwork stays as the net laid it; ``Rise`` does the same up to full size. Still places are
averaged over time: most nets answer to everything in the frame, also to what moves elsewhere.

Must not know which net it is.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas, Plane
from overpaint.engine.kernels import f32, kernel
from overpaint.engine.passes.stage import Stage

Floats = NDArray[np.float32]

ROWS = 360
"""Height of the small copy when nobody says otherwise, pixels: brush strokes need as much."""

WIDE = 16 / 9
"""Shape of the pictures that heights of small copies are meant for."""

RIM = 16
"""Pixels of the picture that are mirrored around it: nets darken what has nothing beside it."""

STILL, MOVING = 3.0, 12.0
"""Change of the small copy, in levels, up to which a place is still, and from which it is new."""

OTHER = 10.0
"""Mean change of the small copy, in levels, from which what was painted before does not do again."""

LEAST_SHARE = 0.3
"""Share of a new frame in a still place."""


def rimmed(frame: Floats, rim: int) -> Floats:
    """A picture (1, 3, H, W) with ``rim`` pixels of it mirrored around it."""
    sides = (rim, rim, rim, rim)
    return np.stack([cv2.copyMakeBorder(plane, *sides, cv2.BORDER_REFLECT) for plane in frame[0]])[None]


class SmallCopy:
    """The small copy and what has been painted on it.

    Args:
        stage: Where it works.
        multiple: Of which the net wants its sides to be multiples, pixels.
        fixed: Width and height, when the net takes no other.
        rows: Height at a detail of 1, of a picture of 16:9, pixels.
        colour: How much of the net's colours is taken, 0..1; 0 keeps those of the picture.
        softness: Variance of luma, in squared levels, below which a place counts as flat paint.

    Attributes:
        size: Width and height, pixels.
        news: Share of the picture that is new, 0..1.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        multiple: int,
        fixed: tuple[int, int] | None = None,
        rows: int = ROWS,
        colour: float = 1.0,
        softness: float = 60.0,
    ) -> None:
        self.size = (0, 0)
        self.news = 1.0
        self._bands = stage.bands
        self._multiple, self._fixed, self._rows = multiple, fixed, rows
        self._least_rows = stage.rows
        self._colour = np.float32(min(1.0, max(0.0, colour)))
        self._softness = float(softness)
        self._half = stage.canvas.half
        self._luma: Plane = np.zeros((1, 1), np.uint8)
        self._share: Floats = np.ones((1, 1), np.float32)
        self._painted: Floats = np.zeros((3, 1, 1), np.float32)
        self._slopes: Floats = np.zeros(stage.canvas.half, np.float32)
        self._offsets: Floats = np.zeros(stage.canvas.half, np.float32)
        self._seen: Floats | None = None
        self._chroma: tuple[Plane, Plane] = (self._luma, self._luma)
        self.set_detail(stage.detail)

    def set_detail(self, detail: float) -> None:
        """Changes the size, where it is free; what was painted is carried over, so that nothing jumps."""
        size = self._fixed or self._free_size(detail)
        if size == self.size:
            return
        self.size = size
        self._coarse = (max(1, size[0] // 2), max(1, size[1] // 2))
        shape = (size[1], size[0])
        if self._seen is not None:
            self._seen = np.asarray(cv2.resize(self._seen, self._coarse), np.float32)
            self._painted = np.stack([cv2.resize(plane, size) for plane in self._painted])
        else:
            self._painted = np.zeros((3, *shape), np.float32)
        self._input: Floats = np.zeros((1, 3, *shape), np.float32)
        self._offset: Floats = np.zeros(shape, np.float32)

    def _free_size(self, detail: float) -> tuple[int, int]:
        height, width = self._half
        rows = max(self._rows * detail, self._least_rows)
        # Of other shapes a picture has as many pixels: what a net takes of time and memory goes by them.
        shrink = min(1.0, rows * math.sqrt(WIDE / (height * width)))
        width, height = (
            max(self._multiple, round(side * shrink / self._multiple) * self._multiple)
            for side in (width, height)
        )
        return width, height

    def take(self, canvas: Canvas) -> Floats:
        """The picture as painted so far: float32 (1, 3, H, W), RGB 0..1; valid until the next call."""
        luma, u, v = self._shrunk(canvas)
        self._luma, self._chroma = luma, (u, v)
        self._bands.run(_to_rgb, luma.shape[0], luma, u, v, self._input[0])
        self._share = self._shares(luma)
        self.news = float(self._share.mean())
        return self._input

    def give(self, styled: Floats, canvas: Canvas) -> None:
        """Lays what the net has painted onto ``low``, ``u`` and ``v``.

        Args:
            styled: float32 (3, H, W), RGB 0..1, of the size taken.
            canvas: What is painted on.
        """
        u, v = self._chroma
        rows = self.size[1]
        self._bands.run(_keep, rows, styled, u, v, self._share, self._colour, self._painted)
        self._carry(self._luma, canvas)

    def again(self, canvas: Canvas) -> bool:
        """Lays what was painted last onto the next frame: its own light and movement, the same paint.

        Returns:
            False where nothing was painted yet or the frame is another scene; the canvas is untouched then.
        """
        if self._seen is None or self._luma.shape != self.size[::-1]:
            return False
        luma, u, v = self._shrunk(canvas)
        if cv2.mean(cv2.absdiff(luma, self._luma))[0] > OTHER:
            return False
        self._bands.run(_lay, self._half[0], self._slopes, self._offsets, canvas.low)
        chroma = zip(self._painted[1:], (u, v), self._chroma, (canvas.u, canvas.v), strict=True)
        for painted, now, then, plane in chroma:
            moved = cv2.subtract(now, then, dtype=cv2.CV_32F)
            cv2.resize(cv2.convertScaleAbs(painted + moved), self._half[::-1], dst=plane)
        return True

    def _shrunk(self, canvas: Canvas) -> tuple[Plane, Plane, Plane]:
        luma, u, v = (
            np.asarray(cv2.resize(plane, self.size, interpolation=cv2.INTER_AREA), np.uint8)
            for plane in (canvas.low, canvas.u, canvas.v)
        )
        return luma, u, v

    def _shares(self, luma: Plane) -> Floats:
        """Share of the new picture at each place: all of it where something moves."""
        small = np.asarray(cv2.resize(luma, self._coarse, interpolation=cv2.INTER_AREA), np.float32)
        if self._seen is None:
            self._seen = small
            return np.ones(luma.shape, np.float32)
        moved = cv2.dilate(cv2.blur(cv2.absdiff(small, self._seen), (3, 3)), np.ones((3, 3), np.uint8))
        share = np.clip((moved - STILL) * (1 / (MOVING - STILL)), LEAST_SHARE, 1)
        # What was seen follows as slowly as what is painted: slow changes add up until they count.
        self._seen = self._seen + (small - self._seen) * share
        return np.asarray(cv2.resize(share, self.size), np.float32)

    def _carry(self, luma: Plane, canvas: Canvas) -> None:
        """Carries what is painted up to the canvas; luma by slopes along the picture's edges."""
        side, coarse, half = (3, 3), self._coarse, self._half[::-1]
        guide = cv2.resize(luma, coarse, interpolation=cv2.INTER_AREA).astype(np.float32)
        small = cv2.resize(self._painted[0], coarse, interpolation=cv2.INTER_AREA)
        mean = cv2.blur(guide, side)
        spread = cv2.sqrBoxFilter(guide, cv2.CV_32F, side) - mean * mean + self._softness
        fit = (cv2.blur(guide * small, side) - mean * cv2.blur(small, side)) / spread
        slope = cv2.resize(cv2.blur(fit, side), self.size)
        self._bands.run(_rest, luma.shape[0], self._painted[0], luma, slope, self._offset)
        cv2.resize(slope, half, dst=self._slopes)
        cv2.resize(self._offset, half, dst=self._offsets)
        self._bands.run(_lay, self._half[0], self._slopes, self._offsets, canvas.low)
        for painted, plane in zip(self._painted[1:], (canvas.u, canvas.v), strict=True):
            cv2.resize(cv2.convertScaleAbs(painted), half, dst=plane)


@kernel
def _to_rgb(first: int, end: int, luma: Any, u: Any, v: Any, out: Any) -> None:
    """BT.601: full-range luma and limited-range chroma to RGB 0..1, one plane after another."""
    for row in range(first, end):
        lumas, us, vs = luma[row], u[row], v[row]
        red, green, blue = out[0, row], out[1, row], out[2, row]
        for x in range(lumas.shape[0]):
            y, b, r = f32(lumas[x]), f32(us[x]) - f32(128), f32(vs[x]) - f32(128)
            red[x] = min(max((y + f32(1.596) * r) * f32(1 / 255), f32(0)), f32(1))
            green[x] = min(max((y - f32(0.391) * b - f32(0.813) * r) * f32(1 / 255), f32(0)), f32(1))
            blue[x] = min(max((y + f32(2.018) * b) * f32(1 / 255), f32(0)), f32(1))


@kernel
def _keep(first: int, end: int, styled: Any, u: Any, v: Any, share: Any, colour: Any, painted: Any) -> None:
    """RGB 0..1 back to luma and chroma, moved into what is painted by its share."""
    for row in range(first, end):
        red, green, blue = styled[0, row], styled[1, row], styled[2, row]
        us, vs, shares = u[row], v[row], share[row]
        lumas, blues, reds = painted[0, row], painted[1, row], painted[2, row]
        for x in range(shares.shape[0]):
            r, g, b = red[x] * f32(255), green[x] * f32(255), blue[x] * f32(255)
            luma = f32(0.299) * r + f32(0.587) * g + f32(0.114) * b
            first_chroma = min(max(f32(128) + (b - luma) * f32(0.4957), f32(16)), f32(240))
            second_chroma = min(max(f32(128) + (r - luma) * f32(0.6266), f32(16)), f32(240))
            own_first, own_second = f32(us[x]), f32(vs[x])
            first_chroma = own_first + (first_chroma - own_first) * colour
            second_chroma = own_second + (second_chroma - own_second) * colour
            part = shares[x]
            lumas[x] += (luma - lumas[x]) * part
            blues[x] += (first_chroma - blues[x]) * part
            reds[x] += (second_chroma - reds[x]) * part


@kernel
def _rest(first: int, end: int, painted: Any, luma: Any, slope: Any, offset: Any) -> None:
    """Sets offset = what the slope does not explain, brushwork above all."""
    for row in range(first, end):
        paints, lumas, a, b = painted[row], luma[row], slope[row], offset[row]
        for x in range(lumas.shape[0]):
            b[x] = paints[x] - a[x] * f32(lumas[x])


@kernel
def _lay(first: int, end: int, slope: Any, offset: Any, low: Any) -> None:
    """Sets luma = slope * luma + offset."""
    for row in range(first, end):
        lumas, a, b = low[row], slope[row], offset[row]
        for x in range(lumas.shape[0]):
            lumas[x] = np.uint8(min(max(a[x] * f32(lumas[x]) + b[x] + f32(0.5), f32(0)), f32(255)))
