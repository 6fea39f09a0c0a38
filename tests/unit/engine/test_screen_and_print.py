"""What the passes of screen, print and light promise, each by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import portrait
from helpers.matrix import few_of
from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.passes.areas.bisection import close, halvings, hierarchy
from overpaint.engine.passes.areas.facets import Facets
from overpaint.engine.passes.areas.glyphs import CHARACTERS, Glyphs, atlas
from overpaint.engine.passes.drawing.inking import Inking
from overpaint.engine.passes.light.clarity import Clarity
from overpaint.engine.passes.light.horizon import Horizon
from overpaint.engine.passes.light.mixer import Mixer
from overpaint.engine.passes.light.neon import Neon
from overpaint.engine.passes.light.rimlight import Rimlight
from overpaint.engine.passes.light.sunlight import Sunlight
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.print.screentone import Screentone
from overpaint.engine.passes.screen.gate import Gate
from overpaint.engine.passes.screen.glitch import CALM_PX, FACE, WILD_PX, Glitch, losses, tears
from overpaint.engine.passes.screen.projector import Projector
from overpaint.engine.passes.screen.tape import Tape
from overpaint.engine.passes.screen.tube import Tube
from overpaint.engine.planes import FULL_FROM_LIMITED, split
from overpaint.engine.prompt.reader import read_prompt

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 640, 360


def stage(width: int = WIDTH, height: int = HEIGHT) -> Stage:
    return Stage(Canvas(width, height), Bands(1))


def show(place: Stage, luma: Any, u: int = 128, v: int = 128) -> Canvas:
    """Starts a frame of a luma (one level or a plane) and one chroma."""
    canvas = place.canvas
    canvas.source[:] = luma
    canvas.u.fill(u)
    canvas.v.fill(v)
    canvas.begin()
    return canvas


def show_portrait(place: Stage) -> Canvas:
    canvas = place.canvas
    image = cv2.cvtColor(portrait(canvas.width, canvas.height), cv2.COLOR_BGR2YUV_I420)
    y, u, v = split(np.asarray(image, np.uint8))
    canvas.source[:], canvas.u[:], canvas.v[:] = FULL_FROM_LIMITED[y], u, v
    canvas.begin()
    return canvas


def planes(canvas: Canvas) -> list[Picture]:
    return [canvas.y.copy(), canvas.u.copy(), canvas.v.copy()]


def edge() -> Picture:
    """Dark on the left, light on the right."""
    luma = np.full((HEIGHT, WIDTH), 60, np.uint8)
    luma[:, WIDTH // 2 :] = 200
    return luma


STILL: dict[str, Callable[[Stage], Any]] = {
    "clarity": Clarity,
    "facets": Facets,
    "gate": Gate,
    "glyphs": Glyphs,
    "horizon": lambda place: Horizon(place, high=("#000000", "#ff80c0"), deep=("#000040", "#ffe080")),
    "inking": Inking,
    "mixer": lambda place: Mixer(place, red=0.5),
    "neon": Neon,
    "rimlight": Rimlight,
    "screentone": Screentone,
    "sunlight": Sunlight,
    "tube": Tube,
}
MOVING: dict[str, Callable[[Stage], Any]] = {"glitch": Glitch, "projector": Projector, "tape": Tape}


@pytest.mark.parametrize("name", few_of(sorted(STILL), ("glyphs", "inking", "screentone")))
def test_a_still_picture_stays_as_it_is_from_frame_to_frame(name: str) -> None:
    place = stage()
    step = STILL[name](place)
    shown = []
    for _ in range(24):
        canvas = show_portrait(place)
        step.apply(canvas)
        shown.append(planes(canvas))
    for before, after in zip(shown[-2], shown[-1], strict=True):
        assert np.abs(before.astype(int) - after).max() <= 1


@pytest.mark.parametrize("name", sorted(MOVING))
def test_what_moves_depends_on_the_number_of_the_frame_alone(name: str) -> None:
    runs = []
    for _ in range(2):
        place = stage()
        step = MOVING[name](place)
        shown = []
        for _ in range(30):
            canvas = show_portrait(place)
            step.apply(canvas)
            shown.append(canvas.y.copy())
        runs.append(shown)
    assert all(np.array_equal(a, b) for a, b in zip(*runs, strict=True))
    assert not np.array_equal(runs[0][0], runs[0][-1])


@pytest.mark.parametrize("name", sorted(set(STILL) - {"gate", "glyphs", "neon", "sunlight"}))
def test_black_stays_black(name: str) -> None:
    place = stage()
    canvas = show(place, 0)
    STILL[name](place).apply(canvas)
    assert canvas.y.max() <= 16


@pytest.mark.parametrize("name", sorted(MOVING))
def test_what_moves_keeps_the_brightness_of_the_picture(name: str) -> None:
    place = stage()
    step = MOVING[name](place)
    for _ in range(12):
        canvas = show(place, 120)
        step.apply(canvas)
        assert abs(float(canvas.y.mean()) - 120) < 9


# The mesh of low poly.


def triangles_of(mesh: Any, used: NDArray[np.bool_], rounds: int) -> list[tuple[int, int, int]]:
    found, waiting = [], [(a, b, c, 0) for a, b, c in mesh.corners.tolist()]
    while waiting:
        a, b, c, depth = waiting.pop()
        middle = (a + b) // 2
        if depth < halvings(rounds) and used[middle]:
            waiting += [(a, c, middle, depth + 1), (c, b, middle, depth + 1)]
        else:
            found.append((a, b, c))
    return found


def area(places: Any, a: int, b: int, c: int) -> float:
    (ax, ay), (bx, by), (cx, cy) = places[a], places[b], places[c]
    return abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2


@pytest.mark.parametrize("share", [0.0, 0.02, 0.3, 1.0])
def test_a_mesh_covers_its_squares_once_however_its_vertices_are_used(share: float) -> None:
    mesh = hierarchy(640, 360, 96, 3)
    used = np.random.default_rng(1).random(len(mesh.places)) < share
    used |= mesh.level == 0
    close(used, mesh)
    found = triangles_of(mesh, used, 3)
    sides: dict[tuple[int, int], int] = {}
    for a, b, c in found:
        for one, two in ((a, b), (b, c), (c, a)):
            key = (min(one, two), max(one, two))
            sides[key] = sides.get(key, 0) + 1
    # Every side belongs to two triangles, or to one at the rim: there is no crack and no overlap.
    assert set(sides.values()) <= {1, 2}
    corners = mesh.places[mesh.corners.ravel()]
    whole = float(np.prod(corners.max(0) - corners.min(0)))
    assert sum(area(mesh.places, *triangle) for triangle in found) == pytest.approx(whole, rel=0.02)


def test_flat_paint_is_flat_over_all_facets() -> None:
    place = stage()
    canvas = show(place, 140, 100, 160)
    Facets(place, facet=0.0).apply(canvas)
    # Shares of a pixel are rounded one by one, so a seam may be a few levels off, but never a gap.
    assert np.abs(canvas.y.astype(int) - 140).max() <= 4
    assert (canvas.u == 100).all() and (canvas.v == 160).all()


def test_facets_are_finer_where_there_is_detail() -> None:
    place = stage()
    luma = np.full((HEIGHT, WIDTH), 128, np.uint8)
    luma[:, WIDTH // 2 :] = (
        np.random.default_rng(2).integers(0, 2, (HEIGHT // 20, WIDTH // 40)).repeat(20, 0).repeat(20, 1) * 200
    )
    step = Facets(place)
    canvas = show(place, luma)
    step.apply(canvas)
    used = step._mesh.places[step._used]
    assert (used[:, 0] > WIDTH / 2).sum() > 3 * (used[:, 0] < WIDTH / 2 - 40).sum()


# Letters.


def test_denser_characters_stand_for_more_light() -> None:
    means = []
    for level in (0, 60, 120, 180, 240):
        place = stage()
        canvas = show(place, level)
        Glyphs(place).apply(canvas)
        means.append(float(canvas.y.mean()))
    assert means == sorted(means)
    assert means[0] < 3 and means[-1] > 90


def test_an_edge_is_written_with_strokes_that_run_along_it() -> None:
    ink, shapes = atlas(8, 14)
    assert len(ink) == len(CHARACTERS) == shapes.shape[1]
    upright = shapes[:, CHARACTERS.index("|")].reshape(4, 3)
    flat = shapes[:, CHARACTERS.index("_")].reshape(4, 3)
    assert upright[:, 1].mean() > 3 * upright[:, [0, 2]].mean()
    assert flat[3].mean() > 3 * flat[:3].mean()


def test_noise_does_not_change_letters() -> None:
    place = stage()
    step = Glyphs(place)
    still = show_portrait(place).source.copy()
    chosen = []
    for seed in range(4):
        noise = np.random.default_rng(seed).normal(0, 2, still.shape)
        step.apply(show(place, np.clip(still + noise, 0, 255).astype(np.uint8)))
        chosen.append(step._chosen.copy())
    assert (chosen[0] != chosen[-1]).mean() < 0.01


# Ink and screens.


def test_ink_lies_on_the_dark_side_of_an_edge_and_nowhere_else() -> None:
    place = stage()
    canvas = show(place, edge())
    canvas.y = np.full_like(canvas.y, 220)
    Inking(place, shadow=0.0).apply(canvas)
    inked = np.flatnonzero(canvas.y[HEIGHT // 2] < 150)
    assert len(inked) and inked.min() > WIDTH // 2 - 12 and inked.max() <= WIDTH // 2 + 1


def test_light_ink_lies_on_the_light_side() -> None:
    place = stage()
    canvas = show(place, edge())
    canvas.y = np.zeros_like(canvas.y)
    Inking(place, shadow=0.0, light=True, ink=250.0).apply(canvas)
    inked = np.flatnonzero(canvas.y[HEIGHT // 2] > 120)
    assert len(inked) and inked.min() >= WIDTH // 2 - 1 and inked.max() < WIDTH // 2 + 12


def test_a_raster_covers_what_its_tone_says() -> None:
    for level, share in ((220, 0.0), (120, 0.2), (70, 0.5), (10, 1.0)):
        place = stage(1280, 720)
        canvas = show(place, level)
        Screentone(place, tones=((150, 0.2), (95, 0.5), (48, 1.0)), ink=0.0, paper=255.0).apply(canvas)
        assert float(canvas.y.mean()) / 255 == pytest.approx(1 - share, abs=0.03)


# Light and colour.


def test_a_red_glass_lightens_skin_and_leaves_grey() -> None:
    place = stage()
    step = Mixer(place, red=0.6)
    canvas = show(place, 120)
    step.apply(canvas)
    assert (canvas.y == 120).all()
    canvas = show(place, 120, 110, 160)
    step.apply(canvas)
    assert abs(float(canvas.y.mean()) - 120 - 0.6 * 32) < 1


def test_clarity_leaves_what_is_flat_and_strengthens_edges() -> None:
    place = stage()
    step = Clarity(place, amount=0.5, radius=12)
    canvas = show(place, 90)
    step.apply(canvas)
    assert (canvas.y == 90).all()
    canvas = show(place, edge())
    step.apply(canvas)
    assert int(canvas.y.min()) < 55 and int(canvas.y.max()) > 205


def test_a_gate_covers_corners_and_spares_the_middle() -> None:
    for shape in ("rounded", "oval", "brushed"):
        place = stage()
        canvas = show(place, 130, 90, 170)
        Gate(place, shape=shape, inset=20.0, colour="#ffffff").apply(canvas)
        assert canvas.y[0, 0] > 250 and abs(int(canvas.u[0, 0]) - 128) <= 1
        middle = (slice(HEIGHT // 3, HEIGHT // 2), slice(WIDTH // 3, WIDTH // 2))
        assert (canvas.y[middle] == 130).all()


def test_sunlight_falls_from_its_side_and_leaves_the_other() -> None:
    place = stage()
    canvas = show(place, 110)
    Sunlight(place, x=1.0, y=0.0, reach=700).apply(canvas)
    assert canvas.y[10, -10] > 150 and abs(int(canvas.y[-10, 10]) - 110) <= 2
    assert canvas.v[5, -5] > 135 and canvas.u[5, -5] < 121


def test_the_sky_has_one_colour_above_and_another_below() -> None:
    place = stage()
    canvas = show(place, 255)
    Horizon(place, high=("#000000", "#0000ff"), deep=("#000000", "#ff0000")).apply(canvas)
    assert canvas.u[2].min() > 200 and canvas.v[-2].min() > 200


def test_two_lamps_colour_two_sides() -> None:
    place = stage()
    canvas = show(place, 140)
    Rimlight(place, left="#ff0000", right="#0000ff", mix=0.8).apply(canvas)
    assert (canvas.y == 140).all(), "what is flat has no rim"
    assert canvas.v[:, 4].mean() > canvas.v[:, -4].mean() + 30
    assert canvas.u[:, -4].mean() > canvas.u[:, 4].mean() + 30


def test_only_what_burns_shines() -> None:
    place = stage()
    luma = np.zeros((HEIGHT, WIDTH), np.uint8)
    luma[170:190, 300:340] = 255
    canvas = show(place, luma)
    Neon(place).apply(canvas)
    assert canvas.y[160, 320] > 20, "light around the tube"
    assert canvas.y[20, 20] <= 2, "night far from it"


# Signals.


def test_tears_are_short_small_and_rarely_wild() -> None:
    shown = [tears(frame) for frame in range(96 * 3)]
    calm = [strips for strips in shown if len(strips) == 7]
    assert len(calm) > 0.85 * len(shown)
    assert all(abs(strip[2]) <= CALM_PX for strips in calm for strip in strips)
    assert all(abs(strip[2]) <= WILD_PX and strip[1] <= 0.06 for strips in shown for strip in strips)
    assert all(sum(strip[1] for strip in strips) < 0.5 for strips in shown)


def test_a_face_in_the_middle_is_left_alone_but_in_short_bursts() -> None:
    above, below = FACE
    for frame in range(96 * 3):
        if len(strips := tears(frame)) == 7:
            assert all(top + tall <= above + 1e-9 or top >= below for top, tall, _, _ in strips)
        assert all(left + wide < 0.33 or left > 0.7 for _, left, _, wide in losses(frame))


def test_a_grey_picture_has_no_coloured_fringes_but_at_edges() -> None:
    place = stage()
    canvas = show(place, edge())
    Glitch(place, amount=0.0).apply(canvas)
    far = np.r_[8 : WIDTH // 4 - 16, WIDTH // 4 + 16 : WIDTH // 2 - 8]
    assert np.abs(canvas.u[:, far].astype(int) - 128).max() <= 1
    assert np.abs(canvas.u[:, WIDTH // 4 - 4 : WIDTH // 4 + 4].astype(int) - 128).max() > 20


def test_a_tape_smears_colour_to_the_right_and_keeps_edges_of_luma() -> None:
    place = stage()
    canvas = show(place, edge())
    canvas.v[:, : WIDTH // 4] = 200
    Tape(place, noise=0.0, tremble=0.0, caption="").apply(canvas)
    assert canvas.v[40, WIDTH // 4 + 1] > 140 and canvas.v[40, WIDTH // 4 - 2] > 195
    row = canvas.y[100].astype(int)
    assert row[WIDTH // 2 + 5] - row[WIDTH // 2 - 6] > 120


def test_dust_and_scratches_cover_next_to_nothing() -> None:
    place = stage()
    step = Projector(place, flicker=0.0, weave=0.0)
    for _ in range(40):
        canvas = show(place, 128)
        step.apply(canvas)
        assert float((np.abs(canvas.y.astype(int) - 128) > 40).mean()) < 0.004


def test_a_tube_has_its_lines_at_every_size_and_keeps_the_light() -> None:
    for width, height in ((640, 360), (1920, 1080)):
        place = stage(width, height)
        canvas = show(place, 120)
        Tube(place).apply(canvas)
        inner = canvas.y[height // 4 : -height // 4, width // 4 : -width // 4]
        assert abs(float(inner.mean()) - 120) < 14
        assert float(inner.mean(1).std()) > 8, "scanlines"
        assert float(inner.mean(0).std()) < 1


def test_without_lines_leaves_brush_ink_out() -> None:
    def names(prompt: str) -> list[str]:
        return [name for name, _ in read_prompt(prompt).steps(with_photo=False)]

    assert "inking" in names("ink comic")
    assert "inking" not in names("ink comic without lines")
