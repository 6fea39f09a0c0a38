"""A compiled look at one size: runs its passes in order and measures the time of each.

``library`` reads looks from their files, ``passes/registry`` prepares their passes. Must not know prompts,
files or the choice of detail (``governor``).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.interface import Picture
from overpaint.engine.passes.pass_interface import Detailed
from overpaint.engine.planes import LIMITED_BLACK, LIMITED_SCALE, split

if TYPE_CHECKING:
    from overpaint.engine.light.light_stage import LightStage
    from overpaint.engine.passes.frame_intake import Settle
    from overpaint.engine.passes.pass_interface import Pass

_FOLLOW = 0.1
"""Weight of a new frame in the moving average of times."""

REHEARSALS = 5
"""Frames that a drawn person stands still: some kernels run on every second or fourth frame only."""


@dataclass(frozen=True, slots=True)
class Step:
    """A prepared pass of a look, with its name in the look's data."""

    name: str
    work: Pass


class CpuLook:
    """A compiled look at one size, with its state. One stream, one thread at a time.

    Args:
        canvas: The buffers that passes paint on; smaller than the frames at low detail.
        size: Width and height of the frames, pixels.
        intake: Fills the canvas from a frame.
        light: Corrects the frame's light; None leaves it as it is.
        edits: The passes that change the frame itself before the look (clothes, material, scene), in order.
        steps: The passes of the look, in order.
        strength: Share of the look in the result, 0 (the frame, with its edits) to 1.

    Attributes:
        strength: As given.
        steps: As given.
        milliseconds: Exponential moving average of each step's wall-clock time, by name; ``intake`` and
            ``output`` are the conversions from and to a frame.
    """

    def __init__(
        self,
        canvas: Canvas,
        size: tuple[int, int],
        intake: Settle,
        light: LightStage | None,
        edits: Sequence[Step],
        steps: Sequence[Step],
        strength: float,
    ) -> None:
        self.strength = strength
        self.steps = tuple(steps)
        self._edits = tuple(edits)
        self.milliseconds: dict[str, float] = {}
        self._canvas, self._intake, self._light = canvas, intake, light
        self._size = size
        self._shrunk = np.empty((canvas.height * 3 // 2, canvas.width), np.uint8)

    def apply(self, image: Picture) -> Picture:
        """Restyles one frame.

        Args:
            image: I420 uint8 (H * 3 // 2, W), BT.601 limited range; not written to.

        Returns:
            A new I420 picture of the same shape.

        Raises:
            ValueError: The frame does not have the size that the look was compiled for.
        """
        canvas, (width, height) = self._canvas, self._size
        if image.shape != (height * 3 // 2, width) or image.dtype != np.uint8:
            raise ValueError(f"the look expects frames of {width}x{height}")
        since = time.perf_counter()
        # Always a read-only view: numba compiles a kernel separately for writable and for read-only arrays,
        # and a frame from shared memory may be either.
        image = np.ascontiguousarray(image).view()
        image.flags.writeable = False
        sized = self._sized(image)
        self._intake.take(sized, canvas)
        since = self._note("intake", since)
        relit = False
        if self._light is not None:
            relit = self._light.apply(canvas, sized[: canvas.height])
            self._intake.expect(self._light.control.sensor_noise, self._light.control.growth)
            since = self._note("light", since)
        for edit in self._edits:
            edit.work.apply(canvas)
            since = self._note(edit.name, since)
        # At less than full strength the rest is the frame in its corrected light, with its edits: never the
        # room behind a scene.
        rest = self._relit() if (relit or self._edits) and self.strength < 1 else image
        for step in self.steps:
            step.work.apply(canvas)
            since = self._note(step.name, since)
        out = self._written(canvas.y, canvas.u, canvas.v)
        if self.strength < 1:
            cv2.addWeighted(out, self.strength, rest, 1 - self.strength, 0, dst=out)
        self._note("output", since)
        return out

    def rehearse(self) -> None:
        """Runs the edits on drawn people, whose kernels are there before the first frame then (warm-up)."""
        from overpaint.engine.rehearsal import draw_person

        for tall in (False, True):
            for _ in range(REHEARSALS):
                draw_person(self._canvas, tall)
                for edit in self._edits[1:]:  # the first one finds people, whom the drawing has found
                    edit.work.apply(self._canvas)

    def _relit(self) -> Picture:
        """The frame before the look's passes, in its corrected light, with its edits."""
        canvas = self._canvas
        return self._written(canvas.source, canvas.u, canvas.v)

    def _written(self, y: Picture, u: Picture, v: Picture) -> Picture:
        """Planes of the canvas as a frame of the stream's size."""
        width, height = self._size
        out = np.empty((height * 3 // 2, width), np.uint8)
        luma, *chroma = split(out)
        if y.shape == luma.shape:
            cv2.convertScaleAbs(y, dst=luma, alpha=LIMITED_SCALE, beta=LIMITED_BLACK)
            for painted, plane in zip((u, v), chroma, strict=True):
                np.clip(painted, 16, 240, out=plane)
        else:
            small = cv2.convertScaleAbs(y, alpha=LIMITED_SCALE, beta=LIMITED_BLACK)
            cv2.resize(small, luma.shape[::-1], dst=luma)
            for painted, plane in zip((u, v), chroma, strict=True):
                cv2.resize(np.clip(painted, 16, 240), plane.shape[::-1], dst=plane)
        return out

    def set_detail(self, detail: float) -> None:
        """Sets the detail of those passes that support it (``Detailed``); 1 is the default."""
        for step in (*self._edits, *self.steps):
            if isinstance(step.work, Detailed):
                step.work.set_detail(detail)

    def _sized(self, image: Picture) -> Picture:
        """The frame in the canvas's size."""
        if self._size == (self._canvas.width, self._canvas.height):
            return image
        # Area averaging is exact but slow; down to half the size bilinear sampling is nearly as good.
        how = cv2.INTER_LINEAR if 2 * self._canvas.width > self._size[0] else cv2.INTER_AREA
        for plane, small in zip(split(image), split(self._shrunk), strict=True):
            cv2.resize(plane, small.shape[::-1], dst=small, interpolation=how)
        shrunk = self._shrunk.view()
        shrunk.flags.writeable = False
        return shrunk

    def _note(self, name: str, since: float) -> float:
        now = time.perf_counter()
        took = (now - since) * 1e3
        known = self.milliseconds.get(name, took)
        self.milliseconds[name] = known + (took - known) * _FOLLOW
        return now
