"""The surface of a figure, estimated from one picture: its round form, and forms without their own colours.

The form is the mask inflated like a balloon (Igarashi et al., Teddy, 1999), by blurs of several widths
instead of a skeleton, since those do not jump in time. Colours of skin, hair and clothes (albedo) are taken
off luma by a large median (Retinex, Land and McCann 1971): it keeps borders of large areas and forgets eyes,
brows and lips, which therefore remain in the ratio of luma to it. Must not know materials.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.sculpture.features import Features
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]
Spans = NDArray[np.int32]

NEUTRAL = 128
"""Flattened luma of a place as bright as the area around it."""

FLOOR = 22.0
"""Levels added to luma and to its area's before their ratio: in the dark, noise must not become form."""

RIMS, DOMES = ((0.011, 0.5), (0.03, 0.6)), ((0.075, 1.3), (0.16, 1.5))
"""Widths of the blurs that inflate the mask, share of the small picture's longer side, and their weights:
those that round the rim, and those that arch what is inside."""

AREA = 0.2
"""Side of the median, in square roots of the person's area: wider than eyes, narrower than hair."""

MEDIANS = (7, 17)
"""Least and largest side of the median, pixels at half the small picture's size; odd."""

RELIEF = 0.05
"""Slope for a difference of one level of flattened luma over two pixels at a quarter of 1080 rows."""

MARGIN = 4
"""Pixels at a quarter of the size around the figure that its slopes reach."""

LARGE = np.float32(1.0)
"""Weight of forms four times as large."""

CONTRAST, STRENGTHS, ADAPT = 0.08, (0.55, 1.5), 0.06
"""Usual mean difference of luma from its area's, as a ratio; least and largest factor that brings another one
there; and the share a frame by which that factor follows."""

FACE_AREA, WIDE = np.float32(0.7), 25
"""How far a face is one area; side of the window of its mean, pixels at half the small picture's size.
Else a dark cheek beside a bright collar is darker still."""

