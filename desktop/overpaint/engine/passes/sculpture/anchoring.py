"""Texture coordinates that stick to a moving person (texture advection; Neyret, Advected Textures, 2003).

Each place of the person has a place in the texture. From frame to frame the coordinates move with the optical
flow (DIS, Kroeger et al. 2016), head and body each their own way, and slowly relax towards one shift, turn
and scale for all, which mends what flow tears. Where nothing moves, nothing is touched. Must not know what
the texture is.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

STILL = 2.0
"""Change of luma, averaged over a few pixels of the small picture, in levels, up to which nothing has moved."""

RELAX, SETTLE = 0.02, 0.002
"""Share a frame by which coordinates relax to one shift, turn and scale, and those to the size at first."""

CUT = 38.0
"""Mean change of luma within the person, levels, from which another scene or person is shown."""

SIZES = (0.45, 1.7)
"""Least and largest factor on the texture's size, which follows the person's."""


class Anchor:
    """Texture coordinates of one stream.

    Args:
        small: Rows and columns of the small picture in which motion is found.
        unit: Pixels at 1080 rows for one of its pixels.
        fixed: Whether the texture stands still, for a material that covers the whole picture.

    Attributes:
        where: float32 (2, rows, columns): column and row in the texture, pixels at 1080 rows; valid until
            the next ``follow``.
    """

    def __init__(self, small: tuple[int, int], unit: float, fixed: bool) -> None:
        rows, columns = small
        y, x = np.mgrid[:rows, :columns].astype(np.float32)
        self._x, self._y, self._unit = x, y, unit
        self._fixed = fixed
        self._seen: Plane | None = None
        self._size = 1.0
        self._flow = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_ULTRAFAST)
        self.where: Floats = np.stack([x, y]) * np.float32(unit)

    def follow(self, luma: Plane, alpha: Plane) -> None:
        """Sets ``where`` for a frame.

        Args:
            luma: uint8 (rows, columns), the small picture's.
            alpha: uint8 (rows, columns), the person.
        """
        if self._fixed:
            return
        mass = float(alpha.mean())
        if mass < 1:
            self._seen = None
            return
        if self._seen is None:
            self._begin(alpha)
            self._seen = luma.copy()
            return
        change = cv2.blur(cv2.absdiff(luma, self._seen), (5, 5))
        worst = cv2.minMaxLoc(change, mask=np.asarray(cv2.compare(alpha, 100, cv2.CMP_GT), np.uint8))[1]
        if worst <= STILL:
            return
        if cv2.mean(change, mask=alpha)[0] > CUT:
            self._begin(alpha)
        else:
            self._advect(luma, alpha)
        self._seen = luma.copy()

    def _begin(self, alpha: Plane) -> None:
        """Lays the texture over a person: its middle on theirs, its size by theirs."""
        share = alpha.astype(np.float32)
        total = float(share.sum())
        x, y = float((share * self._x).sum()) / total, float((share * self._y).sum()) / total
        # A head and shoulders that fill a quarter of a picture of 16:9 are of the usual size.
        usual = (total / 255 / alpha.size / 0.25) ** 0.5
        self._size = float(np.clip(usual, *SIZES))
        by = np.float32(self._unit / self._size)
        self.where = np.stack([(self._x - np.float32(x)) * by, (self._y - np.float32(y)) * by])

    def _advect(self, luma: Plane, alpha: Plane) -> None:
        assert self._seen is not None
        back = np.asarray(self._flow.calc(luma, self._seen, None), np.float32)  # type: ignore[call-overload]
        share = np.asarray(cv2.blur(alpha.astype(np.float32) * np.float32(1 / 255), (5, 5)), np.float32)
        xs, ys = self._x + back[..., 0], self._y + back[..., 1]
        moved = [
            cv2.remap(plane, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for plane in self.where
        ]
        self.where = np.stack(moved)
        fit = self._similar(share)
        self.where += (fit - self.where) * (1 - share * np.float32(1 - RELAX))

    def _similar(self, share: Floats) -> Floats:
        """The shift, turn and scale nearest to the coordinates of the person (least squares, Umeyama 1991)."""
        few = np.s_[::3, ::3]
        weight, x, y, u, v = share[few] ** 2, self._x[few], self._y[few], self.where[0][few], self.where[1][few]
        total = float(weight.sum())
        mx, my, mu, mv = (float((weight * plane).sum()) / total for plane in (x, y, u, v))
        dx, dy, du, dv = (weight * (x - mx), weight * (y - my), u - mu, v - mv)
        power = float((dx * (x - mx) + dy * (y - my)).sum())
        along = float((dx * du + dy * dv).sum()) / power
        turned = float((dx * dv - dy * du).sum()) / power
        along += (self._unit / self._size - along) * SETTLE
        turned -= turned * SETTLE
        a, b = np.float32(along), np.float32(turned)
        right, down = self._x[:1] - np.float32(mx), self._y[:, :1] - np.float32(my)
        return np.stack([a * right - b * down + np.float32(mu), b * right + a * down + np.float32(mv)])
