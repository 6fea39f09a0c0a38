"""The moving picture that stands in for a camera is what the application promises to show."""

from __future__ import annotations

from dataclasses import dataclass

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from overpaint.assets import asset_dir

CLIP = "demo.mp4"
BT709, LIMITED = 1, 1


@dataclass(frozen=True)
class Clip:
    size: tuple[int, int]
    fps: float
    seconds: float
    colours: set[tuple[int, int]]
    steps: NDArray[np.float64]
    """Mean luma difference from each frame to the next; the last one leads back to the first."""


@pytest.fixture(scope="module")
def clip() -> Clip:
    with av.open(str(asset_dir("demo") / CLIP)) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        sizes, colours, small = set(), set(), []
        for frame in container.decode(stream):
            sizes.add((frame.width, frame.height))
            colours.add((int(frame.colorspace), int(frame.color_range)))
            luma = frame.to_ndarray(format="gray8").astype(np.float32)
            # Means of blocks: the coding noise inside them differs at the key frame, and nobody sees it.
            small.append(cv2.resize(luma, (240, 135), interpolation=cv2.INTER_AREA))
        rate = float(stream.average_rate or 0)
    assert len(sizes) == 1
    steps = [np.abs(a - b).mean() for a, b in zip(small, [*small[1:], small[0]], strict=True)]
    return Clip(sizes.pop(), rate, len(small) / rate, colours, np.array(steps))


def test_is_full_hd_at_thirty_frames_a_second(clip: Clip) -> None:
    assert clip.size == (1920, 1080)
    assert clip.fps == 30
    assert 6 <= clip.seconds <= 12


def test_says_which_colours_it_means(clip: Clip) -> None:
    assert clip.colours == {(BT709, LIMITED)}


def test_moves_all_the_time(clip: Clip) -> None:
    assert np.median(clip.steps) > 0.3
    assert (clip.steps > 0.05).mean() > 0.9, "long stretches stand still"


def test_loops_without_a_jump(clip: Clip) -> None:
    typical = np.median(clip.steps[[*range(-16, -1), *range(15)]])
    # Drawn, the step is as small as its neighbours; coding adds what frame 0 and the last differ in error.
    assert clip.steps[-1] <= 2.5 * typical
    assert clip.steps[-1] < np.quantile(clip.steps, 0.9)


def test_is_small_enough_to_ship() -> None:
    assert (asset_dir("demo") / CLIP).stat().st_size < 3_000_000
