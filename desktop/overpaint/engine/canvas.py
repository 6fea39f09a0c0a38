"""The canvas that passes paint on: full luma, half-size luma and chroma, in buffers reused for each frame.

I420 holds chroma at half size (4:2:0 subsampling). Looks therefore abstract at half size, where luma
(``low``) and both chroma planes have the same shape, and draw lines and texture on full-size luma only:
no conversion to RGB, and half its memory. Must not know looks or prompts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from overpaint.engine.planes import Plane, scale_of

if TYPE_CHECKING:
    from overpaint.engine.people.person_mask import Person  # has kernels: see ``cpu.CpuEngine._load``


class Canvas:
    """The buffers of one compiled look.

    Attributes:
        width: Pixels, even.
        height: Pixels, even.
        half: Rows and columns of the half-size planes.
        scale: Factor from lengths in a look's data to pixels, see ``scale_of``.
        source: uint8 (height, width), the frame's luma in full range (0 black, 255 white), after temporal
            noise reduction; passes of a look only read it, edits write it.
        y: uint8 (height, width), the luma as painted so far. Equals ``source`` at first; a pass puts
            its result into ``fresh()`` and then sets ``y`` to it.
        low: uint8 (height / 2, width / 2), luma at half size, as painted so far; written in place.
        low_source: uint8 (height / 2, width / 2), ``source`` at half size; passes only read it.
        u, v: uint8 (height / 2, width / 2), chroma around 128 as painted so far; written in place.
        person: The person mask, where a pass of the look needs one.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.half = (height // 2, width // 2)
        self.scale = scale_of(height, width)
        self.source: Plane = np.zeros((height, width), np.uint8)
        self.low_source: Plane = np.zeros(self.half, np.uint8)
        self.low: Plane = np.zeros(self.half, np.uint8)
        self.u: Plane = np.full(self.half, 128, np.uint8)
        self.v: Plane = np.full(self.half, 128, np.uint8)
        self._pages: tuple[Plane, Plane] = (np.zeros_like(self.source), np.zeros_like(self.source))
        self.y: Plane = self.source
        self.person: Person | None = None

    def begin(self) -> None:
        """Starts a frame: sets ``y`` and ``low`` to ``source``, which the caller has filled."""
        cv2.resize(self.source, self.half[::-1], dst=self.low_source, interpolation=cv2.INTER_AREA)
        self.restart()

    def edited(self) -> None:
        """Ends an edit of the frame itself: later passes see ``source``, ``u`` and ``v`` as they are now.

        So a person in other clothes, or before a scene, is what a look paints, keeps or leaves out.
        """
        self.begin()
        if self.person is not None:
            self.person.see(self.low_source, self.u, self.v)

    def restart(self) -> None:
        """Sets ``y`` and ``low`` to ``source`` and ``low_source``, which the caller has filled."""
        self.y = self.source
        np.copyto(self.low, self.low_source)

    def fresh(self) -> Plane:
        """A full-size buffer that is neither ``source`` nor ``y``; its content is arbitrary."""
        first, second = self._pages
        return second if self.y is first else first

    def sigma(self, at_1080: float, least: float = 0.6) -> float:
        """Standard deviation of a blur in this canvas's pixels.

        Args:
            at_1080: Standard deviation in pixels at 1080 rows.
            least: Lower limit in pixels, so that a small picture still shows the effect.
        """
        return max(least, at_1080 * self.scale)
