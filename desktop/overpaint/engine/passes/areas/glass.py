"""Stained glass: panes of one colour that follow forms (superpixels), held in lead, with painted features.

As in real windows, features are painted on the glass: a share of the frame's luma, which panes of one colour
lose, is put back. Where the look finds people, leads are thin on their skin and fade in the detail of a face,
so that none crosses an eye.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.passes.areas.panes import Panes
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.people.face import Face
from overpaint.engine.people.person_mask import shrink
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

BUSY = 24
"""Mean fine detail, in eighths of a level, from which leads on a person's skin fade: they are gone at twice
as much, as beside eyes and mouths, and elsewhere on a person at four times as much."""

THIN = 0.64
"""Share by which the mark of a lead on a person's skin is weaker."""

PEOPLE = 0.5
"""How much a pane of a person counts as skin, whose colour is varied little, whatever its colour."""


@kernel
def _lead(
    first: int, end: int, panes: Any, skin: Any, people: Any, busy: Any, count: int, lead: Any
) -> None:  # fmt: skip
    """Marks borders between panes, 255 between whole panes and 190 between parts of one.

    Between two panes of a person's skin the mark is weaker, which makes leads thin, and on fine detail of a
    person it fades, so that no lead crosses an eye. A person's outline keeps its lead.
    """
    height, width = panes.shape
    for row in range(first, end):
        below = panes[min(row + 1, height - 1)]
        own, details, result = panes[row], busy[row], lead[row]
        for x in range(width):
            pane, mark = own[x], f32(0)
            for other in (own[min(x + 1, width - 1)], below[x]):
                if other == pane:
                    continue
                whole = pane if pane < count else (pane - count) >> 2
                beside = other if other < count else (other - count) >> 2
                here = f32(190) if whole == beside else f32(255)
                flesh, body = min(skin[pane], skin[other]), min(people[pane], people[other])
                fine = min(max(f32(details[x]) * f32(1 / BUSY) - f32(1), f32(0)), f32(1))
                very = min(max(f32(details[x]) * f32(0.5 / BUSY) - f32(1), f32(0)), f32(1))
                less = max(flesh * f32(THIN), fine * flesh, very) * body
                mark = max(mark, here * (f32(1) - less))
            result[x] = np.uint8(mark)


@kernel
def _cover(first: int, end: int, panes: Any, person: Any, face: Any, sums: Any) -> None:
    """Adds up pixels and two masks of each pane."""
    for row in range(first, end):
        own, people, faces = panes[row], person[row], face[row]
        for x in range(own.shape[0]):
            sums[0, own[x]] += f32(1)
            sums[1, own[x]] += f32(people[x])
            sums[2, own[x]] += f32(faces[x])


@kernel
def _glaze(
    first: int, end: int, y: Any, glass: Any, lead: Any, relief: Any, rates: Any, out: Any, u: Any, v: Any
) -> None:
    """Paints pairs of rows.

    Args:
        first: First half-size row.
        end: Half-size row after the last.
        y: uint8 (2h, 2w), luma with the features to paint.
        glass: uint8 (3, h, w), colours of the glass: luma, u, v.
        lead: uint8 (h, w), blurred mark of lead.
        relief: uint8 (2h, 2w), factor on luma through uneven glass, 128 for 1.
        rates: float32 (3,): share of features, level of the mark where lead begins, sharpness of its edge.
        out: Written.
        u: Written.
        v: Written.
    """
    height, half = lead.shape
    marks = np.empty(half + 2, np.float32)
    metal = np.empty(2 * half, np.float32)
    panes = np.empty(2 * half, np.float32)
    dark = np.empty(half, np.float32)
    share, begin, sharp = rates[0], rates[1], rates[2]
    for row in range(first, end):
        lumas, blues, reds = glass[0, row], glass[1, row], glass[2, row]
        for x in range(half):
            panes[2 * x] = f32(lumas[x])
            panes[2 * x + 1] = f32(lumas[x])
            dark[x] = f32(0)
        for k in range(2):
            near, far = lead[row], lead[min(max(row + (1 if k else -1), 0), height - 1)]
            for x in range(half):
                marks[x + 1] = (f32(near[x]) * f32(0.75) + f32(far[x]) * f32(0.25) - begin) * sharp
            marks[0], marks[half + 1] = marks[1], marks[half]
            for x in range(half):
                middle = marks[x + 1] * f32(0.75)
                metal[2 * x] = min(max(middle + marks[x] * f32(0.25), f32(0)), f32(1))
                metal[2 * x + 1] = min(max(middle + marks[x + 2] * f32(0.25), f32(0)), f32(1))
            features, bumps, result = y[2 * row + k], relief[2 * row + k], out[2 * row + k]
            for x in range(2 * half):
                level = (panes[x] + (f32(features[x]) - panes[x]) * share) * f32(bumps[x]) * f32(1 / 128)
                level += (f32(24) - level) * metal[x]
                result[x] = np.uint8(min(max(level + f32(0.5), f32(0)), f32(255)))
            for x in range(half):
                dark[x] += metal[2 * x] + metal[2 * x + 1]
        for x in range(half):
            keep = f32(1) - dark[x] * f32(0.25)
            u[row, x] = np.uint8(f32(128.5) + (f32(blues[x]) - f32(128)) * keep)
            v[row, x] = np.uint8(f32(128.5) + (f32(reds[x]) - f32(128)) * keep)


