"""What a material promises: the person of it and nobody else, legible, calm, and fixed to who moves."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.matrix import few_of
from overpaint.engine.canvas import Canvas
from overpaint.engine.catalogue import entries
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.materials.shelf import Shelf
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.sculpture.sculpt import Sculpt
from overpaint.engine.people.person_mask import Person, shrink

Plane = NDArray[np.uint8]
Floats = NDArray[np.float32]
NAMES = [entry.name for entry in entries("materials")]
EVERY_RUN = ("marble", "gold", "glass", "wood", "lava")
BANDS = Bands(1)
SHELF = Shelf()

EYES, CHEEKS, MOUTH = ((-24, -14), (24, -14)), ((-26, 16), (26, 16)), (0, 34)
"""Places in the face below, pixels at 360 rows from its middle."""


class Sitter:
    """A drawn person before a striped room, whose mask is known.

    Args:
        width: Pixels.
        height: Pixels.
        at: Middle of the face, pixels.
        shirt: Chroma of the clothes.
    """

    def __init__(
        self,
        width: int,
        height: int,
        at: tuple[float, float] | None = None,
        shirt: tuple[int, int] = (150, 110),
    ) -> None:
        k = min(width, height) / 360
        self.at = at if at is not None else (width * 0.5, height * 0.42)
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        dx, dy = (x - self.at[0]) / k, (y - self.at[1]) / k
        head = np.hypot(dx / 62, dy / 84) < 1
        body = (np.abs(dx) < 70 + 0.5 * (dy - 70)) & (dy > 70) & (np.abs(dx) < 130)
        person = (head | body).astype(np.float32)
        self.alpha = cv2.GaussianBlur(person, (0, 0), max(0.8, 1.5 * k)).astype(np.float32)
        skin = 168 - 0.25 * dx - 0.12 * dy
        for (ex, ey), (rx, ry) in zip((*EYES, MOUTH), ((11, 6), (11, 6), (20, 5)), strict=True):
            skin = skin - 95 * np.clip(1.6 - 1.6 * np.hypot((dx - ex) / rx, (dy - ey) / ry), 0, 1)
        cloth = 90 + 14 * np.sin(dx / 9 + dy / 40) + 10 * np.sin(dy / 13 - dx / 60)
        luma = np.where(head, skin, cloth)
        room = 120 + 50 * np.sin(x / (17 * k)) + 20 * np.sin(y / (23 * k))
        self.luma = np.clip(room + (luma - room) * self.alpha, 0, 255).astype(np.float32)
        half = (width // 2, height // 2)
        small = cv2.resize(self.alpha, half, interpolation=cv2.INTER_AREA)
        face = cv2.resize(head.astype(np.float32), half, interpolation=cv2.INTER_AREA)
        self.u, self.v = (
            np.clip(r + (s + (h - s) * face - r) * small, 0, 255).astype(np.uint8)
            for r, s, h in ((140.0, shirt[0], 108.0), (120.0, shirt[1], 152.0))
        )
        self.mask = np.asarray(small * 255 + 0.5, np.uint8)

    def around(self, place: tuple[float, float], plane: Floats | Plane) -> float:
        """Mean of a full-size plane near a place of the face."""
        k = min(plane.shape) / 360
        x, y, r = round(self.at[0] + place[0] * k), round(self.at[1] + place[1] * k), max(1, round(3 * k))
        return float(plane[y - r : y + r + 1, x - r : x + r + 1].mean())


class Stream:
    """A material on a stream of such pictures, whose masks are given instead of found."""

    def __init__(self, width: int, height: int, name: str, part: str = "person") -> None:
        self.canvas = Canvas(width, height)
        stage = Stage(self.canvas, BANDS, shelf=SHELF)
        self.canvas.person = self.person = Person(self.canvas.half, BANDS)
        self.sculpt = Sculpt(stage, name=name, part=part)

    def show(self, sitter: Sitter, noise: int | None = None) -> Plane:
        """The luma of the result for a picture, with sensor noise of that seed."""
        canvas, luma = self.canvas, sitter.luma
        if noise is not None:
            luma = luma + np.random.default_rng(noise).normal(0, 1.5, luma.shape).astype(np.float32)
        np.copyto(canvas.source, np.clip(luma + 0.5, 0, 255).astype(np.uint8))
        np.copyto(canvas.u, sitter.u)
        np.copyto(canvas.v, sitter.v)
        canvas.begin()
        self.person.see(canvas.low_source, canvas.u, canvas.v)
        np.copyto(self.person.alpha, sitter.mask)
        shrink(self.person.alpha, self.person.small_alpha)
        self.sculpt.apply(canvas)
        return canvas.source.copy()


def inside(sitter: Sitter, margin: int) -> NDArray[np.bool_]:
    """Where the person surely is, at full size."""
    sure = (sitter.alpha > 0.99).astype(np.uint8)
    return np.asarray(cv2.erode(sure, np.ones((2 * margin + 1,) * 2, np.uint8)) > 0)


def fine(plane: Plane, sigma: float = 5) -> Floats:
    """Texture without form."""
    picture = plane.astype(np.float32)
    return np.asarray(picture - cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)


@pytest.mark.parametrize("name", few_of(NAMES, EVERY_RUN))
def test_what_is_not_the_person_stays_as_it_was(name: str) -> None:
    sitter, stream = Sitter(640, 360), Stream(640, 360, name)
    made = stream.show(sitter)
    away = cv2.dilate(sitter.mask, np.ones((3, 3), np.uint8)) == 0
    assert np.array_equal(stream.canvas.u[away], sitter.u[away])
    assert np.array_equal(stream.canvas.v[away], sitter.v[away])
    wide = np.repeat(np.repeat(away, 2, 0), 2, 1)
    assert np.array_equal(made[wide], np.clip(sitter.luma + 0.5, 0, 255).astype(np.uint8)[wide])


@pytest.mark.parametrize("name", few_of(NAMES, EVERY_RUN))
def test_skin_and_clothes_lose_their_colours(name: str) -> None:
    chroma = []
    for shirt in ((190, 90), (80, 170)):
        sitter, stream = Sitter(640, 360, shirt=shirt), Stream(640, 360, name)
        stream.show(sitter)
        sure = inside(sitter, 6)[::2, ::2]
        chroma.append([float(plane[sure].mean()) for plane in (stream.canvas.u, stream.canvas.v)])
        before = np.hypot(sitter.u[sure].astype(float) - shirt[0], sitter.v[sure].astype(float) - shirt[1])
        after = np.hypot(stream.canvas.u[sure] - float(shirt[0]), stream.canvas.v[sure] - float(shirt[1]))
        assert (before < 6).mean() > 0.3 > (after < 6).mean() + 0.25, "nothing is of the shirt's colour"
    assert np.abs(np.subtract(*chroma)).max() < 3, "whatever they wear, the material is the same"


@pytest.mark.parametrize("name", ["lava", "marble", "wood"])
def test_the_texture_is_fainter_on_a_face_than_on_the_chest(name: str) -> None:
    """Cracks, veins and rings across a face hide who it is."""
    k = 2
    sitter = Sitter(640 * k, 360 * k)
    made = fine(Stream(640 * k, 360 * k, name).show(sitter), 6)
    x, y = (round(place) for place in sitter.at)
    # Between eyes and mouth, beside the nose; the plain part of the chest below.
    face = made[y - 2 * k : y + 24 * k, x - 34 * k : x + 34 * k].std()
    chest = made[y + 100 * k : y + 140 * k, x - 50 * k : x + 50 * k].std()
    assert face < 0.6 * chest


@pytest.mark.parametrize("name", NAMES)
def test_eyes_and_mouth_are_legible(name: str) -> None:
    sitter = Sitter(640, 360)
    made = Stream(640, 360, name).show(sitter)
    cheeks = float(np.mean([sitter.around(cheek, made) for cheek in CHEEKS]))
    for feature in (*EYES, MOUTH):
        contrast = (cheeks - sitter.around(feature, made)) / max(cheeks, 40)
        assert contrast > 0.16


@pytest.mark.parametrize("name", few_of(NAMES, EVERY_RUN))
def test_a_still_noisy_picture_stays_calm(name: str) -> None:
    sitter, stream = Sitter(640, 360), Stream(640, 360, name)
    made = [stream.show(sitter, noise=seed).astype(np.float32) for seed in range(6)]
    sure = inside(sitter, 4)
    flicker = float(np.mean([np.abs(b - a)[sure].mean() for a, b in itertools.pairwise(made)]))
    assert flicker < 4.5, "noise of 1.5 levels alone differs by 1.7 from frame to frame"


@pytest.mark.parametrize("name", few_of(("wood", "jade", "lava", "stone"), ("wood",)))
@pytest.mark.parametrize("part", [(-30, 30, -40, 40), (-60, 60, 100, 190)], ids=["face", "chest"])
def test_the_texture_moves_with_the_person(name: str, part: tuple[int, int, int, int]) -> None:
    stream = Stream(640, 360, name)
    sitters = [Sitter(640, 360, at=(300 + step, 150 + step / 3)) for step in range(0, 37, 4)]
    textures = [fine(stream.show(sitter)) for sitter in sitters]
    left, right, top, bottom = part
    patches = []
    for sitter, texture in zip(sitters, textures, strict=True):
        x, y = (round(place) for place in sitter.at)
        patches.append(texture[y + top : y + bottom, x + left : x + right])
    drift, likeness = cv2.phaseCorrelate(patches[0], patches[-1])
    assert np.hypot(*drift) < 3.5, "of 38 pixels that the person moved"
    assert likeness > 0.25


@pytest.mark.parametrize("size", [(64, 64), (66, 400), (360, 640), (130, 70), (1000, 300)])
def test_any_size_and_shape_can_be_of_a_material(size: tuple[int, int]) -> None:
    sitter = Sitter(*size)
    for name, part in itertools.product(("glass", "plush", "hologram"), ("person", "all")):
        stream = Stream(*size, name, part)
        before = sitter.luma
        made = stream.show(sitter)
        assert made.shape == before.shape
        assert np.abs(made - before)[sitter.alpha > 0.9].mean() > 4


@pytest.mark.parametrize("name", few_of(NAMES, EVERY_RUN))
def test_everything_can_be_of_it_too(name: str) -> None:
    sitter, stream = Sitter(640, 360), Stream(640, 360, name, "all")
    stream.show(sitter)
    away = cv2.dilate(sitter.mask, np.ones((9, 9), np.uint8)) == 0
    changed = (np.abs(stream.canvas.u[away] - 140.0) > 3) | (np.abs(stream.canvas.v[away] - 120.0) > 3)
    assert changed.mean() > 0.9


def test_without_anybody_nothing_changes() -> None:
    sitter, stream = Sitter(320, 180), Stream(320, 180, "marble")
    sitter.mask[:] = 0
    assert np.array_equal(stream.show(sitter), np.clip(sitter.luma + 0.5, 0, 255).astype(np.uint8))
    assert np.array_equal(stream.canvas.u, sitter.u)


def test_a_look_sees_the_statue_not_the_person() -> None:
    sitter, stream = Sitter(320, 180), Stream(320, 180, "gold")
    stream.show(sitter)
    canvas = stream.canvas
    assert canvas.y is canvas.source
    assert np.array_equal(stream.person.u, canvas.u)
    halved = cv2.resize(canvas.source, canvas.half[::-1], interpolation=cv2.INTER_AREA)
    assert np.array_equal(canvas.low, halved)


def test_another_person_gets_the_texture_anew() -> None:
    """A cut to another picture must not stretch the texture from one to the other."""
    stream, fresh = Stream(640, 360, "wood"), Stream(640, 360, "wood")
    stream.show(Sitter(640, 360, at=(180, 150)))
    there = Sitter(640, 360, at=(450, 190), shirt=(80, 170))
    there.luma = 255 - there.luma
    assert np.abs(stream.show(there).astype(float) - fresh.show(there)).mean() < 1


def test_bands_of_rows_join_without_a_seam() -> None:
    sitter = Sitter(640, 360)
    whole = Stream(640, 360, "glass")
    alone = whole.show(sitter)
    banded = Stream(640, 360, "glass")
    banded.sculpt._bands = Bands(3)
    assert np.array_equal(banded.show(sitter), alone)


def test_only_a_person_or_all_can_be_of_a_known_material() -> None:
    canvas = Canvas(64, 64)
    stage = Stage(canvas, BANDS, shelf=SHELF)
    with pytest.raises(ValueError, match="person step"):
        Sculpt(stage, name="marble")
    canvas.person = Person(canvas.half, BANDS)
    with pytest.raises(ValueError, match="no hat"):
        Sculpt(stage, name="marble", part="hat")
    with pytest.raises(KeyError):
        Sculpt(stage, name="kryptonite")
