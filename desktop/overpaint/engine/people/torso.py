"""Motion of a torso: a similarity transform from the picture to a body's own coordinates, without drift.

Direct image alignment (Lucas and Kanade 1981; Baker and Matthews 2004) of the clothes against a key frame,
which is renewed only when they have moved: someone who sits still keeps exactly their place. Outside the
clothes the picture is one flat grey, so that the outline counts as well as folds and prints. Must not know
what is shown there.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.kernels.bands import Bands
from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.people.heads import Head
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

OUTLINE = 40.0
"""Levels between clothes and the grey around them."""

ROUNDS, STEP = 4, 2
"""Gauss-Newton iterations a frame, and distance of the pixels that are compared."""

OUTLIER = 24.0
"""Difference in levels from which a pixel says nothing: an arm before the chest."""

DAMPING = np.array([40.0, 40.0, 4e5, 4e5])
"""Added to the normal matrix for shift, growth and turn, so that plain cloth stays rather than jumps."""

RENEW = 1.2
"""Movement since the key frame, pixels of the small picture, from which the present frame becomes the key."""

LOST = 0.35
"""Change of the clothes' area, as a share, from which the key frame no longer serves."""

UPRIGHT, FITTING = 0.01, 0.004
"""Shares a frame by which the turn goes back to upright, and the size to what the head's size says."""


_UPPER = np.triu_indices(4)


@kernel
def _align(
    first: int, end: int, key: Any, now: Any, weight: Any, pose: Any, middle: Any, bias: Any, sums: Any
) -> None:
    """Sums of the normal equations by row: ten of the matrix, four of the right side, error and weight."""
    height, width = key.shape
    for index in range(first, end):
        row = index * STEP + 1
        for k in range(sums.shape[1]):
            sums[index, k] = 0
        if row >= height - 1:
            continue
        for x in range(1, width - 1, STEP):
            w = weight[row, x]
            if w < f32(0.05):
                continue
            gx = (key[row, x + 1] - key[row, x - 1]) * f32(0.5)
            gy = (key[row + 1, x] - key[row - 1, x]) * f32(0.5)
            px, py = f32(x) - middle[0], f32(row) - middle[1]
            column = middle[0] + pose[0] + (f32(1) + pose[2]) * px - pose[3] * py
            line = middle[1] + pose[1] + pose[3] * px + (f32(1) + pose[2]) * py
            if column < 1 or line < 1 or column > width - 2 or line > height - 2:
                continue
            left, above = int(column), int(line)
            s, t = column - f32(left), line - f32(above)
            upper = now[above, left] * (f32(1) - s) + now[above, left + 1] * s
            lower = now[above + 1, left] * (f32(1) - s) + now[above + 1, left + 1] * s
            away = upper * (f32(1) - t) + lower * t - key[row, x] - bias
            near = f32(1) - away * away * f32(1 / (OUTLIER * OUTLIER))
            if near <= 0:
                continue
            w *= near * near
            growth, turn = gx * px + gy * py, gy * px - gx * py
            total = sums[index]
            total[0] += w * gx * gx
            total[1] += w * gx * gy
            total[2] += w * gx * growth
            total[3] += w * gx * turn
            total[4] += w * gy * gy
            total[5] += w * gy * growth
            total[6] += w * gy * turn
            total[7] += w * growth * growth
            total[8] += w * growth * turn
            total[9] += w * turn * turn
            total[10] += w * gx * away
            total[11] += w * gy * away
            total[12] += w * growth * away
            total[13] += w * turn * away
            total[14] += w * away
            total[15] += w


