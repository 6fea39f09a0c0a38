"""The right mode of a camera is chosen, its pace is kept, and without a camera the sentence says so.

Frames of a real V4L2 camera are taken in the virtual machine of ``make test-camera``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from helpers.qt_main import Taker, beside_main_thread
from overpaint.errors import SourceError
from overpaint.media.sources.camera_source import CameraSource, by_worth, list_cameras
from overpaint.media.sources.qt_loop import MainThread
from overpaint.media.sources.qt_source import Pace
from overpaint.wire.sources import CameraFormat

no_camera = pytest.mark.skipif(
    sys.platform != "linux" or any(Path("/dev").glob("video*")), reason="this computer has a camera"
)


def mode(width: int, height: int, fps: float, *, compressed: bool) -> CameraFormat:
    return CameraFormat(width=width, height=height, fps=fps, compressed=compressed)


WEBCAM = [
    mode(640, 480, 30, compressed=False),
    mode(1280, 720, 10, compressed=False),
    mode(1920, 1080, 5, compressed=False),
    mode(640, 480, 30, compressed=True),
    mode(1280, 720, 30, compressed=True),
    mode(1920, 1080, 30, compressed=True),
]


@pytest.mark.parametrize(
    ("width", "height", "chosen"),
    [(1920, 1080, WEBCAM[5]), (1280, 720, WEBCAM[4]), (640, 480, WEBCAM[0])],
    ids=["full HD as MJPG", "HD as MJPG", "VGA without a decoding"],
)
def test_a_webcam_runs_at_thirty_frames_a_second_nearest_to_the_wanted_size(
    width: int, height: int, chosen: CameraFormat
) -> None:
    assert by_worth(WEBCAM, width, height)[0] == chosen


def test_a_small_picture_that_moves_beats_a_large_one_that_does_not() -> None:
    modes = [mode for mode in WEBCAM if not mode.compressed]
    assert by_worth(modes, 1920, 1080)[0] == mode(640, 480, 30, compressed=False)


def test_a_larger_mode_beats_a_blurred_smaller_one() -> None:
    modes = [
        mode(1280, 720, 30, compressed=False),
        mode(2560, 1440, 30, compressed=False),
        mode(1600, 1200, 30, compressed=False),
    ]
    assert by_worth(modes, 1920, 1080)[0].width == 2560


def test_thirty_frames_a_second_are_enough() -> None:
    modes = [
        mode(1920, 1080, 60, compressed=False),
        mode(1920, 1080, 30, compressed=False),
    ]
    assert by_worth(modes, 1920, 1080)[0].fps == 30


def test_sixty_frames_a_second_are_taken_where_they_are_wanted_and_a_camera_has_them() -> None:
    modes = [
        mode(1920, 1080, 30, compressed=True),
        mode(1280, 720, 60, compressed=True),
        mode(640, 480, 120, compressed=False),
    ]
    assert by_worth(modes, 1920, 1080, 60)[0] == modes[1]
    assert by_worth(modes[:1], 1920, 1080, 60) == modes[:1]


def test_a_slow_camera_runs_at_the_best_it_has() -> None:
    modes = [
        mode(1920, 1080, 5, compressed=False),
        mode(1280, 720, 15, compressed=False),
    ]
    assert by_worth(modes, 1920, 1080)[0].fps == 15


def test_every_second_frame_of_sixty_is_let_through_evenly() -> None:
    pace = Pace()
    admitted = [number for number in range(600) if pace.admits(10**9 + round(number * 1e9 / 60), 30)]
    assert admitted == list(range(0, 600, 2))


def test_a_cameras_jitter_costs_no_frame() -> None:
    pace = Pace()
    jitter_ns = [0, 6_000_000, -5_000_000, 3_000_000, -6_000_000]
    times = [10**9 + round(number * 1e9 / 30) + jitter_ns[number % 5] for number in range(300)]
    assert all(pace.admits(time_ns, 30) for time_ns in times)


def test_a_choice_of_another_rate_holds_from_the_next_frame_on() -> None:
    pace = Pace()
    admitted = [
        number
        for number in range(240)
        if pace.admits(10**9 + round(number * 1e9 / 60), 60 if 60 <= number < 180 else 30)
    ]
    per_second = [sum(first <= number < first + 60 for number in admitted) for first in range(0, 240, 60)]
    assert per_second == [30, 60, 60, 30]


def test_after_a_pause_frames_go_on_at_the_same_pace() -> None:
    pace = Pace()
    assert pace.admits(10**9, 30)
    later = [90 * 10**9 + round(number * 1e9 / 60) for number in range(60)]
    assert sum(pace.admits(time_ns, 30) for time_ns in later) == 30


@no_camera
def test_without_a_camera_the_sentence_says_so() -> None:
    def work(main: MainThread) -> None:
        assert list_cameras(main) == ()
        source, taker = CameraSource(0, main), Taker()
        with pytest.raises(SourceError, match="No camera is connected") as refusal:
            source.start(1920, 1080, taker)
        assert refusal.value.kind == "missing" and refusal.value.mend
        source.stop()
        assert taker.frames == [] and taker.errors == []

    beside_main_thread(work)
