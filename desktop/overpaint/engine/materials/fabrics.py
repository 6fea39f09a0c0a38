"""Fabrics: seamless tiles of cloth with its weave and pattern, in the colours of its yarns.

A tile is square and measured in radii of a face (half its width), since it is worn by somebody: eight of
them are wider than a pair of shoulders. It is drawn once at its finest and reduced by halves for people who
are small in the picture (mipmapping). Everything is made from fixed seeds. Must not know frames, nor who
wears it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.colours import yuv
from overpaint.engine.materials.fabric_patterns import PATTERNS
from overpaint.engine.materials.fabric_reliefs import RELIEFS, glints
from overpaint.engine.materials.fabric_tiles import SIDE
from overpaint.engine.planes import Plane

Floats = NDArray[np.float32]

RADII = 8
"""Radii of a face in a tile's side."""

LEVELS = 5
"""Sizes of a tile: ``SIDE`` to 64 pixels."""

BLACK, WHITE = 20.0, 232.0
"""Luma of the blackest and of the whitest cloth in good light: none is without light, or without folds."""


@dataclass(frozen=True, slots=True, eq=False)
class Fabric:
    """A cloth at one size.

    Attributes:
        luma: uint8 (n, n), n a power of two, where the light is as it mostly is; (1, 1) for plain cloth.
        u: uint8 (n / 2, n / 2) or (1, 1), chroma around 128.
        v: As ``u``.
        glints: uint8 (n, n), the way each sequin looks, as an angle in 256 parts of a turn; (1, 1) without
            any.
    """

    luma: Plane
    u: Plane
    v: Plane
    glints: Plane


@dataclass(frozen=True, slots=True)
class Weave:
    """The make of a fabric.

    Attributes:
        pattern: Name of the pattern, see ``PATTERNS``.
        colours: #rrggbb, the pattern's yarns or inks; the first is the ground.
        repeat: Repeats of the pattern in a tile's side.
        relief: Name of the surface's relief, see ``RELIEFS``; empty for none.
        depth: Standard deviation of the relief on a middle grey, levels.
    """

    pattern: str = "plain"
    colours: tuple[str, ...] = ("#808080",)
    repeat: int = 16
    relief: str = ""
    depth: float = 0.0


def fabric_levels(weave: Weave) -> tuple[Fabric, ...]:
    """A cloth at all its sizes, the finest first; one size where it is plain and smooth."""
    shares = PATTERNS[weave.pattern](weave.repeat, len(weave.colours))
    y, u, v = (np.tensordot(shares, plane, 1).astype(np.float32) for plane in _yarns(weave.colours).T)
    none = np.zeros((1, 1), np.uint8)
    if weave.relief:
        # Relief is light and shadow: there is more of it on light yarn.
        y = np.asarray(y + RELIEFS[weave.relief]() * (weave.depth * (0.35 + y / 150)), np.float32)
    if y.size == 1:
        return (Fabric(_rounded(y), _rounded(u), _rounded(v), none),)
    ways = glints() if weave.relief == "sequins" else none
    return tuple(
        Fabric(
            _reduced(y, SIDE >> level),
            _reduced(u, SIDE >> (level + 1)),
            _reduced(v, SIDE >> (level + 1)),
            np.ascontiguousarray(ways[:: 1 << level, :: 1 << level]),
        )
        for level in range(LEVELS)
    )


def _yarns(colours: tuple[str, ...]) -> Floats:
    """Luma and chroma of yarns, within what cloth can have: float32 (n, 3)."""
    found = yuv(colours)
    found[:, 0] = BLACK + found[:, 0] * ((WHITE - BLACK) / 255)
    return found


def _reduced(plane: Floats, side: int) -> Plane:
    """A plane of a tile at a smaller size; one of a single value stays one."""
    if plane.size == 1:
        return _rounded(plane)
    return _rounded(np.asarray(cv2.resize(plane, (side, side), interpolation=cv2.INTER_AREA), np.float32))


def _rounded(plane: Floats) -> Plane:
    return np.asarray(np.clip(plane + 0.5, 0, 255), np.uint8)
