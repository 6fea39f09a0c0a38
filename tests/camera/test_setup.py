"""Inside the virtual machine: ``overpaint doctor --fix`` makes the camera, by the real modprobe."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from camera.machine import HEIGHT, MODULES, WIDTH, Feeder, frames_in, number_of, output_of
from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink, camera_report
from overpaint.media.virtual_camera.driver_state import driver_facts

CONFIGURED = (Path("/etc/modules-load.d/overpaint.conf"), Path("/etc/modprobe.d/overpaint.conf"))


@pytest.fixture
def installed() -> Iterator[None]:
    """The driver as a package leaves it: built for the running kernel, and not loaded."""
    folder = Path("/lib/modules") / platform.release()
    driver = folder / "updates" / "dkms" / "v4l2loopback.ko"
    assert driver_facts(loaded=False).state in ("not_installed", "no_modules", "restart_needed")
    driver.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(MODULES / "v4l2loopback.ko", driver)
    subprocess.run(["depmod"], check=True)
    yield
    subprocess.run(["rmmod", "v4l2loopback"], check=False)
    for file in (driver, *CONFIGURED):
        file.unlink(missing_ok=True)
    subprocess.run(["depmod"], check=True)


def doctor(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "overpaint", "doctor", "--json", *arguments]
    quiet = os.environ | {"QT_LOGGING_RULES": "*=false"}
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env=quiet)


def camera_of(told: subprocess.CompletedProcess[str]) -> dict[str, str]:
    return next(row for row in json.loads(told.stdout) if row["part"] == "camera output")


def test_doctor_fix_makes_the_camera_for_now_and_for_each_start(installed: None, tmp_path: Path) -> None:
    before = doctor()
    assert before.returncode == 1
    assert camera_of(before)["text"].endswith("its driver is installed, but not loaded.")
    after = doctor("--fix", "--yes")
    assert camera_of(after)["verdict"] == "ok", after.stderr
    assert after.returncode == 0, after.stdout
    sink = VirtualCameraSink()
    with Feeder(sink):
        assert (sink.title, camera_report().advice) == ("Overpaint Camera", "")
        target = tmp_path / "read.yuv"
        words = ("--stream-mmap", "--stream-count=2", f"--stream-to={target}")
        output_of("v4l2-ctl", "-d", sink.listing.path, *words)
        pictures = frames_in(target)
        assert [picture.shape for picture in pictures] == [(HEIGHT * 3 // 2, WIDTH)] * 2
        assert all(number_of(picture) >= 0 for picture in pictures)
    # The next start of the computer reads the two files that it left.
    subprocess.run(["rmmod", "v4l2loopback"], check=True)
    assert camera_report().problem is not None
    for module in CONFIGURED[0].read_text().split():
        subprocess.run(["modprobe", module], check=True)
    again = camera_report()
    assert (again.chosen, again.problem, again.advice) == ("Overpaint Camera", None, "")
