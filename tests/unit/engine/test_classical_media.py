"""What the passes of classical media promise: areas that stand still, paper that shows, one ink."""

from __future__ import annotations

import itertools
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import portrait
from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.materials import lattices
from overpaint.engine.passes.areas.cells import Cells
from overpaint.engine.passes.areas.glass import Glass
from overpaint.engine.passes.drawing.crayon import Crayon
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.print.gouge import Gouge
from overpaint.engine.passes.print.papercut import Papercut
from overpaint.engine.planes import split

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 640, 360


def stage(threads: int = 1) -> Stage:
    return Stage(Canvas(WIDTH, HEIGHT), Bands(threads))


def paint(canvas: Canvas, seed: int | None = None) -> None:
    """Fills a canvas with the portrait, with a little of what is left of a sensor's noise."""
    y, u, v = split(np.asarray(cv2.cvtColor(portrait(WIDTH, HEIGHT), cv2.COLOR_BGR2YUV_I420), np.uint8))
    noise = 0 if seed is None else np.random.default_rng(seed).normal(0, 1.2, y.shape)
    canvas.source = np.clip(y + noise, 0, 255).astype(np.uint8)
    canvas.u, canvas.v = u.copy(), v.copy()
    canvas.begin()


def flat(canvas: Canvas, luma: int) -> None:
    canvas.source = np.full((HEIGHT, WIDTH), luma, np.uint8)
    canvas.u.fill(128)
    canvas.v.fill(128)
    canvas.begin()


@pytest.mark.parametrize("layout", ["tiles", "dabs"])
def test_a_layout_is_the_same_in_every_run_and_on_any_number_of_threads(layout: str) -> None:
    def made(threads: int) -> lattices.Lattice:
        if layout == "tiles":
            return lattices.tiles(HEIGHT, WIDTH, 24, 2, 20, 5, Bands(threads))
        return lattices.dabs(HEIGHT, WIDTH, 15, 2, 5, Bands(threads))

    for one, other in ((made(1).coarse, made(3).coarse), (made(1).fine, made(2).fine)):
        assert np.array_equal(one.areas, other.areas)
        assert np.array_equal(one.cover, other.cover)
        assert one.areas.max() < one.parent.size
        assert (one.centre >= 0).all() and one.centre[0].max() < WIDTH and one.centre[1].max() < HEIGHT


def test_a_fine_tile_lies_in_the_coarse_one_that_it_is_cut_from() -> None:
    made = lattices.tiles(HEIGHT, WIDTH, 24, 2, 20, 5, Bands(1))
    assert np.array_equal(made.fine.parent[made.fine.areas], made.coarse.areas)


@pytest.mark.parametrize("layout", ["tiles", "dabs"])
def test_areas_do_not_blink_on_a_still_scene(layout: str) -> None:
    where = stage()
    cells = Cells(where, layout=layout)
    shown = []
    for seed in range(12):
        paint(where.canvas, seed)
        cells.apply(where.canvas)
        shown.append(cells._shown.copy())
    assert 0.05 < shown[-1].mean() < 0.9
    changes = [(a != b).mean() for a, b in itertools.pairwise(shown[4:])]
    assert max(changes) < 0.004


def test_an_area_has_one_colour() -> None:
    where = stage()
    cells = Cells(where, layout="tiles", gap=0.0)
    paint(where.canvas)
    cells.apply(where.canvas)
    coarse = cells._lattice.coarse
    uncut = ~cells._shown[cells._lattice.fine.areas]
    plain = np.bincount(coarse.areas[uncut]).argmax()
    inside = (coarse.areas == plain) & (coarse.relief == 128) & (coarse.cover == 255)
    assert inside.sum() > 5
    assert np.ptp(where.canvas.y[inside].astype(int)) <= 1


def test_leads_stand_still_in_a_still_scene() -> None:
    where = stage()
    glass = Glass(where)
    panes: list[Any] = []
    for seed in range(14):
        paint(where.canvas, seed)
        glass.apply(where.canvas)
        panes.append(glass._panes.areas.copy())
    assert len(np.unique(panes[-1])) > 20
    changes = [(a != b).mean() for a, b in itertools.pairwise(panes[6:])]
    assert max(changes) < 0.004


def test_dry_colour_leaves_the_ground_where_the_picture_is_like_it() -> None:
    where = stage()
    crayon = Crayon(where, ground="#808080", base=0.0, most=0.9, smudge=0.0, hardness=8)
    flat(where.canvas, 128)
    crayon.apply(where.canvas)
    assert np.abs(where.canvas.y.astype(int) - 128).max() <= 1
    shares = []
    for luma in (96, 60, 20):
        flat(where.canvas, luma)
        crayon.apply(where.canvas)
        shares.append((where.canvas.y < 120).mean())
    # The darker, the more grains: but the deepest pits of the paper are never reached.
    assert shares[0] < shares[1] < shares[2] < 0.99


def test_a_linocut_is_printed_in_one_ink() -> None:
    where = stage()
    gouge = Gouge(where, ink="#202020", paper="#f0f0f0")
    paint(where.canvas)
    gouge.apply(where.canvas)
    between = (where.canvas.y > 60) & (where.canvas.y < 210)
    assert between.mean() < 0.1
    assert 0.1 < (where.canvas.y < 128).mean() < 0.9


def test_a_sheet_of_paper_throws_its_shadow_to_the_lower_right() -> None:
    where = stage()
    cut = Papercut(where, sheets=2, begin=128, full=128, drop=20)
    flat(where.canvas, 60)
    where.canvas.low[60:120, 100:200] = 200
    cut.apply(where.canvas)
    y = where.canvas.y.astype(int)
    floor, sheet = y[10, 10], y[180, 300]
    assert sheet > floor + 100
    below, above = y[244:248, 300].mean(), y[108:112, 300].mean()
    assert below < floor - 5
    assert abs(above - floor) <= 3
