"""Recolouring of a part of a person (intrinsic images): its colour and print go, its folds and light stay.

Luma is split into what varies slowly (albedo and light) and what varies fast (folds) by a guided filter (He
et al. 2010) that follows the edges of prints; the first is flattened where it varies much, and all of it
multiplies the new colour. At the part's soft edge, the change is computed for the part's own colour, not
for one mixed with the background's. Must not know who wears it, nor what a cloth is called.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32
from overpaint.engine.materials.fabrics import Fabric
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.wear.dye_kernels import (
    ENTRIES,
    STEPS,
    TOE,
    dye_chroma,
    dye_luma,
    level_planes,
)
from overpaint.engine.people.person_mask import Person
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

REACH = 4
"""Radius of the guided filter, pixels of the person mask's small picture."""

FOLDS = 0.11
"""Standard deviation of the logarithm of luma that folds should have to be seen."""

FOLLOW, MEASURE_EVERY = 0.25, 4
"""Weight of a new measurement of a whole part, and frames between two."""

_SHARE: Floats = (np.arange(256) / 255 + 1e-4).astype(np.float32)
"""Weight of a pixel in what is measured, by the mask."""

CORE, DARK = 2.4, (25.0, 100.0)
"""Difference to the mean luma around, levels, that is noise rather than a fold in the darkest cloth; luma up
to which cloth is that dark, and from which it is not."""


@dataclass(frozen=True, slots=True)
class Shading:
    """The way in which a cloth takes light.

    Attributes:
        folds: Factor on the contrast of folds.
        sheen: Levels of white that a fully lit fold adds.
        tightness: Exponent of the sheen: small for satin, large for leather.
        rim: Share by which cloth brightens towards the outline, as velvet does; negative darkens it.
        glint: Levels of white that a sequin adds when it looks into the light.
        flatness: Share of light's slow changes that is taken away.
        chroma: Factor on the colour's chroma.
    """

    folds: float = 1.0
    sheen: float = 0.0
    tightness: float = 2.0
    rim: float = 0.0
    glint: float = 0.0
    flatness: float = 0.0
    chroma: float = 1.0


