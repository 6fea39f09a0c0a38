"""A reduced copy of the picture as input of a net, and the net's output back onto the canvas.

In still places the output is averaged over time, because the output of most nets changes there when
something moves elsewhere in the frame. Must not know which net it is.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.paint.enlargement import Carry, shrunk, small_size
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

ROWS = 360
"""Default height of the small copy, pixels; brush strokes need this much."""

RIM = 8
"""Width of the mirrored border around the picture (reflection padding), pixels: nets darken the edges."""

STILL, MOVING = 3.0, 12.0
"""Change of the small copy, in levels, up to which a place is still, and from which it is new."""

LEAST_SHARE = 0.3
"""Weight of a new output in a still place."""


def rimmed(frame: Floats, rim: int) -> Floats:
    """A picture (1, 3, H, W) with a mirrored border of ``rim`` pixels (reflection padding)."""
    sides = (rim, rim, rim, rim)
    return np.stack([cv2.copyMakeBorder(plane, *sides, cv2.BORDER_REFLECT) for plane in frame[0]])[None]


class SmallCopy:
    """The small copy of one stream, and the painting on it.

    Args:
        stage: Canvas, threads and inputs.
        multiple: Number that both sides must be multiples of for the net, pixels.
        fixed: Width and height of the only size that the net takes; None for any size.
        rows: Height at a detail of 1, for a picture of 16:9, pixels.
        colour: Share of the net's colours, 0..1; 0 keeps those of the picture.
        softness: See ``Carry``.

    Attributes:
        size: Width and height, pixels.
        news: Mean weight of the new output, 0..1: the share of the picture that is new.
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
        self._carry = Carry(stage, softness)
        self._half = stage.canvas.half
        self._luma: Plane = np.zeros((1, 1), np.uint8)
        self._share: Floats = np.ones((1, 1), np.float32)
        self._painted: Floats = np.zeros((3, 1, 1), np.float32)
        self._seen: Floats | None = None
        self._chroma: tuple[Plane, Plane] = (self._luma, self._luma)
        self.set_detail(stage.detail)

    def set_detail(self, detail: float) -> None:
        """Changes the size unless it is fixed; the painting is resized, so that nothing jumps."""
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

    def _free_size(self, detail: float) -> tuple[int, int]:
        return small_size(self._half, max(self._rows * detail, self._least_rows), self._multiple)

    def take(self, canvas: Canvas) -> Floats:
        """The input of the net: the picture as painted so far, float32 (1, 3, H, W), RGB 0..1.

        Valid until the next call.
        """
        luma, u, v = shrunk(canvas, self.size)
        self._luma, self._chroma = luma, (u, v)
        self._bands.run(_to_rgb, luma.shape[0], luma, u, v, self._input[0])
        self._share = self._shares(luma)
        self.news = float(self._share.mean())
        return self._input

    def give(self, styled: Floats, canvas: Canvas) -> None:
        """Puts the net's output onto ``low``, ``u`` and ``v``.

        Args:
            styled: float32 (3, H, W), RGB 0..1, of the same size as the input.
            canvas: Written.
        """
        u, v = self._chroma
        rows = self.size[1]
        self._bands.run(_keep, rows, styled, u, v, self._share, self._colour, self._painted)
        self._carry.up(self._luma, self._painted, canvas)

    def _shares(self, luma: Plane) -> Floats:
        """Weight of the new output at each pixel, by motion: 1 where something moves."""
        small = np.asarray(cv2.resize(luma, self._coarse, interpolation=cv2.INTER_AREA), np.float32)
        if self._seen is None:
            self._seen = small
            return np.ones(luma.shape, np.float32)
        moved = cv2.dilate(cv2.blur(cv2.absdiff(small, self._seen), (3, 3)), np.ones((3, 3), np.uint8))
        share = np.clip((moved - STILL) * (1 / (MOVING - STILL)), LEAST_SHARE, 1)
        # The reference picture follows with the same weights, so that slow changes add up until they count.
        self._seen = self._seen + (small - self._seen) * share
        return np.asarray(cv2.resize(share, self.size), np.float32)


@kernel
def _to_rgb(first: int, end: int, luma: Any, u: Any, v: Any, out: Any) -> None:
    """Colour conversion (BT.601): full-range luma and limited-range chroma to planes of RGB 0..1."""
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
    """Converts RGB 0..1 back to luma and chroma, and averages it into ``painted`` by ``share``."""
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
