"""Coats of paint that are laid on a smaller copy of a stream's picture, and on every second frame only.

Paint is coarse where lines are fine: patches, a net's brushwork and touches of colour lose nothing that is
seen when they are laid at a third of the frame's size, while the edges of the full-size frame lead the way
back up. Pictures and films, which take their time, are painted where they are. Must not know which coats
there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.passes.paint.enlargement import Carry, Planes, shrunk, small_size
from overpaint.engine.passes.pass_interface import Detailed, Pass, Stage

OTHER = 10.0
"""Mean change of the copy, in levels, from which what was painted before does not do again."""

SOFTNESS = 60.0
"""Variance of luma, in squared levels, below which a place counts as flat paint."""


class Painting:
    """Lays coats on ``low``, ``u`` and ``v``.

    Args:
        stage: Where it works; ``painting_rows`` says how large the copy is, ``sparing`` whether what was
            painted may do for the frame after it as well.
        prepare: Prepares the coats for the stage of the copy.
    """

    def __init__(self, stage: Stage, prepare: Callable[[Stage], Sequence[Pass]]) -> None:
        self._fresh = False
        self._own: Planes | None = None
        self._copy: Canvas | None = None
        if stage.sparing:
            self._size = small_size(stage.canvas.half, stage.painting_rows)
            self._copy = Canvas(2 * self._size[0], 2 * self._size[1])
            self._painted = np.zeros((3, *self._copy.half), np.float32)
            self._carry = Carry(stage, SOFTNESS, again=True)
            stage = replace(stage, canvas=self._copy)
        self._coats = prepare(stage)

    def set_detail(self, detail: float) -> None:
        """Tells the coats how finely they may work; 1 is the usual."""
        for coat in self._coats:
            if isinstance(coat, Detailed):
                coat.set_detail(detail)

    def apply(self, canvas: Canvas) -> None:
        """Sets ``low``, ``u`` and ``v``."""
        if self._copy is None:
            self._lay(canvas)
            return
        own = shrunk(canvas, self._size)
        if self._fresh and self._own is not None and _alike(own, self._own):
            self._carry.again(self._painted, self._own, own, canvas)
            self._fresh = False
            return
        copy = self._copy
        for plane, onto in zip((own[0], *own), (copy.low_source, copy.low, copy.u, copy.v), strict=True):
            np.copyto(onto, plane)
        self._lay(copy)
        for painted, plane in zip(self._painted, (copy.low, copy.u, copy.v), strict=True):
            np.copyto(painted, plane)
        self._carry.up(own[0], self._painted, canvas)
        self._own, self._fresh = own, True

    def _lay(self, canvas: Canvas) -> None:
        for coat in self._coats:
            coat.apply(canvas)


def _alike(one: Planes, other: Planes) -> bool:
    return cv2.mean(cv2.absdiff(one[0], other[0]))[0] <= OTHER
