"""The faces of a figure, soft ellipses in which features (eyes, brows, nose, mouth) come before the material.

There the surface is smoother, its texture fainter and what is seen through it less: cracks, veins and
reflections of the material's own would be taken for features, or hide them. Must not know materials.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.people.colour_bins import skin_likeness
from overpaint.engine.people.heads import Head, HeadTracker
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

WIDE, HIGH, LOWER = 1.3, 1.8, 0.2
"""Semi-axes of the ellipse, and how far its middle lies below the face's, in radii of the face: from brows to
chin."""

WHOLE, NONE = 0.45, 1.2
"""Distance from an ellipse's middle up to which all of it counts, and from which none does, by its radius."""

LEAST = 0.04
"""Share of a head that must look like skin: nobody's back of the head has features."""


class Features:
    """The faces of one stream.

    Args:
        small: Rows and columns of the small picture.
        half: Rows and columns of half the canvas.

    Attributes:
        share: float32 (rows / 2, columns of ``half``), 1 within a face; valid until the next ``find``.
        few: float32 (rows / 2, columns / 2 of the small picture), the same.
        quarter: float32, half the rows and columns of ``half``, the same.
        rows: int32 (2,), first row of ``half`` with a face, and the one after the last.
    """

    def __init__(self, small: tuple[int, int], half: tuple[int, int]) -> None:
        self._tracker = HeadTracker()
        self._few = (small[0] // 2, small[1] // 2)
        self._x = np.arange(self._few[1], dtype=np.float32)[None] * 2 + np.float32(0.5)
        self._y = np.arange(self._few[0], dtype=np.float32)[:, None] * 2 + np.float32(0.5)
        self._shown: list[Head] = []
        self._turn = False
        self._height = half[0]
        self.share: Floats = np.zeros((self._few[0], half[1]), np.float32)
        self.few: Floats = np.zeros(self._few, np.float32)
        self.quarter: Floats = np.zeros((half[0] // 2, half[1] // 2), np.float32)
        self.rows: NDArray[np.int32] = np.zeros(2, np.int32)

    def find(self, small: Plane, alpha: Plane) -> None:
        """Sets ``share`` from a frame.

        Args:
            small: uint8 (3, rows, columns), luma and chroma.
            alpha: uint8 (rows, columns), the people.
        """
        # Ellipses are soft, and the tracker smooths: every second frame will do.
        self._turn = not self._turn
        if not self._turn:
            return
        heads = [head for head in self._tracker.follow(small, alpha, skin_likeness()) if head.skin > LEAST]
        if heads == self._shown:
            return
        self._shown = heads
        share = np.zeros(self._few, np.float32)
        for head in heads:
            away = np.hypot(
                (self._x - head.x) / (WIDE * head.radius),
                (self._y - head.y) / (HIGH * head.radius) - LOWER / HIGH,
            )
            rise = np.clip((NONE - away) / (NONE - WHOLE), 0, 1)
            share = np.maximum(share, rise * rise * (3 - 2 * rise))
        self.few = np.asarray(share, np.float32)
        lines = np.flatnonzero(share.any(1))
        unit = self._height / self._few[0]
        ends = ((lines[0] - 1) * unit, (lines[-1] + 2) * unit) if len(lines) else (0, 0)
        self.rows = np.array(ends, np.int32)
        for plane in (self.share, self.quarter):
            cv2.resize(share, plane.shape[::-1], dst=plane, interpolation=cv2.INTER_LINEAR)
