"""Hair segmentation: how likely each pixel of the people in a small picture is hair.

A small net (``resources/models/hair.onnx``, trained in ``training/hair_mask``) looks at the surroundings of
each head. Must not know what is done with the answer, nor smooth it.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.assets import asset_dir
from overpaint.engine.nets.runtime import Net, open_net
from overpaint.engine.people.heads import Head
from overpaint.engine.people.person_mask import Person
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

SIDE = 96
"""Pixels across what the net sees."""

ACROSS, ABOVE = 7.5, 2.9
"""Width of what the net sees in radii of the face, and the way from its upper border to the face's middle."""

WHITE, BRIGHTEST, MOST_GAIN = 150.0, 0.98, 5.0
"""Level to which the brightest part of a dark head is raised, the share of pixels that are darker than it,
and the largest gain."""

EVERY = 2
"""Frames from one look to the next."""

LEAST, MOST = 0.003, 0.95
"""Limits of the answer: a net is never sure."""

NOTHING = 0, 128, 128, 0
"""What the net sees beyond the picture's border: luma, chroma, person mask."""


@cache
def _net() -> Net:
    # One thread: several would wait for each other longer than they compute.
    return open_net(asset_dir("models") / "hair.onnx", 1)


class HairFinder:
    """The hair of the people in one stream."""

    def __init__(self) -> None:
        self._net = _net()
        self._seen: Plane = np.zeros((1, 4, SIDE, SIDE), np.uint8)
        self._turn = 0
        self._found: Floats = np.zeros((0, 0), np.float32)

    def find(self, person: Person, heads: list[Head]) -> Floats:
        """Probability of hair, float32, in the size of the person mask's small picture; kept until the next.

        Args:
            person: The person mask.
            heads: The heads in the frame.
        """
        shape = person.small_alpha.shape
        looks = self._turn % EVERY == 0 or self._found.shape != shape
        self._turn += 1
        if looks:
            self._found = np.zeros(shape, np.float32)
            for head in heads:
                cv2.max(self._found, self._around(person, head), dst=self._found)
            np.clip(self._found, LEAST, MOST, out=self._found)
        return self._found

    def _around(self, person: Person, head: Head) -> Floats:
        scale = SIDE / (ACROSS * head.radius)
        planes: list[Plane] = [*person.small, person.small_alpha]
        matrix = np.array(
            [[scale, 0, SIDE / 2 - scale * head.x], [0, scale, SIDE * ABOVE / ACROSS - scale * head.y]]
        )
        for plane, seen, nothing in zip(planes, self._seen[0], NOTHING, strict=True):
            if scale < 0.5:
                # A head that fills the picture: without what is too fine for the net.
                plane = np.asarray(cv2.blur(plane, (3, 3)), np.uint8)
            cv2.warpAffine(plane, matrix, (SIDE, SIDE), dst=seen, borderValue=nothing)
        brighten(self._seen[0])
        (found,) = self._net.run(planes=self._seen)
        rows, columns = person.small_alpha.shape
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(found[0, 0], matrix, (columns, rows), flags=flags), np.float32)


def brighten(planes: Plane) -> None:
    """Raises the luma and chroma of a dark crop in place (gain control).

    Args:
        planes: uint8 (4, H, W); the last one stays.
    """
    counts = np.bincount(planes[0].reshape(-1), minlength=256).cumsum()
    brightest = int(np.searchsorted(counts, BRIGHTEST * counts[-1]))
    gain = min(max(WHITE / max(brightest, 1), 1.0), MOST_GAIN)
    if gain > 1:
        for plane, middle in zip(planes, (0, 128, 128), strict=False):
            cv2.convertScaleAbs(plane, dst=plane, alpha=gain, beta=middle * (1 - gain))
