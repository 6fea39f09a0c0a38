"""What looks promise over a stream: calm where nothing moves, no trails where something does."""

from __future__ import annotations

import itertools
import threading

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import portrait
from helpers.matrix import few_of
from overpaint.engine import LookRequest, looks
from overpaint.engine.cpu import CpuEngine

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 640, 360
NAMES = [look.name for look in looks()]
MOVING_PASSES = {"grain", "tape", "projector"}
GRAINY = {look.name for look in looks() if look.pass_names & MOVING_PASSES}


@pytest.fixture(scope="module")
def engine() -> CpuEngine:
    return CpuEngine(threads=1)


def i420(bgr: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8)


def noisy(image: Picture, seed: int, sigma: float = 4.0) -> Picture:
    noise = np.random.default_rng(seed).normal(0, sigma, image.shape)
    return np.clip(image + noise, 16, 235).astype(np.uint8)


def luma(image: Picture) -> NDArray[np.float32]:
    return image[:HEIGHT].astype(np.float32)


def flicker(pictures: list[Picture]) -> float:
    return float(np.mean([np.abs(luma(b) - luma(a)).mean() for a, b in itertools.pairwise(pictures)]))


@pytest.mark.parametrize("name", few_of(sorted(set(NAMES) - GRAINY)))
def test_a_still_scene_gets_calmer_than_without_memory(engine: CpuEngine, name: str) -> None:
    still = i420(portrait(WIDTH, HEIGHT))
    frames = [noisy(still, seed) for seed in range(14)]
    remembering = engine.compile(LookRequest(name), WIDTH, HEIGHT, "clip")
    forgetful = engine.compile(LookRequest(name), WIDTH, HEIGHT, "still")
    calm = flicker([remembering.apply(frame) for frame in frames][8:])
    nervous = flicker([forgetful.apply(frame) for frame in frames][8:])
    assert calm < 0.62 * nervous, f"{calm:.2f} against {nervous:.2f}"


@pytest.mark.parametrize("name", few_of(sorted(set(NAMES) - GRAINY)))
def test_something_that_moves_leaves_no_trail(engine: CpuEngine, name: str) -> None:
    scene = portrait(WIDTH, HEIGHT)
    moving = engine.compile(LookRequest(name), WIDTH, HEIGHT, "clip")
    for step in range(8):
        frame = scene.copy()
        cv2.circle(frame, (80 + 50 * step, 180), 34, (40, 90, 200), -1)
        moving.apply(i420(frame))
    # The hand is gone: after two frames the picture is that of a stream that never saw it.
    after = [moving.apply(i420(scene)) for _ in range(2)][-1]
    clean = engine.compile(LookRequest(name), WIDTH, HEIGHT, "clip")
    expected = [clean.apply(i420(scene)) for _ in range(10)][-1]
    difference = cv2.blur(np.abs(luma(after) - luma(expected)), (9, 9))
    assert float(difference.max()) < 26, f"{difference.max():.1f}"
    assert float(difference.mean()) < 1.5


@pytest.mark.parametrize("name", few_of(sorted(GRAINY), ("vhs", "film-noir")))
def test_grain_is_alive_but_the_same_in_every_run(engine: CpuEngine, name: str) -> None:
    still = i420(portrait(WIDTH, HEIGHT))
    runs = []
    for _ in range(2):
        look = engine.compile(LookRequest(name), WIDTH, HEIGHT, "clip")
        runs.append([look.apply(still) for _ in range(4)])
    assert all(np.array_equal(a, b) for a, b in zip(*runs, strict=True))
    assert not np.array_equal(runs[0][0], runs[0][3])


def test_two_looks_run_at_once_in_two_threads_as_they_do_alone() -> None:
    engine = CpuEngine(threads=2)
    image = i420(portrait(WIDTH, HEIGHT))
    frames = [noisy(image, seed) for seed in range(6)]
    names = ("ink-comic", "oil-painting")

    def stream(name: str) -> Picture:
        look = engine.compile(LookRequest(name), WIDTH, HEIGHT, "clip")
        return [look.apply(frame) for frame in frames][-1]

    alone = {name: stream(name) for name in names}
    together: dict[str, Picture] = {}
    threads = [threading.Thread(target=lambda n=name: together.update({n: stream(n)})) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(alone[name], together[name]) for name in names)


@pytest.mark.parametrize("name", few_of(NAMES))
def test_bands_of_rows_join_without_a_seam(engine: CpuEngine, name: str) -> None:
    image = i420(portrait(WIDTH, HEIGHT))
    whole = engine.compile(LookRequest(name), WIDTH, HEIGHT, "clip").apply(image)
    banded = CpuEngine(threads=3).compile(LookRequest(name), WIDTH, HEIGHT, "clip").apply(image)
    assert np.abs(whole.astype(int) - banded).max() <= 2
