"""Scenes: every one draws at every size, the moving ones calmly, and each has words of its own."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import astuple
from itertools import pairwise

import numpy as np
import pytest

from overpaint.assets import asset_dir
from overpaint.engine.canvas import Canvas
from overpaint.engine.catalogue import LANGUAGES, Entry, entries
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import Plane
from overpaint.engine.scenes.scene_view import SceneView

SCENES = entries("scenes")
MOVING = [entry for entry in SCENES if entry.moves]
STILL = [entry for entry in SCENES if not entry.moves]
SECOND = 30
PLATE_BYTES, ALL_BYTES = 250_000, 8_000_000


def view_of(entry: Entry, width: int = 320, height: int = 180) -> SceneView:
    return SceneView(Stage(Canvas(width, height), Bands(1)), entry)


def planes(view: SceneView, frame: int) -> list[Plane]:
    return [plane.copy() for plane in view.draw(frame)]


def change(one: list[Plane], other: list[Plane]) -> float:
    """Mean change of luma, levels."""
    return float(np.abs(one[0].astype(np.int16) - other[0]).mean())


def most(one: list[Plane], other: list[Plane]) -> int:
    """Greatest change of luma, levels."""
    return int(np.abs(one[0].astype(np.int16) - other[0]).max())


def filled(entry: Entry, width: int, height: int) -> None:
    y, u, v = view_of(entry, width, height).draw(3)
    assert y.shape == (height, width)
    assert u.shape == v.shape == (height // 2, width // 2)
    assert y.dtype == u.dtype == v.dtype == np.uint8
    assert y.std() > 4, "nothing is seen"
    assert 12 < y.mean() < 225, "a person before it would be lost"


def test_there_are_scenes_to_choose_from() -> None:
    assert len(SCENES) >= 30
    assert len(MOVING) >= 15


@pytest.mark.parametrize("entry", SCENES, ids=lambda entry: entry.name)
def test_a_scene_fills_landscape_and_portrait(entry: Entry) -> None:
    filled(entry, 320, 180)
    filled(entry, 180, 320)


@pytest.mark.full
@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1080, 1920), (640, 480)])
def test_every_scene_fills_every_size(size: tuple[int, int]) -> None:
    for entry in SCENES:
        filled(entry, *size)


@pytest.mark.parametrize("entry", MOVING, ids=lambda entry: entry.name)
def test_a_moving_scene_moves_calmly(entry: Entry) -> None:
    view = view_of(entry, 640, 360)
    for frame in (0, 20 * SECOND, 3600 * SECOND):
        now, soon, later = (planes(view, frame + more) for more in (0, 1, 5 * SECOND))
        assert most(now, later) > 4, "nothing moves in five seconds"
        assert change(now, soon) < 1.0, "from frame to frame it is restless"
        assert change(now, soon) < change(now, later), "it shakes and gets nowhere"


def test_a_moving_scene_has_no_seam() -> None:
    """Where the second copy of drifting clouds takes its turn, a frame changes no more than elsewhere."""
    view = view_of(next(entry for entry in MOVING if entry.name == "meadow"), 640, 360)
    frames = [planes(view, frame) for frame in range(600)]
    steps = [change(one, other) for one, other in pairwise(frames)]
    assert max(steps) < 4 * float(np.mean(steps)) + 0.05


@pytest.mark.parametrize("entry", STILL, ids=lambda entry: entry.name)
def test_a_still_scene_is_still(entry: Entry) -> None:
    view = view_of(entry)
    assert change(planes(view, 0), planes(view, 500)) == 0
    assert not entry.parameters.get("motion")


@pytest.mark.parametrize("entry", MOVING, ids=lambda entry: entry.name)
def test_a_frame_depends_on_its_number_alone(entry: Entry) -> None:
    one, other = view_of(entry), view_of(entry)
    other.draw(7)
    other.draw(5000)
    for expected, found in zip(planes(one, 77), planes(other, 77), strict=True):
        assert np.array_equal(expected, found)


def test_threads_change_nothing() -> None:
    entry = next(entry for entry in MOVING if entry.name == "beach")
    alone = planes(view_of(entry), 50)
    together = planes(SceneView(Stage(Canvas(320, 180), Bands(2)), entry), 50)
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))


def test_the_light_of_every_scene_can_be_used() -> None:
    for entry in SCENES:
        light = view_of(entry, 64, 64).light
        assert -1 <= light.side <= 1
        assert -1 <= light.elevation <= 1
        assert 0 <= light.backlit <= 1
        assert light.ground > 0.5
        assert 0 <= light.grain < 6
        assert 0 <= light.blur < 30
        for colour in (light.key, light.ambient):
            assert all(0.05 < value <= 1.5 for value in colour), entry.name
        assert len(astuple(light)) == 8


def test_every_scene_has_words_of_its_own_in_every_language() -> None:
    owners: dict[str, set[str]] = defaultdict(set)
    for entry in SCENES:
        assert set(entry.words) == set(LANGUAGES)
        for language, phrases in entry.words.items():
            assert 1 <= len(phrases) <= 10, (entry.name, language)
            assert len(set(phrases)) == len(phrases), (entry.name, language)
            assert all(phrase == phrase.lower().strip() for phrase in phrases)
        for phrase in entry.phrases:
            owners[phrase].add(entry.name)
    assert {phrase: names for phrase, names in owners.items() if len(names) > 1} == {}


def test_the_scenes_are_no_larger_than_they_may_be() -> None:
    sizes = {path.name: path.stat().st_size for path in asset_dir("scenes").iterdir()}
    assert max(sizes.values()) <= PLATE_BYTES
    assert sum(sizes.values()) <= ALL_BYTES


def test_nothing_lies_in_the_folder_that_no_scene_uses() -> None:
    used = set()
    for entry in SCENES:
        used |= {f"{entry.name}.toml", f"{entry.name}.webp"}
        used |= {f"{entry.name}-{m['map']}.webp" for m in entry.parameters.get("motion", ()) if "map" in m}
    assert {path.name for path in asset_dir("scenes").iterdir()} == used
