"""Heads of people of our own making, kept in files: to make one takes longer than to learn from it.

Each is drawn with room around it, so that it can be cut out in many ways. Knows no net.

Usage: ``python -m hair_mask.made_heads FOLDER --count 1500``
"""

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from marched_people import marching as m
from marched_people.figure import Figure, Layers, Look, random_light, random_look

SIDE, FINER = 160, 2
"""Pixels across a picture, and rays across a pixel."""

FACE = 0.078
"""Half the width of a made face, metres."""

PART = 50
"""Heads in a file."""


def random_head(chance: np.random.Generator) -> tuple[Layers, tuple[float, float, float]]:
    """A head and shoulders, now and then with somebody behind; column, row and radius of the face, pixels."""
    light = random_light(chance)
    distance = chance.uniform(0.8, 1.1)
    # The face lies somewhat above the middle: hair hangs down.
    down = 0.8 * distance * chance.uniform(-0.14, -0.02)
    across = 0.8 * distance * chance.uniform(-0.06, 0.06)
    figure = Figure(_varied(chance), int(chance.integers(1 << 30)), (across, down), distance, lively=1.6)
    time_s = chance.uniform(0, 8)
    layers = figure.see(SIDE, SIDE, light, time_s, FINER)
    if chance.random() < 0.12:
        beside = across + distance * chance.uniform(0.22, 0.4) * chance.choice((-1, 1))
        other = Figure(
            _varied(chance), int(chance.integers(1 << 30)), (beside, down + chance.normal(0, 0.05)), distance + 0.3
        )
        layers = layers.over(other.see(SIDE, SIDE, light, time_s, FINER))
    return layers, figure.face(SIDE, SIDE, time_s, FACE)


def _varied(chance: np.random.Generator) -> Look:
    """Anybody, with more ways to wear hair, and hats."""
    look = random_look(chance)
    hat = int(chance.integers(m.BEANIE, m.SCARF + 1)) if chance.random() < 0.2 else m.NO_HAT
    if hat and look.hair in (m.AFRO, m.BUN):
        look = replace(look, hair=m.SHORT)
    return replace(
        look,
        hat=hat,
        hairline=chance.uniform(-0.015, 0.03) if chance.random() < 0.6 else 0.0,
        fringe=chance.uniform(0.01, 0.045) if chance.random() < 0.3 else 0.0,
        forward=chance.uniform(0.02, 0.13) if chance.random() < 0.5 else 0.0,
        length=look.length + (chance.uniform(0, 0.12) if look.hair == m.LONG else 0.0),
        headphones=0.0 if hat else look.headphones,
    )


def main() -> None:
    """Reads the command line and makes heads, going on after those that are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=0, help="another one makes other people")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for part in range(options.count // PART):
        file = options.folder / f"{part:04}.npz"
        if file.exists():
            continue
        made = [random_head(np.random.default_rng((options.seed, part, index))) for index in range(PART)]
        planes = {
            "rgb": np.stack([layers.rgb for layers, _ in made]),
            "cover": np.stack([layers.cover for layers, _ in made]),
            "classes": np.stack([layers.classes for layers, _ in made]),
        }
        coded = {name: np.round(np.clip(plane, 0, 1) * 255).astype(np.uint8) for name, plane in planes.items()}
        partial = file.with_suffix(".part")
        with partial.open("wb") as out:
            np.savez_compressed(out, faces=np.array([face for _, face in made], np.float32), **coded)
        partial.replace(file)
        print(file, flush=True)


if __name__ == "__main__":
    main()
