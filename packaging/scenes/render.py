"""Renderer of resources/scenes: the plate of each scene, its maps, and the light in its entry.

    .venv/bin/python packaging/scenes/render.py                      all (a quarter of an hour)
    .venv/bin/python packaging/scenes/render.py beach forest           only these
    .venv/bin/python packaging/scenes/render.py --draft --out DIR      quickly and coarsely, to another folder
    .venv/bin/python packaging/scenes/render.py --sheet FILE.jpg       a contact sheet of what is there

Everything in them is made here, by our own path tracer (``tracer``) from descriptions (``rooms``,
``retreats``, ``coasts``, ``lands``, ``woods``, ``skies``, ``cities``, ``stages``, ``wonders``); no third
party's material is used. The same description gives the same picture.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable
from pathlib import Path

import cities
import coasts
import cv2
import lands
import numpy as np
import retreats
import rooms
import skies
import stages
import wonders
import woods
from numpy.typing import NDArray
from shot import Scene, developed

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "scenes"
PLATE_BYTES, MAP_BYTES = 235_000, 24_000
MAP_SIZE = (480, 270)

SCENES: dict[str, Callable[[], Scene]] = {
    "above-the-clouds": skies.above_clouds,
    "aquarium": wonders.aquarium,
    "autumn-park": woods.autumn,
    "beach": coasts.beach_day,
    "beach-sunset": coasts.beach_sunset,
    "cafe": rooms.cafe,
    "castle": wonders.castle,
    "city-skyline": cities.skyline,
    "classroom": rooms.classroom,
    "concert-stage": stages.stage,
    "desert": lands.desert,
    "fireplace": retreats.fireplace,
    "forest": woods.forest,
    "greenhouse": retreats.greenhouse,
    "lava-cave": wonders.lava,
    "library": rooms.library,
    "living-room": rooms.living_room,
    "loft": rooms.loft,
    "mars": lands.mars,
    "meadow": woods.meadow,
    "moon": lands.moon,
    "mountain-lake": coasts.lake,
    "neon-street": cities.neon_street,
    "news-studio": stages.news,
    "night-city": cities.night_city,
    "nightclub": stages.nightclub,
    "northern-lights": coasts.aurora,
    "office": rooms.office,
    "rainy-window": cities.rainy_window,
    "rooftop": cities.rooftop,
    "snowy-mountains": lands.snow,
    "space": skies.space,
    "spaceship": skies.bridge,
    "studio-grey": wonders.studio,
    "sunset-sky": skies.sunset_sky,
    "tropical-island": coasts.island,
    "underwater": coasts.underwater,
    "waterfall": woods.waterfall,
    "winter-cabin": retreats.cabin,
    "zen-garden": woods.zen,
}


def write_webp(picture: NDArray[np.uint8], path: Path, most: int) -> None:
    """Writes a picture as finely as the limit allows."""
    for quality in range(90, 30, -3):
        data = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, quality])[1]
        if len(data) <= most:
            break
    path.write_bytes(data.tobytes())


def measured(picture: NDArray[np.uint8]) -> tuple[list[float], list[float]]:
    """Colour and strength of a plate's key light (its brightest part) and of the rest, RGB."""
    small = cv2.resize(picture, (192, 108), interpolation=cv2.INTER_AREA)[..., ::-1].astype(np.float32) / 255
    linear = small.reshape(-1, 3) ** 2.2
    weights = np.array([0.2126, 0.7152, 0.0722], np.float32)
    luma = linear @ weights
    bright = linear[luma >= np.quantile(luma, 0.93)].mean(0)
    rest = linear.mean(0)

    def light(colour: NDArray[np.float32], strength: float) -> list[float]:
        hue = colour / max(float(colour @ weights), 1e-4)
        # Skin is lit by the whole surroundings, walls behind the camera, too: half of the tint.
        hue = (np.clip(hue, 0.2, 3) ** 0.5) / float((np.clip(hue, 0.2, 3) ** 0.5) @ weights)
        return [round(float(min(1.5, v * strength)), 2) for v in hue]

    key = min(1.2, max(0.45, 1.2 * float(bright @ weights) ** 0.35))
    ambient = min(1.0, max(0.25, 1.55 * float(rest @ weights) ** 0.5))
    return light(bright, key), light(rest, ambient)


