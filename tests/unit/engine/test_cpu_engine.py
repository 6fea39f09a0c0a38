"""What the engine promises of every look: shape, size, determinism, an untouched input, range, sharpness."""

from __future__ import annotations

import itertools
import sys

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import portrait
from helpers.matrix import few_of
from overpaint.engine import CompiledLook, Engine, LookRequest, looks
from overpaint.engine.cpu import CpuEngine
from overpaint.errors import EngineError

Picture = NDArray[np.uint8]
NAMES = [look.name for look in looks()]
WIDTH, HEIGHT = 640, 360


@pytest.fixture(scope="module")
def engine() -> CpuEngine:
    return CpuEngine(threads=1)


def i420(width: int = WIDTH, height: int = HEIGHT) -> Picture:
    return np.asarray(cv2.cvtColor(portrait(width, height), cv2.COLOR_BGR2YUV_I420), np.uint8)


def bgr(image: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_YUV2BGR_I420), np.uint8)


def test_it_is_an_engine_as_the_core_expects_one(engine: CpuEngine) -> None:
    expected: Engine = engine
    look: CompiledLook = expected.compile(LookRequest("oil"), WIDTH, HEIGHT)
    assert expected.name == "cpu"
    assert (look.name, look.understood) == ("oil-painting", "Oil painting")


@pytest.mark.parametrize("name", few_of(NAMES))
def test_a_look_gives_a_picture_of_the_same_shape_and_leaves_its_input_alone(
    engine: CpuEngine, name: str
) -> None:
    image = i420()
    before = image.copy()
    image.setflags(write=False)
    look = engine.compile(LookRequest(name), WIDTH, HEIGHT)
    out = look.apply(image)
    again = look.apply(image)
    assert out.shape == image.shape
    assert out.dtype == np.uint8
    assert out.flags.c_contiguous
    assert not np.shares_memory(out, image)
    assert not np.shares_memory(out, again)
    assert np.array_equal(image, before)


@pytest.mark.parametrize("name", few_of(NAMES))
def test_a_look_is_the_same_in_every_run(engine: CpuEngine, name: str) -> None:
    image = i420()
    first, second = (engine.compile(LookRequest(name), WIDTH, HEIGHT) for _ in range(2))
    for _ in range(3):
        assert np.array_equal(first.apply(image), second.apply(image))


@pytest.mark.parametrize("name", few_of(NAMES))
@pytest.mark.parametrize("size", [(64, 64), (66, 94), (176, 144), (362, 642), (854, 480)])
def test_any_even_size_is_served(engine: CpuEngine, name: str, size: tuple[int, int]) -> None:
    image = i420(*size)
    look = engine.compile(LookRequest(name), *size)
    for _ in range(2):
        out = look.apply(image)
    assert out.shape == image.shape


@pytest.mark.parametrize("size", [(63, 64), (640, 361), (32, 32)])
def test_an_odd_or_tiny_size_is_refused(engine: CpuEngine, size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="even size"):
        engine.compile(LookRequest(), *size)


def test_a_frame_of_another_size_is_refused(engine: CpuEngine) -> None:
    with pytest.raises(ValueError, match="640x360"):
        engine.compile(LookRequest(), WIDTH, HEIGHT).apply(i420(320, 180))


