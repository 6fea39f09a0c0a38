"""Snapshots: one styled picture as a PNG file. Only ``StyledFrame`` exists in this module."""

from __future__ import annotations

from pathlib import Path

import cv2

from overpaint.errors import SinkError
from overpaint.media import pictures
from overpaint.media.frames import StyledFrame


def save_still(frame: StyledFrame, path: Path) -> None:
    """Writes a frame as a PNG, atomically; takes a moment.

    Raises:
        SinkError: The folder cannot be created or written (``denied``).
    """
    draft = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _, encoded = cv2.imencode(".png", pictures.to_bgr(frame.image))
        draft.write_bytes(encoded.tobytes())
        draft.replace(path)
    except OSError as error:
        raise SinkError("snapshot_not_saved", folder=str(path.parent), reason=str(error.strerror)) from error