def note_light(entry: Path, picture: NDArray[np.uint8], blur: float) -> None:
    """Writes a plate's light into the scene's entry, where there is one.

    Args:
        entry: The scene's file.
        picture: Its plate.
        blur: Radius of the lens's disc that it was developed with, pixels at 1080 rows.
    """
    if not entry.exists():
        return
    key, ambient = measured(picture)
    text = entry.read_text("utf-8")
    # A disc blurs like a Gaussian of half its radius; rendering at half the size is a blur by itself.
    for name, value in (("key", key), ("ambient", ambient), ("blur", round(0.5 * blur + 0.8, 1))):
        text = re.sub(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
    entry.write_text(text, "utf-8", newline="\n")


def draw(name: str, folder: Path, quality: float) -> None:
    """Renders one scene into a folder."""
    started, wall = time.process_time(), time.monotonic()
    scene = SCENES[name]()
    taken = scene.shot.take(quality)
    light = scene.after(taken) if scene.after else taken.light
    picture = developed(light, scene.develop)
    write_webp(picture, folder / f"{name}.webp", PLATE_BYTES)
    for kind, make in scene.maps.items():
        made = cv2.resize(
            np.asarray(make(taken, taken.light), np.float32), MAP_SIZE, interpolation=cv2.INTER_AREA
        )
        write_webp(
            np.clip(made * 255 + 0.5, 0, 255).astype(np.uint8), folder / f"{name}-{kind}.webp", MAP_BYTES
        )
    note_light(folder / f"{name}.toml", picture, scene.develop.blur)
    print(
        f"{name}: {time.process_time() - started:.0f} s of CPU, {time.monotonic() - wall:.0f} s,"
        f" {(folder / f'{name}.webp').stat().st_size // 1000} kB",
        flush=True,
    )


def write_sheet(path: Path, folder: Path, columns: int = 4) -> None:
    """Writes all plates of a folder as tiles of 320x180."""
    tiles = []
    for name in SCENES:
        plate = cv2.imdecode(np.fromfile(folder / f"{name}.webp", np.uint8), cv2.IMREAD_COLOR)
        tile = cv2.resize(plate, (320, 180), interpolation=cv2.INTER_AREA)
        cv2.putText(tile, name, (6, 172), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 3, cv2.LINE_AA)
        cv2.putText(tile, name, (6, 172), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (255, 255, 255), 1, cv2.LINE_AA)
        tiles.append(tile)
    while len(tiles) % columns:
        tiles.append(np.zeros_like(tiles[0]))
    rows = [np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)]
    path.write_bytes(cv2.imencode(path.suffix, np.vstack(rows))[1].tobytes())


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("names", nargs="*", help="scenes to render; all without")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--draft", action="store_true", help="coarse and quick")
    parser.add_argument(
        "--sheet", type=Path, help="write a contact sheet of what is there, and render nothing"
    )
    parser.add_argument("--light", action="store_true", help="measure the light of what is there, only")
    given = parser.parse_args()
    if given.light:
        for name in given.names or SCENES:
            plate = cv2.imdecode(np.fromfile(given.out / f"{name}.webp", np.uint8), cv2.IMREAD_COLOR)
            note_light(given.out / f"{name}.toml", np.asarray(plate, np.uint8), SCENES[name]().develop.blur)
        return
    if given.sheet:
        write_sheet(given.sheet, given.out)
        return
    for name in given.names or SCENES:
        draw(name, given.out, 0.3 if given.draft else 1.0)


if __name__ == "__main__":
    main()
