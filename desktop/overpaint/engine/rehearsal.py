"""A drawn person on a canvas (warm-up): passes that change people run their kernels on it in advance.

On an empty picture they would do nothing, and compile in the middle of a call. Must not know the passes.
"""

from __future__ import annotations

import cv2
import numpy as np

from overpaint.engine.canvas import Canvas
from overpaint.engine.people.person_mask import shrink
from overpaint.engine.planes import Plane

WALL, SKIN, HAIR, SHIRT = (150, 128, 128), (165, 112, 150), (40, 128, 128), (80, 145, 112)
"""Luma, u and v."""


def draw_person(canvas: Canvas, tall: bool) -> None:
    """Puts a person on a canvas that has a mask, and into the mask.

    Args:
        canvas: Its ``source``, ``u`` and ``v`` are drawn over.
        tall: Whether the person fills all rows: kernels are compiled apart for whole planes and for slices.
    """
    person = canvas.person
    assert person is not None
    rows, columns = canvas.half
    middle, chin = columns // 2, round(rows * 0.45)
    wide, high = round(rows * 0.11), round(rows * 0.16)
    alpha: Plane = np.zeros(canvas.half, np.uint8)
    planes: list[Plane] = [np.full(canvas.half, level, np.uint8) for level in WALL]

    def paint(shape: Plane, colour: tuple[int, int, int]) -> None:
        for plane, level in zip(planes, colour, strict=True):
            plane[shape > 0] = level
        alpha[shape > 0] = 255

    body, hair, face = (np.zeros(canvas.half, np.uint8) for _ in range(3))
    cv2.ellipse(body, (middle, rows), (round(rows * 0.42), rows - chin - 4), 0, 180, 360, 255, -1)
    cv2.ellipse(hair, (middle, chin - high - 2), (wide + 3, high + 3), 0, 0, 360, 255, -1)
    cv2.ellipse(face, (middle, chin - high + 2), (wide, high), 0, 0, 360, 255, -1)
    if tall:
        hair[: chin - high, middle - 1 : middle + 2] = 255
    paint(body, SHIRT)
    paint(hair, HAIR)
    paint(face, SKIN)
    cv2.resize(planes[0], (canvas.width, canvas.height), dst=canvas.source)
    np.copyto(canvas.u, planes[1])
    np.copyto(canvas.v, planes[2])
    canvas.edited()
    np.copyto(person.alpha, cv2.blur(alpha, (3, 3)))
    shrink(person.alpha, person.small_alpha)
    person.moved = np.ones(person.small_alpha.shape, np.float32)
