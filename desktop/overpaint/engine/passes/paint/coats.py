"""Coats of paint (a group of passes), made for streams on a smaller copy and for every second frame only.

Paint is coarser than lines: patches, a net's brushwork and dabs of colour lose nothing visible when they are
made at a third of the frame's size, because guided upsampling takes the edges from the full-size frame.
Single pictures and clips, which have no time limit, are painted on their own canvas. Must not know which
coats there are.
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
"""Mean change of the copy's luma, in levels, above which the last painting is not used again."""

SOFTNESS = 60.0
"""Regulariser of the guided upsampling: variance of luma, in squared levels, below which a place is flat."""


class Painting:
    """A group of passes (coats) that paint ``low``, ``u`` and ``v``.

    Args:
        stage: Canvas, threads and inputs; ``sparing`` says whether a smaller copy is painted, and only for
            every second frame, ``painting_rows`` how large that copy is.
        prepare: Function that prepares the coats for the stage of the copy.
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
        """Sets the detail of those coats that support it; 1 is the default."""
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
