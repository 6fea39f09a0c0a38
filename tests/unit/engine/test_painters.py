"""Painters' looks and the photo's own: each has its colours, touches follow the form, faces are spared."""

from __future__ import annotations

from typing import Any, cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from skimage import data

from helpers.clips import portrait
from helpers.matrix import few_of
from overpaint.assets import asset_dir
from overpaint.engine import LookRequest, looks
from overpaint.engine.canvas import Canvas
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.library import Look
from overpaint.engine.nets.style_codes import shipped_style
from overpaint.engine.passes.frame_intake import Settle
from overpaint.engine.passes.paint.abstraction import Kuwahara
from overpaint.engine.passes.paint.coats import Painting
from overpaint.engine.passes.paint.dabs import Dabs
from overpaint.engine.passes.paint.style_net import Net
from overpaint.engine.passes.pass_interface import Stage
from overpaint.errors import OverpaintError

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 640, 360


def coats(look: Look) -> list[dict[str, Any]]:
    """Coats of a look's painting, the pass of each as ``pass``."""
    return [coat for step in look.passes for coat in cast("Any", step.parameters).get("coats", ())]


STYLES = {look.name: coat["style"] for look in looks() for coat in coats(look) if coat["pass"] == "net"}
PAINTERS = sorted(name for name, style in STYLES.items() if style != "photo")


@pytest.fixture(scope="module")
def engine() -> CpuEngine:
    return CpuEngine(threads=1)


@pytest.fixture(scope="module")
def frame() -> Picture:
    return i420(portrait(WIDTH, HEIGHT))


def i420(bgr: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8)


def restyled(engine: CpuEngine, prompt: str, frame: Picture, photo: Picture | None = None) -> Picture:
    """BGR, as a still."""
    look = engine.compile(LookRequest(prompt, photo), WIDTH, HEIGHT, "still")
    return np.asarray(cv2.cvtColor(look.apply(frame), cv2.COLOR_YUV2BGR_I420), np.uint8)


def test_each_style_that_ships_is_a_painters_look() -> None:
    assert {STYLES[name] for name in PAINTERS} == {path.stem for path in asset_dir("styles").glob("*.npy")}
    assert len(PAINTERS) >= 5


def test_van_gogh_paints_in_blue_and_munch_in_orange(engine: CpuEngine, frame: Picture) -> None:
    blue, orange = (
        restyled(engine, name, frame).reshape(-1, 3).mean(0) for name in ("van gogh", "edvard munch")
    )
    assert blue[0] - blue[2] > 15 + orange[0] - orange[2]


@pytest.mark.parametrize("name", few_of(PAINTERS, PAINTERS[:2]))
def test_what_is_light_and_dark_stays_so(engine: CpuEngine, frame: Picture, name: str) -> None:
    painted = cv2.cvtColor(restyled(engine, name, frame), cv2.COLOR_BGR2GRAY)
    assert np.corrcoef(painted.ravel(), frame[:HEIGHT].ravel())[0, 1] > 0.75


def test_a_photo_draws_a_painters_colours_towards_its_own(engine: CpuEngine, frame: Picture) -> None:
    red = np.zeros((64, 64, 3), np.uint8)
    red[..., 2] = np.linspace(40, 230, 64)
    plain, mixed = restyled(engine, "van gogh", frame), restyled(engine, "van gogh", frame, red)
    assert (mixed[..., 2].mean() - mixed[..., 0].mean()) > (plain[..., 2].mean() - plain[..., 0].mean()) + 10


def test_a_photo_alone_gives_its_colours(engine: CpuEngine, frame: Picture) -> None:
    photo = np.ascontiguousarray(data.coffee()[:, :, ::-1])
    warm, cold = restyled(engine, "", frame, photo), restyled(engine, "", frame, 255 - photo)
    assert (warm[..., 2].mean() - warm[..., 0].mean()) > (cold[..., 2].mean() - cold[..., 0].mean()) + 20


def test_the_photos_look_without_a_photo_is_no_bare_picture(engine: CpuEngine, frame: Picture) -> None:
    bare = np.asarray(cv2.cvtColor(frame, cv2.COLOR_YUV2BGR_I420), np.int16)
    assert np.abs(restyled(engine, "photo-style", frame) - bare).mean() > 2