@pytest.mark.parametrize("name", few_of(NAMES))
@pytest.mark.parametrize("level", [0, 16, 128, 235, 255])
def test_flat_and_extreme_pictures_stay_in_limited_range(engine: CpuEngine, name: str, level: int) -> None:
    image = np.full((HEIGHT * 3 // 2, WIDTH), level, np.uint8)
    out = engine.compile(LookRequest(name), WIDTH, HEIGHT).apply(image)
    assert out[:HEIGHT].min() >= 16 and out[:HEIGHT].max() <= 235
    assert out[HEIGHT:].min() >= 16 and out[HEIGHT:].max() <= 240


# What is behind a person hides the room at any strength (test_frame_edits).
@pytest.mark.parametrize("name", few_of([name for name in NAMES if name != "backdrop"]))
def test_strength_leads_from_the_original_to_the_look(engine: CpuEngine, name: str) -> None:
    image = i420()
    none, half, full = (
        engine.compile(LookRequest(name, strength=strength), WIDTH, HEIGHT).apply(image).astype(np.float32)
        for strength in (0.0, 0.5, 1.0)
    )
    assert np.abs(none - image).max() <= 1
    assert np.abs(full - image).mean() > 2
    assert np.abs(half - (full + image) / 2).max() <= 1.5


@pytest.mark.full
def test_no_two_looks_are_alike(engine: CpuEngine) -> None:
    image = i420()
    pictures = {name: engine.compile(LookRequest(name), WIDTH, HEIGHT).apply(image) for name in NAMES}
    for first, second in itertools.combinations(NAMES, 2):
        apart = cv2.norm(pictures[first], pictures[second], cv2.NORM_L1) / image.size
        assert apart > 3, (first, second)


FACE = (slice(60, 250), slice(250, 390))
"""Rows and columns of the portrait's face at 640×360."""

BLOCKY = {"mosaic", "stained-glass", "pixel-art", "low-poly", "ascii"}
SCREENED = {"newspaper", "manga", "halftone-print", "risograph", "engraving", "pop-art"}


@pytest.mark.parametrize("name", few_of(sorted(set(NAMES) - BLOCKY - SCREENED)))
def test_the_face_stays_sharp(engine: CpuEngine, name: str) -> None:
    """Edges of the face are where they were: correlation of gradients, at the size of the picture."""
    image = i420()
    out = engine.compile(LookRequest(name), WIDTH, HEIGHT).apply(image)

    def edges(picture: Picture) -> NDArray[np.float64]:
        face = cv2.GaussianBlur(picture[:HEIGHT], (0, 0), 1.0)
        across, down = (cv2.Sobel(face, cv2.CV_64F, *way) for way in ((1, 0), (0, 1)))
        return np.asarray(np.hypot(across, down)[FACE].ravel(), np.float64)

    assert float(np.corrcoef(edges(image), edges(out))[0, 1]) > 0.5


@pytest.mark.parametrize("name", few_of(sorted(BLOCKY | SCREENED), ("pixel-art", "manga")))
def test_the_face_is_readable_at_the_size_of_a_call_tile(engine: CpuEngine, name: str) -> None:
    image = i420(1280, 720)
    out = engine.compile(LookRequest(name), 1280, 720).apply(image)
    before, after = (
        cv2.resize(picture[:720], (320, 180), interpolation=cv2.INTER_AREA)[30:125, 125:195].ravel()
        for picture in (image, out)
    )
    assert float(np.corrcoef(before, after)[0, 1]) > 0.75


@pytest.mark.parametrize(
    "colour", [(180, 60, 30), (30, 90, 200), (40, 160, 60)], ids=["blue", "orange", "green"]
)
@pytest.mark.parametrize("prompt", few_of(["", "ink comic", "pencil sketch"], ["ink comic"]))
def test_a_photo_gives_its_colours(engine: CpuEngine, prompt: str, colour: tuple[int, int, int]) -> None:
    gradient = np.linspace(0.2, 1.3, 120)[:, None, None] * np.array(colour)
    photo = np.clip(np.broadcast_to(gradient, (120, 160, 3)), 0, 255).astype(np.uint8)
    image = i420()

    def chroma(picture: Picture) -> NDArray[np.float64]:
        quarter = WIDTH * HEIGHT // 4
        flat = picture.ravel()[WIDTH * HEIGHT :]
        return np.array([flat[:quarter].mean(), flat[quarter:].mean()])

    target = chroma(
        np.asarray(cv2.cvtColor(cv2.resize(photo, (WIDTH, HEIGHT)), cv2.COLOR_BGR2YUV_I420), np.uint8)
    )
    plain = engine.compile(LookRequest(prompt or "colour grade"), WIDTH, HEIGHT).apply(image)
    given = engine.compile(LookRequest(prompt, photo), WIDTH, HEIGHT).apply(image)
    assert np.linalg.norm(chroma(given) - target) < 0.6 * np.linalg.norm(chroma(plain) - target)


@pytest.mark.parametrize(
    "photo",
    [
        np.zeros((0, 4, 3), np.uint8),
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        np.zeros((4, 4, 4), np.uint8),
    ],
    ids=["empty", "grey", "float", "alpha"],
)
def test_a_photo_that_is_no_picture_is_refused_in_a_sentence(engine: CpuEngine, photo: Picture) -> None:
    with pytest.raises(EngineError) as caught:
        engine.compile(LookRequest("", photo), WIDTH, HEIGHT)
    assert caught.value.kind == "bad_reference"
    assert caught.value.mend


@pytest.mark.parametrize("shape", few_of([(1, 1, 3), (2, 900, 3), (3000, 7, 3)], [(2, 900, 3)]))
def test_a_photo_of_any_shape_will_do(engine: CpuEngine, shape: tuple[int, int, int]) -> None:
    photo = np.full(shape, 90, np.uint8)
    for name in NAMES:
        assert engine.compile(LookRequest(name, photo), 64, 64).apply(i420(64, 64)).shape == (96, 64)


def test_modifiers_show_in_the_picture(engine: CpuEngine) -> None:
    image = i420()

    def mean(prompt: str) -> NDArray[np.float64]:
        return np.asarray(
            bgr(engine.compile(LookRequest(prompt), WIDTH, HEIGHT).apply(image)).mean((0, 1)), np.float64
        )

    plain, warm, dark = mean("ink comic"), mean("ink comic, warm"), mean("ink comic, dark")
    assert warm[2] - warm[0] > plain[2] - plain[0] + 5
    assert dark.sum() < plain.sum() - 30


def test_a_look_is_alike_at_720_and_at_1080_rows(engine: CpuEngine) -> None:
    for name in ("ink-comic", "watercolour", "film-noir"):
        tiles = []
        for width, height in ((1280, 720), (1920, 1080)):
            out = engine.compile(LookRequest(name), width, height).apply(i420(width, height))
            tiles.append(cv2.resize(bgr(out), (320, 180), interpolation=cv2.INTER_AREA).astype(np.float32))
        assert np.abs(tiles[0] - tiles[1]).mean() < 8, name


def compiled_variants() -> int:
    """How many machine-code variants of kernels this process holds."""
    found = 0
    for name, module in list(sys.modules.items()):
        if name.startswith("overpaint.engine.passes"):
            found += sum(len(getattr(value, "signatures", ())) for value in vars(module).values())
    return found


@pytest.mark.full  # its seconds; test_kernel_cache.py looks at one size of every look
def test_no_frame_waits_for_a_compiler_after_warming(engine: CpuEngine) -> None:
    engine.warm()
    before = compiled_variants()
    assert before > 15
    frozen = i420()
    frozen.setflags(write=False)
    photo = portrait(90, 60)
    for name in NAMES:
        for prompt, reference in ((name, None), (f"{name}, warm, dark, bold lines, no grain", photo)):
            look = engine.compile(LookRequest(prompt, reference, strength=0.7), WIDTH, HEIGHT)
            look.apply(i420())
            look.apply(frozen)
        engine.compile(LookRequest(name), WIDTH, HEIGHT, "still").apply(i420())
    assert compiled_variants() == before


@pytest.mark.parametrize("name", few_of(look.name for look in looks() if look.photo == "match"))
def test_every_coloured_look_follows_a_photo(engine: CpuEngine, name: str) -> None:
    photo = np.zeros((80, 120, 3), np.uint8)
    photo[:, :60], photo[:, 60:] = (150, 60, 10), (250, 200, 120)
    image = i420()
    plain, given = (
        engine.compile(LookRequest(name, reference), WIDTH, HEIGHT).apply(image)
        for reference in (None, photo)
    )
    assert np.abs(bgr(plain).astype(float) - bgr(given)).mean() > 6
