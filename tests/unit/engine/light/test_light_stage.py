"""What the light stage promises: a readable face in bad light, calm, soft steps; good light left alone."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.bad_light import CONDITIONS, SIZE, Scene, dimmed, scenes
from helpers.matrix import few_of
from overpaint.engine import LookRequest, looks
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.governed_look import WITHOUT_NET, GovernedLook
from overpaint.engine.light.exposure import LEVELS, NEUTRAL, exposed, filled
from overpaint.engine.light.metering import noise_of

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = SIZE
NAMES = [look.name for look in looks()]
OWN_LIGHT = ", without light correction"


@pytest.fixture(scope="module")
def engine() -> CpuEngine:
    return CpuEngine(threads=1)


@pytest.fixture(scope="module")
def portrait() -> Scene:
    return scenes()[0]


@pytest.fixture(scope="module")
def close() -> Scene:
    return scenes()[1]


def i420(bgr: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8)


def restyled(engine: CpuEngine, prompt: str, bgr: Picture, strength: float = 1.0) -> Picture:
    look = engine.compile(LookRequest(prompt, strength=strength), WIDTH, HEIGHT, "still")
    return look.apply(i420(bgr))


def face(picture: Picture, scene: Scene) -> NDArray[np.float32]:
    """Luma 0..1 of the face at the size of a call's tile."""
    tile = cv2.resize(picture[:HEIGHT], (320, 180), interpolation=cv2.INTER_AREA)
    left, top, right, low = (round(side / 3) for side in scene.face)
    return (tile[top:low, left:right].astype(np.float32) - 16) / 219


@pytest.mark.parametrize("name", few_of(NAMES))
def test_a_picture_in_good_light_is_not_touched(
    engine: CpuEngine, portrait: Scene, close: Scene, name: str
) -> None:
    for scene in (portrait, close):
        assert np.array_equal(
            restyled(engine, name, scene.bgr), restyled(engine, name + OWN_LIGHT, scene.bgr)
        )


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize(
    "name", few_of(["ink-comic", "pencil-sketch", "film-noir", "night-vision", "neon-night"])
)
def test_a_face_in_bad_light_stays_readable(
    engine: CpuEngine, close: Scene, name: str, condition: str
) -> None:
    good = face(restyled(engine, name, close.bgr), close)
    bad = face(restyled(engine, name, CONDITIONS[condition](close)), close)
    assert bad.mean() > 0.6 * good.mean()
    assert bad.std() > 0.5 * good.std()


def test_a_prompt_says_how_much_light_correction_it_wants(engine: CpuEngine, close: Scene) -> None:
    dark = dimmed(close.bgr, 0.25)
    words = [OWN_LIGHT, ", light correction at 30 %", ", light correction at 60 %", ""]
    means = [face(restyled(engine, "colour grade" + each, dark), close).mean() for each in words]
    assert means == sorted(means)
    assert means[0] < 0.5 * means[-1]
    assert means[1] - means[0] > 0.1 * (means[-1] - means[0])
    look = engine.compile(LookRequest("colour grade, light correction at 30 %"), WIDTH, HEIGHT)
    assert look.understood == "Colour grade, light correction at 30 %"


def test_a_file_of_whose_prompt_nothing_can_be_done_stays_as_it_is(engine: CpuEngine, close: Scene) -> None:
    dark = i420(dimmed(close.bgr, 0.25))
    assert np.array_equal(engine.compile(LookRequest("qwertz"), WIDTH, HEIGHT, "clip").apply(dark), dark)


def test_a_change_of_detail_changes_no_light(engine: CpuEngine, close: Scene) -> None:
    look = engine.compile(LookRequest("colour grade"), WIDTH, HEIGHT)
    assert isinstance(look, GovernedLook)
    frames = [i420(dimmed(close.bgr, 0.25, seed)) for seed in range(12)]
    before = [look.apply(frame)[:HEIGHT].mean() for frame in frames][-1]
    smaller = look.at(WITHOUT_NET[-1])
    assert abs(smaller.apply(frames[0])[:HEIGHT].mean() - before) < 1


