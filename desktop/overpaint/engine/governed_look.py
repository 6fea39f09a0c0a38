"""A look with adaptive quality: levels of detail, chosen by the governor and changed without a visible jump.

To save time, first the copy that a net paints is made smaller, then the canvas; where time is left, the
net's copy is made larger. A look on a canvas of another size is built on another thread and cross-faded in
over some frames. Must not know passes' insides or prompts.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import cv2

from overpaint.engine.governor import Governor
from overpaint.engine.interface import Picture, Work
from overpaint.engine.look import CpuLook

log = logging.getLogger(__name__)

FADE_FRAMES = 5


@dataclass(frozen=True, slots=True)
class Detail:
    """A level of detail of a look.

    Attributes:
        canvas: Size of the canvas as a share of the frame's.
        net: Factor on the height of the net's small copy.
        cost: Time of a frame relative to the other levels.
        rows: Least height of the net's small copy, for a picture of 16:9, pixels; never above the picture's.
        painting: Height of the copy that paintings are made on, for a picture of 16:9, pixels.
    """

    canvas: float = 1.0
    net: float = 1.0
    cost: float = 1.0
    rows: int = 0
    painting: int = 360


WITH_NET = (
    Detail(1.0, 1.5, 1.6, painting=540),
    Detail(1.0, 1.25, 1.38, painting=450),
    Detail(),
    Detail(1.0, 0.85, 0.93),
    Detail(1.0, 0.7, 0.83),
    Detail(1.0, 0.55, 0.72, painting=270),
    Detail(0.75, 0.5, 0.58, painting=270),
    Detail(0.5, 0.5, 0.36, painting=270),
)
"""Levels of looks that use a net, most detail first; pictures up to ``SMALL_PIXELS`` begin at the third."""

SMALL_PIXELS = 1280 * 720
"""Pixels of a frame above which painted looks begin at ``CAUTIOUS``, so that no frames are lost at first."""

WITHOUT_NET = (Detail(), Detail(0.84, cost=0.74), Detail(2 / 3, cost=0.5), Detail(0.5, cost=0.32))
"""Levels of all other looks, most detail first."""

CAUTIOUS = WITH_NET[5], WITHOUT_NET[2]
"""First level of larger pictures: of looks with a net, and of paintings without one."""

CLIP, STILL = Detail(net=1.25, rows=360), Detail(net=1.5, rows=540)
"""Detail of clips and of single pictures, which have no time limit."""

Build = Callable[[Detail], CpuLook]
"""A function that builds the look at a level of detail."""


class FixedLook:
    """A look at a fixed level of detail, for clips and single pictures, which have no time limit.

    Args:
        name: Name of the look in the library.
        understood: The effective prompt.
        look: The look at that detail.

    Attributes:
        name: As given.
        understood: As given.
    """

    def __init__(self, name: str, understood: str, look: CpuLook) -> None:
        self.name, self.understood = name, understood
        self._look = look

    @property
    def work(self) -> Work:
        """Cost of a frame."""
        stages = dict(self._look.milliseconds)
        return Work(milliseconds=sum(stages.values()), stages=stages)

    def apply(self, image: Picture) -> Picture:
        """Restyles one frame; see ``CpuLook.apply``."""
        return self._look.apply(image)


class GovernedLook:
    """A look on one stream, whose level of detail the governor sets.

    Args:
        name: Name of the look in the library.
        understood: The effective prompt.
        build: Builds the look at a level of detail.
        with_net: Whether the look uses a net.
        painted: Whether the look contains a ``painting`` pass or a net.
        pixels: Pixels of a frame.
        builders: Thread pool on which the look is built for another canvas.

    Attributes:
        name: As given.
        understood: As given.
    """

    def __init__(
        self,
        name: str,
        understood: str,
        build: Build,
        with_net: bool,
        painted: bool,
        pixels: int,
        builders: ThreadPoolExecutor,
    ) -> None:
        self.name, self.understood = name, understood
        self._build, self._builders = build, builders
        self._details = WITH_NET if with_net else WITHOUT_NET
        cautious = CAUTIOUS[0 if with_net else 1]
        start = self._details.index(cautious if painted and pixels > SMALL_PIXELS else Detail())
        self._governor = Governor(tuple(detail.cost for detail in self._details), start)
        self._level = start
        self._look = build(self._details[start])
        self._next: Future[CpuLook] | None = None
        self._leaving: CpuLook | None = None
        self._faded = 0
        self._took_before_s: float | None = None

    @property
    def work(self) -> Work:
        """Present cost and level of detail of a frame."""
        load = self._governor.load
        return Work(
            milliseconds=load.took_s * 1e3,
            budget_milliseconds=load.budget_s * 1e3,
            level=self._level,
            levels=len(self._details),
            stages=dict(self._look.milliseconds),
        )

    def at(self, detail: Detail) -> CpuLook:
        """The same look at a fixed level of detail, for benchmarks."""
        return self._build(detail)

    def apply(self, image: Picture) -> Picture:
        """Restyles one frame; see ``CpuLook.apply``."""
        began = time.perf_counter()
        self._arrive()
        fading = self._leaving is not None
        out = self._look.apply(image)
        if self._leaving is not None:
            out = self._fade(out, self._leaving.apply(image))
        took = time.perf_counter() - began
        # Times during a cross-fade or a build hold the work of two looks, so they are not measured.
        if not fading and self._next is None:
            # Paintings are renewed on every second frame only: the mean of two frames is what one costs.
            before = took if self._took_before_s is None else self._took_before_s
            self._took_before_s = took
            level = self._governor.frame(began, (took + before) / 2)
            if level != self._level:
                self._change(level)
        return out

    def _change(self, level: int) -> None:
        former, wanted = self._details[self._level], self._details[level]
        log.info(
            "%s: %.0f ms a frame of %.0f; detail goes from level %d to %d of %d",
            self.name,
            self._governor.load.took_s * 1e3,
            self._governor.load.budget_s * 1e3,
            self._level,
            level,
            len(self._details) - 1,
        )
        self._level = level
        if (wanted.canvas, wanted.painting) == (former.canvas, former.painting):
            self._look.set_detail(wanted.net)
        else:
            self._next = self._builders.submit(self._build, wanted)

    def _arrive(self) -> None:
        """Begins the cross-fade to the next look once it is built."""
        if self._next is not None and self._next.done():
            self._leaving, self._look = self._look, self._next.result()
            self._next, self._faded = None, 0

    def _fade(self, new: Picture, old: Picture) -> Picture:
        self._faded += 1
        share = self._faded / (FADE_FRAMES + 1)
        cv2.addWeighted(new, share, old, 1 - share, 0, dst=new)
        if self._faded == FADE_FRAMES:
            self._leaving = None
        return new
