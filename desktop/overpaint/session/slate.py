"""The still picture that the camera shows when there is nothing styled to show."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.assets import asset_dir
from overpaint.errors import UsageError
from overpaint.media import pictures
from overpaint.media.frames import Picture


def slate(width: int, height: int, chosen: str = "") -> Picture:
    """The slate as I420 of exactly this size, filled by the middle of the picture.

    Args:
        width: Pixels.
        height: Pixels.
        chosen: Path of a picture of the user's own; the shipped one when empty.

    Raises:
        UsageError: The chosen one is no picture.
    """
    path = Path(chosen) if chosen else asset_dir("slate") / "slate.png"
    try:
        encoded = np.frombuffer(path.read_bytes(), np.uint8)
        image = cv2.imdecode(encoded, cv2.IMREAD_COLOR) if encoded.size else None
    except OSError as error:
        raise UsageError(
            f"The still {path.name} cannot be read.", mend="Choose another in the settings."
        ) from error
    if image is None:
        raise UsageError(f"{path.name} is not a picture.", mend="Choose another still in the settings.")
    return pictures.from_bgr(_covering(np.asarray(image, np.uint8), width, height))


def _covering(image: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """A picture that fills the size, its middle kept: no black bars."""
    if image.shape[:2] == (height, width):
        return image
    scale = max(width / image.shape[1], height / image.shape[0])
    size = (max(width, round(image.shape[1] * scale)), max(height, round(image.shape[0] * scale)))
    large = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    left, top = (size[0] - width) // 2, (size[1] - height) // 2
    return np.ascontiguousarray(large[top : top + height, left : left + width], np.uint8)
