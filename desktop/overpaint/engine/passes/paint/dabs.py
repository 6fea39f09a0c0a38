"""Impressionist dabs: colours smeared along forms in touches that differ in hue.

The touches fade where edges are dense, so that eyes, mouths and letters stay readable.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.passes.flow import EDDIES, Flow, bumps
from overpaint.engine.passes.pass_interface import Stage

Floats = NDArray[np.float32]

CALM = 0.002
"""Damping of touches by each unit of edge energy (squared levels)."""

SPREAD = 2.2
"""Factor that makes up for the standard deviation that noise loses when it is smeared."""

SEEDS = 53, 59
"""Seeds of the noise of lightness and of colour."""


@kernel
def _loaded(first: int, end: int, small: Any, noise: Any, energy: Any, amount: Any, out: Any) -> None:
    """Adds noise to the picture, less where edges are dense."""
    for row in range(first, end):
        levels, touches, edges, result = small[row], noise[row], energy[row], out[row]
        for x in range(levels.shape[0]):
            result[x] = f32(levels[x]) + touches[x] * amount / (f32(1) + edges[x] * f32(CALM))


@kernel
def _change(first: int, end: int, small: Any, drawn: Any, energy: Any, out: Any) -> None:
    """Sets out = the change by the touches, less where edges are dense."""
    for row in range(first, end):
        levels, touches, edges, result = small[row], drawn[row], energy[row], out[row]
        for x in range(levels.shape[0]):
            result[x] = (touches[x] - f32(levels[x])) / (f32(1) + edges[x] * f32(CALM))


@kernel
def _lay(first: int, end: int, change: Any, plane: Any) -> None:
    for row in range(first, end):
        changes, levels = change[row], plane[row]
        for x in range(levels.shape[0]):
            levels[x] = np.uint8(min(max(f32(levels[x]) + changes[x] + f32(0.5), f32(0)), f32(255)))


class Dabs:
    """A pass that lays touches of paint on ``low``, ``u`` and ``v``.

    Args:
        stage: Canvas, threads and inputs.
        length: Length of a touch, pixels at 1080 rows.
        breadth: Width of a touch, pixels at 1080 rows.
        luma: Variation of touches in lightness, levels.
        hues: Variation of touches in colour, levels of (u, v): from this hue to its opposite.
        swirl: See ``Flow``.
        eddies: See ``Flow``.
        smoothness: See ``Flow``.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        length: float = 60.0,
        breadth: float = 12.0,
        luma: float = 8.0,
        hues: tuple[float, float] = (8.0, -8.0),
        swirl: float = 0.0,
        eddies: int = EDDIES,
        smoothness: float = 28.0,
    ) -> None:
        width, height = max(8, stage.canvas.width // 4), max(8, stage.canvas.height // 4)
        self._bands = stage.bands
        self._flow = Flow(
            stage, length=length, breadth=breadth, smoothness=smoothness, swirl=swirl, eddies=eddies
        )
        shelf = stage.shelf
        light, colour = (shelf.get(bumps, shelf, height, width, breadth, seed) for seed in SEEDS)
        self._noise = (light, colour, colour)
        self._amounts = [f32(amount * SPREAD) for amount in (luma, *hues)]
        self._page: Floats = np.zeros((height, width), np.float32)
        self._half: Floats = np.zeros(stage.canvas.half, np.float32)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``low``, ``u`` and ``v``."""
        self._flow.follow(canvas)
        energy, page = self._flow.energy, self._page
        rows, half = page.shape[0], self._half
        planes = (canvas.low, canvas.u, canvas.v)
        for plane, noise, amount in zip(planes, self._noise, self._amounts, strict=True):
            small = cv2.resize(plane, page.shape[::-1], interpolation=cv2.INTER_AREA)
            self._bands.run(_loaded, rows, small, noise, energy, amount, page)
            self._bands.run(_change, rows, small, self._flow.drawn(page), energy, page)
            cv2.resize(page, half.shape[::-1], dst=half, interpolation=cv2.INTER_LINEAR)
            self._bands.run(_lay, half.shape[0], half, plane)
