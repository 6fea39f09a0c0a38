"""The any-style net as a pass: the picture repainted in a style that is a row of numbers.

The net works on a small copy. What it does to luma and chroma is then fitted, place by place, as a
linear function of the picture's own luma (guided filter, He et al. 2010) and carried up to half size
with the fit, so that edges come from the picture and not from the small copy; ``Rise`` does the same up
to full size. Still places are averaged over time once more: the net's own normalisation answers to
everything in the frame, also to what moves elsewhere.

Must not know where styles come from.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas, Plane
from overpaint.engine.kernels import f32, kernel
from overpaint.engine.passes.stage import Stage
from overpaint.engine.styles import shipped_style, style_of, stylist

Floats = NDArray[np.float32]

ROWS = 360
"""Height of the small copy when nobody says otherwise: brush strokes need as much."""

MULTIPLE = 8
"""Sides of the small copy are multiples of it."""

STILL, MOVING = 3.0, 12.0
"""Change of the small copy, in levels, up to which a place is still, and from which it is new."""

LEAST_SHARE = 0.3
"""Share of a new frame in a still place."""

KEEP, NEW_SCENE = 0.92, 0.95
"""Share of the frames before in the net's statistics, and the mean share of change that is a new scene."""


class Net:
    """Repaints ``low``, ``u`` and ``v`` in a style.

    Args:
        stage: Where it works; gives the reference photo's style.
        style: Name of a style that ships, or ``photo``.
        mix: With a photo, how far a style that ships is moved towards the photo's, 0..1.
        colour: How much of the style's colours is taken, 0..1; 0 keeps those of the picture.
        reach: Radius of the fit, pixels of the small copy.
        softness: Variance of luma, in squared levels, below which a place counts as flat paint.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        style: str = "photo",
        mix: float = 0.5,
        colour: float = 1.0,
        reach: int = 2,
        softness: float = 60.0,
    ) -> None:
        self._bands = stage.bands
        self._code = _code(stage, style, mix)
        self._stylist = stylist(stage.bands.threads)
        self._colour = np.float32(min(1.0, max(0.0, colour)))
        self._side = (2 * reach + 1, 2 * reach + 1)
        self._softness = float(softness)
        self._half = stage.canvas.half
        self._painted: Floats = np.zeros((3, 1, 1), np.float32)
        self._seen: Plane | None = None
        self.set_detail(stage.detail)

    def set_detail(self, detail: float) -> None:
        """Changes the size of the small copy; what was painted is carried over, so that nothing jumps."""
        height, width = self._half
        rows = min(round(ROWS * detail), height)
        size = tuple(
            max(MULTIPLE, round(side / MULTIPLE) * MULTIPLE) for side in (rows * width / height, rows)
        )
        self._size: tuple[int, int] = (size[0], size[1])
        shape = (size[1], size[0])
        if self._seen is not None:
            self._seen = np.asarray(cv2.resize(self._seen, self._size), np.uint8)
            self._painted = np.stack([cv2.resize(plane, self._size) for plane in self._painted])
        else:
            self._painted = np.zeros((3, *shape), np.float32)
        self._input: Floats = np.zeros((1, 3, *shape), np.float32)
        self._slopes: Floats = np.zeros((3, *shape), np.float32)
        self._offsets: Floats = np.zeros((3, *shape), np.float32)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``low``, ``u`` and ``v``; nothing when the style is a photo's and there is no photo."""
        if self._code is None:
            return
        luma, u, v = (
            np.asarray(cv2.resize(plane, self._size, interpolation=cv2.INTER_AREA), np.uint8)
            for plane in (canvas.low, canvas.u, canvas.v)
        )
        self._bands.run(_to_rgb, luma.shape[0], luma, u, v, self._input[0])
        shares = self._shares(luma)
        keep = KEEP * float(np.clip((NEW_SCENE - shares.mean()) / (NEW_SCENE - LEAST_SHARE), 0, 1))
        styled = self._stylist.paint(self._input, self._code, keep)[0]
        self._bands.run(_keep, luma.shape[0], styled, u, v, shares, self._colour, self._painted)
        self._fit(luma.astype(np.float32))
        self._bands.run(_spread, self._half[0], self._slopes, self._offsets, canvas.low, canvas.u, canvas.v)

    def _shares(self, luma: Plane) -> Floats:
        """Share of the new picture at each place: all of it where something moves."""
        if self._seen is None:
            self._seen = luma.copy()
            return np.ones(luma.shape, np.float32)
        moved = cv2.dilate(cv2.blur(cv2.absdiff(luma, self._seen), (3, 3)), np.ones((5, 5), np.uint8))
        share = np.clip((moved.astype(np.float32) - STILL) * (1 / (MOVING - STILL)), LEAST_SHARE, 1)
        # What was seen follows as slowly as what is painted: slow changes add up until they count.
        self._seen = np.asarray(self._seen + (luma.astype(np.float32) - self._seen) * share + 0.5, np.uint8)
        return np.asarray(cv2.blur(share, (5, 5)), np.float32)

    def _fit(self, guide: Floats) -> None:
        side = self._side
        mean = cv2.blur(guide, side)
        spread = cv2.sqrBoxFilter(guide, cv2.CV_32F, side) - mean * mean + self._softness
        for plane, slope, offset in zip(self._painted, self._slopes, self._offsets, strict=True):
            mean_plane = cv2.blur(plane, side)
            fit = (cv2.blur(guide * plane, side) - mean * mean_plane) / spread
            cv2.blur(fit, side, dst=slope)
            cv2.blur(mean_plane - fit * mean, side, dst=offset)


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
            first_chroma = f32(128) + (b - luma) * f32(0.4957)
            second_chroma = f32(128) + (r - luma) * f32(0.6266)
            own_first, own_second = f32(us[x]), f32(vs[x])
            first_chroma = own_first + (first_chroma - own_first) * colour
            second_chroma = own_second + (second_chroma - own_second) * colour
            part = shares[x]
            lumas[x] += (luma - lumas[x]) * part
            blues[x] += (first_chroma - blues[x]) * part
            reds[x] += (second_chroma - reds[x]) * part


