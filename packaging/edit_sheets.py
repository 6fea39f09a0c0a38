"""Contact sheets of every scene, material or cloth of the catalogue on eight people.

``make sheets`` calls it. Two people are photographed: those of a folder of pictures and clips (``--media``),
else scikit-image's astronaut, twice. Six are ray-marched (``training/marched_people``): long hair,
dark skin and headphones, glasses before a window, two people, a beard in a dark room, both hands.
Written are each picture at full size, a sheet for each entry, and one of all entries at a call tile's size.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import get_args

import cv2
import numpy as np
from contact_sheet import CLIPS, PICTURES, TILE, Picture, clip, fitted, shown
from skimage import data

from overpaint.engine import LookRequest
from overpaint.engine.catalogue import Kind, entries
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.prompt.edits import prompt_of

TRAINING = Path(__file__).resolve().parents[1] / "training"

MADE = (
    "hair like the wall",
    "headphones",
    "hand and window",
    "two people",
    "dark in the dark",
    "both hands",
)
"""Clips of ``marched_people.clips`` that are shown."""

QUICKLY = [cv2.IMWRITE_PNG_COMPRESSION, 1]

REAL = 2
ACROSS, CELL = 3, (522, 294)
"""Pictures in a row of an entry's sheet, and their size."""


def photographed(media: Path | None) -> dict[str, Picture]:
    """Real people by name, I420: of the first clips and pictures of a folder, else the astronaut, twice."""
    found: dict[str, Picture] = {}
    if media is not None:
        files = sorted(media.iterdir(), key=lambda path: (path.suffix.lower() not in CLIPS, path.name))
        for path in (path for path in files if path.suffix.lower() in PICTURES | CLIPS):
            if path.suffix.lower() in CLIPS:
                found[path.stem] = clip(path, 0.3)[0]
            else:
                found[path.stem] = fitted(np.asarray(cv2.imread(str(path)), np.uint8))
    astronaut = np.asarray(data.astronaut()[..., ::-1], np.uint8)
    found["astronaut"] = fitted(astronaut)
    found["astronaut-mirrored"] = fitted(np.ascontiguousarray(astronaut[:, ::-1]))
    return dict(list(found.items())[:REAL])


def made(folder: Path) -> dict[str, Picture]:
    """Ray-marched people by name, I420; their pictures are kept in a folder, since each takes seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {name: folder / f"{name.replace(' ', '-')}.png" for name in MADE}
    if not all(file.is_file() for file in files.values()):
        if not TRAINING.is_dir():
            raise SystemExit("The people are made by training/, which a source distribution lacks.")
        sys.path.append(str(TRAINING))
        for people in import_module("marched_people.clips").hard_clips(1920, 1080):
            if people.name in files:
                cv2.imwrite(str(files[people.name]), next(people.frames(1)).bgr)
    return {file.stem: fitted(np.asarray(cv2.imread(str(file)), np.uint8)) for file in files.values()}


def captioned(picture: Picture, size: tuple[int, int], caption: str) -> Picture:
    """A picture reduced to a size, with its name in the lower left corner."""
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    for colour, width in (((0, 0, 0), 3), ((255, 255, 255), 1)):
        cv2.putText(
            small, caption, (5, size[1] - 7), cv2.FONT_HERSHEY_SIMPLEX, 0.42, colour, width, cv2.LINE_AA
        )
    return small


def mosaic(pictures: list[Picture], across: int) -> Picture:
    """Pictures of one size in rows."""
    pictures = [*pictures, *[np.zeros_like(pictures[0])] * (-len(pictures) % across)]
    rows = [np.hstack(pictures[at : at + across]) for at in range(0, len(pictures), across)]
    return np.asarray(np.vstack(rows), np.uint8)


def draw(kind: Kind, wanted: list[str], people: dict[str, Picture], out: Path) -> None:
    """Draws entries of a kind on all people, as single pictures at full detail."""
    (out / "full").mkdir(parents=True, exist_ok=True)
    engine = CpuEngine(threads=1)
    tiles: list[Picture] = []
    for entry in entries(kind):
        if wanted and entry.name not in wanted:
            continue
        cells = []
        for name, frame in people.items():
            look = engine.compile(
                LookRequest(prompt_of(entry)), frame.shape[1], frame.shape[0] * 2 // 3, "still"
            )
            picture = shown(look.apply(frame))
            cv2.imwrite(str(out / "full" / f"{entry.name}-{name}.png"), picture, QUICKLY)
            cells.append(captioned(picture, CELL, name))
            tiles.append(captioned(picture, TILE, entry.name))
        cells.append(captioned(shown(next(iter(people.values()))), CELL, "as the camera sees"))
        cv2.imwrite(str(out / f"{entry.name}.png"), mosaic(cells, ACROSS))
        print(f"{kind}: {entry.name}", flush=True)
    if not wanted:
        cv2.imwrite(str(out / "tiles.png"), mosaic(tiles, len(people)))


def main() -> None:
    """Reads options and draws."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("kinds", nargs="*", help="scenes, materials, cloths; all without")
    parser.add_argument("--media", type=Path, help="folder of pictures and clips of people")
    parser.add_argument("--out", type=Path, default=Path("dist/sheets"), help="folder to write to")
    parser.add_argument("--only", help="names of entries, separated by commas")
    options = parser.parse_args()
    kinds = options.kinds or get_args(Kind)
    if not set(kinds) <= set(get_args(Kind)):
        parser.error(f"there are {', '.join(get_args(Kind))}")
    people = photographed(options.media) | made(options.out / "people")
    for kind in kinds:
        draw(kind, options.only.split(",") if options.only else [], people, options.out / kind)
    print(f"written to {options.out}")


if __name__ == "__main__":
    main()
