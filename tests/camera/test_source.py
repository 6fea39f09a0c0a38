"""Inside the virtual machine: a real V4L2 camera (vivid) as a source, with what befalls a webcam."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from camera.machine import (
    HEIGHT,
    WIDTH,
    Feeder,
    fed_by_another_program,
    loopbacks,
    wait_for,
    watch,
)
from helpers.qt_main import Taker, beside_main_thread
from overpaint.errors import SourceError
from overpaint.media import pictures
from overpaint.media.sources.camera_source import CameraSource, list_cameras
from overpaint.media.sources.qt_loop import MainThread
from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink
from overpaint.wire.sources import SourceOptions

# Red, green and blue of the eight bars that V4L2's test pattern shows, left to right (75 %, so at most 191).
BARS = [
    (191, 191, 191),
    (191, 191, 0),
    (0, 191, 191),
    (0, 191, 0),
    (191, 0, 191),
    (191, 0, 0),
    (0, 0, 191),
    (0, 0, 0),
]


def test_a_real_cameras_picture_arrives_in_full_hd(webcam: str, loopback: None) -> None:
    def work(main: MainThread) -> None:
        assert list_cameras(main)[0].title.startswith("vivid")
        source, taker = CameraSource(0, main), Taker()
        source.start(WIDTH, HEIGHT, taker)
        assert taker.wait_for(lambda t: len(t.frames) >= 10, 120)
        source.stop()
        count = len(taker.frames)
        frame = taker.frames[-1]
        assert (frame.width, frame.height) == (WIDTH, HEIGHT)
        row = pictures.to_bgr(frame.image)[800]
        for bar, wanted in enumerate(BARS):
            colour = row[bar * 240 + 120][::-1].astype(int)
            assert np.abs(colour - wanted).max() < 30, f"bar {bar}: {colour} instead of {wanted}"
        assert [each.number for each in taker.frames] == list(range(count))
        assert not np.array_equal(taker.frames[0].image, frame.image), "the picture's clock does not go on"
        print(f"{source.title}: {count} pictures, nominally {source.fps:.0f} fps")
        seconds = (frame.captured_ns - taker.frames[0].captured_ns) / 1e9
        print(f"{(count - 1) / seconds:.1f} a second in this machine")

    beside_main_thread(work)


def test_our_own_camera_is_not_offered_as_a_source(webcam: str, loopback: None) -> None:
    def work(main: MainThread) -> None:
        titles = [camera.title for camera in list_cameras(main)]
        assert titles and not any("Overpaint" in title for title in titles)

    with Feeder(VirtualCameraSink()):
        beside_main_thread(work)


def test_another_programs_virtual_camera_is_offered_and_read() -> None:
    def work(main: MainThread) -> None:
        assert [camera.title for camera in list_cameras(main)] == ["Dummy"]
        source, taker = CameraSource(0, main), Taker()
        source.start(WIDTH, HEIGHT, taker)
        assert taker.wait_for(lambda t: len(t.frames) >= 3, 120)
        source.stop()

    device = loopbacks("video_nr=10", "exclusive_caps=1", "card_label=Dummy")
    with device, fed_by_another_program("testsrc=size=640x360:rate=15"):
        beside_main_thread(work)


def test_a_camera_in_use_is_called_busy(webcam: str) -> None:
    def work(main: MainThread) -> None:
        with pytest.raises(SourceError, match="Another program is using") as refusal:
            CameraSource(0, main).start(WIDTH, HEIGHT, Taker())
        assert refusal.value.kind == "busy"

    other = watch(webcam)
    time.sleep(3)
    try:
        beside_main_thread(work)
    finally:
        other.kill()
        other.wait()


@pytest.mark.qt_log_ignore("Couldn't add V4L2 buffer")
def test_a_camera_that_is_unplugged_is_lost_and_comes_back(webcam: str) -> None:
    driver = Path("/sys/bus/platform/drivers/vivid")

    def work(main: MainThread) -> None:
        source, taker = CameraSource(0, main), Taker()
        source.start(WIDTH, HEIGHT, taker)
        assert taker.wait_for(lambda t: len(t.frames) >= 3, 120)
        (driver / "unbind").write_text("vivid.0")
        assert taker.wait_for(lambda t: bool(t.errors), 60)
        source.stop()
        assert [error.kind for error in taker.errors] == ["lost"]
        assert "unplugged" in str(taker.errors[0])
        (driver / "bind").write_text("vivid.0")
        again = Taker()
        wait_for(lambda: bool(list_cameras(main)))
        source.start(WIDTH, HEIGHT, again)
        assert again.wait_for(lambda t: len(t.frames) >= 3, 120)
        source.stop()

    beside_main_thread(work)


def test_a_camera_runs_in_a_chosen_format_and_is_told_by_what_it_is(webcam: str) -> None:
    def work(main: MainThread) -> None:
        listed = list_cameras(main)[0]
        source, taker = CameraSource(0, main), Taker()
        source.start(WIDTH, HEIGHT, taker)
        source.stop()
        assert source.identity == listed.identity == "camera:vivid at vivid.0"
        formats = source.offer.formats
        assert len(set(formats)) == len(formats) > 3 and formats[0].fps >= 29, "what moves comes first"
        slow = next(each for each in formats if (each.width, each.height) == (WIDTH, HEIGHT))
        assert slow.fps < 29  # so nobody but the user would choose it
        seen: list[str] = []

        def wishes(identity: str) -> SourceOptions:
            seen.append(identity)
            return SourceOptions(format=slow)

        chosen, again = CameraSource(0, main, wishes), Taker()
        chosen.start(WIDTH, HEIGHT, again)
        assert again.wait_for(lambda t: len(t.frames) >= 2, 120)
        camera = chosen._camera
        assert camera is not None
        size = main.call(lambda: camera.cameraFormat().resolution())
        chosen.stop()
        assert (size.width(), size.height()) == (slow.width, slow.height)
        assert set(seen) == {source.identity}
        print(f"{len(formats)} formats, {formats[0]} first, {slow} chosen")

    beside_main_thread(work)
