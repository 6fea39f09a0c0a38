"""The application's own pictures, decoded in the process that needs them.

Must never get a path from outside.
"""

from __future__ import annotations

import cv2
import numpy as np

from overpaint.assets import asset_dir
from overpaint.media.frames import Picture


def shipped_picture(folder: str, name: str) -> Picture:
    """Decodes a shipped picture, BGR uint8 (H, W, 3). Raises ``FileNotFoundError``."""
    data = np.frombuffer((asset_dir(folder) / name).read_bytes(), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
