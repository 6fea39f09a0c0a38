"""Head detection by silhouette and skin: the heads of the people in a person mask, largest first.

A head is a bulge of the mask's upper contour: going down from a peak, the mask is wider than the way down
is long twice over until the middle of a circle is reached. Within it, the face is the patch whose chroma,
relative to luma (which light scales alike), is nearest to skin. Uses no net, and knows nobody. Must not
know what is done with heads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.kernels.compilation import f32, kernel
from overpaint.engine.people.colour_bins import bins
from overpaint.engine.people.face import MARGIN, skin_ellipse
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

MOST = 3
"""Heads that are looked for: more people are small in the picture."""

SMALLEST, LARGEST = 0.035, 0.36
"""Radius of a head by the picture's shorter side, and its upper limit."""

SECOND = 0.2
"""Share of skin that a head beside another one must show."""

BARE, BUN = 0.1, 0.06
"""Share of skin and radius, by the picture's shorter side, below which a bulge may be a bun on a head."""

FACE = 0.72
"""Width of a face by that of the head with its hair."""

SURE = 127
"""Level of the mask from which a pixel belongs to the silhouette."""

FOLLOW, RESIZE = 0.35, 0.25
"""Least weight of a new frame in a head's place, and weight in its size."""

PATIENCE = 30
"""Searches for which a head stays that is not found: someone turns away, or holds a hand before it."""


@dataclass(frozen=True, slots=True)
class Head:
    """A head in a small picture, pixels of it.

    Attributes:
        x: Column of the face's middle.
        y: Row of the face's middle, between eyes and nose.
        radius: Half the width of the face; its height is about 1.35 times its width.
        skin: Share of the face that has the colour of skin, 0..1.
        number: Number of the person in a stream, from 1; 0 in a single picture.
    """

    x: float
    y: float
    radius: float
    skin: float
    number: int = 0


def find_heads(small: Plane, alpha: Plane, skin: Floats) -> list[Head]:
    """The heads in a small picture, the largest first.

    Args:
        small: uint8 (3, H, W), luma and chroma.
        alpha: uint8 (H, W), the person mask.
        skin: float32 (``BINS``,), how much a colour looks like skin, 0..1.
    """
    heads = _search(small, alpha, skin)
    buns = [head for head in heads if head.skin < BARE and head.radius < BUN * min(alpha.shape)]
    if buns:
        heads = _below(buns, heads, small, alpha, skin)
    # A hand held up is a bulge, too: it counts only where nothing is more like a face.
    if not heads:
        heads = _close(small, alpha)
    # A bun or a raised fist on top of a head is none.
    heads = [
        head
        for head in heads
        if not any(other.radius > 1.6 * head.radius and _apart(other, head) < 3 for other in heads)
    ]
    heads.sort(key=lambda head: -head.radius * (0.25 + head.skin))
    return [head for index, head in enumerate(heads) if index == 0 or head.skin > SECOND]


def _search(small: Plane, alpha: Plane, skin: Floats) -> list[Head]:
    """A head in each bulge, but no two at one place."""
    heads: list[Head] = []
    for bulge in _bulges(alpha):
        head = _face(bulge, small, alpha, skin)
        if all(np.hypot(head.x - other.x, head.y - other.y) > 1.6 * other.radius for other in heads):
            heads.append(head)
    return heads


def _below(buns: list[Head], heads: list[Head], small: Plane, alpha: Plane, skin: Floats) -> list[Head]:
    """The heads, with the one that is found without a bun, where one is, in the place of that bun."""
    without = alpha.copy()
    for bun in buns:
        wide = bun.radius / FACE
        left, right = (max(0, round(bun.x + side * 2 * wide)) for side in (-1, 1))
        without[: max(0, round(bun.y + 0.55 * wide)), left:right] = 0
    found = [head for head in _search(small, without, skin) if head.skin > SECOND]
    for bun in buns:
        near = [head for head in found if head.radius > 1.6 * bun.radius and _apart(head, bun) < 3]
        if near:
            heads = [head for head in heads if head is not bun and _apart(near[0], head) > 1.6] + near[:1]
    return heads


def _close(small: Plane, alpha: Plane) -> list[Head]:
    """The head of somebody so near that no outline of it is in the picture: the largest patch of skin."""
    ellipse = skin_ellipse(small, alpha)
    if ellipse is None:
        return []
    x, y, across, down = (float(value) for value in ellipse)
    return [Head(x, y, max(across, down / 1.35) / MARGIN, 1.0)]


def _bulges(alpha: Plane) -> list[tuple[float, float, float]]:
    """Peaks of the mask's upper contour, from the top down: middle of the head (x, y) and its radius."""
    side = min(alpha.shape)
    found = np.zeros((MOST, 3), np.float32)
    mask = alpha > SURE
    # Top of the mask in each column; columns without a person lie at the bottom.
    top = np.where(mask.any(0), mask.argmax(0), alpha.shape[0]).astype(np.int32)
    count = _circles(mask, top, SMALLEST * side, LARGEST * side, found)
    return [(float(x), float(y), float(radius)) for x, y, radius in found[:count]]


