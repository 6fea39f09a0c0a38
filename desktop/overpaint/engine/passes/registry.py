"""The registry of passes: their names in looks' data files, and the preparation of a list of them.

A pass is imported with the first look that has it (lazy loading), because a look has only a few passes and
compiled kernels take time to load.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from importlib import import_module

from overpaint.engine.passes.pass_interface import Pass, Stage

PASSES: Mapping[str, tuple[str, str]] = {
    "brushwork": ("paint.brushwork", "Brushwork"),
    "cells": ("areas.cells", "Cells"),
    "charcoal": ("drawing.drypoint", "Charcoal"),
    "clarity": ("light.clarity", "Clarity"),
    "crayon": ("drawing.crayon", "Crayon"),
    "dabs": ("paint.dabs", "Dabs"),
    "defocus": ("place.defocus", "Defocus"),
    "dress": ("wear.dress", "Dress"),
    "evenness": ("light.evenness", "Evenness"),
    "facets": ("areas.facets", "Facets"),
    "gate": ("screen.gate", "Gate"),
    "glass": ("areas.glass", "Glass"),
    "glitch": ("screen.glitch", "Glitch"),
    "glow": ("print.paper", "Glow"),
    "glyphs": ("areas.glyphs", "Glyphs"),
    "gouge": ("print.gouge", "Gouge"),
    "gradient": ("drawing.drypoint", "Gradient"),
    "grain": ("print.paper", "Grain"),
    "grid": ("drawing.drypoint", "Grid"),
    "hatching": ("drawing.hatching", "Hatching"),
    "horizon": ("light.horizon", "Horizon"),
    "inking": ("drawing.inking", "Inking"),
    "keep": ("place.subject", "Keep"),
    "kuwahara": ("paint.abstraction", "Kuwahara"),
    "lines": ("drawing.lines", "Lines"),
    "match": ("light.photo_palette", "Match"),
    "mixer": ("light.mixer", "Mixer"),
    "model": ("paint.custom_net", "Model"),
    "neon": ("light.neon", "Neon"),
    "net": ("paint.style_net", "Net"),
    "painting": ("paint.coats", "Painting"),
    "paper": ("print.paper", "Paper"),
    "papercut": ("print.papercut", "Papercut"),
    "person": ("place.subject", "Find"),
    "pixels": ("areas.pixels", "Pixels"),
    "print": ("print.printing", "Print"),
    "projector": ("screen.projector", "Projector"),
    "rimlight": ("light.rimlight", "Rimlight"),
    "rise": ("paint.abstraction", "Rise"),
    "scene": ("place.scene", "Scene"),
    "screentone": ("print.screentone", "Screentone"),
    "sculpt": ("sculpture.sculpt", "Sculpt"),
    "smooth": ("paint.abstraction", "Smooth"),
    "steps": ("light.tone", "Steps"),
    "strokes": ("paint.strokes", "Strokes"),
    "sunlight": ("light.sunlight", "Sunlight"),
    "tape": ("screen.tape", "Tape"),
    "tint": ("light.tone", "Tint"),
    "tone": ("light.tone", "Tone"),
    "tube": ("screen.tube", "Tube"),
    "vacate": ("place.subject", "Vacate"),
    "wash": ("paint.wash", "Wash"),
}
"""Module and class of every pass, by name. The constructor takes a ``Stage`` and the parameters."""


@cache
def pass_named(name: str) -> Callable[..., Pass]:
    """The constructor of the pass of that name: takes a stage, and the parameters as keyword arguments.

    Raises:
        KeyError: No pass has that name.
    """
    module, kind = PASSES[name]
    made: Callable[..., Pass] = getattr(import_module(f"overpaint.engine.passes.{module}"), kind)
    if name == "painting":
        return lambda stage, coats: made(stage, partial(prepare_coats, coats=coats))
    return made


def prepare_coats(stage: Stage, coats: Iterable[Mapping[str, object]]) -> list[Pass]:
    """Prepares the coats of a painting.

    Args:
        stage: Stage of the painting.
        coats: Parameters of each coat, with its name as ``pass``.
    """
    named = [(str(coat["pass"]), {key: coat[key] for key in coat if key != "pass"}) for coat in coats]
    return prepare(stage, named)


def prepare(stage: Stage, specs: Iterable[tuple[str, Mapping[str, object]]]) -> list[Pass]:
    """Prepares passes in order.

    Args:
        stage: Canvas, threads and inputs.
        specs: Name and parameters of each pass.
    """
    return [pass_named(name)(stage, **parameters) for name, parameters in specs]
