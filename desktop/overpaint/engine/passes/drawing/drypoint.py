"""Charcoal and chalk on toned paper; a draughtsman's grid; a gradient map."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.colours import yuv
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.materials import textures
from overpaint.engine.passes.pass_interface import Stage


@kernel
def _rub(
    first: int, end: int, luma: Any, tooth: Any, paper: Any, coal: Any, chalk: Any, smudge: Any, out: Any
) -> None:
    """Draws coal where the picture is darker than the paper and chalk where it is lighter, both in grains."""
    width = luma.shape[1]
    dark_scale, light_scale = f32(255) / paper, f32(255) / (f32(255) - paper)
    for row in range(first, end):
        lumas, bumps, result = luma[row], tooth[row], out[row]
        for x in range(width):
            level, bump = f32(lumas[x]), f32(bumps[x])
            dark = min(max((paper - f32(18) - level) * dark_scale, f32(0)), f32(255))
            light = min(max((level - paper - f32(10)) * light_scale, f32(0)), f32(255))
            dust = min(max((dark * f32(1.45) - bump) * f32(0.0055) + f32(0.12), f32(0)), f32(1))
            dust = dust * (f32(1) - smudge) + dark * f32(1 / 255) * smudge
            shine = min(max((light * f32(1.2) - bump) * f32(0.005), f32(0)), f32(1)) * f32(0.8)
            value = paper + (coal - paper) * dust
            value += (chalk - value) * shine
            result[x] = np.uint8(min(max(value + f32(0.5), f32(0)), f32(255)))


class Charcoal:
    """A pass that draws ``y`` in charcoal and chalk on toned paper.

    Args:
        stage: Canvas, threads and inputs.
        paper: Luma of the paper.
        coal: Luma of solid coal.
        chalk: Luma of solid chalk.
        smudge: Share of coal that is rubbed into the tooth, 0..1.
        stroke: Strength of the strokes relative to the paper's own grain, 0..1.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        paper: float = 172.0,
        coal: float = 22.0,
        chalk: float = 246.0,
        smudge: float = 0.35,
        stroke: float = 1.0,
    ) -> None:
        canvas = stage.canvas
        self._bands = stage.bands
        grains = (
            textures.Grain(1.6, 0.45),
            textures.Grain(3.0, 0.3),
            textures.Grain(2.4, stroke, 42.0, 52.0),
        )
        self._tooth = stage.shelf.get(textures.screen, stage.shelf, canvas.height, canvas.width, grains, 61)
        self._paper, self._coal, self._chalk, self._smudge = f32(paper), f32(coal), f32(chalk), f32(smudge)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``."""
        out = canvas.fresh()
        self._bands.run(
            _rub, canvas.height, canvas.y, self._tooth,
            self._paper, self._coal, self._chalk, self._smudge, out,
        )  # fmt: skip
        canvas.y = out


class Grid:
    """A draughtsman's grid under the drawing.

    Args:
        stage: Canvas, threads and inputs.
        period: Side of a square, pixels at 1080 rows; every fifth line is stronger.
        level: Levels by which a strong line is lighter (positive) or darker (negative).
    """

    def __init__(self, stage: Stage, *, period: float = 30.0, level: float = 18.0) -> None:
        canvas = stage.canvas
        x, y = textures.grid(canvas.height, canvas.width)
        thick = max(1.1, 0.75 / canvas.scale)
        lines = []
        for place in (x, y):
            fine = np.abs((place / period + 0.5) % 1 - 0.5) * period < thick * 0.75
            bold = np.abs((place / (5 * period) + 0.5) % 1 - 0.5) * 5 * period < thick
            lines.append(np.clip(abs(level) * np.maximum(fine * 0.5, bold * 1.0), 0, 255).astype(np.uint8))
        self._lines = np.maximum(*lines)
        self._lighter = level > 0

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``."""
        out = canvas.fresh()
        (cv2.add if self._lighter else cv2.subtract)(canvas.y, self._lines, dst=out)
        canvas.y = out


class Gradient:
    """A gradient-map pass (colour lookup table): each luma level gets one colour.

    Args:
        stage: Canvas, threads and inputs; with a photo, its palette gives the chroma, dark to light.
        colours: #rrggbb, dark to light, evenly spaced.
        hardness: 1 blends smoothly; 8 gives flat areas.
        spread: Levels of luma at which the first and the last colour are reached.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        colours: tuple[str, ...],
        hardness: float = 1.0,
        spread: tuple[float, float] = (20.0, 235.0),
    ) -> None:
        stops = yuv(colours)
        if stage.photo is not None:
            # The luma stays that of the look, so that flat areas stay as distinct as designed.
            places = np.linspace(0, 1, len(colours))
            stops[:, 1:] = [stage.photo.colourful(float(place))[1:] for place in places]
        levels = np.clip((np.arange(256) - spread[0]) / (spread[1] - spread[0]), 0, 1)
        at = levels * (len(stops) - 1)
        whole = np.minimum(at.astype(int), len(stops) - 2)
        part = np.clip((at - whole - 0.5) * hardness + 0.5, 0, 1)[:, None]
        table = stops[whole] * (1 - part) + stops[whole + 1] * part
        self._tables = [np.clip(table[:, c] + 0.5, 0, 255).astype(np.uint8) for c in range(3)]
        self._low = np.zeros_like(stage.canvas.low)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``y``, ``u`` and ``v``."""
        cv2.resize(canvas.y, self._low.shape[::-1], dst=self._low, interpolation=cv2.INTER_LINEAR)
        out = canvas.fresh()
        cv2.LUT(canvas.y, self._tables[0], dst=out)
        cv2.LUT(self._low, self._tables[1], dst=canvas.u)
        cv2.LUT(self._low, self._tables[2], dst=canvas.v)
        canvas.y = out