def _skin(colours: Floats) -> Floats:
    """Likelihood that a colour (luma, u, v) is that of skin, 0..1; float32 (n,).

    Skin of any tone lies near one ray in the chroma plane: more red and less blue, in about one proportion.
    """
    blue, red = 128 - colours[:, 1], colours[:, 2] - 128
    share = np.clip((red - 4) * 0.25, 0, 1) * np.clip((30 - np.abs(red - 0.6 * blue)) * 0.2, 0, 1)
    return np.asarray(share, np.float32)


class Glass:
    """A stained-glass pass.

    Args:
        stage: Canvas, threads and inputs.
        size: Size of a whole pane, pixels at 1080 rows.
        detail: Standard deviation of luma, in levels, from which a pane is cut into four.
        likeness: Weight of squared colour distance against squared distance in pitches.
        features: Share of the frame's own luma that is painted on the glass, 0..1.
        lead: Width of lead lines, pixels at 1080 rows.
        saturation: Factor on weak chroma; strong chroma is raised less.
        hue: Standard deviation of a random offset of panes' chroma, levels.
        vary: Standard deviation of a random offset of panes' luma, levels.
        seed: Seed of the random numbers.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        size: float = 120.0,
        detail: float = 34.0,
        likeness: float = 0.0004,
        features: float = 0.6,
        lead: float = 7.0,
        saturation: float = 2.1,
        hue: float = 7.0,
        vary: float = 9.0,
        seed: int = 91,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        width, height = self._size = (max(16, canvas.width // 4), max(16, canvas.height // 4))
        pitch = max(6.0, size * canvas.scale / 4)
        self._panes = Panes(stage.bands, self._size, pitch, detail, likeness, seed)
        rng = np.random.default_rng(seed + 5)
        self._offsets = np.stack(
            [rng.normal(0, deviation, 5 * self._panes.count) for deviation in (vary, hue, hue)], -1
        ).astype(np.float32)
        self._saturation = saturation
        self._lead: Plane = np.zeros((height, width), np.uint8)
        self._masks: Plane = np.zeros((2, height, width), np.uint8)
        self._face = Face(canvas.half)
        self._mark: Plane = np.zeros(canvas.half, np.uint8)
        self._glass: Plane = np.zeros((3, *canvas.half), np.uint8)
        self._lead_sigma = max(0.55, lead * canvas.scale / 8)
        peak = 255 / (self._lead_sigma * 2.507)
        self._paint = np.array([features, 0.3 * peak, 1 / (0.3 * peak)], np.float32)
        self._fine = (2 * max(1, round(pitch / 10)) + 1,) * 2
        # Streaks from the making of the glass, and small bubbles.
        flaws = (textures.Grain(26.0, 7.0, 160.0, 78.0), textures.Grain(9.0, 2.0))
        self._relief = stage.shelf.get(
            textures.sheet, stage.shelf, canvas.height, canvas.width, flaws, seed + 1
        )

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        panes, rows = self._panes, self._size[1]
        panes.follow((canvas.low, canvas.u, canvas.v))
        people, face = self._shares(canvas)
        # Highlights on a face have no colour of skin.
        skin = np.maximum(_skin(panes.means), face)
        self._bands.run(_lead, rows, panes.areas, skin, people, self._busy(canvas), panes.count, self._lead)
        soft = cv2.GaussianBlur(self._lead, (0, 0), self._lead_sigma)
        cv2.resize(soft, self._mark.shape[::-1], dst=self._mark, interpolation=cv2.INTER_LINEAR)
        glass = self._colours(np.maximum(skin, PEOPLE * people))
        for colours, plane in zip(glass.T, self._glass, strict=True):
            pane = np.take(colours, panes.areas)
            cv2.resize(pane, plane.shape[::-1], dst=plane, interpolation=cv2.INTER_LINEAR)
        out = canvas.fresh()
        self._bands.run(
            _glaze, canvas.half[0], canvas.y, self._glass, self._mark, self._relief, self._paint, out,
            canvas.u, canvas.v,
        )  # fmt: skip
        canvas.y = out

    def _colours(self, skin: Floats) -> Plane:
        """Colours of the panes, uint8 (5n, 3): more saturated than the picture, and varied, less on skin."""
        means = self._panes.means
        chroma: Any = means[:, 1:] - 128
        chroma = chroma * (self._saturation / (1 + np.abs(chroma) * 0.022))
        glass = np.column_stack([means[:, 0], chroma + 128]) + self._offsets * (1.1 - skin[:, None])
        return np.clip(glass + 0.5, 8, 250).astype(np.uint8)

    def _shares(self, canvas: Canvas) -> tuple[Floats, Floats]:
        """Shares of each pane that show a person, and their face, float32 (5n,); 0 where nobody is found."""
        sums = np.zeros((3, 5 * self._panes.count), np.float32)
        if canvas.person is not None:
            self._face.find(canvas.person)
            for mask, small in zip((canvas.person.alpha, self._face.alpha), self._masks, strict=True):
                shrink(mask, small)
            _cover(0, self._size[1], self._panes.areas, self._masks[0], self._masks[1], sums)
        sums[1:] /= 255 * np.maximum(sums[0], 1)
        return sums[1], sums[2]

    def _busy(self, canvas: Canvas) -> Plane:
        """Mean fine detail near each place, uint8 (H / 4, W / 4), in eighths of a level."""
        quarter = cv2.resize(canvas.low_source, self._size, interpolation=cv2.INTER_AREA)
        fine = cv2.convertScaleAbs(cv2.absdiff(quarter, cv2.blur(quarter, self._fine)), alpha=8)
        wide = (3 * self._fine[0],) * 2
        return np.asarray(cv2.blur(cv2.blur(fine, wide), wide), np.uint8)