def test_what_a_subtle_look_leaves_of_the_frame_is_in_corrected_light(
    engine: CpuEngine, close: Scene
) -> None:
    dark = dimmed(close.bgr, 0.25)
    none = face(restyled(engine, "ink comic", dark, strength=0.0), close).mean()
    assert none > 0.6 * face(i420(close.bgr), close).mean()


def test_dark_skin_in_good_light_stays_dark(engine: CpuEngine, close: Scene) -> None:
    planes = np.asarray(cv2.cvtColor(close.bgr, cv2.COLOR_BGR2YCrCb), np.float32)
    skin = (planes[..., 1] > 138) & (planes[..., 2] < 122) & (planes[..., 0] > 70)
    share = cv2.GaussianBlur(skin.astype(np.float32), (0, 0), 3)[..., None]
    dark = np.clip(close.bgr * (1 - 0.45 * share), 0, 255).astype(np.uint8)
    before, after = (
        face(restyled(engine, "colour grade" + words, dark), close).mean() for words in (OWN_LIGHT, "")
    )
    assert after < before * 1.3
    assert after < 0.8 * face(restyled(engine, "colour grade", close.bgr), close).mean()


def stream(engine: CpuEngine, frames: list[Picture]) -> list[NDArray[np.float32]]:
    look = engine.compile(LookRequest("colour grade"), WIDTH, HEIGHT, "clip")
    return [look.apply(i420(frame))[:HEIGHT].astype(np.float32) for frame in frames]


def test_a_steady_scene_keeps_its_brightness_and_noise_is_not_amplified(
    engine: CpuEngine, close: Scene
) -> None:
    frames = [dimmed(close.bgr, 0.25, seed) for seed in range(30)]
    pictures = stream(engine, frames)
    means = [float(picture.mean()) for picture in pictures]
    assert max(means[10:]) - min(means[10:]) < 1
    lit = float(np.mean([np.abs(b - a).mean() for a, b in itertools.pairwise(pictures[15:])]))
    raw = float(np.mean([
        cv2.absdiff(i420(a)[:HEIGHT], i420(b)[:HEIGHT]).mean() for a, b in itertools.pairwise(frames[15:])
    ]))  # fmt: skip
    assert lit < raw


@pytest.mark.parametrize(("first", "then"), [(0.25, 1.0), (1.0, 0.25)], ids=["on", "off"])
def test_a_switched_lamp_settles_within_a_second_without_pumping(
    engine: CpuEngine, portrait: Scene, first: float, then: float
) -> None:
    looks_like = [dimmed(portrait.bgr, light, noise=0.004) for light in (first, then)]
    pictures = stream(engine, [looks_like[0]] * 16 + [looks_like[1]] * 50)
    after = np.array([float(picture.mean()) for picture in pictures[16:]])
    end, jump = after[-1], after[0] - after[-1]
    assert np.all(np.abs(after[30:] - end) < 0.06 * abs(jump))
    assert np.all((after - end) * np.sign(jump) > -1), "it never goes past its end"
    assert np.abs(np.diff(after)).max() < 8


@pytest.mark.parametrize("subject", [0.05, 0.2, 0.4, 0.9])
def test_curves_rise_and_keep_black(subject: float) -> None:
    exposure = filled(exposed(subject, 0.45, 0.9), subject / 2, subject, 0.6)
    assert np.all(np.diff(exposure.curve) >= 0)
    assert exposure.curve[0] == 0
    assert exposure.curve[-1] == pytest.approx(1, abs=1e-3)


def test_steps_end_at_their_target() -> None:
    target = exposed(0.1, 0.45, 0.4)
    present = NEUTRAL
    for _ in range(30):
        present = present.towards(target, 0.13)
    assert present.scale == pytest.approx(target.scale, rel=0.02)
    assert np.abs(present.curve - target.curve).max() < 0.02
    assert NEUTRAL.neutral and not target.neutral
    assert np.allclose(NEUTRAL.gains()[4:250], 1, atol=1e-3) and len(LEVELS) == 256


@pytest.mark.parametrize("sigma", [2.0, 4.0, 8.0])
def test_noise_is_measured(sigma: float) -> None:
    noise = np.random.default_rng(1).normal(0, sigma, (540, 960))
    assert noise_of(np.clip(100 + noise + 0.5, 0, 255).astype(np.uint8)) == pytest.approx(sigma, rel=0.12)
