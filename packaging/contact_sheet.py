"""Contact sheet of all looks on real frames, with full-size pictures, call tiles and the looks' thumbnails.

``make looks`` calls it. Frames come from a folder of pictures and clips (``--media``), or from
scikit-image's photographs and the demo clip, so that it works on a bare checkout.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from skimage import data

from overpaint.assets import asset_dir
from overpaint.engine import LookRequest, looks
from overpaint.engine.cpu import CpuEngine

Picture = NDArray[np.uint8]

FULL, TILE, THUMBNAIL = (1920, 1080), (320, 180), (192, 108)
SCENES = 3
FRAMES = 8
"""Frames of a scene; the last one is kept, when a look's running averages have settled."""

FACE = (112, 24, 288, 162)
"""Left, top, width and height of the astronaut's head and shoulders, for thumbnails."""

ENLARGED = 3
"""A thumbnail is painted this many times larger and then reduced, so that strokes stay visible."""

SHEET_BYTES = 400_000
PICTURES, CLIPS = {".jpg", ".jpeg", ".png", ".webp"}, {".mp4", ".mkv", ".mov", ".webm"}


@dataclass(frozen=True)
class Scene:
    """A few successive frames, I420, 1920×1080."""

    name: str
    frames: list[Picture]


def fitted(bgr: Picture, size: tuple[int, int] = FULL) -> Picture:
    """What fits of a picture at that size, I420."""
    height, width = bgr.shape[:2]
    scale = max(size[0] / width, size[1] / height)
    grown = cv2.resize(
        bgr,
        (max(size[0], round(width * scale)), max(size[1], round(height * scale))),
        interpolation=cv2.INTER_CUBIC,
    )
    # Of a tall picture the top: heads are there.
    left = (grown.shape[1] - size[0]) // 2
    cut = np.ascontiguousarray(grown[: size[1], left : left + size[0]])
    return np.asarray(cv2.cvtColor(cut, cv2.COLOR_BGR2YUV_I420), np.uint8)


def shown(image: Picture, size: tuple[int, int] | None = None) -> Picture:
    """An I420 picture as BGR, reduced to a size."""
    bgr = np.asarray(cv2.cvtColor(image, cv2.COLOR_YUV2BGR_I420), np.uint8)
    return bgr if size is None else np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8)


def clip(path: Path, part: float) -> list[Picture]:
    """Successive frames of a clip, from a part of its length on."""
    capture = cv2.VideoCapture(str(path))
    start = int(max(0, capture.get(cv2.CAP_PROP_FRAME_COUNT) * part))
    frames = []
    for number in range(start + FRAMES):
        read, frame = capture.read()
        if not read:
            break
        if number >= start:
            frames.append(fitted(np.asarray(frame, np.uint8)))
    capture.release()
    if not frames:
        raise SystemExit(f"{path} cannot be read as a clip.")
    return frames


def scenes(media: Path | None) -> list[Scene]:
    """Three scenes: from a folder, people first, or from what is installed with the development tools."""
    if media is None:
        demo = asset_dir("demo") / "demo.mp4"
        photos = {"astronaut": data.astronaut(), "coffee": data.coffee()}
        found = [
            Scene(name, [fitted(np.asarray(rgb[..., ::-1], np.uint8))] * FRAMES)
            for name, rgb in photos.items()
        ]
        return [*found, Scene("demo", clip(demo, 0.3))]
    files = sorted(path for path in media.iterdir() if path.suffix.lower() in PICTURES | CLIPS)
    clips = sorted(
        (path for path in files if path.suffix.lower() in CLIPS), key=lambda p: "person" not in p.name
    )
    pictures = [path for path in files if path.suffix.lower() in PICTURES]
    files = [*clips[: SCENES - 1], *pictures, *clips[SCENES - 1 :]]
    found = [
        Scene(path.stem, clip(path, 0.3))
        if path.suffix.lower() in CLIPS
        else Scene(path.stem, [fitted(np.asarray(cv2.imread(str(path)), np.uint8))] * FRAMES)
        for path in files[:SCENES]
    ]
    if len(found) < SCENES:
        found.append(Scene("astronaut", [fitted(np.asarray(data.astronaut()[..., ::-1], np.uint8))] * FRAMES))
    return found


