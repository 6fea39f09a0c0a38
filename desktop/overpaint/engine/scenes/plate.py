"""The plate of a scene (the still picture behind everything that moves) and its maps, in a canvas's shape.

A plate is 16:9; of another shape's canvas it fills all, and what does not fit is cut off evenly at the sides
or at top and bottom. Must not know motion.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from overpaint.assets import asset_dir
from overpaint.engine.planes import Plane
from overpaint.errors import OverpaintError


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a plate that a canvas shows.

    Attributes:
        width, height: Size of the canvas, pixels.
        scale: Pixels of the canvas in a height of the plate.
        left, top: Place of the plate's upper left corner on the canvas, pixels; 0 or less.
    """

    width: int
    height: int
    scale: float
    left: float
    top: float

    def place(self, x: float, y: float) -> tuple[float, float]:
        """A point of the plate, both 0..1 from its upper left corner, in the canvas's pixels."""
        return self.left + x * self.scale * 16 / 9, self.top + y * self.scale


def window_on(width: int, height: int) -> Window:
    """The part of a 16:9 plate that a canvas of that size shows."""
    scale = max(float(height), width * 9 / 16)
    return Window(width, height, scale, (width - scale * 16 / 9) / 2, (height - scale) / 2)


def read_picture(name: str, colour: bool) -> Plane:
    """A picture from the folder of scenes.

    Args:
        name: Its file, without the ending.
        colour: Whether it has colours, as plates have, or is a map.

    Returns:
        uint8 (H, W, 3), BGR, or (H, W).

    Raises:
        OverpaintError: The installation is incomplete or damaged.
    """
    path = asset_dir("scenes") / f"{name}.webp"
    flag = cv2.IMREAD_COLOR if colour else cv2.IMREAD_GRAYSCALE
    try:
        # Not ``imread``: it cannot open paths with letters outside the code page on Windows.
        picture = cv2.imdecode(np.fromfile(path, np.uint8), flag)
    except (OSError, cv2.error) as error:
        raise OverpaintError("installation_incomplete", part=path.name) from error
    if picture is None:
        raise OverpaintError("installation_incomplete", part=path.name)
    return np.asarray(picture, np.uint8)


def fitted(picture: Plane, width: int, height: int) -> Plane:
    """What fits of a picture of 16:9 in a canvas of that size.

    Args:
        picture: uint8 (H, W) or (H, W, 3), a plate or a map.
        width: Of the result, pixels.
        height: Of the result, pixels.
    """
    rows, columns = picture.shape[:2]
    scale = max(height / rows, width / columns)
    wide, high = min(columns, width / scale), min(rows, height / scale)
    left, top = (columns - wide) / 2, (rows - high) / 2
    cut = picture[round(top) : round(top + high), round(left) : round(left + wide)]
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.ascontiguousarray(cv2.resize(cut, (width, height), interpolation=how), np.uint8)


def planes_of(bgr: Plane) -> tuple[Plane, Plane, Plane]:
    """Planes of a picture: y (H, W) full range, u and v (H / 2, W / 2); BT.601.

    Args:
        bgr: uint8 (H, W, 3), H and W even.
    """
    height, width = bgr.shape[:2]
    y = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    half = cv2.resize(bgr, (width // 2, height // 2), interpolation=cv2.INTER_AREA).astype(np.float32)
    # Chroma of video is in limited range (16..240), luma here is not.
    yuv = cv2.transform(
        half, np.array([[0.4392, -0.2910, -0.1482, 128.5], [-0.0714, -0.3678, 0.4392, 128.5]], np.float32)
    )
    u, v = (np.ascontiguousarray(np.clip(plane, 16, 240), np.uint8) for plane in cv2.split(yuv))
    return y, u, v
