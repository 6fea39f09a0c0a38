"""What a call sees when a process hangs or dies: missed frames and gaps at the camera, by frame numbers."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.live_camera import LiveCamera, Shown
from helpers.processes import role_pid, until
from helpers.stamps import stamped_clip
from overpaint.wire.live import SetOnAir, SetSource, SetStyle, StartSession

CLIP_FRAMES = 510


def missed(shown: list[Shown]) -> tuple[int, int]:
    """(different frames, frames missed between them), by their stamps."""
    numbers = [frame.number for frame in shown if frame.number is not None]
    steps = [(after - before) % CLIP_FRAMES for before, after in itertools.pairwise(numbers)]
    return 1 + sum(step > 0 for step in steps), sum(step - 1 for step in steps if step > 1)


def longest_gap_s(shown: list[Shown]) -> float:
    """Longest time without a new frame."""
    fresh = [shown[0]]
    for frame in shown:
        if frame.number is not None and frame.number != fresh[-1].number:
            fresh.append(frame)
    return max(after.at - before.at for before, after in itertools.pairwise(fresh))


def test_faults(tmp_path: Path, data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = stamped_clip(tmp_path / "stamped.mp4", seconds=CLIP_FRAMES / 30)
    camera = LiveCamera(tmp_path, data_folder)
    rows = []

    def measure(name: str, since: float) -> None:
        part = [frame for frame in camera.shown if frame.at >= since]
        different, lost = missed(part)
        bad = sum(frame.black or (not frame.slate and frame.colour > 12) for frame in part)
        slates = sum(frame.slate for frame in part)
        rows.append(
            f"{name:36}{different:5} frames, {lost} missed, longest gap {longest_gap_s(part):.2f} s, "
            f"{slates} slates, {bad} raw or black"
        )

    try:
        camera.intend(SetSource(source=str(clip)), SetStyle(prompt="black and white"))
        camera.wait(lambda snapshot: snapshot.source == str(clip) and snapshot.camera.state == "slate")
        camera.intend(StartSession(), SetOnAir(on=True))
        camera.wait_for_frames(60)
        since = time.monotonic()
        time.sleep(5)
        measure("undisturbed, 5 s", since)
        window = subprocess.Popen([sys.executable, "-m", "overpaint", "--data-dir", str(data_folder)])
        time.sleep(4)
        since = time.monotonic()
        time.sleep(5)
        measure("a window beside it, 5 s", since)
        since = time.monotonic()
        window.send_signal(signal.SIGSTOP)
        time.sleep(5)
        window.kill()
        window.wait()
        time.sleep(1)
        measure("window stalled 5 s, then killed", since)
        for _ in range(3):
            core = role_pid(data_folder, "core")
            since = time.monotonic()
            assert core is not None
            os.kill(core, signal.SIGKILL)
            until(lambda former=core: role_pid(data_folder, "core") not in (None, former))
            camera.wait_for_frames(60)
            measure("core killed", since)
    finally:
        camera.close()
    with capsys.disabled():
        print()
        for row in rows:
            print(row)
