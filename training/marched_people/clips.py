"""Clips of people of our own making before rooms, with the matte that is true of them.

The eight clips hold what mattes are bad at: hair before a wall of its own colour, a head at the picture's border, dark
clothes in the dark, headphones, glasses, hands, a chair, two people. Knows no net and no engine.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from marched_people import marching as m
from marched_people.figure import CLOTHS, HAIRS, SKINS, Figure, Layers, Light, Look

FRAMES_PER_S = 30


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame and what is true of it.

    Attributes:
        bgr: uint8 (H, W, 3), what the camera sees.
        alpha: float32 (H / 2, W / 2), the matte.
        own: float32 (H, W, 3), BGR, 0..1: the people's own colour times their matte.
        full_alpha: float32 (H, W), the matte at full size.
        classes: float32 (4, H / 2, W / 2): shares of hair, skin, clothes, things worn.
    """

    bgr: np.ndarray
    alpha: np.ndarray
    own: np.ndarray
    full_alpha: np.ndarray
    classes: np.ndarray


@dataclass(frozen=True, slots=True)
class Clip:
    """People before a room, for as long as one likes.

    Attributes:
        name: What is hard about it.
        people: From the farthest to the nearest.
        light: On all of them.
        room: float32 (H, W, 3), RGB, 0..1.
        noise: Standard deviation of the camera's noise, levels.
    """

    name: str
    people: tuple[Figure, ...]
    light: Light
    room: np.ndarray
    noise: float = 2.0

    def frames(self, count: int, finer: int = 2) -> Iterator[Frame]:
        """Its first frames, of the room's size, of ``finer`` × ``finer`` rays a pixel."""
        height, width = self.room.shape[:2]
        chance = np.random.default_rng(7)
        for index in range(count):
            layers: Layers | None = None
            for person in self.people:
                nearer = person.see(width, height, self.light, index / FRAMES_PER_S, finer)
                layers = nearer if layers is None else nearer.over(layers)
            assert layers is not None
            seen = layers.before(self.room)[..., ::-1] * 255 + chance.normal(0, self.noise, self.room.shape)
            half = (width // 2, height // 2)
            halved = [cv2.resize(plane, half, interpolation=cv2.INTER_AREA) for plane in layers.classes]
            yield Frame(
                np.clip(seen + 0.5, 0, 255).astype(np.uint8),
                cv2.resize(layers.alpha, half, interpolation=cv2.INTER_AREA),
                np.ascontiguousarray(layers.own[..., ::-1]),
                layers.alpha,
                np.stack(halved),
            )


def wall(width: int, height: int, colour: tuple[float, float, float], seed: int = 0) -> np.ndarray:
    """A bare wall, brighter at one side, with the grain of paint: float32 (H, W, 3), 0..1."""
    chance = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(chance.standard_normal((height, width)).astype(np.float32), (0, 0), 2)
    across = np.linspace(0.9, 1.1, width, dtype=np.float32)[None]
    return np.clip((across + 0.04 * grain)[..., None] * np.array(colour, np.float32), 0, 1)


def shelves(width: int, height: int, seed: int = 0) -> np.ndarray:
    """Shelves of books, a little out of focus: float32 (H, W, 3), 0..1."""
    chance = np.random.default_rng(seed)
    room = np.full((height, width, 3), chance.uniform(0.25, 0.5, 3), np.float32)
    board = height // 4
    for top in range(-board // 3, height, board):
        x = 0
        while x < width:
            wide, tall = int(width * chance.uniform(0.01, 0.03)), int(board * chance.uniform(0.55, 0.85))
            if chance.random() < 0.88:
                colour = np.clip(chance.uniform(0.08, 0.75) * chance.uniform(0.5, 1.3, 3), 0, 1)
                room[max(0, top + board - tall) : max(0, top + board - 6), x : x + wide] = colour
                room[max(0, top + board - tall) : max(0, top + board - 6), x : x + 2] *= 0.6
            x += wide + 1
        room[max(0, top + board - 6) : max(0, top + board)] = 0.55, 0.42, 0.3
    return np.clip(cv2.GaussianBlur(room, (0, 0), height / 400), 0, 1)


def window(width: int, height: int) -> np.ndarray:
    """A bright window in a darker wall: float32 (H, W, 3), 0..1."""
    room = wall(width, height, (0.38, 0.36, 0.35), 4)
    left, right, low = width // 5, width * 4 // 5, height * 3 // 4
    room[:low, left:right] = np.linspace((0.8, 0.9, 1.0), (0.95, 0.97, 0.98), low, dtype=np.float32)[:, None]
    bar = max(2, width // 80)
    for x in (left, (left + right) // 2, right):
        room[:low, x - bar : x + bar] = 0.7
    return cv2.GaussianBlur(room, (0, 0), height / 300)


def panelled(width: int, height: int) -> np.ndarray:
    """A pale wall with a panel of the colour of skin in the middle, as a door or a curtain is: float32 (H, W, 3)."""
    room, panel = wall(width, height, (0.75, 0.7, 0.62), 3), wall(width, height, (0.72, 0.5, 0.42), 1)
    middle = slice(int(width * 0.4), int(width * 0.6))
    room[:, middle] = panel[:, middle]
    return cv2.GaussianBlur(room, (0, 0), height / 180)


def photo(file: Path, width: int, height: int) -> np.ndarray:
    """A photo cut to a size around its middle: float32 (H, W, 3), 0..1."""
    bgr = cv2.imread(str(file))
    scale = max(width / bgr.shape[1], height / bgr.shape[0])
    larger = cv2.resize(bgr, None, fx=scale + 1e-3, fy=scale + 1e-3, interpolation=cv2.INTER_CUBIC)
    top, left = (larger.shape[0] - height) // 2, (larger.shape[1] - width) // 2
    part = larger[top : top + height, left : left + width, ::-1]
    return np.ascontiguousarray(part).astype(np.float32) / 255


def _light(x: float, y: float, z: float, key: float, fill: float, warm: float = 0.0) -> Light:
    tint = np.array([1 + warm, 1, 1 - warm])
    return Light(np.array([x, y, z]), tint * key, np.full(3, fill), np.full(3, fill * 0.6))


def hard_clips(width: int, height: int) -> list[Clip]:
    """The eight clips on which mattes are measured."""
    room = (width, height)
    long = Look(
        m.LONG, 0.26, 0.008, sleeves=0.0, skin=SKINS[0], hair_colour=HAIRS[3], cloth=CLOTHS[4], strands=900,
        strand_length=0.045,
    )
    dark = Look(m.SHORT, 0, 0.008, beard=0.6, skin=SKINS[2], hair_colour=HAIRS[0], cloth=CLOTHS[0], strands=500)
    afro = Look(m.AFRO, 0, 0.01, headphones=1.5, skin=SKINS[4], hair_colour=HAIRS[0], cloth=CLOTHS[7], strands=1200)
    bob = Look(
        m.BOB, 0.14, 0.01, glasses=1.0, skin=SKINS[1], hair_colour=HAIRS[1], cloth=CLOTHS[2], hands="one", strands=700,
        pattern=m.STRIPES, second=CLOTHS[4],
    )
    curly = Look(
        m.CURLY, 0, 0.022, hood=1.2, chair=0.4, skin=SKINS[3], hair_colour=HAIRS[2], cloth=CLOTHS[3], strands=1200,
        strand_length=0.045,
    )
    bald = Look(m.BALD, 0, 0, beard=1.0, headphones=1.4, skin=SKINS[0], hair_colour=HAIRS[5], cloth=CLOTHS[1], hands="both")
    bun = Look(m.BUN, 0, 0.004, glasses=1.0, skin=SKINS[5], hair_colour=HAIRS[0], cloth=CLOTHS[5], strands=400)
    grey = Look(m.SHORT, 0, 0.012, chair=0.3, skin=SKINS[1], hair_colour=HAIRS[6], cloth=CLOTHS[9], strands=700)
    short = Look(m.SHORT, 0, 0.008, sleeves=0.0, skin=SKINS[0], hair_colour=HAIRS[3], cloth=CLOTHS[4], strands=300)
    return [
        Clip("hair like the wall", (Figure(long, 1, (0.0, -0.04), 0.72),), _light(-0.6, 0.5, 0.7, 0.7, 0.35, 0.1),
             wall(*room, (0.72, 0.58, 0.53))),
        Clip("dark in the dark", (Figure(dark, 2, (0.03, 0.02), 0.7),), _light(0.9, 0.3, 0.5, 0.35, 0.1),
             shelves(*room, 3) * 0.3, 4.0),
        Clip("headphones", (Figure(afro, 3, (-0.04, 0.0), 0.75),), _light(0.5, 0.7, 0.6, 0.8, 0.35),
             shelves(*room, 5)),
        Clip("hand and window", (Figure(bob, 4, (0.0, 0.0), 0.85),), _light(-0.3, 0.4, -0.6, 0.9, 0.4),
             window(*room)),
        Clip("two people", (Figure(bun, 5, (-0.24, 0.02), 0.95), Figure(grey, 6, (0.16, 0.03), 0.8)),
             _light(0.4, 0.5, 0.8, 0.7, 0.35), shelves(*room, 8)),
        Clip("chair and hood", (Figure(curly, 7, (0.05, 0.02), 0.75),), _light(-0.8, 0.2, 0.6, 0.6, 0.3, -0.1),
             wall(*room, (0.45, 0.5, 0.55), 2)),
        Clip("both hands", (Figure(bald, 8, (0.0, 0.03), 0.9),), _light(0.2, 0.6, 0.8, 0.7, 0.4),
             shelves(*room, 11)),
        Clip("head at the border", (Figure(short, 9, (0.02, -0.1), 0.66),), _light(0.6, 0.4, 0.8, 0.6, 0.4, 0.08),
             panelled(*room)),
    ]  # fmt: skip
