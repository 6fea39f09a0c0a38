"""VHS tape: chroma bleed, soft luma with ringing, line jitter, a moving tracking error.

All motion depends on the number of the frame alone.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

HOLD = 2
"""Frames for which the noise stays unchanged, so that encoding it takes fewer bits."""

BAND_FRAMES = 260
"""Frames in which the band of bad tracking moves from the bottom to the top."""

MARGIN = 64
"""Largest offset of the noise, pixels."""


@kernel
def _play(
    first: int, end: int, soft: Any, wide: Any, ringing: Any, shift: Any, noise: Any, top: int, left: int,
    hiss: Any, lines: Any, out: Any,
) -> None:  # fmt: skip
    """Sharpens luma, shifts rows sideways (bilinear, less than 64 pixels), adds noise and scanlines."""
    width = soft.shape[1]
    line = np.empty(width + 2 * 64 + 1, np.float32)
    for row in range(first, end):
        softs, wides, result = soft[row], wide[row], out[row]
        inner = line[64 : 64 + width]
        for x in range(width):
            inner[x] = f32(softs[x]) + (f32(softs[x]) - f32(wides[x])) * ringing
        line[:64] = inner[0]
        line[64 + width :] = inner[width - 1]
        whole = np.int64(np.floor(shift[row]))
        part = f32(shift[row] - whole)
        near, far = line[64 + whole :], line[65 + whole :]
        grains, much, dim = noise[row + top, left : left + width], hiss[row], lines[row]
        for x in range(width):
            level = near[x] + (far[x] - near[x]) * part + f32(grains[x]) * much
            result[x] = np.uint8(min(max(level * dim + f32(0.5), f32(0)), f32(255)))


def _written(height: int, width: int, text: str) -> Plane:
    """Mask of the caption in a coarse font, uint8 (height, width), 255 for ink."""
    sheet = np.zeros((270, max(64, round(270 * width / height))), np.uint8)
    cv2.putText(sheet, text, (18, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.5, 255, 1, cv2.LINE_8)
    reach = 18 + cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)[0][0] + 7
    cv2.fillPoly(sheet, [np.array([[reach, 20], [reach, 30], [reach + 9, 25]], np.int32)], 255)
    return np.asarray(cv2.resize(sheet, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


class Tape:
    """A VHS pass.

    Args:
        stage: Canvas, threads and inputs.
        softness: Blur of luma along lines, pixels at 1080 rows.
        ringing: Amount of sharpening after the blur.
        bleed: Blur of chroma along lines, pixels at 1080 rows; chroma is also shifted by a quarter of it.
        noise: Standard deviation of the noise, levels.
        tremble: Amplitude of the line jitter, pixels at 1080 rows.
        caption: Text in the corner, as from the recorder; empty for none.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        softness: float = 5.0,
        ringing: float = 0.7,
        bleed: float = 30.0,
        noise: float = 3.0,
        tremble: float = 0.9,
        caption: str = "PLAY",
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        k = canvas.scale
        self._soft_side = (max(1, round(softness * k)), 1)
        self._wide_side = (max(3, round(softness * 3.2 * k)), 1)
        smear = max(2, round(bleed * k / 2))
        self._smear = (smear, max(1, round(4 * k / 2)))
        self._lag = (min(smear - 1, smear // 2 + round(bleed * k / 8)), -1)
        self._ringing, self._tremble, self._noise = f32(ringing), tremble * k, noise
        grain = textures.Grain(2.6, length=16)
        self._hiss = stage.shelf.get(
            textures.moving, stage.shelf, canvas.height, canvas.width, MARGIN, grain, 81
        )
        # Scanlines of two fields: of every four rows at 1080 two are a little darker.
        rows = np.arange(canvas.height)
        odd = (rows // max(1, round(2 * k))) % 2
        self._lines: Floats = (1.02 - 0.07 * odd).astype(np.float32)
        self._soft, self._wide = np.zeros_like(canvas.source), np.zeros_like(canvas.source)
        self._page = np.zeros_like(canvas.u)
        self._waves = np.random.default_rng(82).normal(size=(64, 4)).astype(np.float32)
        self._caption = stage.shelf.get(_written, canvas.height, canvas.width, caption) if caption else None
        self._frames = 0

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        below = canvas.y
        if self._caption is not None:
            canvas.y = below = np.maximum(below, self._caption, out=canvas.fresh())
        cv2.blur(below, self._soft_side, dst=self._soft)
        cv2.blur(below, self._wide_side, dst=self._wide)
        shift, hiss = self._motion(canvas.height, canvas.scale)
        step = self._frames // HOLD
        top, left = int(step * 0.7548776662 % 1 * MARGIN), int(step * 0.5698402910 % 1 * MARGIN)
        self._frames += 1
        out = canvas.fresh()
        self._bands.run(
            _play, canvas.height, self._soft, self._wide, self._ringing, shift, self._hiss, top, left,
            hiss, self._lines, out,
        )  # fmt: skip
        canvas.y = out
        for plane in (canvas.u, canvas.v):
            cv2.blur(plane, self._smear, dst=self._page, anchor=self._lag)
            np.copyto(plane, self._page)

    def _motion(self, height: int, scale: float) -> tuple[Floats, Floats]:
        """Sideways shift of each row, pixels, and its noise, levels per unit of noise; float32 (height,)."""
        place = (np.arange(height, dtype=np.float32) + 0.5) / height
        wave = self._waves[(self._frames // HOLD) % len(self._waves)]
        drift = sum(
            float(wave[i]) * np.sin(place * (9 + 23 * i) + 6.283 * float(wave[3]) * (i + 1)) / (i + 1)
            for i in range(3)
        )
        shift = 0.5 * self._tremble * np.asarray(drift, np.float32)
        middle = 1.08 - 1.16 * ((self._frames + 60) % BAND_FRAMES) / BAND_FRAMES
        band = np.exp(-(((place - middle) / 0.018) ** 2))
        shift = shift + 5 * scale * band * math.sin(self._frames * 0.9)
        # Head switching: the last lines are always shifted.
        last = np.clip((place - 0.985) / 0.015, 0, 1)
        shift = shift + 46 * scale * last * last
        hiss = (self._noise + 9 * band + 14 * (last > 0)) / 32
        return np.clip(shift, -60, 60).astype(np.float32), hiss.astype(np.float32)
