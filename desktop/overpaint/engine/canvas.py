"""The canvas that passes paint on: full luma, half-size luma and chroma, in buffers reused for each frame.

I420 already holds chroma at half size, so looks abstract at half size, where luma (``low``) and both
chroma planes have one shape, and draw lines and texture on full-size luma alone: no conversion to
RGB, and half the memory of it. Must not know looks or prompts.
"""

from __future__ import annotations

import cv2
import numpy as np

from overpaint.engine.people.person_mask import Person
from overpaint.engine.planes import Plane, scale_of


class Canvas:
    """Buffers of one compiled look.

    Attributes:
        width: Pixels, even.
        height: Pixels, even.
        scale: What lengths in a look's data are multiplied by, see ``scale_of``.
        source: uint8 (height, width), the frame's luma in full range (0 black, 255 white), steadied;
            read only for passes.
        y: uint8 (height, width), the luma as painted so far. Equals ``source`` at first; a pass puts
            its result into ``fresh()`` and then sets ``y`` to it.
        low: uint8 (height / 2, width / 2), luma at half size, as painted so far; written in place.
        low_source: The same of the frame; read only for passes.
        u, v: uint8 (height / 2, width / 2), chroma around 128 as painted so far; written in place.
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
        """Starts a frame: what is painted so far is the (already filled) source."""
        self.y = self.source
        cv2.resize(self.source, self.half[::-1], dst=self.low_source, interpolation=cv2.INTER_AREA)
        np.copyto(self.low, self.low_source)

    def fresh(self) -> Plane:
        """A full-size buffer that is neither ``source`` nor ``y``; its content is arbitrary."""
        first, second = self._pages
        return second if self.y is first else first

    def sigma(self, at_1080: float, least: float = 0.6) -> float:
        """A blur's width in this canvas's pixels.

        Args:
            at_1080: The width at 1080 rows.
            least: Never narrower than this, so that a small picture still has the effect.
        """
        return max(least, at_1080 * self.scale)
