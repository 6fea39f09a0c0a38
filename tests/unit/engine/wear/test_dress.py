"""What dressing promises: new colour and cloth with the old folds, on the clothes and nowhere else."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import portrait
from helpers.drawn_people import BROWN, DARK, PALE, Drawn, Scene, Sitter, draw, inner
from helpers.matrix import few_of
from overpaint.engine.canvas import Canvas
from overpaint.engine.catalogue import entries
from overpaint.engine.colours import yuv
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.materials.shelf import Shelf
from overpaint.engine.passes.frame_intake import Settle
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.registry import prepare
from overpaint.engine.passes.wear.dress import Dress

WIDTH, HEIGHT = 640, 360

CLOTHS = [entry.name for entry in entries("cloths")]

SHELF = Shelf()

Floats = NDArray[np.float32]


class Worn:
    """A stream of drawn pictures whose people are dressed."""

    def __init__(
        self, size: tuple[int, int] = (WIDTH, HEIGHT), *, cloth: str = "", colour: str = "", hair: str = ""
    ) -> None:
        self.scene = Scene(*size)
        stage = Stage(self.scene.canvas, self.scene.bands, shelf=SHELF)
        self._pass = Dress(stage, cloth=cloth, colour=colour, hair=hair)
        self.before: tuple[Floats, Floats, Floats] = self.scene.planes()

    def see(self, drawn: Drawn) -> tuple[Floats, Floats, Floats]:
        """The planes of a picture after dressing; those before it are in ``before``."""
        self.scene.show(drawn)
        self.before = self.scene.planes()
        self._pass.apply(self.scene.canvas)
        return self.scene.planes()


def dressed(
    drawn: Drawn, frames: int = 3, *, cloth: str = "", colour: str = "", hair: str = ""
) -> tuple[Worn, tuple[Floats, ...]]:
    """The stream and the planes after some frames of the same picture."""
    worn = Worn(drawn.bgr.shape[1::-1], cloth=cloth, colour=colour, hair=hair)
    return worn, [worn.see(drawn) for _ in range(frames)][-1]


def shade(worn: Floats, where: NDArray[np.bool_]) -> Floats:
    """Luma's ratio to its mean in a region, in logarithms."""
    level = np.log(worn[where] + 20)
    return np.asarray(level - level.mean(), np.float32)


@pytest.mark.parametrize("skin", [PALE, BROWN, DARK])
@pytest.mark.parametrize("shirt", [(60, 90, 150), (20, 20, 22), (235, 235, 230)])
def test_only_clothes_change_their_colour(skin: tuple[int, int, int], shirt: tuple[int, int, int]) -> None:
    drawn = draw(WIDTH, HEIGHT, Sitter(skin=skin, shirt=shirt))
    worn, after = dressed(drawn, colour="#b01020")
    clothes, rest = inner(drawn.clothes, 6), inner(~drawn.clothes, 6)
    assert after[2][clothes].mean() > 35 and after[1][clothes].mean() < -5
    assert (after[2][clothes] > 20).mean() > 0.98
    for old, new in zip(worn.before, after, strict=True):
        change = np.abs(new - old)[rest]
        # The hand before the chest is small: where it is soft, a little of the shirt reaches into it.
        assert change.mean() < 0.3 and np.quantile(change, 0.995) < 6


@pytest.mark.parametrize(("shirt", "colour"), [((20, 20, 22), "#ffffff"), ((238, 238, 236), "#0a0a0a")])
def test_black_becomes_white_and_white_black_with_their_folds(
    shirt: tuple[int, int, int], colour: str
) -> None:
    drawn = draw(WIDTH, HEIGHT, Sitter(shirt=shirt))
    worn, (luma, u, v) = dressed(drawn, colour=colour)
    clothes = inner(drawn.clothes, 6)
    level = float(luma[clothes].mean())
    assert level > 175 if colour == "#ffffff" else level < 45
    assert np.abs(u[clothes]).mean() < 3 and np.abs(v[clothes]).mean() < 3
    # Highlights are soft: hardly anything is cut off.
    assert (luma[clothes] >= 254).mean() < 0.01
    old, new = shade(worn.before[0], clothes), shade(luma, clothes)
    assert float(np.corrcoef(old, new)[0, 1]) > 0.85
    assert new.std() > 0.5 * old.std()


@pytest.mark.parametrize(
    "name", few_of(CLOTHS, ["denim", "leather", "satin", "velvet", "knit", "sequins", "tartan"])
)
def test_every_cloth_is_on_the_clothes_and_keeps_their_folds(name: str) -> None:
    drawn = draw(WIDTH, HEIGHT, Sitter())
    worn, after = dressed(drawn, cloth=name)
    clothes, rest = inner(drawn.clothes, 6), inner(~drawn.clothes, 6)
    change = sum(np.abs(new - old) for old, new in zip(worn.before, after, strict=True))
    assert float(change[clothes].mean()) > 12
    assert float(change[rest].mean()) < 0.8
    # What is larger than the pattern is the light of before.
    broad = [cv2.GaussianBlur(plane, (0, 0), 9) for plane in (worn.before[0], after[0])]
    deep = inner(drawn.clothes, 20)
    assert float(np.corrcoef(broad[0][deep], broad[1][deep])[0, 1]) > 0.3


