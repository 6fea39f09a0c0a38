"""Texture coordinates that stick to a moving person (texture advection; Neyret, Advected Textures, 2003).

Each place of the person has a place in the texture. From frame to frame the coordinates move with the
optical flow (DIS, Kroeger et al. 2016): with that of corners, since flow along a line or on plain cloth says
nothing (aperture problem), and between those with the nearest shift, turn and scale of the whole person. Head
and body so move each their own way. Slowly the coordinates relax towards one shift, turn and scale, which
mends what flow tears. Where nothing moves, nothing is touched. Must not know what the texture is.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

STILL = 2.0
"""Change of luma, averaged over a few pixels of the small picture, levels, up to which nothing has moved."""

CORNER = 1.5
"""Smaller eigenvalue of the structure tensor from which a place counts as a corner (Shi and Tomasi 1994), as
a multiple of its mean over the person."""

FINEST = 1
"""Number of halvings of the small picture at which flow ends."""

NEAR, TRUST = 15, 0.06
"""Side of the window over which corners say how their surroundings move, in pixels of half the small picture,
and the share of corners in it from which the surroundings follow them more than the whole person."""

STIFF = 64.0
"""Weight of no turn and no change of size in the motion of the whole person, as a mean squared distance of
corners from their middle, pixels of half the small picture."""

RELAX, SETTLE = 0.02, 0.5
"""Share a frame by which coordinates relax to one shift, turn and scale; and weight of the turn and scale at
first in these, as ``STIFF``."""

CUT = 38.0
"""Mean change of luma within the person, levels, from which another scene or person is shown."""

SIZES = (0.45, 1.3)
"""Least and largest factor on the texture's size, which follows the person's."""


class Anchor:
    """Texture coordinates of one stream.

    Args:
        small: Rows and columns of the small picture in which motion is found.
        unit: Pixels at 1080 rows for one of its pixels.
        fixed: Whether the texture stands still, for a material that covers the whole picture.

    Attributes:
        where: float32 (2, rows / 2, columns / 2): column and row in the texture, pixels at 1080 rows; valid
            until the next ``follow``.
    """

    def __init__(self, small: tuple[int, int], unit: float, fixed: bool) -> None:
        self._few = (small[1] // 2, small[0] // 2)
        x = np.arange(self._few[0], dtype=np.float32)[None]
        y = np.arange(self._few[1], dtype=np.float32)[:, None]
        self._x, self._y, self._unit = x, y, 2 * unit
        self._grid: Floats = np.stack(np.broadcast_arrays(x, y)).astype(np.float32)
        self._fixed = fixed
        self._seen: Plane | None = None
        self._size = 1.0
        self._flow = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_ULTRAFAST)
        self._flow.setFinestScale(FINEST)
        self.where: Floats = self._grid * np.float32(self._unit)

    def follow(self, luma: Plane, alpha: Plane) -> None:
        """Sets ``where`` for a frame.

        Args:
            luma: uint8 (rows, columns), the small picture's.
            alpha: uint8 (rows, columns), the person.
        """
        if self._fixed:
            return
        if cv2.mean(alpha)[0] < 1:
            self._seen = None
            return
        if self._seen is None:
            self._begin(alpha)
            self._seen = luma.copy()
            return
        change = cv2.blur(cv2.absdiff(luma, self._seen), (5, 5))
        if cv2.minMaxLoc(change, mask=(alpha > 100).view(np.uint8))[1] <= STILL:
            return
        if cv2.mean(change, mask=alpha)[0] > CUT:
            self._begin(alpha)
        else:
            self._advect(luma, alpha)
        self._seen = luma.copy()

    def _begin(self, alpha: Plane) -> None:
        """Lays the texture over a person: its middle on theirs, its size by theirs."""
        share = self._share(alpha)
        total = float(share.sum())
        x, y = float((share * self._x).sum()) / total, float((share * self._y).sum()) / total
        # A head and shoulders that fill a quarter of a picture of 16:9 are of the usual size.
        self._size = float(np.clip((total / share.size / 0.25) ** 0.5, *SIZES))
        middle = np.array([x, y], np.float32)[:, None, None]
        self.where = (self._grid - middle) * np.float32(self._unit / self._size)

    def _share(self, alpha: Plane) -> Floats:
        few = cv2.resize(alpha, self._few, interpolation=cv2.INTER_AREA)
        return np.asarray(few, np.float32) * np.float32(1 / 255)

    def _advect(self, luma: Plane, alpha: Plane) -> None:
        share = cv2.blur(self._share(alpha), (3, 3))
        xs, ys = self._back(luma, np.asarray(share, np.float32))
        for index, plane in enumerate(self.where):
            self.where[index] = cv2.remap(plane, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        whole = _similar(self._grid, self.where, share * share, self._unit / self._size, SETTLE)
        self.where += (whole - self.where) * (1 - share * np.float32(1 - RELAX))

    def _back(self, luma: Plane, share: Floats) -> Floats:
        """Where each place was in the frame before, float32 (2, rows / 2, columns / 2)."""
        assert self._seen is not None
        flow = self._flow.calc(luma, self._seen, None)  # type: ignore[call-overload]  # None: it makes the array
        # By every second pixel as far as those are apart.
        flow = np.asarray(flow, np.float32)[::2, ::2] * np.float32(0.5)
        corner = cv2.cornerMinEigenVal(cv2.resize(luma, self._few, interpolation=cv2.INTER_AREA), 5)
        # At the outline the room's flow mixes in.
        inner = np.asarray(cv2.erode(share, np.ones((5, 5), np.uint8)), np.float32) ** 2
        usual = float((corner * inner).sum()) / max(float(inner.sum()), 1.0)
        sure = np.asarray(np.minimum(corner * np.float32(1 / (CORNER * usual + 1e-9)), 1) * inner, np.float32)
        back = self._grid + flow.transpose(2, 0, 1)
        if float(sure.sum()) < 4:
            return back
        whole = _similar(self._grid, back, sure, 1.0, STIFF)
        side = (NEAR, NEAR)
        trust = cv2.blur(sure, side) + np.float32(TRUST)
        for index in range(2):
            own = cv2.blur((back[index] - whole[index]) * sure, side)
            whole[index] += cv2.blur(own / trust, (5, 5))
        return whole


def _similar(places: Floats, moved: Floats, weight: Floats, size: float, prior: float) -> Floats:
    """The shift, turn and scale of ``places`` nearest to ``moved`` (least squares, Umeyama 1991).

    Args:
        places: float32 (2, h, w).
        moved: float32 (2, h, w).
        weight: float32 (h, w).
        size: Scale that is likely, without a turn.
        prior: Weight of that, as a mean squared distance.
    """
    # Every second place in both directions says enough.
    few = np.s_[::2, ::2]
    w, x, y, u, v = (plane[few].ravel() for plane in (weight, *places, *moved))
    total = max(float(w.sum()), 1e-6)
    mx, my, mu, mv = (float(w @ plane) / total for plane in (x, y, u, v))
    wx, wy = w * (x - np.float32(mx)), w * (y - np.float32(my))
    power = float(wx @ x + wy @ y) + prior * total
    a = np.float32((float(wx @ u + wy @ v) + size * prior * total) / power)
    b = np.float32(float(wx @ v - wy @ u) / power)
    dx, dy = places[0] - np.float32(mx), places[1] - np.float32(my)
    return np.stack([a * dx - b * dy + np.float32(mu), b * dx + a * dy + np.float32(mv)])
