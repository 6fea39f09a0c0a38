"""Inside the virtual machine: a real v4l2loopback device, read by programs that are not ours.

Run by ``make test-camera``. The machine emulates its processor and is slow: contents are asserted,
rates only reported.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from camera.machine import (
    DEVICE,
    FRAME_BYTES,
    HEIGHT,
    SLATE,
    WIDTH,
    Feeder,
    fed_by_another_program,
    frames_in,
    loopbacks,
    number_of,
    numbered,
    offers,
    output_of,
    read_by_ffmpeg,
    read_by_v4l2_ctl,
    wait_for,
    watch,
)
from helpers import camera_writer
from helpers.chooser import Chooser
from overpaint.errors import SinkError
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.virtual_camera.camera_client import HeldCamera
from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink, camera_report
from overpaint.media.virtual_camera.device_readers import DeviceReaders
from overpaint.media.virtual_camera.v4l2 import LoopbackDevices, SettledFormat
from overpaint.session.output.camera_stage import CameraStage


def test_the_report_names_the_device_before_it_is_used(loopback: None) -> None:
    report = camera_report()
    assert (report.chosen, report.path, report.problem, report.advice) == (
        "Overpaint Camera",
        DEVICE,
        None,
        "",
    )


def test_ffmpeg_reads_every_pixel(loopback: None, tmp_path: Path) -> None:
    with Feeder(VirtualCameraSink()):
        probed = json.loads(
            output_of("ffprobe", "-v", "error", "-of", "json", "-show_streams", "-f", "v4l2", DEVICE)
        )
        began = time.monotonic()
        numbers = [number_of(frame) for frame in read_by_ffmpeg(12, tmp_path)]
        seconds = time.monotonic() - began
    stream = probed["streams"][0]
    assert (stream["width"], stream["height"], stream["pix_fmt"]) == (WIDTH, HEIGHT, "yuv420p")
    assert numbers == sorted(numbers) and len(set(numbers)) >= 6
    print(f"ffmpeg read {len(numbers)} pictures, {len(set(numbers))} distinct, in {seconds:.1f} s: {numbers}")


def test_v4l2_ctl_reads_every_pixel_and_lists_a_camera(loopback: None, tmp_path: Path) -> None:
    with Feeder(VirtualCameraSink()) as _:
        details = output_of("v4l2-ctl", "-d", DEVICE, "-D", "--get-fmt-video")
        numbers = [number_of(frame) for frame in read_by_v4l2_ctl(12, tmp_path)]
        assert offers() == {"Video Capture"}
    assert "Card type        : Overpaint Camera" in details
    assert "Width/Height      : 1920/1080" in details and "'YU12'" in details
    assert len(set(numbers)) >= 6
    print(f"v4l2-ctl read {len(set(numbers))} distinct pictures of {len(numbers)}")


def test_the_first_frame_alone_makes_it_a_camera(loopback: None) -> None:
    sink = VirtualCameraSink()
    assert offers() == {"Video Output"}
    sink.open(WIDTH, HEIGHT, 30)
    sink.write(StyledFrame(numbered(SLATE), 0, 0, FrameKind.STYLED))
    assert offers() == {"Video Capture"}
    sink.close()


def test_programs_that_watch_come_and_go(loopback: None, tmp_path: Path) -> None:
    sink = VirtualCameraSink()
    with Feeder(sink):
        for _ in range(5):
            assert [number_of(frame) for frame in read_by_v4l2_ctl(2, tmp_path)]
        watcher = watch(DEVICE)
        assert [number_of(frame) for frame in read_by_ffmpeg(3, tmp_path)]
        watcher.kill()  # as a program that crashes
        watcher.wait()
        before = sink.written
        assert [number_of(frame) for frame in read_by_v4l2_ctl(2, tmp_path)]
        assert sink.written > before


def test_a_hundred_times_closed_and_opened_with_the_slate_first(loopback: None, tmp_path: Path) -> None:
    sink = VirtualCameraSink()
    for cycle in range(100):
        sink.open(WIDTH, HEIGHT, 30)
        sink.write(StyledFrame(numbered(SLATE), 0, 0, FrameKind.STYLED))
        assert LoopbackDevices().settled(DEVICE) == SettledFormat("YU12", WIDTH, HEIGHT)
        assert number_of(read_by_v4l2_ctl(1, tmp_path)[0]) == SLATE
        for number in (cycle * 2, cycle * 2 + 1):
            sink.write(StyledFrame(numbered(number), number, 0, FrameKind.STYLED))
        assert number_of(read_by_v4l2_ctl(1, tmp_path)[0]) == cycle * 2 + 1
        sink.close()


def test_a_hundred_times_stopped_and_started_it_shows_the_slate_in_between(
    loopback: None, tmp_path: Path
) -> None:
    """Overpaint's own output stage: the device stays open all the while.

    No second program watches meanwhile: this driver fails a watcher when another one unmaps its buffers.
    """
    user = Chooser(numbered(SLATE))
    stage = CameraStage(VirtualCameraSink, user.standing, lambda: None)
    stage.start()
    wait_for(lambda: stage.state == "slate")
    for cycle in range(100):
        user.choose(on_air=True)
        user.give(StyledFrame(numbered(cycle), cycle, 0, FrameKind.STYLED), stage)
        wait_for(lambda: stage.state in ("live", "held"))
        assert number_of(read_by_v4l2_ctl(2, tmp_path)[-1]) == cycle
        user.choose(stage, on_air=False)
        wait_for(lambda: stage.state == "slate")
        assert number_of(read_by_v4l2_ctl(2, tmp_path)[-1]) == SLATE
    stage.stop()


def test_a_watcher_survives_that_the_camera_is_closed_and_opened(loopback: None, tmp_path: Path) -> None:
    sink, target = VirtualCameraSink(), tmp_path / "watched.yuv"
    with Feeder(sink):
        watcher = watch(DEVICE, 40, str(target))
        wait_for(lambda: target.exists() and target.stat().st_size > FRAME_BYTES)
    with Feeder(sink):
        assert watcher.wait(120) == 0
    assert all(number_of(frame) >= 0 for frame in frames_in(target))


def test_the_drivers_reopen_defect_is_there_and_mended(loopback: None, tmp_path: Path) -> None:
    sink = VirtualCameraSink()
    sink.open(WIDTH, HEIGHT, 30)
    sink.write(StyledFrame(numbered(1), 1, 0, FrameKind.STYLED))
    sink.close()
    assert offers() == set(), "this driver has no such defect: the mend can go"
    assert [device.state for device in LoopbackDevices().all()] == ["stuck"]
    sink.open(WIDTH, HEIGHT, 30)
    sink.write(StyledFrame(numbered(2), 2, 0, FrameKind.STYLED))
    assert number_of(read_by_v4l2_ctl(1, tmp_path)[0]) == 2
    sink.close()


def test_a_check_reads_its_own_picture_back(loopback: None, tmp_path: Path) -> None:
    """As the app has it: the device belongs to a process of its own, and readers are told apart from that."""
    user = Chooser(numbered(SLATE))
    stage = CameraStage(lambda: HeldCamera(tmp_path), user.standing, lambda: None)
    stage.start()
    try:
        wait_for(lambda: stage.state == "slate")
        assert stage.check() is True
        user.choose(on_air=True)
        user.give(StyledFrame(numbered(7), 7, 0, FrameKind.STYLED), stage)
        assert stage.check() is True
        assert stage.trouble is None and stage.state in ("live", "held", "slate")
        wait_for(lambda: stage.read is False)
        reader = watch(DEVICE)
        wait_for(lambda: stage.read)
        reader.kill()
        reader.wait()
        wait_for(lambda: not stage.read)
    finally:
        stage.stop()


def test_a_call_goes_on_while_the_process_that_made_its_pictures_is_dead(
    loopback: None, tmp_path: Path
) -> None:
    """A program that reads gets pictures all the while: the last one, then those of the next process."""
    writer = subprocess.Popen(
        [sys.executable, camera_writer.__file__, str(tmp_path), "/sys", "/dev", "STYLED"]
    )
    wait_for(lambda: LoopbackDevices().settled(DEVICE) is not None)
    target = tmp_path / "watched.yuv"
    watcher = watch(DEVICE, 120, str(target))
    wait_for(lambda: target.exists() and target.stat().st_size > 0)
    writer.kill()
    writer.wait()
    camera = HeldCamera(tmp_path)
    camera.open(camera_writer.WIDTH, camera_writer.HEIGHT, 30.0)
    try:
        assert camera.standing
        assert watcher.wait(120) == 0
        pictures = np.fromfile(target, np.uint8).reshape(
            -1, camera_writer.HEIGHT * 3 // 2 * camera_writer.WIDTH
        )
        assert len(pictures) == 120 and set(pictures[:, 0].tolist()) <= {
            camera_writer.SLATE,
            camera_writer.SHOWN,
        }
    finally:
        camera.close()


@pytest.mark.parametrize("size", ["640x360", "1920x1080"])
def test_a_camera_that_another_program_feeds_is_not_taken(loopback: None, size: str) -> None:
    words = "Another program is using the virtual camera Overpaint Camera"
    picture = f"testsrc=size={size}:rate=10"
    with fed_by_another_program(picture), pytest.raises(SinkError, match=words) as refusal:
        VirtualCameraSink().open(WIDTH, HEIGHT, 30)
    assert refusal.value.kind == "busy"


def test_a_device_without_exclusive_caps_works_and_is_warned_about(tmp_path: Path) -> None:
    with loopbacks("video_nr=10", 'card_label="Overpaint Camera"'):
        assert "Chrome" in camera_report().advice
        with Feeder(VirtualCameraSink()):
            assert number_of(read_by_v4l2_ctl(1, tmp_path)[0]) >= 0
            with pytest.raises(SinkError) as refusal:
                VirtualCameraSink().open(1280, 720, 30)
            assert refusal.value.kind == "busy"


def test_overpaints_own_device_is_taken_though_another_comes_first(tmp_path: Path) -> None:
    with loopbacks(
        "devices=2", "video_nr=8,10", "exclusive_caps=1,1", 'card_label="OBS Virtual Camera,Overpaint Camera"'
    ):
        sink = VirtualCameraSink()
        with Feeder(sink):
            assert sink.title == "Overpaint Camera"
            assert number_of(read_by_v4l2_ctl(1, tmp_path)[0]) >= 0


def test_without_permission_the_group_is_named(loopback: None) -> None:
    os.seteuid(65534)
    try:
        with pytest.raises(SinkError, match="You may not use") as refusal:
            VirtualCameraSink().open(WIDTH, HEIGHT, 30)
    finally:
        os.seteuid(0)
    assert refusal.value.kind == "denied" and "video" in refusal.value.mend


def test_without_the_driver_the_sentence_says_so() -> None:
    with pytest.raises(SinkError, match="There is no virtual camera on this computer") as refusal:
        VirtualCameraSink().open(WIDTH, HEIGHT, 30)
    assert refusal.value.kind == "missing"


def test_a_program_that_reads_the_real_device_is_seen_from_its_opening_to_its_end(loopback: None) -> None:
    with Feeder(VirtualCameraSink()):
        readers = DeviceReaders(DEVICE, os.getpid(), lambda: None)
        try:
            assert not readers.read, "this very process does not count"
            for _ in range(2):
                reader = watch(DEVICE)
                wait_for(lambda: readers.read)
                reader.kill()
                reader.wait()
                wait_for(lambda: not readers.read)
        finally:
            readers.close()
