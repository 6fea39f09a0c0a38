"""The registry of passes: their names in looks' data files, and the preparation of a list of them.

A pass is imported with the first look that has it: no look needs more than a few, and their compiled
kernels take time to find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from importlib import import_module

from overpaint.engine.passes.stage import Pass, Stage

PASSES: Mapping[str, tuple[str, str]] = {
    "backdrop": ("backdrop", "Backdrop"),
    "cells": ("cells", "Cells"),
    "charcoal": ("drypoint", "Charcoal"),
    "clarity": ("clarity", "Clarity"),
    "crayon": ("crayon", "Crayon"),
    "dabs": ("dabs", "Dabs"),
    "defocus": ("defocus", "Defocus"),
    "facets": ("facets", "Facets"),
    "gate": ("gate", "Gate"),
    "glass": ("glass", "Glass"),
    "glitch": ("glitch", "Glitch"),
    "glow": ("paper", "Glow"),
    "glyphs": ("glyphs", "Glyphs"),
    "gouge": ("gouge", "Gouge"),
    "gradient": ("drypoint", "Gradient"),
    "grain": ("paper", "Grain"),
    "grid": ("drypoint", "Grid"),
    "hatching": ("hatching", "Hatching"),
    "horizon": ("horizon", "Horizon"),
    "inking": ("inking", "Inking"),
    "keep": ("subject", "Keep"),
    "kuwahara": ("abstraction", "Kuwahara"),
    "lines": ("lines", "Lines"),
    "match": ("match", "Match"),
    "mixer": ("mixer", "Mixer"),
    "model": ("model", "Model"),
    "neon": ("neon", "Neon"),
    "net": ("net", "Net"),
    "painting": ("painting", "Painting"),
    "paper": ("paper", "Paper"),
    "papercut": ("papercut", "Papercut"),
    "person": ("subject", "Find"),
    "pixels": ("pixels", "Pixels"),
    "print": ("printing", "Print"),
    "projector": ("projector", "Projector"),
    "rimlight": ("rimlight", "Rimlight"),
    "rise": ("abstraction", "Rise"),
    "screentone": ("screentone", "Screentone"),
    "smooth": ("abstraction", "Smooth"),
    "steps": ("tone", "Steps"),
    "strokes": ("strokes", "Strokes"),
    "sunlight": ("sunlight", "Sunlight"),
    "tape": ("tape", "Tape"),
    "tint": ("tone", "Tint"),
    "tone": ("tone", "Tone"),
    "tube": ("tube", "Tube"),
    "vacate": ("subject", "Vacate"),
    "wash": ("wash", "Wash"),
}
"""Module and class of every pass, by its name. The constructor takes a ``Stage`` and the parameters."""


@cache
def pass_named(name: str) -> Callable[..., Pass]:
    """What makes the pass of that name: called with a stage, and the parameters as keywords.

    Raises:
        KeyError: There is none.
    """
    module, kind = PASSES[name]
    made: Callable[..., Pass] = getattr(import_module(f"overpaint.engine.passes.{module}"), kind)
    if name == "painting":
        return lambda stage, coats: made(stage, partial(prepare_coats, coats=coats))
    return made


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
    return [pass_named(name)(stage, **parameters) for name, parameters in specs]
