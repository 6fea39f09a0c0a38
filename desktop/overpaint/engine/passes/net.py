"""The any-style net as a pass: the picture repainted in a style that is a row of numbers.

Must not know where styles come from.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.passes.small_copy import LEAST_SHARE, SmallCopy
from overpaint.engine.passes.stage import Stage
from overpaint.engine.styles import shipped_style, style_of, stylist

Floats = NDArray[np.float32]

MULTIPLE = 8
"""Sides of the net's picture are multiples of it."""

KEEP, NEW_SCENE = 0.92, 0.95
"""Share of the frames before in the net's statistics, and the share of news that is a new scene."""


class Net:
    """Repaints ``low``, ``u`` and ``v`` in a style.

    Args:
        stage: Where it works; gives the reference photo's style.
        style: Name of a style that ships, or ``photo``.
        mix: With a photo, how far a style that ships is moved towards the photo's, 0..1.
        colour: How much of the style's colours is taken, 0..1; 0 keeps those of the picture.
        softness: Variance of luma, in squared levels, below which a place counts as flat paint.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        style: str = "photo",
        mix: float = 0.5,
        colour: float = 1.0,
        softness: float = 60.0,
    ) -> None:
        self._code = _code(stage, style, mix)
        self._stylist = stylist(stage.bands.threads)
        self._copy = SmallCopy(stage, multiple=MULTIPLE, colour=colour, softness=softness)

    def set_detail(self, detail: float) -> None:
        """Changes the size at which the net works; 1 is the usual."""
        self._copy.set_detail(detail)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``low``, ``u`` and ``v``; nothing when the style is a photo's and there is no photo."""
        if self._code is None:
            return
        frame = self._copy.take(canvas)
        keep = KEEP * min(1.0, max(0.0, (NEW_SCENE - self._copy.news) / (NEW_SCENE - LEAST_SHARE)))
        self._copy.give(self._stylist.paint(frame, self._code, keep)[0], canvas)


def _code(stage: Stage, style: str, mix: float) -> Floats | None:
    """The style's numbers: a shipped style's, the photo's, or both mixed."""
    of_photo = None if stage.photo is None else style_of(stage.photo.small)
    if style == "photo":
        return of_photo
    code = shipped_style(style)
    return code if of_photo is None else np.asarray(code + (of_photo - code) * np.float32(mix), np.float32)
