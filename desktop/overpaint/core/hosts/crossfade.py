"""Cross-fade between looks: the last picture of the former one fades out over the new ones.

A look that is faded out does not go on painting: a standing picture for a third of a second is seen as a
dissolve, and costs a millisecond a frame where two looks would cost twice the engine's time. Must not
know looks.
"""

from __future__ import annotations

import cv2
import numpy as np

from overpaint.engine.interface import Picture

FADE_NS = 300_000_000


class CrossFade:
    """One change of looks.

    Args:
        former: The last picture of the former look, I420; nobody writes to it any more.
        began_ns: Capture time of the first frame of the new look.
    """

    def __init__(self, former: Picture, began_ns: int) -> None:
        self._former = former
        self._began_ns = began_ns

    def over(self, captured_ns: int) -> bool:
        """Whether frames from this capture time on show the new look alone."""
        return captured_ns - self._began_ns >= FADE_NS

    def mix(self, image: Picture, captured_ns: int) -> Picture:
        """A new picture between the former look's last one and one of the new look."""
        share = min(1.0, max(0.0, (captured_ns - self._began_ns) / FADE_NS))
        share = share * share * (3 - 2 * share)  # begins and ends gently
        return np.asarray(cv2.addWeighted(image, share, self._former, 1 - share, 0), np.uint8)
