"""Names of passes in looks' data files, and how a list of them is prepared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from overpaint.engine.passes.abstraction import Kuwahara, Rise, Smooth
from overpaint.engine.passes.cells import Cells
from overpaint.engine.passes.crayon import Crayon
from overpaint.engine.passes.drypoint import Charcoal, Gradient, Grid
from overpaint.engine.passes.glass import Glass
from overpaint.engine.passes.gouge import Gouge
from overpaint.engine.passes.hatching import Hatching
from overpaint.engine.passes.lines import Lines
from overpaint.engine.passes.match import Match
from overpaint.engine.passes.paper import Glow, Grain, Paper
from overpaint.engine.passes.papercut import Papercut
from overpaint.engine.passes.pixels import Pixels
from overpaint.engine.passes.printing import Print
from overpaint.engine.passes.stage import Pass, Stage
from overpaint.engine.passes.strokes import Strokes
from overpaint.engine.passes.tone import Steps, Tint, Tone
from overpaint.engine.passes.wash import Wash

PASSES: Mapping[str, Callable[..., Pass]] = {
    "cells": Cells,
    "charcoal": Charcoal,
    "crayon": Crayon,
    "glass": Glass,
    "glow": Glow,
    "gouge": Gouge,
    "gradient": Gradient,
    "grain": Grain,
    "grid": Grid,
    "hatching": Hatching,
    "kuwahara": Kuwahara,
    "lines": Lines,
    "match": Match,
    "paper": Paper,
    "papercut": Papercut,
    "pixels": Pixels,
    "print": Print,
    "rise": Rise,
    "smooth": Smooth,
    "strokes": Strokes,
    "steps": Steps,
    "tint": Tint,
    "tone": Tone,
    "wash": Wash,
}
"""Every pass by its name. Its constructor takes a ``Stage`` and the parameters as keywords."""


def prepare(stage: Stage, specs: Iterable[tuple[str, Mapping[str, object]]]) -> list[Pass]:
    """Prepares passes in order.

    Args:
        stage: Size, threads and photo.
        specs: Name and parameters of each.
    """
    return [PASSES[name](stage, **parameters) for name, parameters in specs]
