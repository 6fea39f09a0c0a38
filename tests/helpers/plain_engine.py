"""An engine whose look changes nothing, so that what is done around it can be measured."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.interface import LookRequest, Quality, Understanding, Work

Pixels = NDArray[np.uint8]


class PlainEngine:
    """Takes what every look can take, at the one quality that its user has to ask for."""

    name = "plain"
    understood = "plain"
    work = Work()

    def __init__(self, quality: Quality) -> None:
        self._quality = quality

    def warm(self) -> None:
        pass

    def understand(self, request: LookRequest) -> Understanding:
        return Understanding(self.understood)

    def compile(
        self, request: LookRequest, width: int, height: int, quality: Quality = "live"
    ) -> PlainEngine:
        assert width % 2 == 0 and height % 2 == 0 and min(width, height) >= 64
        assert quality == self._quality
        return self

    def apply(self, image: Pixels) -> Pixels:
        return image.copy()


class WorkingEngine(PlainEngine):
    """Changes nothing either, at the cost of a painter: without Python's lock, on one thread."""

    def apply(self, image: Pixels) -> Pixels:
        for _ in range(4):
            cv2.boxFilter(image, -1, (31, 31))
        return image.copy()
