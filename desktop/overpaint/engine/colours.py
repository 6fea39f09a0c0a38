"""Colours of looks' data files, converted to the canvas's planes. Must not know passes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def yuv(colours: Sequence[str]) -> NDArray[np.float32]:
    """Colour conversion: ``#rrggbb`` to luma in full range and chroma around 128 (BT.601, as in I420).

    Args:
        colours: One or more.

    Returns:
        float32 (n, 3): luma 0..255, u, v.
    """
    rgb = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colours], np.float32)
    y = rgb @ np.array([0.299, 0.587, 0.114], np.float32)
    u = 128 + (rgb[:, 2] - y) * (0.439 / 0.886)
    v = 128 + (rgb[:, 0] - y) * (0.439 / 0.701)
    return np.stack([y, u, v], -1).astype(np.float32)