def painted(engine: CpuEngine, name: str, frames: Iterable[Picture]) -> tuple[Picture, float]:
    """The last frame through a look, and the median CPU milliseconds of the later frames."""
    spent = []
    look = None
    for frame in frames:
        if look is None:
            look = engine.compile(LookRequest(name), frame.shape[1], frame.shape[0] * 2 // 3)
        start = time.process_time()
        out = look.apply(frame)
        spent.append((time.process_time() - start) * 1000)
    return out, float(np.median(spent[3:]))


def thumbnail(engine: CpuEngine, name: str) -> Picture:
    """A look's thumbnail, RGB uint8 (108, 192, 3)."""
    left, top, width, height = FACE
    head = np.asarray(data.astronaut()[top : top + height, left : left + width, ::-1], np.uint8)
    large = (THUMBNAIL[0] * ENLARGED, THUMBNAIL[1] * ENLARGED)
    picture, _ = painted(engine, name, [fitted(head, large)] * FRAMES)
    return np.ascontiguousarray(shown(picture, THUMBNAIL)[..., ::-1])


def write_thumbnails(engine: CpuEngine, folder: Path) -> None:
    """Writes a thumbnail for each look, and removes those of former looks."""
    folder.mkdir(exist_ok=True)
    names = {look.name for look in looks()}
    for path in folder.glob("*.webp"):
        if path.stem not in names:
            path.unlink()
    for name in sorted(names):
        Image.fromarray(thumbnail(engine, name)).save(folder / f"{name}.webp", quality=82, method=6)


def write_sheet(rows: list[tuple[str, list[Picture]]], path: Path) -> None:
    """Writes one JPEG of all tiles with their titles, small enough for a README."""
    columns = 2
    tile, gap, caption = (176, 99), 6, 20
    block = (SCENES * (tile[0] + 2) + gap * 3, tile[1] + caption + gap)
    height = -(-len(rows) // columns) * block[1] + gap
    sheet = Image.new("RGB", (columns * block[0] + gap, height), (24, 25, 28))
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(14)
    for index, (title, tiles) in enumerate(rows):
        x, y = gap + index % columns * block[0], gap + index // columns * block[1]
        draw.text((x + 2, y), title, (232, 232, 232), font=font)
        for place, picture in enumerate(tiles):
            small = cv2.resize(picture, tile, interpolation=cv2.INTER_AREA)
            sheet.paste(Image.fromarray(small[..., ::-1]), (x + place * (tile[0] + 2), y + caption))
    for quality in range(86, 30, -4):
        sheet.save(path, quality=quality, optimize=True, progressive=True)
        if path.stat().st_size <= SHEET_BYTES:
            break


def main(arguments: Any = None) -> None:
    """Reads options and writes everything."""
    parser = argparse.ArgumentParser(description="Renders every look on three real frames.")
    parser.add_argument("--media", type=Path, help="folder of pictures and clips to use")
    parser.add_argument("--out", type=Path, default=Path("dist/looks"), help="folder to write to")
    parser.add_argument("--only", help="names of looks, separated by commas; no sheet is made then")
    parser.add_argument("--no-thumbnails", action="store_true", help="leave resources/looks/thumbnails alone")
    parser.add_argument("--thumbnails", action="store_true", help="make the thumbnails and nothing else")
    options = parser.parse_args(arguments)
    engine = CpuEngine(threads=1)
    if options.thumbnails:
        write_thumbnails(engine, asset_dir("looks") / "thumbnails")
        return
    stage = scenes(options.media)
    wanted = options.only.split(",") if options.only else [look.name for look in looks()]
    (options.out / "full").mkdir(parents=True, exist_ok=True)
    (options.out / "tiles").mkdir(exist_ok=True)
    for scene in stage:
        cv2.imwrite(str(options.out / "full" / f"original-{scene.name}.png"), shown(scene.frames[-1]))
    rows = []
    print(
        f"{'CPU ms a frame at 1920x1080, 1 thread':40}{'':2}" + "".join(f"{s.name[:18]:>20}" for s in stage)
    )
    for look in looks():
        if look.name not in wanted:
            continue
        tiles, times = [], []
        for scene in stage:
            picture, spent = painted(engine, look.name, scene.frames)
            times.append(spent)
            cv2.imwrite(str(options.out / "full" / f"{look.name}-{scene.name}.png"), shown(picture))
            tiles.append(shown(picture, TILE))
            cv2.imwrite(str(options.out / "tiles" / f"{look.name}-{scene.name}.png"), tiles[-1])
        rows.append((look.title, tiles))
        print(f"{look.name:42}" + "".join(f"{spent:20.1f}" for spent in times), flush=True)
    if not options.only:
        write_sheet(rows, options.out / "looks.jpg")
    if not options.no_thumbnails:
        write_thumbnails(engine, asset_dir("looks") / "thumbnails")
    print(f"written to {options.out}")


if __name__ == "__main__":
    main()
