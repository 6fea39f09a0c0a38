"""The interface of passes: what each is given when it is prepared, and what it must offer."""

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
    """The canvas, size and inputs for which a pass is prepared.

    Attributes:
        canvas: The look's buffers; its size is final.
        bands: Threads for kernels.
        photo: Colours of the reference photo, if there is one.
        line_scale: Factor on the width of lines, from "fine lines" or "bold lines" in a prompt.
        detail: Factor on the size at which nets work.
        shelf: Keeps what takes long to make, from look to look; nobody writes to what it keeps.
        rows: Height at which nets work at least where the picture has it, pixels.
        reference: The reference photo itself, uint8 (H, W, 3), BGR.
        sparing: Whether paintings may be made on a smaller copy, and for every second frame only: video that
            must keep its pace.
        painting_rows: Height of that copy, of a picture of 16:9, pixels.
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
    """A step of a look, prepared for one size. Its parameters are keywords of its constructor."""

    def apply(self, canvas: Canvas) -> None:
        """Paints on the canvas; keeps what it needs for the next frame."""


@runtime_checkable
class Detailed(Protocol):
    """A pass that can do with less, or use more."""

    def set_detail(self, detail: float) -> None:
        """Changes how finely it works from the next frame on, without a jump; 1 is the usual."""
