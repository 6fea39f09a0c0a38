"""What parts of people promise: clothes and hair found, skin left out, steady, and none where nobody is."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.drawn_people import BROWN, DARK, PALE, Drawn, Scene, Sitter, draw
from helpers.matrix import few_of
from overpaint.engine.people.appearance import CLOTHES, HAIR
from overpaint.engine.people.colour_bins import skin_likeness
from overpaint.engine.people.heads import HeadTracker, find_heads
from overpaint.engine.people.parts import Parts

WIDTH, HEIGHT = 640, 360

SITTERS = {
    "blue shirt": Sitter(),
    "black shirt": Sitter(skin=BROWN, shirt=(20, 20, 22), hair=(20, 15, 12)),
    "white shirt": Sitter(skin=DARK, shirt=(240, 240, 235), hair=(15, 12, 12)),
    "red shirt": Sitter(shirt=(180, 30, 30), hair=(150, 90, 50)),
    "print": Sitter(skin=BROWN, shirt=(40, 60, 40), striped=True),
}


class Watched:
    """A stream of drawn pictures and the parts in them."""

    def __init__(self, width: int = WIDTH, height: int = HEIGHT) -> None:
        self.scene = Scene(width, height)
        self.parts = Parts(self.scene.canvas.half, self.scene.bands, (CLOTHES, HAIR))

    def see(self, drawn: Drawn) -> dict[int, NDArray[np.float32]]:
        """The masks of a picture, 0..1, at its full size."""
        self.scene.show(drawn)
        self.parts.find(self.scene.person, self.scene.canvas.low_source)
        size = drawn.bgr.shape[1::-1]
        return {
            part: np.asarray(cv2.resize(alpha, size), np.float32) / 255
            for part, alpha in self.parts.alpha.items()
        }


def overlap(found: NDArray[np.float32], true: NDArray[np.bool_]) -> float:
    return float(np.minimum(found, true).sum() / np.maximum(found, true).sum())


@pytest.mark.parametrize("name", SITTERS)
def test_clothes_and_hair_are_found_on_all_people(name: str) -> None:
    drawn = draw(WIDTH, HEIGHT, SITTERS[name])
    stream = Watched()
    masks = [stream.see(drawn) for _ in range(3)][-1]
    assert overlap(masks[CLOTHES], drawn.clothes) > 0.95
    assert overlap(masks[HAIR], drawn.hair) > 0.85
    # Face, neck and hand are no clothes, and hardly any of them is hair.
    assert masks[CLOTHES][drawn.skin].mean() < 0.06
    assert masks[HAIR][drawn.skin].mean() < 0.03


def test_a_shirt_of_the_colour_of_skin_is_still_a_shirt() -> None:
    drawn = draw(WIDTH, HEIGHT, Sitter(skin=PALE, shirt=(200, 170, 140), hand=False))
    stream = Watched()
    masks = [stream.see(drawn) for _ in range(3)][-1]
    assert masks[CLOTHES][drawn.clothes].mean() > 0.85
    rows = np.arange(HEIGHT)[:, None] < 0.45 * HEIGHT
    assert masks[CLOTHES][drawn.skin & rows].mean() < 0.02


def test_each_of_two_people_has_clothes_and_hair() -> None:
    left = Sitter(skin=DARK, shirt=(190, 190, 60), x=0.27, y=0.42, size=0.1, hand=False)
    right = Sitter(skin=PALE, shirt=(40, 120, 60), hair=(170, 130, 70), x=0.72, hand=False)
    drawn = draw(WIDTH, HEIGHT, left, right)
    stream = Watched()
    masks = [stream.see(drawn) for _ in range(3)][-1]
    assert len(stream.parts.heads) == 2
    for half in (slice(0, WIDTH // 2), slice(WIDTH // 2, WIDTH)):
        assert overlap(masks[CLOTHES][:, half], drawn.clothes[:, half]) > 0.9
        assert overlap(masks[HAIR][:, half], drawn.hair[:, half]) > 0.7
        assert masks[CLOTHES][:, half][drawn.skin[:, half]].mean() < 0.06


def test_a_still_sitter_has_still_clothes() -> None:
    stream = Watched()
    masks = [stream.see(draw(WIDTH, HEIGHT, Sitter(), noise=4, seed=seed))[CLOTHES] for seed in range(14)][6:]
    changes = [np.abs(after - before) for before, after in itertools.pairwise(masks)]
    assert float(np.mean(changes)) < 0.002
    assert max(float(cv2.blur(change, (9, 9)).max()) for change in changes) < 0.2


def test_nobody_has_no_clothes() -> None:
    stream = Watched()
    masks = stream.see(draw(WIDTH, HEIGHT))
    assert not masks[CLOTHES].any() and not masks[HAIR].any() and not stream.parts.heads


def test_whoever_leaves_takes_the_clothes_along() -> None:
    stream = Watched()
    for _ in range(3):
        stream.see(draw(WIDTH, HEIGHT, Sitter()))
    assert not stream.see(draw(WIDTH, HEIGHT))[CLOTHES].any()


def test_a_face_alone_has_no_clothes() -> None:
    drawn = draw(WIDTH, HEIGHT, Sitter(y=0.6, size=0.36, hand=False))
    assert not drawn.clothes.any()
    stream = Watched()
    masks = [stream.see(drawn) for _ in range(2)][-1]
    assert masks[CLOTHES].mean() < 0.01


@pytest.mark.parametrize(
    "size",
    few_of([(64, 64), (360, 640), (1920, 1080), (500, 374), (1280, 720)], [(64, 64), (360, 640), (500, 374)]),
)
def test_clothes_are_found_at_every_size_and_shape(size: tuple[int, int]) -> None:
    drawn = draw(*size, Sitter(y=0.33, size=0.14))
    stream = Watched(*size)
    masks = [stream.see(drawn) for _ in range(3)][-1]
    assert overlap(masks[CLOTHES], drawn.clothes) > (0.9 if min(size) > 100 else 0.75)


def test_a_head_is_found_where_it_is() -> None:
    scene = Scene(WIDTH, HEIGHT)
    for x, y in ((0.3, 0.4), (0.5, 0.36), (0.72, 0.45)):
        scene.show(draw(WIDTH, HEIGHT, Sitter(x=x, y=y)))
        rows, columns = scene.person.small_alpha.shape
        (head,) = find_heads(scene.person.small, scene.person.small_alpha, skin_likeness())
        assert abs(head.x / columns - x) < 0.02 and abs(head.y / rows - y) < 0.07
        assert 0.8 < head.radius / rows / 0.115 < 1.4


def test_a_bun_is_no_head_and_hides_none() -> None:
    scene, sitter = Scene(WIDTH, HEIGHT), Sitter(skin=BROWN, hair=(32, 32, 34), y=0.5)
    drawn = draw(WIDTH, HEIGHT, sitter)
    top = int(np.flatnonzero(drawn.people[:, WIDTH // 2 - 10 : WIDTH // 2 + 10].any(1))[0])
    bun = np.zeros(drawn.people.shape, np.uint8)
    cv2.circle(bun, (WIDTH // 2, top - HEIGHT // 25), HEIGHT // 15, 1, -1)
    bgr = np.where(bun[..., None] > drawn.people[..., None], np.array(sitter.hair[::-1], np.uint8), drawn.bgr)
    scene.show(replace(drawn, bgr=bgr, hair=drawn.hair | (bun > 0)))
    (head,) = find_heads(scene.person.small, scene.person.small_alpha, skin_likeness())
    rows, columns = scene.person.small_alpha.shape
    assert abs(head.x / columns - 0.5) < 0.02 and abs(head.y / rows - 0.5) < 0.07
    assert head.skin > 0.3


def test_a_head_that_is_missed_for_a_moment_stays() -> None:
    scene, tracker = Scene(WIDTH, HEIGHT), HeadTracker()
    scene.show(draw(WIDTH, HEIGHT, Sitter()))
    (head,) = tracker.follow(scene.person.small, scene.person.small_alpha, skin_likeness())
    nobody = np.zeros_like(scene.person.small_alpha)
    assert tracker.follow(scene.person.small, nobody, skin_likeness()) == [head]
    for _ in range(80):
        left = tracker.follow(scene.person.small, nobody, skin_likeness())
    assert left == []