def test_no_two_cloths_look_alike() -> None:
    drawn = draw(320, 180, Sitter(size=0.13))
    clothes = inner(drawn.clothes, 3)
    seen = {name: np.stack(dressed(drawn, 1, cloth=name)[1])[:, clothes] for name in CLOTHS}
    for first, second in itertools.combinations(CLOTHS, 2):
        assert np.abs(seen[first] - seen[second]).mean() > 2, (first, second)


def test_a_colour_tints_a_cloth() -> None:
    drawn = draw(WIDTH, HEIGHT, Sitter())
    clothes = inner(drawn.clothes, 6)
    red, green = (dressed(drawn, cloth="stripes", colour=colour)[1] for colour in ("#c01020", "#108040"))
    # Red lines on white, and green lines on white: the ground is the same.
    assert np.quantile(red[2][clothes], 0.9) > 40 and np.quantile(green[2][clothes], 0.1) < -20
    assert abs(np.quantile(red[0][clothes], 0.9) - np.quantile(green[0][clothes], 0.9)) < 6


def test_a_print_on_the_shirt_is_flattened() -> None:
    drawn = draw(WIDTH, HEIGHT, Sitter(shirt=(90, 50, 60), striped=True))
    worn, after = dressed(drawn, colour="#1f6f4f")
    clothes = inner(drawn.clothes, 6)
    assert shade(after[0], clothes).std() < 0.6 * shade(worn.before[0], clothes).std()
    assert after[1][clothes].std() < 4


def test_a_pattern_moves_with_the_body() -> None:
    """After a walk of 48 pixels the stripes are where they were on the body, within a pixel and a half."""
    sitter = Sitter(x=0.4, hand=False)
    worn = Worn(cloth="polka-dots")
    for _ in range(4):
        begun = worn.see(draw(WIDTH, HEIGHT, sitter))
    for step in range(1, 17):
        sitter = replace(sitter, x=0.4 + step * 3 / WIDTH, y=0.36 + step * 1 / HEIGHT)
        drawn = draw(WIDTH, HEIGHT, sitter)
        ended = worn.see(drawn)
    back = inner(drawn.clothes, 8)
    moved = [np.roll(plane, (16, 48), (0, 1)) for plane in begun]
    best = min(
        ((float(np.abs(np.roll(moved[2], (dy, dx), (0, 1)) - ended[2])[back].mean()), dx, dy)
         for dx in range(-6, 7) for dy in range(-6, 7)),
    )  # fmt: skip
    assert abs(best[1]) <= 1 and abs(best[2]) <= 1
    # It would be far worse had the pattern stayed in the picture.
    assert best[0] < 0.35 * float(np.abs(begun[2] - ended[2])[back].mean())


def test_a_pattern_grows_with_somebody_who_comes_nearer() -> None:
    worn = Worn(cloth="polka-dots")
    for step in range(21):
        drawn = draw(WIDTH, HEIGHT, Sitter(size=0.10 * 1.015**step, hand=False))
        after = worn.see(drawn)
        if step == 0:
            few = count_dots(after, drawn)
    assert count_dots(after, drawn) < 0.8 * few


def test_two_people_s_patterns_move_apart() -> None:
    """One walks and one sits still: the pattern of the one who sits stays where it is."""
    seated = Sitter(x=0.25, y=0.42, size=0.09, hand=False)
    worn = Worn(cloth="polka-dots")
    for step in range(12):
        walker = Sitter(x=0.66 + step * 3 / WIDTH, y=0.42, size=0.09, shirt=(120, 70, 60), hand=False)
        drawn = draw(WIDTH, HEIGHT, seated, walker)
        after = worn.see(drawn)
        if step == 3:
            begun = after
    still = inner(draw(WIDTH, HEIGHT, seated).clothes, 8)
    assert float(np.abs(after[2] - begun[2])[still].mean()) < 1.5
    moving = inner(drawn.clothes, 8) & ~draw(WIDTH, HEIGHT, seated).clothes
    moved = np.roll(begun[2], 24, 1)
    assert np.abs(moved - after[2])[moving].mean() < 0.5 * np.abs(begun[2] - after[2])[moving].mean()


def count_dots(planes: tuple[Floats, ...], drawn: Drawn) -> float:
    """Dots per area of the clothes."""
    clothes = inner(drawn.clothes, 4)
    dots = ((planes[2] < 18) & clothes).astype(np.uint8)
    return (cv2.connectedComponents(dots)[0] - 1) / float(clothes.sum())


