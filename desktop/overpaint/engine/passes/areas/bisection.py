"""An adaptive triangle mesh, fine where there is detail and steady where nothing changes.

Squares are cut into triangles, which are halved at their hypotenuses, as often as detail requires
(newest-vertex bisection; the order of Lindstrom et al. 1996 keeps the mesh free of cracks). Every possible
vertex has a fixed place, a little off the middle of the side that it halves, so that the mesh looks hand-cut;
detail only decides which vertices are used. Must not know pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.engine.kernels.compilation import kernel

Floats = NDArray[np.float32]
Indices = NDArray[np.int32]

LOOSENESS = 0.32
"""Largest offset of a vertex from the middle of its side, as a share of half the side's length (along it) and
of the triangles' height (across it)."""

LEAST = 0.2
"""Least share of a triangle's area in the smaller of its halves; a side that gives less is halved evenly."""
_SEED = 3


@dataclass(frozen=True, slots=True, eq=False)
class Hierarchy:
    """The hierarchy of all vertices that a mesh may use.

    Attributes:
        places: float32 (n, 2), x and y in pixels.
        reach: float32 (n,), half the length of the side that a vertex halves: the size of its detail.
        level: int32 (n,), 0 for vertices that are always used, then 1, 2, ... for each round of halving.
        parents: int32 (n, 2), the vertices that must be used where this one is.
        corners: int32 (t, 3), the coarsest triangles: two ends of the hypotenuse, then the apex.
        rounds: The vertices of each level from 1 on.
    """

    places: Floats
    reach: Floats
    level: Indices
    parents: Indices
    corners: Indices
    rounds: tuple[Indices, ...]


def halvings(rounds: int) -> int:
    """Number of times that a coarsest triangle, a quarter of a square, can be halved."""
    return 2 * rounds - 1


def hierarchy(width: int, height: int, square: float, rounds: int) -> Hierarchy:
    """Builds the vertices for a picture.

    Args:
        width: Pixels.
        height: Pixels.
        square: Side of the coarsest squares, pixels.
        rounds: Number of times that a square's side may be halved.
    """
    step = 2**rounds
    squares = (int(np.ceil(width / square)) + 1, int(np.ceil(height / square)) + 1)
    across, down = squares[0] * step + 1, squares[1] * step + 1
    rng = np.random.default_rng(_SEED)
    count = across * down
    column, row = np.meshgrid(np.arange(across), np.arange(down))
    places = np.stack([column.ravel(), row.ravel()], -1) * (square / step)
    places -= [(squares[0] * square - width) / 2, (squares[1] * square - height) / 2]
    places = places.astype(np.float32)
    loose = rng.uniform(-1, 1, (count, 2)).astype(np.float32)
    reach = np.full(count, square, np.float32)
    level = np.zeros(count, np.int32)
    parents = np.tile(np.arange(count, dtype=np.int32)[:, None], (1, 2))
    triangles = corners = _coarsest(squares, step, across)
    middle = (triangles[:, 2]).copy()
    places[middle] += loose[middle] * square * LOOSENESS / 2
    reach[middle] = square / 2
    for number in range(1, halvings(rounds) + 1):
        ends, apex = triangles[:, :2], triangles[:, 2]
        halves = ends.sum(1) // 2
        # Indices are linear in the lattice, so the middle of two vertices has the mean of their indices.
        reach[halves] = np.hypot(*(places[ends[:, 0]] - places[ends[:, 1]]).T) / 2
        level[halves] = number
        # Two triangles share the side: the first writer is one parent, the last the other.
        parents[halves[::-1], 0], parents[halves, 1] = apex[::-1], apex
        places[halves] = places[ends].mean(1)
        _loosen(places, halves, triangles, parents, loose)
        triangles = np.concatenate(
            [np.stack([ends[:, 0], apex, halves], -1), np.stack([apex, ends[:, 1], halves], -1)]
        )
    levels = tuple(
        np.flatnonzero(level == number).astype(np.int32) for number in range(1, halvings(rounds) + 1)
    )
    return Hierarchy(places, reach, level, parents, corners, levels)


def _loosen(places: Floats, halves: Indices, triangles: Indices, parents: Indices, loose: Floats) -> None:
    """Moves vertices off the middles of their sides, in place, unless that squeezes a triangle."""
    ends = triangles[:, :2]
    along = (places[ends[:, 1]] - places[ends[:, 0]]) / 2
    # Towards the first parent's apex, or away from it: the same direction for both triangles of a side.
    towards = places[parents[halves, 0]] - places[halves]
    moved = places.copy()
    share = loose[halves] * LOOSENESS
    # Both triangles of a side must move the vertex alike: "along" is the direction of growing index.
    forward = np.sign(ends[:, 1] - ends[:, 0])[:, None]
    moved[halves] += along * forward * share[:, :1] + towards * share[:, 1:]
    whole = _area(places, ends[:, 0], ends[:, 1], triangles[:, 2])
    parts = [_area(moved, ends[:, k], triangles[:, 2], halves) for k in (0, 1)]
    least = np.minimum(parts[0] * np.sign(whole) * -1, parts[1] * np.sign(whole))
    squeezed = halves[least < LEAST * np.abs(whole)]
    moved[squeezed] = places[squeezed]
    places[halves] = moved[halves]


def _area(places: Floats, a: Indices, b: Indices, c: Indices) -> Floats:
    """Twice the signed area of triangles."""
    one, two = places[b] - places[a], places[c] - places[a]
    return np.asarray(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0], np.float32)


def _coarsest(squares: tuple[int, int], step: int, across: int) -> Indices:
    """Four triangles for each square, with their apexes in its middle; int32 (t, 3)."""
    found = []
    for row in range(squares[1]):
        for column in range(squares[0]):
            a = row * step * across + column * step
            b, c = a + step, a + step * across
            d, middle = c + step, a + (step // 2) * (across + 1)
            found += [(a, b, middle), (b, d, middle), (d, c, middle), (c, a, middle)]
    return np.array(found, np.int32)


def close(used: NDArray[np.bool_], mesh: Hierarchy) -> None:
    """Marks the parents of used vertices, so that no vertex lies inside a triangle's side (a crack).

    Args:
        used: bool (n,), changed in place.
        mesh: The vertices.
    """
    for here in reversed(mesh.rounds):
        used[mesh.parents[here[used[here]]].ravel()] = True


@kernel
def cut(first: int, end: int, corners: Any, used: Any, rounds: int, found: Any, count: Any) -> None:
    """Lists the triangles of a mesh.

    Args:
        first: First of the coarsest triangles.
        end: Coarsest triangle after the last.
        corners: int32 (t, 3), see ``Hierarchy``.
        used: bool (n,), after ``close``.
        rounds: Most halvings of a coarsest triangle, see ``halvings``.
        found: int32 (t * 2**rounds, 3), written from ``first * 2**rounds`` on.
        count: int32 (t,), how many triangles each of the coarsest became.
    """
    stack = np.empty((rounds + 2, 4), np.int32)
    for root in range(first, end):
        at = root << rounds
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = (
            corners[root, 0],
            corners[root, 1],
            corners[root, 2],
            0,
        )
        top = 1
        while top > 0:
            top -= 1
            a, b, c, depth = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
            middle = (a + b) >> 1
            if depth < rounds and used[middle]:
                stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3] = a, c, middle, depth + 1
                stack[top + 1, 0], stack[top + 1, 1] = c, b
                stack[top + 1, 2], stack[top + 1, 3] = middle, depth + 1
                top += 2
            else:
                found[at, 0], found[at, 1], found[at, 2] = a, b, c
                at += 1
        count[root] = at - (root << rounds)
