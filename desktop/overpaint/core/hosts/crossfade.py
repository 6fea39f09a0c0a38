"""Cross-fade between looks: the former look's last picture fades out over the new look's pictures.

The former look does not go on painting: its last picture, fading for a third of a second, looks like a
dissolve and costs a millisecond a frame, while two running looks would double the engine's time. Must not
know looks.
"""

from __future__ import annotations

import cv2
import numpy as np

from overpaint.engine.interface import Picture

FADE_NS = 300_000_000


class CrossFade:
    """The cross-fade of one change of looks.

    Args:
        former: The last picture of the former look, I420; nobody writes to it any more.
        began_ns: Capture time of the first frame of the new look.
    """

    def __init__(self, former: Picture, began_ns: int) -> None:
        self._former = former
        self._began_ns = began_ns

    def over(self, captured_ns: int) -> bool:
        """Returns whether frames from this capture time on show only the new look."""
        return captured_ns - self._began_ns >= FADE_NS

    def mix(self, image: Picture, captured_ns: int) -> Picture:
        """Blends the former look's last picture with one of the new look."""
        share = min(1.0, max(0.0, (captured_ns - self._began_ns) / FADE_NS))
        share = share * share * (3 - 2 * share)  # smoothstep
        return np.asarray(cv2.addWeighted(image, share, self._former, 1 - share, 0), np.uint8)