@pytest.mark.parametrize(
    "options", [{"colour": "#f4f4f4"}, {"cloth": "tartan"}, {"cloth": "sequins"}, {"hair": "#ff69b4"}]
)
def test_a_still_sitter_is_dressed_steadily(options: dict[str, str]) -> None:
    """Noise is not made much larger than it is, and nothing drifts."""
    worn = Worn(**options)
    frames = []
    for seed in range(16):
        after = worn.see(draw(WIDTH, HEIGHT, Sitter(), noise=1.5, seed=seed))
        frames.append((worn.before[0], after[0]))
    drawn = draw(WIDTH, HEIGHT, Sitter())
    where = inner(drawn.hair if "hair" in options else drawn.clothes, 5)
    later = frames[6:]
    old = np.mean([np.abs(b[0] - a[0])[where].mean() for a, b in itertools.pairwise(later)])
    new = np.mean([np.abs(b[1] - a[1])[where].mean() for a, b in itertools.pairwise(later)])
    assert new < 3.5 * old + 0.5
    drift = np.abs(later[-1][1] - later[0][1])
    assert float(cv2.blur(drift, (15, 15))[where].max()) < 12


@pytest.mark.parametrize("colour", ["#ff69b4", "#e3c27a", "#15110f", "#2a4fd0"])
def test_hair_is_dyed_with_its_strands_and_nothing_else(colour: str) -> None:
    drawn = draw(WIDTH, HEIGHT, Sitter())
    worn, after = dressed(drawn, hair=colour)
    hair, rest = inner(drawn.hair, 5), inner(~drawn.hair, 8)
    target = yuv([colour])[0]
    assert abs(float(after[1][hair].mean()) - (target[1] - 128)) < 0.45 * abs(target[1] - 128) + 6
    assert abs(float(after[2][hair].mean()) - (target[2] - 128)) < 0.45 * abs(target[2] - 128) + 6
    assert float(np.corrcoef(worn.before[0][hair], after[0][hair])[0, 1]) > 0.7
    for old, new in zip(worn.before, after, strict=True):
        assert np.abs(new - old)[rest].mean() < 0.3


def test_nobody_is_dressed_in_an_empty_room() -> None:
    worn = Worn(cloth="denim", hair="#ff69b4")
    after = worn.see(draw(WIDTH, HEIGHT))
    for old, new in zip(worn.before, after, strict=True):
        assert np.array_equal(old, new)


def test_a_face_alone_is_left_as_it_is() -> None:
    worn, after = dressed(draw(WIDTH, HEIGHT, Sitter(y=0.6, size=0.36, hand=False)), cloth="denim")
    assert np.abs(after[0] - worn.before[0]).mean() < 0.5


@pytest.mark.parametrize(
    "size", few_of([(64, 64), (360, 640), (1920, 1080), (500, 374)], [(64, 64), (360, 640)])
)
def test_people_are_dressed_at_every_size_and_shape(size: tuple[int, int]) -> None:
    drawn = draw(*size, Sitter(y=0.33, size=0.14))
    worn, after = dressed(drawn, cloth="tartan", hair="#2a4fd0")
    change = np.abs(after[0] - worn.before[0])
    assert change[inner(drawn.clothes, 3)].mean() > 5
    assert change[inner(~drawn.people, 4)].mean() < 0.5


def test_threads_change_nothing() -> None:
    drawn = draw(WIDTH, HEIGHT, Sitter())
    one = dressed(drawn, cloth="sequins", hair="#ff69b4")[1]
    worn = Worn(cloth="sequins", hair="#ff69b4")
    worn.scene.bands = Bands(2)
    several = Scene(WIDTH, HEIGHT)
    stage = Stage(several.canvas, Bands(2), shelf=SHELF)
    dress = Dress(stage, cloth="sequins", hair="#ff69b4")
    for _ in range(3):
        several.show(drawn)
        dress.apply(several.canvas)
    for first, second in zip(one, several.planes(), strict=True):
        # The order of sums differs by band, which is a rounding at most.
        assert np.abs(first - second).max() <= 2


def test_a_photographed_person_is_dressed_behind_the_real_mask() -> None:
    """Through the passes that a look has: the astronaut's suit becomes blue, her face and the room stay."""
    width, height = 960, 540
    bands, canvas = Bands(1), Canvas(width, height)
    passes = prepare(Stage(canvas, bands), [("person", {}), ("dress", {"colour": "#203a9a"})])
    intake = Settle(canvas, bands, 0.8)
    frame = np.asarray(cv2.cvtColor(portrait(width, height), cv2.COLOR_BGR2YUV_I420), np.uint8)
    for _ in range(3):
        intake.take(frame, canvas)
        before = (canvas.source.copy(), canvas.u.copy(), canvas.v.copy())
        for step in passes:
            step.apply(canvas)
    suit, face, room = (
        (slice(450, 520), slice(590, 640)),
        (slice(120, 300), slice(385, 470)),
        (slice(0, 330), slice(640, 960)),
    )
    half = tuple(slice(part.start // 2, part.stop // 2) for part in suit)
    assert canvas.u[half].mean() > 150 > 128 > before[1][half].mean()
    for part in (face, room):
        assert np.abs(canvas.source[part].astype(int) - before[0][part]).mean() < 0.6
    # What comes after sees the person in the new clothes.
    assert canvas.person is not None and np.array_equal(canvas.person.u, canvas.u)
    assert np.array_equal(canvas.y, canvas.source)
