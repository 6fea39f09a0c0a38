"""What was wrong with looks in calls, and is not so any more: each promise on pictures of people or rooms."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.bad_light import SIZE, Scene, dimmed, scenes
from overpaint.engine import LookRequest
from overpaint.engine.canvas import Canvas
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.passes.areas.glass import Glass
from overpaint.engine.passes.light.evenness import Evenness
from overpaint.engine.passes.light.tone import Steps, Tone
from overpaint.engine.passes.pass_interface import Stage

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = SIZE


@pytest.fixture(scope="module")
def engine() -> CpuEngine:
    return CpuEngine(threads=1)


def luma(engine: CpuEngine, look: str, bgr: Picture) -> Picture:
    """Full-range luma of a restyled picture."""
    frame = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8)
    done = engine.compile(LookRequest(look), WIDTH, HEIGHT, "still").apply(frame)[:HEIGHT]
    return np.asarray(np.clip((done.astype(np.float32) - 16) * (255 / 219), 0, 255), np.uint8)


def face(picture: Picture, scene: Scene) -> Picture:
    left, top, right, low = scene.face
    return picture[top:low, left:right]


@pytest.mark.parametrize("factor", [None, 0.45, 0.25])
def test_neon_leaves_a_face_readable_in_any_room(engine: CpuEngine, factor: float | None) -> None:
    for scene in scenes()[:2]:
        room = scene.bgr if factor is None else dimmed(scene.bgr, factor)
        shown = face(luma(engine, "neon-night", room), scene)
        assert shown.mean() > 90, "no face in the dark"
        assert shown.std() > 18, "with its features"


def test_watercolour_covers_the_whole_frame(engine: CpuEngine) -> None:
    room = np.full((HEIGHT, WIDTH, 3), (120, 140, 150), np.uint8)
    shown = luma(engine, "watercolour", room)
    rim = np.concatenate([shown[:12].ravel(), shown[-12:].ravel(), shown[:, :12].ravel()])
    inner = shown[HEIGHT // 4 : -HEIGHT // 4, WIDTH // 4 : -WIDTH // 4]
    assert abs(float(rim.mean()) - float(inner.mean())) < 8, "no white edge of torn paper"


def test_watercolour_has_no_clouds_on_what_is_even(engine: CpuEngine) -> None:
    skin = np.full((HEIGHT, WIDTH, 3), (130, 150, 200), np.uint8)
    shown = luma(engine, "watercolour", skin)
    assert cv2.GaussianBlur(shown, (0, 0), 12).std() < 5


def test_a_pencil_does_not_hatch_a_face_over_in_the_dark(engine: CpuEngine) -> None:
    look = "pencil-sketch, without light correction"
    for scene in scenes()[:2]:
        bright = face(luma(engine, look, scene.bgr), scene)
        dark = face(luma(engine, look, dimmed(scene.bgr, 0.25)), scene)
        assert dark.mean() > 0.55 * bright.mean(), "the look itself meters"


def stage() -> Stage:
    return Stage(Canvas(WIDTH, HEIGHT), Bands(1))


def fill(canvas: Canvas, picture: Picture, u: int = 128, v: int = 128) -> None:
    np.copyto(canvas.source, picture)
    canvas.u.fill(u)
    canvas.v.fill(v)
    canvas.begin()


def test_a_wall_of_the_colour_of_skin_is_glazed_as_any_other() -> None:
    noise = np.random.default_rng(3).normal(0, 6, (HEIGHT, WIDTH))
    wall = np.clip(150 + cv2.GaussianBlur(noise, (0, 0), 1.5) * 3, 0, 255).astype(np.uint8)
    leads = []
    for u, v in ((128, 128), (108, 148)):
        where = stage()
        glass = Glass(where)
        fill(where.canvas, wall, u, v)
        glass.apply(where.canvas)
        leads.append((where.canvas.y < 60).mean())
    assert leads[0] > 0.02
    assert leads[1] == pytest.approx(leads[0], rel=0.1)


def test_evenness_raises_the_dark_and_keeps_white_and_detail() -> None:
    room = np.full((HEIGHT, WIDTH), 255, np.uint8)
    room[:, : WIDTH // 2] = 40
    room[::8, : WIDTH // 2] = 48  # a detail in the dark
    where = stage()
    even = Evenness(where, target=120, strength=0.5, least=1.0)
    fill(where.canvas, room)
    even.apply(where.canvas)
    dark, light = where.canvas.y[:, : WIDTH // 3], where.canvas.y[:, -WIDTH // 3 :]
    assert dark[4::8].mean() > 55
    assert light.min() >= 250
    assert float(dark[::8].mean()) / float(dark[4::8].mean()) > 1.12


def test_vivid_colours_keep_their_hue_and_the_strong_their_strength() -> None:
    where = stage()
    tone = Tone(where, vivid=40)
    for u, v, raised in ((124, 136, True), (40, 230, False)):
        fill(where.canvas, np.full((HEIGHT, WIDTH), 128, np.uint8), u, v)
        tone.apply(where.canvas)
        blue, red = int(where.canvas.u[0, 0]) - 128, int(where.canvas.v[0, 0]) - 128
        assert blue / red == pytest.approx((u - 128) / (v - 128), abs=0.05)
        assert (red > 1.6 * (v - 128)) if raised else (red == v - 128)


def test_cel_tones_are_flat_and_their_edges_sharp() -> None:
    ramp = np.tile(np.linspace(0, 255, WIDTH).astype(np.uint8), (HEIGHT, 1))
    where = stage()
    fill(where.canvas, ramp)
    Steps(where, count=4, hardness=6, half=False).apply(where.canvas)
    row = where.canvas.y[0].astype(int)
    flat = np.abs(row[8:] - row[:-8]) <= 2
    assert flat.mean() > 0.55
    assert (row[8:] - row[:-8]).max() >= 8
