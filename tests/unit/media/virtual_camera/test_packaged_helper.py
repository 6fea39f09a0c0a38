"""The packaged helper that root runs: the same steps and words as the script that is handed over.

The helper is the real one, in a real shell; only the programs that need root stand in (``FakeRoot``).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.fake_root import FakeRoot
from overpaint.errors import SinkError
from overpaint.media.virtual_camera.driver_installation import DriverInstallation
from overpaint.media.virtual_camera.driver_setup import OPTIONS, driver_setup
from overpaint.media.virtual_camera.driver_state import DriverFacts

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="v4l2loopback is Linux's"),
]
PACKAGE = Path(__file__).parents[4] / "packaging" / "deb"
HELPER = PACKAGE / "camera-driver"
KERNEL = os.uname().release if sys.platform == "linux" else ""
FACTS = DriverFacts("not_installed", KERNEL, "apt", "", False, False, "/var/lib/dkms/mok.pub")


@pytest.fixture
def root(tmp_path: Path) -> FakeRoot:
    made = FakeRoot(tmp_path)
    made.says("modinfo", status=1)
    return made


def install(root: FakeRoot) -> list[str]:
    steps: list[str] = []
    command = root.helper(HELPER)
    DriverInstallation(FACTS, driver_setup(FACTS), command, steps.append, lambda _: None).run()
    return steps


def test_it_installs_builds_and_loads_the_driver(root: FakeRoot) -> None:
    assert install(root) == ["sources", "packages", "build", "load"]
    calls = [call for call in root.calls if not call.startswith("modinfo")]
    assert calls[0] == "apt-get -q update"
    assert calls[1].endswith(f"--no-remove linux-headers-{KERNEL} v4l2loopback-dkms")
    assert calls[2:] == [f"dkms autoinstall -k {KERNEL}", "modprobe v4l2loopback"]


def test_an_installed_driver_is_only_loaded(root: FakeRoot) -> None:
    root.says("modinfo")
    assert install(root) == ["load"]
    assert root.calls[-1] == "modprobe v4l2loopback"


def test_what_goes_wrong_is_said_as_of_the_handed_over_script(root: FakeRoot) -> None:
    root.says("apt-get", "E: Unable to locate package v4l2loopback-dkms", 100)
    with pytest.raises(SinkError) as told:
        install(root)
    assert told.value.code == "driver_setup_package_unknown"
    root.says("apt-get")
    root.says("modprobe", "modprobe: ERROR: could not insert v4l2loopback: Key was rejected by service", 1)
    with pytest.raises(SinkError) as told:
        install(root)
    assert told.value.code == "virtual_camera_driver_refused"


def test_it_ends_before_the_next_step_when_nobody_answers(root: FakeRoot) -> None:
    command = root.helper(HELPER)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 20
    assert done.stdout == "overpaint-step sources\n"
    assert not [call for call in root.calls if call.startswith(("apt-get", "modprobe"))]


@pytest.mark.parametrize("arguments", [[], ["remove"], ["install", "more"]])
def test_it_takes_nothing_but_its_one_word(root: FakeRoot, arguments: list[str]) -> None:
    command = [*root.helper(HELPER)[:2], *arguments]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2
    assert root.calls == []


def test_the_package_loads_the_driver_with_the_same_options() -> None:
    assert f"options v4l2loopback {OPTIONS}\n" in (PACKAGE / "modprobe.conf").read_text("utf-8")
    assert "\nv4l2loopback\n" in (PACKAGE / "modules-load.conf").read_text("utf-8")