class Torso:
    """The motion of one torso.

    Attributes:
        pose: float64 (2, 3), affine map from pixels of the small picture to the body's coordinates, which are
            radii of the face, from where the face was when the body was first seen.
    """

    def __init__(self, bands: Bands) -> None:
        self._bands = bands
        self._key: Floats | None = None
        self._weight: Floats = np.zeros((0, 0), np.float32)
        self._area = 0.0
        self._key_pose = np.eye(3)
        self._motion = np.zeros(4)
        self._middle = np.zeros(2)
        self.pose: NDArray[np.float64] = np.eye(3)[:2]

    def follow(self, small: Plane, alpha: Plane, head: Head) -> None:
        """Sets ``pose`` for a frame.

        Args:
            small: uint8 (3, H, W), luma and chroma of the small picture.
            alpha: uint8 (H, W), the clothes.
            head: Their wearer's head.
        """
        now = _cut_out(small[0], alpha)
        area = float(cv2.mean(alpha)[0])
        if self._key is None:
            size = 1 / head.radius
            self._key_pose = np.array([[size, 0, -head.x * size], [0, size, -head.y * size], [0, 0, 1]])
            self._renew(now, alpha, area)
        else:
            self._solve(now)
            moved = np.abs(self._motion[:2]).max() + np.abs(self._motion[2:]).max() * 0.25 * len(alpha)
            pose = self._key_pose @ np.linalg.inv(self._matrix())
            if moved > RENEW or abs(area - self._area) > LOST * max(area, self._area):
                self._key_pose = _relaxed(pose, head)
                self._renew(now, alpha, area)
        self.pose = (self._key_pose @ np.linalg.inv(self._matrix()))[:2]

    def _renew(self, now: Floats, alpha: Plane, area: float) -> None:
        """Makes a frame the key."""
        self._key = now
        near = cv2.dilate(alpha, np.ones((5, 5), np.uint8))
        self._weight = np.asarray(near, np.float32) * np.float32(1 / 255)
        self._area = area
        self._motion = np.zeros(4)
        moments = cv2.moments(alpha)
        mass = max(1.0, moments["m00"])
        self._middle = np.array([moments["m10"] / mass, moments["m01"] / mass])

    def _solve(self, now: Floats) -> None:
        """Sets the motion since the key frame (Gauss-Newton), beginning with the last frame's."""
        assert self._key is not None
        count = (len(now) + STEP - 1) // STEP
        sums = np.zeros((count, 16), np.float32)
        bias = f32(0)
        for _ in range(ROUNDS):
            self._bands.run(
                _align, count, self._key, now, self._weight, self._motion.astype(np.float32),
                self._middle.astype(np.float32), bias, sums,
            )  # fmt: skip
            total = sums.sum(0, dtype=np.float64)
            if total[15] < 4:
                return
            matrix = np.zeros((4, 4))
            matrix[_UPPER] = total[:10]
            matrix = matrix + np.triu(matrix, 1).T + np.diag(DAMPING)
            step = np.linalg.solve(matrix, total[10:14])
            self._motion -= np.clip(step, -2, 2)
            bias = f32(bias + total[14] / total[15])
            if np.abs(step[:2]).max() < 0.01:
                return

    def _matrix(self) -> NDArray[np.float64]:
        """The motion since the key frame, as an affine map of the picture."""
        x, y, growth, turn = self._motion
        linear = np.array([[1 + growth, -turn], [turn, 1 + growth]])
        shift = self._middle + np.array([x, y]) - linear @ self._middle
        return np.block([[linear, shift[:, None]], [np.zeros((1, 2)), np.ones((1, 1))]])


def _cut_out(luma: Plane, alpha: Plane) -> Floats:
    """The clothes before a flat grey, blurred a little; levels above the grey."""
    level = cv2.mean(luma, alpha)[0] + OUTLINE
    above = np.asarray(luma, np.float32) - np.float32(level)
    plain = cv2.multiply(above, alpha, scale=1 / 255, dtype=cv2.CV_32F)
    return np.asarray(cv2.GaussianBlur(plain, (5, 5), 1.0), np.float32)


def _relaxed(pose: NDArray[np.float64], head: Head) -> NDArray[np.float64]:
    """A pose a little nearer to upright, and to the size that the head's says; the head stays where it is."""
    place = np.array([head.x, head.y + 3 * head.radius, 1.0])
    turn = -UPRIGHT * np.arctan2(pose[1, 0], pose[0, 0])
    grown = 1 + FITTING * np.log(1 / (head.radius * np.hypot(pose[0, 0], pose[1, 0])))
    linear = grown * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ pose[:2, :2]
    out = np.eye(3)
    out[:2, :2] = linear
    out[:2, 2] = pose[:2] @ place - linear @ place[:2]
    return out
