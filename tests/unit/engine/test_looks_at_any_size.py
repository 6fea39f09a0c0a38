"""A look is the same at any size and shape of picture: a large one looks like its preview, without seams."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from skimage import data

from helpers.matrix import few_of
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.interface import LookRequest
from overpaint.engine.materials import textures
from overpaint.engine.materials.shelf import Shelf
from overpaint.engine.planes import scale_of
from overpaint.folders import kernel_dir

Picture = NDArray[np.uint8]

KINDS = [
    *(
        "ink-comic",
        "oil-painting",
        "anime-cel",
        "watercolour",
        "pencil-sketch",
        "coloured-pencil",
        "charcoal",
    ),
    *("halftone-print", "engraving", "linocut", "mosaic", "pointillism", "low-poly", "stained-glass"),
    *("pixel-art", "film-noir", "vhs", "synthwave", "golden-hour", "gouache"),
]
"""One or more looks of each kind of pass."""


@pytest.fixture(scope="module")
def engine() -> CpuEngine:
    return CpuEngine(1, kernel_dir())


@pytest.fixture(scope="module")
def person() -> Picture:
    """4:3, larger than it is looked at."""
    enlarged = cv2.resize(data.astronaut()[:384, :, ::-1], (1440, 1080), interpolation=cv2.INTER_CUBIC)
    grain = np.random.default_rng(3).normal(0, 4, enlarged.shape)
    return np.clip(enlarged + cv2.GaussianBlur(grain, (0, 0), 1), 0, 255).astype(np.uint8)


def styled(engine: CpuEngine, look: str, bgr: Picture) -> Picture:
    height, width = bgr.shape[:2]
    image = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8)
    out = engine.compile(LookRequest(look), width, height, "still").apply(image)
    return np.asarray(cv2.cvtColor(out, cv2.COLOR_YUV2BGR_I420), np.uint8)


def shrunk(bgr: Picture, width: int, height: int) -> Picture:
    return np.asarray(cv2.resize(bgr, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def tone(bgr: Picture) -> NDArray[np.float32]:
    """Light, dark and colour without strokes and dots."""
    side = max(3, min(bgr.shape[:2]) // 24) | 1
    return np.asarray(cv2.blur(bgr.astype(np.float32), (side, side)), np.float32)


def fine(bgr: Picture) -> float:
    """How much there is of lines, strokes and dots."""
    grey = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return float((grey - cv2.GaussianBlur(grey, (0, 0), min(grey.shape) / 180)).std())


@pytest.mark.parametrize("look", few_of(KINDS))
def test_a_large_picture_looks_like_its_preview(engine: CpuEngine, person: Picture, look: str) -> None:
    preview = styled(engine, look, shrunk(person, 720, 540))
    whole = shrunk(styled(engine, look, person), 720, 540)
    assert np.abs(tone(whole) - tone(preview)).mean() < 8
    assert fine(whole) == pytest.approx(fine(preview), rel=0.3)


@pytest.mark.parametrize("look", few_of(KINDS))
def test_a_picture_held_upright_is_drawn_with_the_same_pen(
    engine: CpuEngine, person: Picture, look: str
) -> None:
    lying = shrunk(person, 960, 720)[90:630]
    upright = np.ascontiguousarray(np.rot90(lying))
    assert fine(styled(engine, look, upright)) == pytest.approx(fine(styled(engine, look, lying)), rel=0.25)


def test_lengths_go_by_the_shorter_side() -> None:
    assert scale_of(1080, 1920) == scale_of(1920, 1080) == scale_of(1080, 20_000) == 1


@pytest.mark.parametrize("size", [(90, 4000), (4000, 90), (130, 70)])
def test_a_texture_covers_any_shape_without_a_seam(size: tuple[int, int]) -> None:
    strokes = (textures.Grain(9.0, 1.0, 60.0, 30.0),)
    sheet = textures.screen(Shelf(), *size, strokes, 5).astype(np.float32)
    assert sheet.shape == size
    for axis in (0, 1):
        steps = np.abs(np.diff(sheet, axis=axis)).mean(1 - axis)
        assert steps.max() < 4 * steps.mean() + 12, "no line of jumps across it"


@pytest.mark.parametrize("look", few_of(KINDS[1::3]))
def test_long_strips_are_restyled_too(engine: CpuEngine, person: Picture, look: str) -> None:
    strip = np.tile(shrunk(person, 400, 300)[100:228], (1, 6, 1))
    assert styled(engine, look, strip).shape == strip.shape
    tower = np.ascontiguousarray(np.rot90(strip))
    assert styled(engine, look, tower).shape == tower.shape
