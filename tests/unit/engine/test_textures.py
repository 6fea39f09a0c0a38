"""Papers and screens: made once, kept within bounds, alike at every size, and without a seam."""

from __future__ import annotations

import numpy as np
import pytest

from helpers.matrix import few_of
from overpaint.engine import LookRequest, looks
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.materials import textures
from overpaint.engine.materials.shelf import Shelf, size_bytes
from overpaint.engine.materials.textures import TOOTH, Grain

STROKES = (Grain(2.0, 1.0, 64.0, 52.0), Grain(4.0, 0.3))


@pytest.fixture(scope="module")
def engine() -> CpuEngine:
    return CpuEngine(threads=1)


@pytest.mark.parametrize("name", few_of(look.name for look in looks()))
def test_a_look_that_is_chosen_again_makes_nothing_anew(engine: CpuEngine, name: str) -> None:
    engine.compile(LookRequest(name), 640, 360)
    made = engine.shelf.made
    engine.compile(LookRequest(name), 640, 360)
    assert engine.shelf.made == made


def test_two_looks_on_one_paper_make_it_once(engine: CpuEngine) -> None:
    shelf = Shelf()
    one = shelf.get(textures.screen, shelf, 720, 1280, TOOTH, 1)
    assert shelf.get(textures.screen, shelf, 720, 1280, TOOTH, 1) is one


def test_another_size_takes_its_texture_from_the_one_that_is_there() -> None:
    shelf = Shelf()
    textures.tile(shelf, 1080, STROKES, 5)
    assert shelf.made == 1
    for height in (908, 720, 540, 2160):
        textures.tile(shelf, height, STROKES, 5)
    assert shelf.made == 1


@pytest.mark.parametrize("height", [720, 908, 1440])
def test_a_texture_is_alike_at_every_size(height: int) -> None:
    shelf = Shelf()
    full, other = (textures.tile(shelf, rows, (Grain(9.0),), 3) for rows in (1080, height))
    rows = (np.arange(other.shape[0]) + 0.5) * 1080 / height
    columns = (np.arange(other.shape[1]) + 0.5) * 1080 / height
    same = full[np.ix_(rows.astype(int) % full.shape[0], columns.astype(int) % full.shape[1])]
    assert np.corrcoef(same.ravel(), other.ravel())[0, 1] > 0.95


@pytest.mark.parametrize("height", [64, 360, 1080, 2160])
@pytest.mark.parametrize("grains", [TOOTH, STROKES])
def test_a_tile_has_the_deviation_that_was_asked_for(height: int, grains: tuple[Grain, ...]) -> None:
    tile = textures.tile(Shelf(), height, grains, 2)
    assert tile.mean() == pytest.approx(0, abs=0.01)
    assert tile.std() == pytest.approx(np.sqrt(sum(grain.weight**2 for grain in grains)), rel=0.01)


@pytest.mark.parametrize("height", [360, 908, 1080])
def test_nobody_finds_the_seam(height: int) -> None:
    tile = textures.tile(Shelf(), height, STROKES, 7)
    twice = textures.repeated(tile, 2 * tile.shape[0], 2 * tile.shape[1])
    steps_down, steps_across = np.abs(np.diff(twice, axis=0)).mean(1), np.abs(np.diff(twice, axis=1)).mean(0)
    assert steps_down[tile.shape[0] - 1] < steps_down.mean() * 1.3
    assert steps_across[tile.shape[1] - 1] < steps_across.mean() * 1.3


def test_strokes_run_in_their_direction() -> None:
    tile = textures.tile(Shelf(), 1080, (Grain(2.0, 1.0, 90.0, 45.0),), 1)
    along = (tile * np.roll(tile, (12, 12), (0, 1))).mean()
    across = (tile * np.roll(tile, (-12, 12), (0, 1))).mean()
    assert along > 0.6
    assert abs(across) < 0.2


def test_a_screen_covers_as_much_as_the_tone_says() -> None:
    shelf = Shelf()
    for screen in (
        textures.dots(540, 960, 15.0, 9.0),
        textures.dots(540, 960, 75.0, 8.0),
        textures.strokes(540, 960, 20.0, 9.0, 14.0, 50),
        textures.screen(shelf, 540, 960, STROKES, 4),
    ):
        for tone in (40, 128, 210):
            assert (screen < tone).mean() == pytest.approx(tone / 255, abs=0.03)


def test_the_shelf_gives_up_what_was_not_asked_for_the_longest() -> None:
    shelf = Shelf(bytes_max=3 * 8000)
    shelf.get(np.zeros, 1000)
    shelf.get(np.ones, 1000)
    shelf.get(np.empty, 1000)
    shelf.get(np.zeros, 1000)
    shelf.get(np.arange, 1000)
    assert shelf.made == 4
    shelf.get(np.zeros, 1000)
    assert shelf.made == 4
    shelf.get(np.ones, 1000)
    assert shelf.made == 5


def test_what_is_too_large_for_the_shelf_is_made_and_not_kept() -> None:
    shelf = Shelf(bytes_max=8000)
    kept = shelf.get(np.zeros, 400)
    shelf.get(np.zeros, 900)
    shelf.get(np.zeros, 900)
    assert shelf.made == 3
    assert shelf.get(np.zeros, 400) is kept


def test_the_shelf_weighs_what_is_inside_of_things() -> None:
    assert size_bytes((np.zeros(10), (np.zeros(5), "name"))) == 120
