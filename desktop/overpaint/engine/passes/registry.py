"""Names of passes in looks' data files, and how a list of them is prepared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from overpaint.engine.passes.abstraction import Kuwahara, Rise, Smooth
from overpaint.engine.passes.backdrop import Backdrop
from overpaint.engine.passes.cells import Cells
from overpaint.engine.passes.clarity import Clarity
from overpaint.engine.passes.crayon import Crayon
from overpaint.engine.passes.dabs import Dabs
from overpaint.engine.passes.defocus import Defocus
from overpaint.engine.passes.drypoint import Charcoal, Gradient, Grid
from overpaint.engine.passes.facets import Facets
from overpaint.engine.passes.gate import Gate
from overpaint.engine.passes.glass import Glass
from overpaint.engine.passes.glitch import Glitch
from overpaint.engine.passes.glyphs import Glyphs
from overpaint.engine.passes.gouge import Gouge
from overpaint.engine.passes.hatching import Hatching
from overpaint.engine.passes.horizon import Horizon
from overpaint.engine.passes.inking import Inking
from overpaint.engine.passes.lines import Lines
from overpaint.engine.passes.match import Match
from overpaint.engine.passes.mixer import Mixer
from overpaint.engine.passes.model import Model
from overpaint.engine.passes.neon import Neon
from overpaint.engine.passes.net import Net
from overpaint.engine.passes.painting import Painting
from overpaint.engine.passes.paper import Glow, Grain, Paper
from overpaint.engine.passes.papercut import Papercut
from overpaint.engine.passes.pixels import Pixels
from overpaint.engine.passes.printing import Print
from overpaint.engine.passes.projector import Projector
from overpaint.engine.passes.rimlight import Rimlight
from overpaint.engine.passes.screentone import Screentone
from overpaint.engine.passes.stage import Pass, Stage
from overpaint.engine.passes.strokes import Strokes
from overpaint.engine.passes.subject import Find, Keep, Vacate
from overpaint.engine.passes.sunlight import Sunlight
from overpaint.engine.passes.tape import Tape
from overpaint.engine.passes.tone import Steps, Tint, Tone
from overpaint.engine.passes.tube import Tube
from overpaint.engine.passes.wash import Wash

PASSES: Mapping[str, Callable[..., Pass]] = {
    "backdrop": Backdrop,
    "cells": Cells,
    "charcoal": Charcoal,
    "clarity": Clarity,
    "crayon": Crayon,
    "dabs": Dabs,
    "defocus": Defocus,
    "facets": Facets,
    "gate": Gate,
    "glass": Glass,
    "glitch": Glitch,
    "glow": Glow,
    "glyphs": Glyphs,
    "gouge": Gouge,
    "gradient": Gradient,
    "grain": Grain,
    "grid": Grid,
    "hatching": Hatching,
    "horizon": Horizon,
    "inking": Inking,
    "keep": Keep,
    "kuwahara": Kuwahara,
    "lines": Lines,
    "match": Match,
    "mixer": Mixer,
    "model": Model,
    "neon": Neon,
    "net": Net,
    "painting": lambda stage, coats: Painting(stage, partial(prepare_coats, coats=coats)),
    "paper": Paper,
    "papercut": Papercut,
    "person": Find,
    "pixels": Pixels,
    "print": Print,
    "projector": Projector,
    "rimlight": Rimlight,
    "rise": Rise,
    "screentone": Screentone,
    "smooth": Smooth,
    "steps": Steps,
    "strokes": Strokes,
    "sunlight": Sunlight,
    "tape": Tape,
    "tint": Tint,
    "tone": Tone,
    "tube": Tube,
    "vacate": Vacate,
    "wash": Wash,
}
"""Every pass by its name. Its constructor takes a ``Stage`` and the parameters as keywords."""


def prepare_coats(stage: Stage, coats: Iterable[Mapping[str, object]]) -> list[Pass]:
    """Prepares the coats of a painting.

    Args:
        stage: Of the painting.
        coats: Parameters of each, its name among them as ``pass``.
    """
    named = [(str(coat["pass"]), {key: coat[key] for key in coat if key != "pass"}) for coat in coats]
    return prepare(stage, named)


def prepare(stage: Stage, specs: Iterable[tuple[str, Mapping[str, object]]]) -> list[Pass]:
    """Prepares passes in order.

    Args:
        stage: Size, threads and photo.
        specs: Name and parameters of each.
    """
    return [PASSES[name](stage, **parameters) for name, parameters in specs]
