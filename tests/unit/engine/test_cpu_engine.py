"""What the engine promises of every look: shape, size, determinism, an untouched input, range."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from helpers.clips import portrait
from numpy.typing import NDArray
from overpaint.engine import LookRequest, looks
from overpaint.engine.cpu import CpuEngine
from overpaint.errors import EngineError

NAMES = [look.name for look in looks()]


@pytest.fixture(scope="module")
def engine() -> CpuEngine:
    return CpuEngine(threads=1)


def i420(width: int = 640, height: int = 360) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(portrait(width, height), cv2.COLOR_BGR2YUV_I420), np.uint8)


@pytest.mark.parametrize("name", NAMES)
def test_a_look_gives_a_picture_of_the_same_shape_and_leaves_its_input_alone(
    engine: CpuEngine, name: str
) -> None:
    image = i420()
    before = image.copy()
    image.setflags(write=False)
    out = engine.compile(LookRequest(name), 640, 360).apply(image)
    assert out.shape == image.shape
    assert out.dtype == np.uint8
    assert out.flags.c_contiguous
    assert not np.shares_memory(out, image)
    assert np.array_equal(image, before)


@pytest.mark.parametrize(
    "photo",
    [np.zeros((0, 4, 3), np.uint8), np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32)],
    ids=["empty", "grey", "float"],
)
def test_a_photo_that_is_no_picture_is_refused_in_a_sentence(
    engine: CpuEngine, photo: NDArray[np.uint8]
) -> None:
    with pytest.raises(EngineError) as caught:
        engine.compile(LookRequest("", photo), 640, 360)
    assert caught.value.kind == "bad_reference"
