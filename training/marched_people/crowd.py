"""Many people of our own making as the net sees them, kept in files: to make one takes longer than to learn from it.

Usage: ``python -m marched_people.crowd FOLDER --count 2400``
"""

import argparse
from pathlib import Path

import numpy as np

from marched_people.figure import Figure, Layers, random_light, random_look

ROWS, COLUMNS, FINER = 144, 256, 2
PART = 50
"""Pictures in a file."""


def random_people(chance: np.random.Generator) -> Layers:
    """One person before a webcam, or two, from near to half-length."""
    light = random_light(chance)
    layers = None
    for place in range(1 + int(chance.random() < 0.12)):
        distance = chance.uniform(0.5, 1.0) if chance.random() < 0.8 else chance.uniform(1.0, 1.8)
        # The head's top lies that share of the picture's height below its border.
        top = chance.uniform(-0.12, 0.06) if chance.random() < 0.35 else chance.uniform(0.02, 0.5)
        down = 0.125 - 0.4 * distance * (1 - 2 * top)
        across = chance.normal(0, 0.12) if chance.random() < 0.8 else chance.uniform(-0.6, 0.6)
        across = across * distance + (0.3 * distance * (1 if across > 0 else -1) if place else 0)
        figure = Figure(random_look(chance), int(chance.integers(1 << 30)), (across, down), distance)
        seen = figure.see(COLUMNS, ROWS, light, chance.uniform(0, 5), FINER)
        layers = seen if layers is None else seen.over(layers)
    assert layers is not None
    return layers


def main() -> None:
    """Reads the command line and makes people, going on after those that are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=2400)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for part in range(options.count // PART):
        file = options.folder / f"{part:04}.npz"
        if file.exists():
            continue
        made = [random_people(np.random.default_rng((part, index))) for index in range(PART)]
        planes = {
            "rgb": np.stack([one.rgb for one in made]),
            "cover": np.stack([one.cover for one in made]),
            "classes": np.stack([one.classes for one in made]),
        }
        partial = file.with_suffix(".part")
        with partial.open("wb") as out:
            np.savez_compressed(out, **{name: np.round(plane * 255).astype(np.uint8) for name, plane in planes.items()})
        partial.replace(file)
        print(file, flush=True)


if __name__ == "__main__":
    main()
