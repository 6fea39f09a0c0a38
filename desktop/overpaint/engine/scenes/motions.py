"""The motions of a scene: an entry's ``motion`` tables, made ready for a canvas.

Kinds: ``drift`` (clouds, falling water), ``noise`` (flicker, caustics, glow), ``waves``, ``aurora``,
``beams``, and the particles' (``HABITS``). Must not know the catalogue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from overpaint.engine.kernels.bands import Bands
from overpaint.engine.planes import Plane
from overpaint.engine.scenes.drift import Drift
from overpaint.engine.scenes.fields import Field, Lights, aurora, beams, fill_noise, fill_waves
from overpaint.engine.scenes.particles import HABITS, Particles, half_mask, open_mask
from overpaint.engine.scenes.plate import Window

Planes = tuple[Plane, Plane, Plane]

COARSE = 8
"""Pixels of the picture, at 1080 rows, in one of a field's raster."""


class Motion(Protocol):
    """Something in a scene that moves."""

    def draw(self, frame: int, planes: Planes) -> None:
        """Draws it at a frame's number over the planes, which hold the plate and what was drawn before."""


def motions_of(
    tables: Sequence[Mapping[str, Any]],
    bands: Bands,
    window: Window,
    plate: Planes,
    read_map: Callable[[str], Plane],
) -> list[Motion]:
    """An entry's motions, in order.

    Args:
        tables: The entry's ``motion`` tables.
        bands: Threads.
        window: The part of the plate that is shown.
        plate: The plate's planes; not written to.
        read_map: Gives a map by its name, uint8 (H, W).

    Raises:
        ValueError: A table's kind is unknown.
    """
    made: list[Motion] = []
    half = (plate[1].shape[0], plate[1].shape[1])
    shape = (plate[0].shape[0], plate[0].shape[1])
    for values in tables:
        kind = values["kind"]
        mask = half_mask(read_map(values["map"]), half) if "map" in values else open_mask(half)
        step = max(2, round(float(values.get("step", COARSE)) * window.scale / 1080))
        if kind == "drift":
            made.append(_drifting(values, bands, window, plate, read_map(values["map"])))
        elif kind == "noise":
            numbers = (*values["cells"], *values.get("drift", (0.0, 0.0)), values["rate"])
            made.append(Field(shape, window, mask, fill_noise, numbers, values["colour"], step))
        elif kind == "waves":
            numbers = (values["horizon"], *values["cells"], values["speed"], values["rate"])
            made.append(Field(shape, window, mask, fill_waves, numbers, values["colour"], step))
        elif kind == "aurora":
            made.append(Lights(shape, window, mask, aurora(values), step))
        elif kind == "beams":
            made.append(Lights(shape, window, mask, beams(values), step))
        elif kind in HABITS:
            made.append(Particles(window, mask, values))
        else:
            raise ValueError(f"no such motion: {kind}")
    return made


def _drifting(values: Mapping[str, Any], bands: Bands, window: Window, plate: Planes, mask: Plane) -> Drift:
    """A part of the plate that drifts."""
    right, down = values["speed"]
    horizon = values.get("horizon")
    if horizon is not None:
        # What is only partly sky, as between leaves, stays: it would pale.
        mask = np.clip((mask.astype(np.int16) - 180) * 4, 0, 255).astype(np.uint8)
    return Drift(bands, plate, mask, window.scale, window.top, (right, down), values["reach"], horizon)
