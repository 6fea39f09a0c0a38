"""The surface of a figure, estimated from one picture: its round form, and forms without their own colours.

The form is the mask inflated like a balloon (Igarashi et al., Teddy, 1999), by blurs of several widths
instead of a skeleton, since those do not jump in time. Colours of skin, hair and clothes (albedo) are taken
off luma by a large median (Retinex, Land and McCann 1971): it keeps borders of large areas and forgets eyes,
brows and lips, which therefore remain in the ratio of luma to it. Must not know materials.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]
Spans = NDArray[np.int32]

NEUTRAL = 128
"""Flattened luma of a place as bright as the area around it."""

FLOOR = 22.0
"""Levels added to luma and to its area's before their ratio: in the dark, noise must not become form."""

DOMES = ((0.011, 0.5), (0.03, 0.6), (0.075, 0.8), (0.16, 0.9))
"""Widths of the blurs that inflate the mask, share of the small picture's longer side, and their weights."""

AREA = 0.2
"""Side of the median, in square roots of the person's area: wider than eyes, narrower than hair."""

MEDIANS = (7, 17)
"""Least and largest side of the median, pixels at half the small picture's size; odd."""

RELIEF = 0.05
"""Slope for a difference of one level of flattened luma over two pixels at a quarter of 1080 rows."""

LARGE = np.float32(1.6)
"""Weight of forms four times as large."""

CONTRAST, STRENGTHS, ADAPT = 0.08, (0.55, 1.5), 0.06
"""Usual mean difference of luma from its area's, as a ratio; least and largest factor that brings another one
there; and the share a frame by which that factor follows."""

FIT, FLAT = 5, 30.0
"""Side of the windows in which the areas are fitted to the borders of luma (guided filter, He et al. 2010),
pixels at that size, and the variance, squared levels, below which a window has no border."""


@kernel
def _flatten(
    first: int, end: int, low: Any, alpha: Any, fit: Any, spans: Any, floor: Any, strength: Any, flat: Any
) -> None:
    """Ratio of luma to the luma of its area, 128 for 1.

    Args:
        first: First row.
        end: Row after the last.
        low: uint8 (h, w), luma.
        alpha: uint8 (h, w), the figure.
        fit: float32 (2, rows, w), slope and offset of the area's luma over luma.
        spans: int32 (2, h), first column of the figure in each row, and the column after its last.
        floor: See ``FLOOR``.
        strength: Factor on the difference of the ratio from 1.
        flat: uint8 (h, w), written.
    """
    height, rows = low.shape[0], fit.shape[1]
    for row in range(first, end):
        begin, stop = spans[0, row], spans[1, row]
        flat[row, :] = np.uint8(128)
        if begin >= stop:
            continue
        at = min(max((f32(row) + f32(0.5)) * f32(rows) / f32(height) - f32(0.5), f32(0)), f32(rows - 1))
        above = min(int(at), rows - 1)
        below = min(above + 1, rows - 1)
        t = at - f32(above)
        s = f32(1) - t
        a0, a1, b0, b1 = fit[0, above], fit[0, below], fit[1, above], fit[1, below]
        lumas, alphas, result = low[row, begin:stop], alpha[row, begin:stop], flat[row, begin:stop]
        a0, a1, b0, b1 = a0[begin:], a1[begin:], b0[begin:], b1[begin:]
        for x in range(lumas.shape[0]):
            luma = f32(lumas[x])
            area = (a0[x] * s + a1[x] * t) * luma + b0[x] * s + b1[x] * t
            ratio = (luma + floor) / (max(area, f32(0)) + floor) - f32(1)
            value = f32(128) + strength * ratio * f32(alphas[x]) * f32(128 / 255)
            result[x] = np.uint8(min(max(value + f32(0.5), f32(0)), f32(255)))


