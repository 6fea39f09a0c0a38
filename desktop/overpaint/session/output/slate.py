"""The slate: the still picture shown when there is no styled frame to show."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.errors import MediaError, UsageError
from overpaint.media import pictures
from overpaint.media.frames import Picture
from overpaint.media.opener.decoder import PictureDecoder, opaque
from overpaint.media.opener.shipped import shipped_picture


def slate(width: int, height: int, chosen: str = "") -> Picture:
    """Returns the slate as I420 of exactly this size; the picture is cropped to its middle. Blocks.

    Args:
        width: Pixels.
        height: Pixels.
        chosen: Path of the user's own picture, decoded by the sandboxed decoder; the shipped one when empty.

    Raises:
        UsageError: The chosen file is no picture.
    """
    if not chosen:
        return pictures.from_bgr(_covering(shipped_picture("slate", "slate.png"), width, height))
    name = Path(chosen).name
    try:
        # A slate is chosen rarely: the decoder process ends with it.
        with PictureDecoder() as decoder:
            image = opaque(decoder.file(Path(chosen), (width, height)))
    except MediaError as error:
        if error.kind in ("missing", "denied", "unavailable"):
            raise UsageError("slate_unreadable", file=name) from error
        raise UsageError("slate_no_picture", file=name) from error
    return pictures.from_bgr(_covering(image, width, height))


def _covering(image: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """Scales and crops a picture to fill the size: no black bars."""
    if image.shape[:2] == (height, width):
        return image
    scale = max(width / image.shape[1], height / image.shape[0])
    size = (max(width, round(image.shape[1] * scale)), max(height, round(image.shape[0] * scale)))
    large = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    left, top = (size[0] - width) // 2, (size[1] - height) // 2
    return np.ascontiguousarray(large[top : top + height, left : left + width], np.uint8)