@kernel
def _spread(first: int, end: int, slopes: Any, offsets: Any, low: Any, u: Any, v: Any) -> None:
    """Each of luma and chroma = slope * luma + offset, both enlarged bilinearly to the planes' size."""
    height, width = low.shape
    small_height, small_width = slopes.shape[1], slopes.shape[2]
    down, across = f32(small_height) / f32(height), f32(small_width) / f32(width)
    lines = np.empty((6, small_width), np.float32)
    for row in range(first, end):
        place = max((f32(row) + f32(0.5)) * down - f32(0.5), f32(0))
        above = min(int(place), small_height - 1)
        below = min(above + 1, small_height - 1)
        part = place - f32(above)
        for k in range(3):
            for x in range(small_width):
                a, b = slopes[k, above, x], offsets[k, above, x]
                lines[k, x] = a + (slopes[k, below, x] - a) * part
                lines[3 + k, x] = b + (offsets[k, below, x] - b) * part
        lumas, us, vs = low[row], u[row], v[row]
        for x in range(width):
            at = max((f32(x) + f32(0.5)) * across - f32(0.5), f32(0))
            left = min(int(at), small_width - 1)
            right = min(left + 1, small_width - 1)
            beside = at - f32(left)
            luma = f32(lumas[x])
            a = lines[0, left] + (lines[0, right] - lines[0, left]) * beside
            b = lines[3, left] + (lines[3, right] - lines[3, left]) * beside
            lumas[x] = np.uint8(min(max(a * luma + b + f32(0.5), f32(0)), f32(255)))
            a = lines[1, left] + (lines[1, right] - lines[1, left]) * beside
            b = lines[4, left] + (lines[4, right] - lines[4, left]) * beside
            us[x] = np.uint8(min(max(a * luma + b + f32(0.5), f32(16)), f32(240)))
            a = lines[2, left] + (lines[2, right] - lines[2, left]) * beside
            b = lines[5, left] + (lines[5, right] - lines[5, left]) * beside
            vs[x] = np.uint8(min(max(a * luma + b + f32(0.5), f32(16)), f32(240)))


def _code(stage: Stage, style: str, mix: float) -> Floats | None:
    """The style's numbers: a shipped style's, the photo's, or both mixed."""
    of_photo = None if stage.photo is None else style_of(stage.photo.small)
    if style == "photo":
        return of_photo
    code = shipped_style(style)
    return code if of_photo is None else np.asarray(code + (of_photo - code) * np.float32(mix), np.float32)
