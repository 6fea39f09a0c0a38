"""The interface of passes: the inputs of a pass when it is prepared, and the methods that it has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.materials.shelf import Shelf
from overpaint.engine.photo import Photo
from overpaint.engine.planes import Plane


@dataclass(frozen=True, slots=True)
class Stage:
    """The canvas, threads and inputs for which a pass is prepared.

    Attributes:
        canvas: The look's buffers; its size is final.
        bands: Thread pool for kernels.
        photo: Colours of the reference photo, if there is one.
        line_scale: Factor on the width of lines, from "fine lines" or "bold lines" in a prompt.
        detail: Factor on the height at which nets work.
        shelf: Cache for materials that take long to make, shared by looks; passes must not write to them.
        rows: Least height at which nets work, for a picture of 16:9, pixels; never above the picture's.
        reference: The reference photo itself, uint8 (H, W, 3), BGR.
        sparing: Whether time must be saved, as for live video: paintings are then made on a smaller copy,
            and for every second frame only.
        painting_rows: Height of that copy, for a picture of 16:9, pixels.
    """

    canvas: Canvas
    bands: Bands
    photo: Photo | None = None
    line_scale: float = 1.0
    detail: float = 1.0
    shelf: Shelf = field(default_factory=Shelf)
    rows: int = 0
    reference: Plane | None = None
    sparing: bool = False
    painting_rows: int = 360


class Pass(Protocol):
    """A step of a look, prepared for one size. Its parameters are keyword arguments of its constructor."""

    def apply(self, canvas: Canvas) -> None:
        """Paints on the canvas; may keep state for the next frame."""


@runtime_checkable
class Detailed(Protocol):
    """A pass with an adjustable level of detail."""

    def set_detail(self, detail: float) -> None:
        """Changes the detail from the next frame on, without a visible jump; 1 is the default."""
