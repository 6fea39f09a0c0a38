"""The still picture that the camera shows when there is nothing styled to show."""

from __future__ import annotations

import cv2
import numpy as np

from overpaint.assets import asset_dir
from overpaint.media import pictures
from overpaint.media.frames import Picture


def slate(width: int, height: int) -> Picture:
    """The shipped slate as I420 of exactly this size."""
    encoded = np.frombuffer((asset_dir("slate") / "slate.png").read_bytes(), np.uint8)
    image = np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)
    return pictures.fit(pictures.from_bgr(image), width, height)