class Surface:
    """The surface of the figure of one stream.

    Args:
        stage: Canvas and threads.
        small: Rows and columns of the small picture.
        whole: Whether the figure is the whole picture, which has no outline to inflate.
        form: Roundness of the whole figure, 1 as usual.
        relief: Relief of forms seen in luma, 1 as usual.
        softness: Blur of that relief, pixels at 1080 rows.

    Attributes:
        flat: uint8, half the canvas, flattened luma, ``NEUTRAL`` outside the figure.
        slopes: float32 (2, half rows / 2, half columns), slopes of the surface to the right and down, without
            fine lines; already of full width.
    """

    def __init__(
        self, stage: Stage, small: tuple[int, int], whole: bool, form: float, relief: float, softness: float
    ) -> None:
        canvas = stage.canvas
        self._bands, self._whole = stage.bands, whole
        rows, columns = small
        half = canvas.half
        self._few = (rows // 2, columns // 2)
        self._side = 9
        self._strength = 0.0
        self._form = form
        self._soft = 2 * max(0, round(softness * canvas.scale / 5)) + 1
        # A level over two pixels of a quarter of the size, as a slope.
        self._relief = RELIEF * relief * canvas.scale
        self._quarter = (half[0] // 2, half[1] // 2)
        self._fit: Floats = np.zeros((2, self._few[0], half[1]), np.float32)
        self._balloon: Floats = np.zeros((2, *self._quarter), np.float32)
        self.flat: Plane = np.full(half, NEUTRAL, np.uint8)
        self.slopes: Floats = np.zeros((2, self._quarter[0], half[1]), np.float32)

    def see(self, low: Plane, alpha: Plane, small: Plane, small_alpha: Plane, spans: Spans) -> None:
        """Sets the attributes from a frame.

        Args:
            low: uint8, half the canvas, luma.
            alpha: uint8, half the canvas, the figure.
            small: uint8 (rows, columns), luma of the small picture.
            small_alpha: uint8 (rows, columns), the figure.
            spans: int32 (2, half rows), columns of the figure in each row, see ``_flatten``.
        """
        if not self._whole:
            self._inflate(small_alpha)
        self._divide(small, small_alpha)
        self._bands.run(
            _flatten,
            len(low),
            low,
            alpha,
            self._fit,
            spans,
            f32(FLOOR),
            f32(self._strength),
            self.flat,
        )
        self._slope()

    def _inflate(self, alpha: Plane) -> None:
        height = _domes(alpha, DOMES[:2])
        # Wide domes are as smooth when made of a smaller mask.
        few = _domes(cv2.resize(alpha, self._few[::-1], interpolation=cv2.INTER_AREA), DOMES[2:])
        height += 2 * np.asarray(cv2.resize(few, height.shape[::-1]), np.float32)
        height = np.asarray(cv2.blur(height, (3, 3), borderType=cv2.BORDER_REPLICATE), np.float32)
        for axis, plane in enumerate(self._balloon):
            slope = cv2.Sobel(
                height, cv2.CV_32F, 1 - axis, axis, scale=self._form / 8, borderType=cv2.BORDER_REPLICATE
            )
            cv2.resize(slope, plane.shape[::-1], dst=plane, interpolation=cv2.INTER_LINEAR)

    def _slope(self) -> None:
        """Adds the slopes of flattened luma, dark being deep, to those of the form."""
        height = cv2.resize(self.flat, self._quarter[::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
        fine, wide = (self._soft,) * 2, (2 * self._soft + 1,) * 2
        height = np.asarray(cv2.blur(cv2.blur(height, fine), fine), np.float32)
        size = (self._quarter[1] // 2, self._quarter[0] // 2)
        large = cv2.resize(height, size, interpolation=cv2.INTER_AREA)
        large = cv2.resize(cv2.blur(cv2.blur(large, wide), wide), self._quarter[::-1])
        height += LARGE * np.asarray(large, np.float32)
        for axis, (form, plane) in enumerate(zip(self._balloon, self.slopes, strict=True)):
            slope = cv2.Sobel(
                height, cv2.CV_32F, 1 - axis, axis, scale=self._relief / 4, borderType=cv2.BORDER_REPLICATE
            )
            cv2.add(slope, form, dst=slope)
            cv2.resize(slope, plane.shape[::-1], dst=plane, interpolation=cv2.INTER_LINEAR)

    def _divide(self, luma: Plane, alpha: Plane) -> None:
        """Finds the luma of large areas, as a linear function of luma around each place."""
        size = self._few[::-1]
        y = np.asarray(cv2.resize(luma, size, interpolation=cv2.INTER_AREA), np.float32)
        share = cv2.resize(alpha, size, interpolation=cv2.INTER_AREA).astype(np.float32) * np.float32(1 / 255)
        # The room beside the figure is replaced by the figure's own luma nearby.
        side = (2 * self._side + 1,) * 2
        near = cv2.blur(y * share, side) / (cv2.blur(share, side) + 1e-4)
        sure = np.clip(share * 3 - 2, 0, 1)
        y = np.asarray(near + (y - near) * sure, np.float32)
        self._side = self._fitting_side(share)
        areas = cv2.medianBlur(np.clip(y + 0.5, 0, 255).astype(np.uint8), self._side).astype(np.float32)
        self._adapt(y, areas, share)
        window = (FIT, FIT)
        my, ma = cv2.blur(y, window), cv2.blur(areas, window)
        slope = (cv2.blur(y * areas, window) - my * ma) / (cv2.blur(y * y, window) - my * my + FLAT)
        offset = ma - slope * my
        for plane, wide in zip((slope, offset), self._fit, strict=True):
            smooth = cv2.blur(plane, (3, 3))
            cv2.resize(smooth, wide.shape[::-1], dst=wide, interpolation=cv2.INTER_LINEAR)

    def _adapt(self, y: Floats, areas: Floats, share: Floats) -> None:
        """Adapts contrast: hard sunlight makes no deeper carving than a dim room (contrast normalisation)."""
        ratio = (y + np.float32(FLOOR)) / (areas + np.float32(FLOOR)) - 1
        weight = float(share.sum())
        if weight < 1:
            return
        contrast = float((np.minimum(np.abs(ratio), 1) * share).sum()) / weight
        wanted = min(max(CONTRAST / max(contrast, 1e-3), STRENGTHS[0]), STRENGTHS[1])
        self._strength += (wanted - self._strength) * (ADAPT if self._strength else 1.0)

    def _fitting_side(self, share: Floats) -> int:
        """Side of the median by the person's size; it changes only when that has changed much."""
        if self._whole:
            return self._side
        wanted = AREA * float(share.sum()) ** 0.5
        if abs(wanted - self._side) < 1.6:
            return self._side
        return min(max(2 * round((wanted - 1) / 2) + 1, MEDIANS[0]), MEDIANS[1])


def _domes(alpha: Plane | cv2.typing.MatLike, domes: Sequence[tuple[float, float]]) -> Floats:
    """Height of a mask inflated by blurs of several widths, pixels."""
    mask = np.asarray(alpha, np.float32) * np.float32(1 / 255)
    height = np.zeros_like(mask)
    for width, weight in domes:
        sigma = width * max(mask.shape)
        side = (2 * max(1, round(sigma * 0.85)) + 1,) * 2
        wide = cv2.blur(mask, side, borderType=cv2.BORDER_REPLICATE)
        wide = cv2.blur(wide, side, borderType=cv2.BORDER_REPLICATE)
        # From the outline, where a blur is one half, upwards: steep as a ball's edge.
        dome = np.sqrt(np.maximum(2 * np.asarray(wide, np.float32) - 1, 0) + np.float32(0.01))
        height += dome * np.float32(weight * sigma * 1.6)
    return height
