"""Linocut (relief printing): one ink, and the marks of a gouge that follow forms.

Noise smeared along the picture's edge directions (``Flow``) serves as a threshold for the tone: dark places
print solid, light places are cut away, and mid tones get furrows.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.doubling import row_between
from overpaint.engine.passes.drawing.crayon import ground_colour
from overpaint.engine.passes.flow import Flow
from overpaint.engine.passes.pass_interface import Stage

CALM = 0.02
"""Damping of furrows by each unit of edge energy (squared levels)."""


@kernel
def _ink(first: int, end: int, tone: Any, furrows: Any, sharp: Any, block: Any, paper: Any, out: Any) -> None:
    """Thresholds full-size tone with half-size furrows, both in levels: ink where the tone is darker."""
    width = furrows.shape[1]
    line = np.empty(width + 2, np.float32)
    for row in range(first, end):
        row_between(furrows, row, line)
        tones, result = tone[row], out[row]
        for x in range(width):
            middle = line[x + 1] * f32(0.75)
            even = f32(tones[2 * x]) + middle + line[x] * f32(0.25) - f32(128)
            odd = f32(tones[2 * x + 1]) + middle + line[x + 2] * f32(0.25) - f32(128)
            even = min(max(even * sharp + f32(0.5), f32(0)), f32(1))
            odd = min(max(odd * sharp + f32(0.5), f32(0)), f32(1))
            result[2 * x] = np.uint8(block + (paper - block) * even + f32(0.5))
            result[2 * x + 1] = np.uint8(block + (paper - block) * odd + f32(0.5))


class Gouge:
    """A linocut pass, which prints the picture in one ink.

    Args:
        stage: Canvas, threads and inputs; with a photo, ink and paper take the chroma of its colours.
        ink: Colour of the ink, #rrggbb.
        paper: Colour of the paper, #rrggbb.
        length: Length of a furrow, pixels at 1080 rows.
        breadth: Width of a furrow, pixels at 1080 rows.
        reach: Amplitude of the furrows against the tone, levels; it is damped where there are edges.
        local: Weight of the surrounding brightness in the threshold (adaptive threshold), 0..1.
        hardness: Sharpness of edges.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        ink: str = "#1c1a1f",
        paper: str = "#f4eddc",
        length: float = 80.0,
        breadth: float = 7.0,
        reach: float = 34.0,
        local: float = 0.5,
        hardness: float = 14.0,
    ) -> None:
        self._bands = stage.bands
        self._flow = Flow(stage, length=length, breadth=breadth, seed=43)
        self._ink, self._paper = ground_colour(ink), ground_colour(paper)
        if stage.photo is not None:
            dark, light = stage.photo.colourful(0.1), stage.photo.colourful(0.95)
            self._ink[1:], self._paper[1:] = dark[1:], 128 + (light[1:] - 128) * 0.4
        self._reach, self._local, self._sharp = f32(reach), f32(local), f32(hardness / 255)
        width, height = self._small = (max(1, stage.canvas.width // 16), max(1, stage.canvas.height // 16))
        self._wide = (max(1, width // 8) | 1, max(1, height // 5) | 1)
        self._half = stage.canvas.half[::-1]
        share = np.clip((np.arange(256) - self._ink[0]) / (self._paper[0] - self._ink[0]), 0, 1)[:, None]
        chroma = self._ink[1:] * (1 - share) + self._paper[1:] * share
        self._tables = [np.asarray(chroma[:, at] + 0.5, np.uint8) for at in (0, 1)]
        self._low = np.zeros_like(stage.canvas.low)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        furrows = self._flow.field(canvas)
        furrows *= cv2.resize(self._reach / (1 + self._flow.energy * CALM), self._half)
        light: Any = cv2.resize(canvas.low, self._small, interpolation=cv2.INTER_AREA).astype(np.float32)
        light = cv2.blur(cv2.blur(light, self._wide), self._wide)
        furrows += cv2.resize((128 - light) * self._local, self._half)
        out = canvas.fresh()
        self._bands.run(
            _ink, canvas.height, canvas.y, furrows, self._sharp, f32(self._ink[0]),
            f32(self._paper[0]), out,
        )  # fmt: skip
        canvas.y = out
        cv2.resize(out, self._low.shape[::-1], dst=self._low, interpolation=cv2.INTER_AREA)
        for table, plane in zip(self._tables, (canvas.u, canvas.v), strict=True):
            cv2.LUT(self._low, table, dst=plane)