def dabbed(frames: list[Picture], **parameters: float) -> list[NDArray[np.int16]]:
    """Half-size luma after each frame less that before."""
    canvas, bands = Canvas(WIDTH, HEIGHT), Bands(1)
    intake, dabs = Settle(canvas, bands, 0.0), Dabs(Stage(canvas, bands, None), **parameters)
    results = []
    for frame in frames:
        intake.take(frame, canvas)
        before = canvas.low.astype(np.int16)
        dabs.apply(canvas)
        results.append(canvas.low - before)
    return results


def test_touches_fade_where_the_picture_is_fine() -> None:
    image = np.full((HEIGHT * 3 // 2, WIDTH), 128, np.uint8)
    image[:HEIGHT, : WIDTH // 2] = np.kron(
        np.random.default_rng(3).integers(30, 220, (HEIGHT // 5, WIDTH // 10)), np.ones((5, 5))
    )
    # Noise alone: what the drawing out itself changes in fine places is another matter.
    (loud,), (silent,) = dabbed([image], luma=14.0), dabbed([image], luma=0.0)
    touches = np.abs(loud - silent)
    assert touches[:, 10 : WIDTH // 4 - 30].mean() < 0.5 * touches[:, WIDTH // 4 + 30 :].mean()


def test_touches_of_a_still_scene_stand_still(frame: Picture) -> None:
    first, *_, last = dabbed([frame] * 6)
    assert np.abs(first - last).max() <= 1


def test_a_swirl_turns_where_nothing_else_leads() -> None:
    flat = np.full((HEIGHT * 3 // 2, WIDTH), 128, np.uint8)
    (straight,), (swirling,) = (dabbed([flat], length=120.0, swirl=swirl) for swirl in (0.0, 40.0))
    assert coherence(straight) > coherence(swirling) + 0.2


def coherence(relief: NDArray[np.int16]) -> float:
    """How far the directions of a relief agree over the whole picture, 0..1."""
    levels = cv2.GaussianBlur(relief.astype(np.float32), (0, 0), 1)
    gx, gy = cv2.Sobel(levels, cv2.CV_32F, 1, 0), cv2.Sobel(levels, cv2.CV_32F, 0, 1)
    xx, yy, xy = (gx * gx).mean(), (gy * gy).mean(), (gx * gy).mean()
    return float(np.hypot(xx - yy, 2 * xy) / (xx + yy))


def streamed(frames: list[Picture], sparing: bool, rows: int = HEIGHT) -> list[NDArray[np.int16]]:
    """Half-size luma after each frame, painted by van Gogh's code on a copy of so many rows."""
    canvas, bands = Canvas(WIDTH, HEIGHT), Bands(1)
    intake = Settle(canvas, bands, 0.0)
    stage = Stage(canvas, bands, None, sparing=sparing, painting_rows=rows)
    painting = Painting(stage, lambda inner: [Kuwahara(inner), Net(inner, style="van-gogh")])
    results = []
    for frame in frames:
        intake.take(frame, canvas)
        painting.apply(canvas)
        results.append(canvas.low.astype(np.int16))
    return results


def test_a_stream_that_paints_every_second_frame_anew_looks_the_same(frame: Picture) -> None:
    """A picture that drifts sideways by a pixel a frame, as a person who sits does at most."""
    wide = portrait(WIDTH + 12, HEIGHT)
    frames = [i420(np.ascontiguousarray(wide[:, k : k + WIDTH])) for k in range(0, 12, 2)]
    pairs = zip(streamed(frames, True), streamed(frames, False), strict=True)
    apart = [float(np.abs(spared - full).mean()) for spared, full in pairs]
    assert max(apart) < 5


def test_a_cut_is_painted_at_once(frame: Picture) -> None:
    other = i420(np.ascontiguousarray(255 - portrait(WIDTH, HEIGHT)))
    spared, full = streamed([frame, other], True)[-1], streamed([frame, other], False)[-1]
    assert np.abs(spared - full).mean() < 4


def test_a_painting_on_a_smaller_copy_is_the_same_picture_and_as_crisp(frame: Picture) -> None:
    small, whole = streamed([frame], True, rows=120)[-1], streamed([frame], False)[-1]
    raw = cv2.resize(frame[:HEIGHT], small.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.int16)
    assert np.abs(small - whole).mean() < 0.4 * np.abs(raw - whole).mean()
    edges = [np.abs(np.diff(levels, axis=1)).mean() for levels in (small, whole)]
    assert edges[0] > 0.9 * edges[1]


def test_a_style_that_is_missing_is_named_in_a_sentence() -> None:
    with pytest.raises(OverpaintError, match="nobody cannot be read"):
        shipped_style("nobody")
