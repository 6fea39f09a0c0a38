"""Neural style transfer: repaints the picture in a painter's style or in that of the reference photo.

Must not know how the nets were trained.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.nets.style_codes import shipped_style, style_of, stylist
from overpaint.engine.passes.paint.small_copy import LEAST_SHARE, RIM, SmallCopy, rimmed
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.photo import Photo

Floats = NDArray[np.float32]

MULTIPLE = 8
"""Number that both sides of the net's picture must be multiples of, pixels."""

KEEP, NEW_SCENE = 0.92, 0.95
"""Largest weight of former frames in the net's statistics, and the share of new picture (``SmallCopy.news``)
that counts as a scene change, at which that weight is 0."""


PHOTO = "photo"
"""Name of the style that is read from the reference photo."""


class Net:
    """A style-transfer pass on ``low``, ``u`` and ``v``; does nothing for style ``photo`` without a photo.

    Args:
        stage: Canvas, threads and inputs, among them the reference photo.
        style: Name of a style that ships, or ``photo``.
        mix: Share of the photo's style in a style that ships, where there is a photo, 0..1.
        colour: Share of the style's colours, 0..1; 0 keeps those of the picture.
        softness: See ``enlargement.Carry``.
    """

    def __init__(
        self,
        stage: Stage,
        *,
        style: str = PHOTO,
        mix: float = 0.5,
        colour: float = 1.0,
        softness: float = 60.0,
    ) -> None:
        self._code = _code(style, stage.photo, np.float32(mix))
        self._stylist = stylist(stage.bands.threads)
        self._copy = SmallCopy(stage, multiple=MULTIPLE, colour=colour, softness=softness)

    def set_detail(self, detail: float) -> None:
        """Changes the size at which the net works; 1 is the default."""
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


def _code(style: str, photo: Photo | None, mix: np.float32) -> Floats | None:
    if style == PHOTO:
        return None if photo is None else style_of(photo.small)
    code = shipped_style(style)
    return code if photo is None else code + (style_of(photo.small) - code) * mix
