"""The any-style net as a pass: the picture repainted in the style of the reference photo.

No look that ships uses it yet: the nets are not trained far enough (``training/README.md``). Must not know
where styles come from.
"""

from __future__ import annotations

import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.passes.small_copy import LEAST_SHARE, RIM, SmallCopy, rimmed
from overpaint.engine.passes.stage import Stage
from overpaint.engine.styles import style_of, stylist

MULTIPLE = 8
"""Sides of the net's picture are multiples of it."""

KEEP, NEW_SCENE = 0.92, 0.95
"""Share of the frames before in the net's statistics, and the share of news that is a new scene."""


class Net:
    """Repaints ``low``, ``u`` and ``v`` in the photo's style; nothing without a photo.

    Args:
        stage: Where it works; gives the reference photo.
        colour: How much of the style's colours is taken, 0..1; 0 keeps those of the picture.
        softness: Variance of luma, in squared levels, below which a place counts as flat paint.
    """

    def __init__(self, stage: Stage, *, colour: float = 1.0, softness: float = 60.0) -> None:
        self._code = None if stage.photo is None else style_of(stage.photo.small)
        self._stylist = stylist(stage.bands.threads)
        self._copy = SmallCopy(stage, multiple=MULTIPLE, colour=colour, softness=softness)

    def set_detail(self, detail: float) -> None:
        """Changes the size at which the net works; 1 is the usual."""
        self._copy.set_detail(detail)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``low``, ``u`` and ``v``."""
        if self._code is None:
            return
        frame = rimmed(self._copy.take(canvas), RIM)
        keep = KEEP * min(1.0, max(0.0, (NEW_SCENE - self._copy.news) / (NEW_SCENE - LEAST_SHARE)))
        styled = self._stylist.paint(frame, self._code, keep)
        inner = np.ascontiguousarray(styled[0, :, RIM:-RIM, RIM:-RIM])
        self._copy.give(inner, canvas)