@kernel
def _circles(mask: Any, top: Any, smallest: float, largest: float, found: Any) -> int:
    """Fills ``found`` with the circles below peaks of the contour ``top``, which it uses up."""
    rows, columns = mask.shape
    count = 0
    while count < found.shape[0]:
        peak = top.argmin()
        level = top[peak]
        if level >= rows - 4:
            break
        end = peak
        while end + 1 < columns and top[end + 1] <= level + 1:
            end += 1
        x, last, depth = (peak + end) // 2, end, 0
        left, right = peak, end
        # Down to where the run of the mask around the middle is as wide as the way down is long twice over.
        while depth < largest:
            depth += 1
            row = min(level + depth, rows - 1)
            if not mask[row, x]:
                break
            left, right = x, x
            while left > 0 and mask[row, left - 1]:
                left -= 1
            while right < columns - 1 and mask[row, right + 1]:
                right += 1
            if depth > 1 and right - left < 2 * depth:
                break
            if depth < smallest * 2:
                x = (left + right) // 2
        round_ = depth < largest and level + depth < rows and mask[level + depth, x] and depth >= smallest
        below = False
        for other in range(count):
            apart = abs(found[other, 0] - x)
            below |= apart < 3 * found[other, 2] and level > found[other, 1] + 0.6 * found[other, 2]
        if round_ and not below:
            found[count, 0], found[count, 1] = f32(left + right) * f32(0.5), level + depth
            found[count, 2] = depth
            count += 1
            first, last = int(x - 1.9 * depth), int(x + 1.9 * depth)
        else:
            first = peak
        for column in range(max(0, first), min(last + 1, columns)):
            top[column] = rows
    return count


def _face(bulge: tuple[float, float, float], small: Plane, alpha: Plane, table: Floats) -> Head:
    """The face in a bulge: moved to where skin is."""
    x, y, radius = bulge
    rows, columns = alpha.shape
    # With its hair a head is wider than the face, which lies below the middle of the head's round part.
    y, r = y + 0.25 * radius, FACE * radius
    left, right = max(0, int(x - 2.4 * r)), min(columns, int(x + 2.4 * r) + 2)
    first, end = max(0, int(y - 2.4 * r)), min(rows, int(y + 2.8 * r) + 2)
    part = small[:, first:end, left:right]
    lumas = part[0].astype(np.float32)
    likeness = table.take(bins(part)) * (alpha[first:end, left:right] > SURE)
    across = np.arange(left, right, dtype=np.float32)
    down = np.arange(first, end, dtype=np.float32)
    total = 0.0
    for _ in range(3):
        away = np.hypot((across[None] - x) / (1.2 * r), (down[:, None] - y) / (1.5 * r))
        weight = likeness * np.clip(1.3 - away, 0, 1)
        skin = lumas[weight > 0.25]
        if skin.size == 0:
            break
        # Hair is often of the same chroma, and darker.
        bright = max(1.0, float(skin.mean() + 0.7 * skin.std()))
        weight *= np.clip(lumas * (1.7 / bright) - 0.45, 0, 1)
        total = float(weight.sum())
        if total < 0.1 * r * r:
            break
        # Skin is found better where light falls on it: the middle of the outline holds against that.
        x += 0.7 * (0.5 * (float(weight.sum(0) @ across) / total + bulge[0]) - x)
        y += 0.7 * (float(weight.sum(1) @ down) / total - y)
    return Head(x, y, r, min(1.0, total / (3.0 * r * r)))


class HeadTracker:
    """The heads of a stream: small movements are smoothed, and a head that is missed for a moment stays."""

    def __init__(self) -> None:
        self._heads: list[tuple[Head, int]] = []
        self._turn = self._count = 0

    def follow(self, small: Plane, alpha: Plane, skin: Floats) -> list[Head]:
        """The heads in a frame, see ``find_heads``; looked for in every second one."""
        self._turn += 1
        if self._heads and self._turn % 2:
            return [head for head, _ in self._heads]
        free = find_heads(small, alpha, skin)
        kept: list[tuple[Head, int]] = []
        for head, missed in self._heads:
            near = min(free, key=lambda other: _apart(head, other), default=None)
            if near is not None and _apart(head, near) < 1.5:
                free.remove(near)
                kept.append((_towards(head, near), 0))
            elif missed < PATIENCE:
                kept.append((head, missed + 1))
        for head in free:
            self._count += 1
            kept.append((replace(head, number=self._count), 0))
        kept = [
            (head, missed)
            for head, missed in kept
            # A head that was lost and found again elsewhere is not there twice.
            if missed == 0 or all(other is head or _apart(head, other) > 2 for other, _ in kept)
        ]
        self._heads = kept[:MOST]
        return [head for head, _ in self._heads]


def _apart(first: Head, second: Head) -> float:
    """Distance of two heads in radii of the first."""
    return float(np.hypot(first.x - second.x, first.y - second.y)) / first.radius


def _towards(old: Head, new: Head) -> Head:
    quick = min(1.0, max(FOLLOW, 2 * _apart(old, new)))
    return Head(
        old.x + quick * (new.x - old.x),
        old.y + quick * (new.y - old.y),
        old.radius + RESIZE * (new.radius - old.radius),
        old.skin + RESIZE * (new.skin - old.skin),
        old.number,
    )