FACE_FORM = np.float32(0.75)
"""How far the round form of the whole figure fades in a plain face, as a share of its relief's fading: the
chin and neck must not mirror lamps across the mouth."""

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
            # At a soft outline luma is half the room's.
            inner = max(f32(alphas[x]) * f32(2 / 255) - f32(1), f32(0))
            value = f32(128) + strength * ratio * inner * f32(128)
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
        own: Share of the areas' own differences in luma that stays.
        plain: How far that relief fades in faces.

    Attributes:
        flat: uint8, half the canvas, flattened luma, ``NEUTRAL`` outside the figure.
        slopes: float32 (2, half rows / 2, half columns), slopes of the surface to the right and down, without
            fine lines; already of full width.
        lean: float32 (2, rows / 2, columns / 2), how far the figure's round form faces left and up, -1 to 1.
    """

    def __init__(
        self,
        stage: Stage,
        small: tuple[int, int],
        whole: bool,
        form: float,
        relief: float,
        softness: float,
        own: float,
        plain: float,
    ) -> None:
        canvas = stage.canvas
        self._bands, self._whole = stage.bands, whole
        rows, columns = small
        half = canvas.half
        self._few = (rows // 2, columns // 2)
        self._side = 9
        self._strength = 0.0
        self._form, self._own, self._plain = form, own, np.float32(plain)
        self._soft = 2 * max(0, round(softness * canvas.scale / 5)) + 1
        # A level over two pixels of a quarter of the size, as a slope.
        self._relief = RELIEF * relief * canvas.scale
        self._quarter = (half[0] // 2, half[1] // 2)
        self._fit: Floats = np.zeros((2, self._few[0], half[1]), np.float32)
        self._balloon: Floats = np.zeros((2, *self._quarter), np.float32)
        self.lean: Floats = np.zeros((2, *self._few), np.float32)
        self.flat: Plane = np.full(half, NEUTRAL, np.uint8)
        self.slopes: Floats = np.zeros((2, self._quarter[0], half[1]), np.float32)

    def see(
        self, low: Plane, alpha: Plane, small: Plane, small_alpha: Plane, spans: Spans, faces: Features
    ) -> None:
        """Sets the attributes from a frame.

        Args:
            low: uint8, half the canvas, luma.
            alpha: uint8, half the canvas, the figure.
            small: uint8 (rows, columns), luma of the small picture.
            small_alpha: uint8 (rows, columns), the figure.
            spans: int32 (2, half rows), columns of the figure in each row, see ``_flatten``.
            faces: Those of this frame.
        """
        if not self._whole:
            self._inflate(small_alpha)
        self._divide(small, small_alpha, faces.few)
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
        self._slope(spans, faces.quarter)

    def _inflate(self, alpha: Plane) -> None:
        height = np.zeros(alpha.shape, np.float32)
        for wide, weight in _blurs(alpha, RIMS):
            # From the outline, where a blur is one half, upwards: steep as a ball's edge.
            height += np.sqrt(np.maximum(2 * wide - 1, 0) + np.float32(0.01)) * weight
        # Wide blurs are as smooth when made of a smaller mask.
        few = cv2.resize(alpha, self._few[::-1], interpolation=cv2.INTER_AREA)
        for wide, weight in _blurs(few, DOMES):
            height += np.asarray(cv2.resize(wide, alpha.shape[::-1]), np.float32) * (2 * weight)
        height = np.asarray(cv2.blur(height, (3, 3), borderType=cv2.BORDER_REPLICATE), np.float32)
        slopes = [
            cv2.Sobel(
                height, cv2.CV_32F, 1 - axis, axis, scale=self._form / 8, borderType=cv2.BORDER_REPLICATE
            )
            for axis in (0, 1)
        ]
        for slope, plane in zip(slopes, self._balloon, strict=True):
            cv2.resize(slope, plane.shape[::-1], dst=plane, interpolation=cv2.INTER_LINEAR)
        lean = np.stack([np.asarray(slope, np.float32)[::2, ::2] for slope in slopes])
        self.lean = np.asarray(lean / np.sqrt(1 + (lean * lean).sum(0)), np.float32)

    def _slope(self, spans: Spans, faces: Floats) -> None:
        """Adds the slopes of flattened luma, dark being deep, to those of the form; less in faces."""
        box = self._box(spans)
        if box is None:
            return
        down, across = box
        flat = self.flat[2 * down.start : 2 * down.stop, 2 * across.start : 2 * across.stop]
        size = (across.stop - across.start, down.stop - down.start)
        height = cv2.resize(flat, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        fine, wide = (self._soft,) * 2, (2 * self._soft + 1,) * 2
        height = np.asarray(cv2.blur(cv2.blur(height, fine), fine), np.float32)
        few = (max(1, size[0] // 2), max(1, size[1] // 2))
        large = cv2.resize(height, few, interpolation=cv2.INTER_AREA)
        height += LARGE * np.asarray(cv2.resize(cv2.blur(cv2.blur(large, wide), wide), size), np.float32)
        out = slice(2 * across.start, 2 * across.stop)
        share = self._plain * faces[box]
        kept, rounded = 1 - share, 1 - FACE_FORM * share
        for axis, (form, plane) in enumerate(zip(self._balloon, self.slopes, strict=True)):
            slope = cv2.Sobel(
                height, cv2.CV_32F, 1 - axis, axis, scale=self._relief / 4, borderType=cv2.BORDER_REPLICATE
            )
            slope = np.asarray(slope, np.float32) * kept + form[box] * rounded
            plane[down, out] = cv2.resize(slope, (2 * size[0], size[1]), interpolation=cv2.INTER_LINEAR)

    def _box(self, spans: Spans) -> tuple[slice, slice] | None:
        """Rows and columns around the figure, in pixels at a quarter of the size; None without a figure."""
        rows = np.flatnonzero(spans[1])
        if not len(rows):
            return None
        left, right = int(spans[0, rows].min()), int(spans[1].max())
        edges = (int(rows[0]), int(rows[-1]) + 1, left, right)
        top, bottom, left, right = (edge // 2 for edge in edges)
        height, width = self._quarter
        return (
            slice(max(top - MARGIN, 0), min(bottom + MARGIN, height)),
            slice(max(left - MARGIN, 0), min(right + MARGIN, width)),
        )

    def _divide(self, luma: Plane, alpha: Plane, faces: Floats) -> None:
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
        areas += (_own_mean(y, sure * faces) - areas) * (sure * faces * FACE_AREA)
        self._adapt(y, areas, share)
        window = (FIT, FIT)
        my, ma = cv2.blur(y, window), cv2.blur(areas, window)
        slope = (cv2.blur(y * areas, window) - my * ma) / (cv2.blur(y * y, window) - my * my + FLAT)
        offset = ma - slope * my
        # Hair stays a little darker than skin, or lighter.
        mean = float((y * share).sum()) / max(float(share.sum()), 1.0)
        slope = slope * (1 - self._own)
        offset = offset * (1 - self._own) + mean * self._own
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
        side: int = 2 * round((wanted - 1) / 2) + 1
        return min(max(side, MEDIANS[0]), MEDIANS[1])


def _own_mean(y: Floats, weight: Floats) -> Floats:
    """Mean luma of a face nearby."""
    wide = (WIDE, WIDE)
    return np.asarray(cv2.blur(y * weight, wide) / (cv2.blur(weight, wide) + 1e-4), np.float32)


def _blurs(
    alpha: Plane | cv2.typing.MatLike, widths: Sequence[tuple[float, float]]
) -> Iterator[tuple[Floats, np.float32]]:
    """A mask blurred by several widths, 0..1, and the height of each blur, pixels."""
    mask = np.asarray(alpha, np.float32) * np.float32(1 / 255)
    for width, weight in widths:
        sigma = width * max(mask.shape)
        side = (2 * max(1, round(sigma * 0.85)) + 1,) * 2
        wide = cv2.blur(mask, side, borderType=cv2.BORDER_REPLICATE)
        wide = cv2.blur(wide, side, borderType=cv2.BORDER_REPLICATE)
        yield np.asarray(wide, np.float32), np.float32(weight * sigma * 1.6)
