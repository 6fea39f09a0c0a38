"""What a person before a scene is promised: nothing of the room, the scene's light, and a readable face."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import portrait
from overpaint.engine import LookRequest
from overpaint.engine.canvas import Canvas
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.place.person_light import PersonLight, Tones
from overpaint.engine.passes.place.scene import Scene
from overpaint.engine.people.person_mask import Person, shrink
from overpaint.engine.planes import Plane
from overpaint.engine.scenes.photo_light import NEUTRAL, light_in
from overpaint.engine.scenes.scene_light import SceneLight

WIDTH, HEIGHT = 640, 360
DAY = Tones(black=10, middle=120, light=200)
SUN = SceneLight(
    side=0.0, elevation=0.2, key=(1.0, 1.0, 1.0), ambient=(0.4, 0.4, 0.4), backlit=0.0, ground=2.0,
    grain=0.0, blur=0.0,
)  # fmt: skip
SKIN = (105, 152)
ROOMS = {1: 45, 2: 215}
"""Mean luma of a dark and of a bright room."""


def seen(room: int, size: tuple[int, int] = (WIDTH, HEIGHT), level: int = 140) -> tuple[Canvas, Person]:
    """A person like a grey ball with a face of skin, before a dark or a bright room, and their mask."""
    width, height = size
    canvas = Canvas(width, height)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    away = np.hypot(columns - width / 2, rows - height / 2) / (0.33 * min(size))
    alpha = np.asarray(np.clip((1 - away) * 20 + 0.5, 0, 1) * 255, np.uint8)
    noise = ROOMS[room] + np.random.default_rng(room).integers(-15, 16, (height, width))
    canvas.source[:] = noise + (level - noise) * (alpha / 255)
    person = Person(canvas.half, Bands(1))
    person.alpha[:] = cv2.resize(alpha, canvas.half[::-1], interpolation=cv2.INTER_AREA)
    shrink(person.alpha, person.small_alpha)
    face = cv2.resize(np.asarray(away < 0.6, np.uint8), canvas.half[::-1]) > 0
    for plane, skin in zip((canvas.u, canvas.v), SKIN, strict=True):
        plane[:] = np.random.default_rng(room).integers(60, 200, canvas.half)
        plane[person.alpha > 0] = 128
        plane[face] = skin
    canvas.person = person
    canvas.edited()
    return canvas, person


def placed(canvas: Canvas, reference: Plane | None = None, **parameters: str) -> Scene:
    scene = Scene(Stage(canvas, Bands(1), reference=reference), **parameters)
    scene.apply(canvas)
    return scene


def place_photo() -> Plane:
    """A photo of somewhere: smooth, bright at the left, of many colours."""
    photo = np.random.default_rng(5).integers(0, 256, (9, 16, 3)).astype(np.float32)
    photo *= np.linspace(1.0, 0.4, 16, dtype=np.float32)[None, :, None]
    return np.asarray(cv2.resize(photo, (800, 450), interpolation=cv2.INTER_CUBIC).clip(0, 255), np.uint8)


PLACES: Mapping[str, tuple[Plane | None, dict[str, str]]] = {
    "photo": (place_photo(), {}),
    "scene": (None, {"name": "studio-grey"}),
    "colour": (None, {"colour": "#2fae57"}),
    "paper": (None, {}),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("size", [(WIDTH, HEIGHT), (202, 360), (64, 64)])
def test_outside_the_mask_there_is_the_scene_and_nothing_of_the_room(
    place: str, size: tuple[int, int]
) -> None:
    reference, parameters = PLACES[place]
    canvas, person = seen(1, size)
    scene = placed(canvas, reference, **parameters)
    plates = scene._view.draw(0)
    free = cv2.dilate(person.alpha, np.ones((3, 3), np.uint8)) == 0
    assert free.mean() > 0.2
    wide = cv2.resize(free.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    assert np.array_equal(canvas.source[wide], plates[0][wide])
    for plane, plate in zip((canvas.u, canvas.v), plates[1:], strict=True):
        assert np.array_equal(plane[free], plate[free])


def test_another_room_is_not_seen_even_at_the_edges() -> None:
    (one, person), (two, _) = seen(1), seen(2)
    edge = (person.alpha > 20) & (person.alpha < 200)
    assert np.abs(one.low_source.astype(int) - two.low_source)[edge].mean() > 20, "rooms that differ"
    placed(one, place_photo())
    placed(two, place_photo())
    change = np.abs(one.source.astype(int) - two.source)
    assert change.max() <= 16
    assert change[cv2.resize(edge.astype(np.uint8), (WIDTH, HEIGHT)) > 0].mean() < 4


def test_before_a_plain_colour_a_person_stays_exactly_as_they_are() -> None:
    canvas, person = seen(1)
    before, chroma = canvas.source.copy(), canvas.u.copy()
    placed(canvas, colour="#2fae57")
    inside = person.alpha == 255
    assert np.array_equal(chroma[inside], canvas.u[inside])
    deep = np.repeat(np.repeat(cv2.erode(person.alpha, np.ones((3, 3), np.uint8)) == 255, 2, 0), 2, 1)
    assert np.array_equal(before[deep], canvas.source[deep])


def lit(light: SceneLight, tones: Tones = DAY, level: int = 140) -> tuple[Plane, Canvas, PersonLight]:
    """The ball in a light: its luma, and the canvas that it was seen on."""
    canvas, person = seen(1, level=level)
    work = PersonLight(canvas, person, Bands(1), light, tones)
    work.apply(canvas)
    return work.y, canvas, work


LEFT, RIGHT = (slice(140, 220), slice(225, 265)), (slice(140, 220), slice(375, 415))
"""Two sides of the ball."""


def test_the_side_of_the_light_is_the_bright_side() -> None:
    from_left, _, _ = lit(replace(SUN, side=-0.8))
    from_right, _, _ = lit(replace(SUN, side=0.8))
    assert from_left[LEFT].mean() > from_left[RIGHT].mean() + 25
    assert from_right[RIGHT].mean() > from_right[LEFT].mean() + 25


def test_light_from_above_is_on_top() -> None:
    y, _, _ = lit(replace(SUN, elevation=0.9))
    assert y[75:95, 300:340].mean() > y[265:285, 300:340].mean() + 15


def test_warm_light_warms_the_person() -> None:
    _, _, work = lit(replace(SUN, key=(1.2, 0.9, 0.6), ambient=(0.5, 0.42, 0.36)))
    inside = work._person.alpha == 255
    _, _, plain = lit(SUN)
    assert work.v[inside].mean() > plain.v[inside].mean() + 6
    assert work.u[inside].mean() < plain.u[inside].mean() - 6


def test_light_from_behind_draws_a_rim() -> None:
    flat, _, _ = lit(SUN)
    behind, _, work = lit(replace(SUN, backlit=0.8))
    change = behind.astype(int) - flat
    assert work._person.alpha[32, 160] > 240
    assert change[61:65, 300:340].mean() > change[90:110, 300:340].mean() + 12


@pytest.mark.parametrize(
    ("tones", "backlit"),
    [(Tones(0, 3, 8), 0.0), (Tones(0, 3, 8), 1.0), (Tones(4, 30, 60), 0.5), (Tones(200, 235, 250), 0.0)],
)
def test_a_face_is_readable_in_the_darkest_and_in_the_brightest_scene(tones: Tones, backlit: float) -> None:
    y, _, _ = lit(replace(SUN, backlit=backlit), tones)
    face = y[140:220, 280:360]
    assert 80 < face.mean() < 215


def test_a_dark_face_is_not_made_darker_by_a_dark_scene() -> None:
    y, _, _ = lit(SUN, Tones(0, 3, 8), level=70)
    assert y[140:220, 280:360].mean() > 62


def test_the_shadow_lies_on_the_ground_beside_the_person_only() -> None:
    canvas, _ = seen(1)
    scene = Scene(Stage(canvas, Bands(1)), name="studio-grey")
    scene._view.light = replace(scene._view.light, ground=0.6)
    plate = scene._view.draw(0)
    y, _, _ = scene._shaded(plate)
    above = int(0.6 * HEIGHT) - 2
    assert np.array_equal(y[:above], plate[0][:above])
    share = y / np.maximum(plate[0], 1)
    assert share[300:308, 300:340].mean() < 0.9
    assert share[300:308, :60].mean() > 0.98


def test_a_live_scene_moves_by_the_clock_so_that_two_levels_of_detail_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 100.5)
    live = [Scene(Stage(seen(1, size)[0], Bands(1), sparing=True)) for size in ((64, 64), (128, 128))]
    assert {scene._number() for scene in live} == {3015}
    clip = Scene(Stage(seen(1)[0], Bands(1)))
    assert [clip._number() for _ in range(3)] == [0, 1, 2]


def test_a_still_person_in_a_still_scene_stands_still() -> None:
    engine = CpuEngine(threads=1)
    look = engine.compile(LookRequest("backdrop", place_photo()), 640, 360, "clip")
    frame = np.asarray(cv2.cvtColor(portrait(640, 360), cv2.COLOR_BGR2YUV_I420), np.uint8)
    former = look.apply(frame)
    worst: list[float] = []
    for index in range(14):
        out = look.apply(frame)
        if index > 3:
            worst.append(float(np.quantile(np.abs(out.astype(int) - former), 0.999)))
        former = out
    assert max(worst) <= 1


def light_of(left: NDArray[np.float32]) -> SceneLight:
    return light_in(np.asarray(left.clip(0, 255), np.uint8))


def test_the_light_of_a_photo_comes_from_its_bright_side_in_its_colour() -> None:
    room = np.full((90, 160, 3), (70, 75, 80), np.float32)
    window = room.copy()
    window[10:60, :40] = (150, 220, 250)
    light = light_of(window)
    assert light.side < -0.6
    assert light.key[0] > light.key[2] + 0.2
    assert light_of(window[:, ::-1]).side == pytest.approx(-light.side, abs=0.02)


def test_a_bright_place_behind_the_head_is_light_from_behind() -> None:
    dusk = np.full((90, 160, 3), 40, np.float32)
    dusk[10:50, 55:105] = 250
    assert light_of(dusk).backlit > 0.5
    edge = np.full((90, 160, 3), 40, np.float32)
    edge[10:50, :30] = 250
    assert light_of(edge).backlit < 0.2


def test_a_photo_of_one_colour_lights_nobody() -> None:
    assert light_of(np.full((90, 160, 3), 120, np.float32)) is NEUTRAL