class Dye:
    """The recolouring of one part in one stream.

    Args:
        stage: Canvas, threads and inputs.
        shading: How the new cloth takes light.
    """

    def __init__(self, stage: Stage, shading: Shading) -> None:
        self._bands = stage.bands
        self._shading = shading
        self._measured: Floats | None = None
        self._turn = 0
        self._level, self._core = 0.0, 0.0
        self._tables: Floats = np.zeros((3, ENTRIES), np.float32)
        self._usual: Floats = np.ones(256, np.float32)
        self._planes: Floats = np.zeros((0, 0, 0), np.float32)
        self._sums: Floats = np.zeros((0, 0, 0), np.float32)
        self._wide: Floats = np.zeros((0, 0, 0), np.float32)

    @property
    def level(self) -> float:
        """The part's usual luma, before it is recoloured; 0 before the first frame."""
        return 0.0 if self._measured is None else float(np.exp(self._level)) - TOE

    def apply(
        self,
        canvas: Canvas,
        person: Person,
        masks: tuple[Plane, Plane],
        fabric: Fabric,
        place: Floats | None,
        light: float,
    ) -> None:
        """Recolours ``source``, ``u`` and ``v`` where the part is.

        Args:
            canvas: Written.
            person: The person mask, with the planes of the frame before any change.
            masks: uint8, the part in half size and in the small picture's size.
            fabric: The new cloth.
            place: float32 (3, rows, columns): column and row on the fabric, pixels of it, and phase of
                glints;
                None for a plain one.
            light: Light of the scene, 1 where a white cloth is white.
        """
        alpha, small_alpha = masks
        columns = np.flatnonzero(small_alpha.max(0) > 2)
        lines = np.flatnonzero(small_alpha.max(1) > 2)
        if len(columns) == 0:
            return
        rows, width = small_alpha.shape
        down, across = canvas.height / rows, canvas.half[1] / width
        top, bottom = max(0, int(lines[0]) - 2), min(rows, int(lines[-1]) + 3)
        # First and last row, first and last half column, rows of the small picture, and its first row.
        span = np.array(
            [
                int(top * down) & ~1, min(canvas.height, int(bottom * down) + 1) & ~1,
                max(0, int((columns[0] - 1) * across)),
                min(canvas.half[1], int((columns[-1] + 2) * across) + 1),
                rows, max(0, top - 1),
            ],
            np.int64,
        )  # fmt: skip
        self._prepare(
            person, small_alpha, place, canvas.half[1], slice(max(0, top - 1), min(rows, bottom + 1))
        )
        count, tables, wide = int(span[1] - span[0]), self._tables, self._wide
        self._bands.run(
            dye_chroma, count // 2, span, alpha, wide, tables, fabric.u, fabric.v, canvas.low_source,
            canvas.u, canvas.v,
        )  # fmt: skip
        self._bands.run(
            dye_luma, count, span, alpha, wide, tables, fabric.luma, fabric.glints, f32(self._shading.glint),
            f32(light), f32(self._core), canvas.source,
        )  # fmt: skip

    def _prepare(self, person: Person, alpha: Plane, place: Floats | None, width: int, rows: slice) -> None:
        """Sets the planes of the part, as wide as the half-size picture, and measures the part."""
        if self._planes.size == 0:
            self._planes = np.zeros((8, *alpha.shape), np.float32)
            self._sums = np.zeros((5, *alpha.shape), np.float32)
        share = np.asarray(cv2.LUT(cv2.erode(alpha, np.ones((3, 3), np.uint8)), _SHARE), np.float32)
        side = (2 * REACH + 1, 2 * REACH + 1)
        luma, sums = person.small[0], self._sums
        cv2.blur(share, side, dst=sums[0])
        weighted = cv2.multiply(luma, share, dtype=cv2.CV_32F)
        cv2.blur(weighted, side, dst=sums[1])
        cv2.blur(cv2.multiply(luma, weighted, dtype=cv2.CV_32F), side, dst=sums[2])
        for plane, out in zip(person.small[1:], sums[3:], strict=True):
            cv2.blur(cv2.multiply(plane, share, dtype=cv2.CV_32F), side, dst=out)
        if self._turn % MEASURE_EVERY == 0 or self._measured is None:
            self._measure(luma, share)
        self._turn += 1
        inner = cv2.blur(share, (4 * REACH + 1, 4 * REACH + 1)) if self._shading.rim else share
        rim = f32(self._shading.rim)
        self._bands.run(level_planes, len(share), sums, self._usual, rim, inner, self._planes)
        count = 5
        if place is not None:
            count = 8 if self._shading.glint else 7
            self._planes[5:] = place
        if self._wide.shape[1:] != (rows.stop - rows.start, width):
            self._wide = np.zeros((8, rows.stop - rows.start, width), np.float32)
        for plane, wide in zip(self._planes[:count], self._wide, strict=False):
            cv2.resize(plane[rows], wide.shape[::-1], dst=wide, interpolation=cv2.INTER_LINEAR)

    def _measure(self, luma: Plane, share: Floats) -> None:
        """Follows the part's usual luma, and how much its slow and its fast changes vary (logarithms)."""
        weight = share[::2, ::2]
        base = np.log(self._sums[1, ::2, ::2] / self._sums[0, ::2, ::2] + np.float32(TOE))
        total = float(weight.sum())
        level = float((base * weight).sum()) / total
        slow = float((weight * (base - level) ** 2).sum()) / total
        fast = float((weight * (np.log(luma[::2, ::2] + np.float32(TOE)) - base) ** 2).sum()) / total
        found = np.array([level, slow**0.5, fast**0.5], np.float32)
        if self._measured is None:
            self._measured = found
        else:
            self._measured += FOLLOW * (found - self._measured)
        self._set_tables(*(float(value) for value in self._measured))

    def _set_tables(self, level: float, slow: float, fast: float) -> None:
        """Sets the kernels' tables by shade: factor on luma, white added, and factor on chroma."""
        shading = self._shading
        self._level = level
        self._core = (CORE * float(np.interp(self.level, DARK, (1.0, 0.0)))) ** 2 + 1e-3
        # Light varies by a third over a plain cloth; what varies more is prints, or a shirt below a jacket.
        kept = min(1.0, max(0.25, 1.1 - 1.3 * max(0.0, slow - 0.15))) * (1 - shading.flatness)
        self._usual = np.exp((1 - kept) * np.log(np.arange(256) + TOE) + kept * level).astype(np.float32)
        shade = np.log((np.arange(ENTRIES) + 0.5) / STEPS)
        gain = shading.folds * min(1.6, max(0.9, FOLDS / (fast + 0.02)))
        bent = np.tanh(gain * shade / 0.9) * 0.9
        factor = np.exp(np.where(shade > 0, np.tanh(bent / 0.45) * 0.45, bent))
        white = shading.sheen * np.clip((factor - 0.75) / 0.8, 0, 1) ** shading.tightness
        colour = shading.chroma * np.minimum(factor, 1.12) * (1 - np.clip(white / 200, 0, 0.7))
        self._tables = np.stack([factor, white, colour]).astype(np.float32)
