"""Drawn people: a head, hair, neck, torso with folds, and a hand, in any colours, and which pixel is what."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.people.person_mask import Person, shrink
from overpaint.engine.planes import FULL_FROM_LIMITED, split

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Colour = tuple[int, int, int]

PALE, BROWN, DARK = (224, 178, 155), (150, 105, 80), (88, 58, 44)
"""Colours of skin, RGB."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Someone who is drawn.

    Attributes:
        skin: RGB.
        hair: RGB.
        shirt: RGB.
        x: Column of the middle of the face, by the picture's width.
        y: Its row, by the height.
        size: Half the face's width, by the picture's shorter side.
        striped: Whether the shirt has a print of broad light stripes.
        hand: Whether a hand is held before the chest.
    """

    skin: Colour = PALE
    hair: Colour = (50, 36, 28)
    shirt: Colour = (60, 90, 150)
    x: float = 0.5
    y: float = 0.36
    size: float = 0.115
    striped: bool = False
    hand: bool = True


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture of people.

    Attributes:
        bgr: uint8 (H, W, 3).
        skin: bool (H, W), where skin is.
        hair: As ``skin``.
        clothes: As ``skin``.
    """

    bgr: Picture
    skin: NDArray[np.bool_]
    hair: NDArray[np.bool_]
    clothes: NDArray[np.bool_]

    @property
    def people(self) -> NDArray[np.bool_]:
        """Where anybody is."""
        return self.skin | self.hair | self.clothes


def draw(width: int, height: int, *sitters: Sitter, noise: float = 0.0, seed: int = 0) -> Drawn:
    """Draws people before a wall.

    Args:
        width: Pixels, even.
        height: Pixels, even.
        sitters: Who is drawn; each before the last.
        noise: Standard deviation of the camera's noise, levels.
        seed: Of that noise.
    """
    across, down = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    wall = 150 + 30 * across / width - 20 * down / height
    rgb = np.stack([wall * 0.95, wall, wall * 1.04], -1).astype(np.float32)
    parts = {name: np.zeros((height, width), bool) for name in ("skin", "hair", "clothes")}
    for sitter in sitters:
        _sit(rgb, parts, sitter, across, down)
    # As sharp as a lens is.
    rgb = np.asarray(cv2.GaussianBlur(rgb, (0, 0), max(0.5, min(width, height) / 700)), np.float32)
    if noise:
        rgb += np.random.default_rng(seed).normal(0, noise, rgb.shape).astype(np.float32)
    return Drawn(np.clip(rgb[..., ::-1] + 0.5, 0, 255).astype(np.uint8), **parts)


def _sit(
    rgb: Floats, parts: dict[str, NDArray[np.bool_]], sitter: Sitter, across: Floats, down: Floats
) -> None:
    height, width = across.shape
    radius = sitter.size * min(width, height)
    x, y = (across - sitter.x * width) / radius, (down - sitter.y * height) / radius
    # Light from the left.
    light = 1 - 0.12 * x / 3
    folds = 1 + 0.16 * np.sin(2.1 * x + 1.3 * np.sin(1.7 * y)) * np.clip((y - 1.8) / 2, 0, 1)
    shoulders = (y > 2.0 + 0.25 * np.maximum(0, np.abs(x) - 0.8) ** 1.4) & (np.abs(x) < 3.0)
    neckline = np.hypot(x, (y - 1.9) / 0.7) < 0.75
    neck = (np.abs(x) < 0.62) & (y > 0.9) & (y < 2.3)
    face = np.hypot(x, y / 1.35) < 1
    cap = (np.hypot(x, (y + 0.45) / 1.25) < 1.3) & (y < 1.0)
    fringe = face & (y < -0.85)
    hand = np.hypot(x - 1.1, (y - 4.3) / 1.2) < 0.5 if sitter.hand else np.zeros_like(face)
    strands = 1 + 0.18 * np.sin(23 * x + 3 * np.sin(2 * y))
    skin_light = light * (1 - 0.18 * np.clip((y - 1.1) / 0.6, 0, 1) * (np.abs(x) < 0.7))
    features = 1 - 0.75 * (np.hypot(np.abs(x) - 0.4, (y + 0.1) * 1.6) < 0.13)
    features = features - 0.35 * (np.hypot(x / 2.2, y - 0.75) < 0.14)
    print_ = 1 + 0.9 * ((y * 1.4 % 1) > 0.6) if sitter.striped else 1.0

    def paint(where: NDArray[np.bool_], name: str, colour: Colour, shade: NDArray[np.floating]) -> None:
        for part in parts.values():
            part[where] = False
        parts[name][where] = True
        rgb[where] = np.clip(np.array(colour, np.float32) * shade[where][..., None], 0, 255)

    paint(cap, "hair", sitter.hair, strands * light)
    paint(neck | (neckline & shoulders), "skin", sitter.skin, skin_light)
    paint(shoulders & ~neckline & ~neck, "clothes", sitter.shirt, folds * light * print_)
    paint(face & ~fringe, "skin", sitter.skin, skin_light * features)
    paint(hand, "skin", sitter.skin, light * 0.95)


class Scene:
    """A canvas with a frame on it, and a person mask that is as true as one can be."""

    def __init__(self, width: int, height: int) -> None:
        self.bands = Bands(1)
        self.canvas = Canvas(width, height)
        self.person = Person(self.canvas.half, self.bands)
        self.canvas.person = self.person
        self._seen = False

    def show(self, drawn: Drawn) -> None:
        """Puts a picture on the canvas, and its people into the mask."""
        canvas, person = self.canvas, self.person
        y, u, v = split(np.asarray(cv2.cvtColor(drawn.bgr, cv2.COLOR_BGR2YUV_I420), np.uint8))
        cv2.LUT(y, FULL_FROM_LIMITED, dst=canvas.source)
        np.copyto(canvas.u, u)
        np.copyto(canvas.v, v)
        canvas.begin()
        person.see(canvas.low_source, canvas.u, canvas.v)
        soft = np.asarray(drawn.people, np.float32) * 255
        size = canvas.half[::-1]
        np.copyto(person.alpha, np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_AREA), np.uint8))
        shrink(person.alpha, person.small_alpha)
        # What is new is taken at once in the first frame, and a quarter of it later, as where nothing moves.
        person.moved.fill(0.25 if self._seen else 1.0)
        self._seen = True

    def planes(self) -> tuple[Floats, Floats, Floats]:
        """Copies of luma, and of chroma at the size of luma around 0, as they are now."""
        size = (self.canvas.width, self.canvas.height)
        u, v = (
            np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_NEAREST), np.float32) - 128
            for plane in (self.canvas.u, self.canvas.v)
        )
        return self.canvas.source.astype(np.float32), u, v


def inner(where: NDArray[np.bool_], margin: int) -> NDArray[np.bool_]:
    """Pixels that lie at least ``margin`` from the border of a region."""
    side = 2 * margin + 1
    eroded = cv2.erode(where.astype(np.uint8), np.ones((side, side), np.uint8), borderValue=1)
    return np.asarray(eroded, bool)
