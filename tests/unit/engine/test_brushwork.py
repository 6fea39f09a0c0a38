"""Single strokes of a brush: they cover the picture, spare outlines, stand still, and join over bands."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import portrait
from overpaint.engine.canvas import Canvas
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.passes.paint.brushwork import Brushwork
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import split

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 640, 360


def painted(
    frames: list[Picture], threads: int = 1, sparing: bool = False, **parameters: float
) -> list[Picture]:
    """Half-size luma after each frame, a full-size luma each."""
    canvas = Canvas(WIDTH, HEIGHT)
    brush = Brushwork(Stage(canvas, Bands(threads), sparing=sparing), **parameters)
    results = []
    for frame in frames:
        np.copyto(canvas.source, frame)
        canvas.u.fill(110)
        canvas.v.fill(150)
        canvas.begin()
        brush.apply(canvas)
        results.append(canvas.low.copy())
    return results


def grey(bgr: Picture) -> Picture:
    y, _, _ = split(np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8))
    return y.copy()


@pytest.fixture(scope="module")
def face() -> Picture:
    return grey(portrait(WIDTH, HEIGHT))


def test_a_flat_wall_is_covered_with_strokes_of_the_walls_own_colour() -> None:
    wall = np.full((HEIGHT, WIDTH), 150, np.uint8)
    (strokes,) = painted([wall], luma=10.0)
    assert strokes.std() > 3
    assert abs(float(strokes.mean()) - 150) < 2
    untouched = strokes == 150
    assert untouched.mean() < 0.25


def test_an_outline_stays_where_it_was() -> None:
    image = np.full((HEIGHT, WIDTH), 60, np.uint8)
    image[:, WIDTH // 2 :] = 200
    (strokes,) = painted([image], luma=0.0)
    middle = WIDTH // 4
    assert strokes[:, : middle - 2].max() < 90
    assert strokes[:, middle + 2 :].min() > 170


def test_strokes_of_a_still_scene_stand_still(face: Picture) -> None:
    first, *_, last = painted([face] * 5)
    assert np.array_equal(first, last)


def test_bands_of_rows_join_without_a_seam(face: Picture) -> None:
    assert np.array_equal(painted([face])[0], painted([face], threads=3)[0])


def test_a_stream_that_renews_strokes_every_second_frame_looks_the_same() -> None:
    """A picture that drifts sideways by a pixel a frame, as a person who sits does at most."""
    wide = grey(portrait(WIDTH + 12, HEIGHT))
    frames = [np.ascontiguousarray(wide[:, k : k + WIDTH]) for k in range(0, 12, 2)]
    spared, full = painted(frames, sparing=True), painted(frames)
    apart = [float(cv2.absdiff(one, other).mean()) for one, other in zip(spared, full, strict=True)]
    change = float(cv2.absdiff(full[-1], full[0]).mean())
    assert max(apart) < 0.5 * change
