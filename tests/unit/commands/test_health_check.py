"""`overpaint doctor --fix` says what it will do, asks, does it as root, and looks again."""

from __future__ import annotations

import json
import platform
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from helpers.fake_root import FakeRoot
from overpaint import credentials, doctor
from overpaint.cli import app
from overpaint.doctor import Finding
from overpaint.errors import CredentialError, SinkError
from overpaint.media.virtual_camera import camera_sink, driver_installation, driver_state
from overpaint.media.virtual_camera.camera_sink import CameraReport
from overpaint.media.virtual_camera.driver_setup import driver_missing
from overpaint.media.virtual_camera.driver_state import driver_facts

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="v4l2loopback is Linux's"),
]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeRoot:
    """A Debian without the driver, whose camera is there once the driver is loaded."""
    root, system = FakeRoot(tmp_path), tmp_path / "system"
    for file in ("usr/bin/apt-get", f"lib/modules/{platform.release()}/modules.dep"):
        (system / file).parent.mkdir(parents=True)
        (system / file).touch()
    monkeypatch.setattr(driver_state, "SYSTEM", system)
    monkeypatch.setattr(driver_installation, "way_to_root", lambda terminal: root.way())

    def report() -> CameraReport:
        if "modprobe v4l2loopback" in root.calls:
            return CameraReport((), "Overpaint Camera", "/dev/video10", None, "")
        return CameraReport((), "", "", driver_missing(driver_facts(loaded=False)), "")

    monkeypatch.setattr(camera_sink, "camera_report", report)
    monkeypatch.setattr(doctor, "examine", lambda _: iter([doctor.camera_output()]))
    return root


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["doctor", *arguments], input=typed)


def test_without_fix_nothing_is_changed(root: FakeRoot) -> None:
    told = run()
    assert told.exit_code == 1 and root.calls == []
    assert "✗ camera output: There is no virtual camera" in told.stdout and "sudo apt-get" in told.stdout


def test_it_says_what_it_does_as_root_and_the_camera_is_there(root: FakeRoot) -> None:
    told = run("--fix", "--yes")
    assert told.exit_code == 0, told.output
    said = told.stderr.splitlines()
    assert said[0] == "To set up the camera's driver, this is done as root:"
    assert said[1] == "    sudo apt-get update"
    assert [line for line in said if line.endswith("…")] == [
        "Fetching the lists of packages…",
        "Installing the camera's driver…",
        "Setting it up for each start of the computer…",
        "Loading the driver…",
    ]
    assert told.stdout.splitlines()[-1] == "✓ camera output: Overpaint Camera (/dev/video10)"
    assert (root.etc / "modules-load.d" / "overpaint.conf").exists()


def test_programs_get_what_is_true_afterwards(root: FakeRoot) -> None:
    told = run("--fix", "--yes", "--json")
    assert told.exit_code == 0
    assert [finding["verdict"] for finding in json.loads(told.stdout)] == ["ok"]


def test_nothing_is_done_where_nobody_can_be_asked(root: FakeRoot) -> None:
    told = run("--fix")
    assert told.exit_code == 1 and root.calls == []
    assert told.stderr.splitlines()[-1].endswith("nobody can be asked here. Add --yes.")


@pytest.mark.parametrize(("typed", "done"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_a_person_is_asked(root: FakeRoot, monkeypatch: pytest.MonkeyPatch, typed: str, done: bool) -> None:
    monkeypatch.setattr("overpaint.commands.health_check._at_terminal", lambda: True)
    told = run("--fix", typed=typed)
    assert "Do it now? [y/N]" in told.stderr
    assert (told.exit_code == 0, bool(root.calls)) == (done, done)


def test_what_fails_is_said_with_its_mend(root: FakeRoot) -> None:
    root.says("modprobe", "modprobe: ERROR: could not insert 'v4l2loopback': Key was rejected by service", 1)
    told = run("--fix", "--yes", "--json")
    assert told.exit_code == 1
    assert told.stderr.splitlines()[-1].startswith("Secure Boot refuses the virtual camera's driver")
    assert "sudo mokutil --import" in told.stderr.splitlines()[-1]
    assert json.loads(told.stdout)[0]["part"] == "camera output"


def test_what_no_program_can_mend_is_left(root: FakeRoot, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = SinkError("virtual_camera_busy", camera="Overpaint Camera", node="/dev/video10")
    monkeypatch.setattr(camera_sink, "camera_report", lambda: CameraReport((), "", "", busy, ""))
    told = run("--fix", "--yes")
    assert told.exit_code == 1 and root.calls == []
    assert "There is nothing that --fix can mend." in told.stdout


def test_only_what_the_main_job_needs_makes_it_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A keyring that is broken, or no webcam, keeps nobody from a call: the screen can be restyled, too."""

    def broken() -> str:
        raise SinkError("virtual_camera_failed")

    for check in ("camera_output", "_cameras", "_sandbox", "_nets", "_engine"):
        monkeypatch.setattr(doctor, check, broken)
    verdicts = {finding.part: finding.verdict for finding in doctor.examine(tmp_path)}
    assert (verdicts["camera output"], verdicts["engine"]) == ("missing", "missing")
    assert {verdicts[part] for part in ("cameras", "sandbox", "nets")} == {"warning"}


def keyring_found(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Finding:
    """What ``doctor`` finds of the keyring alone."""
    for check in ("camera_output", "_display", "_cameras", "_codecs", "_engine", "_nets", "_sandbox"):
        monkeypatch.setattr(doctor, check, lambda: Finding("another", "ok", ""))
    return next(finding for finding in doctor.examine(folder) if finding.part == "keyring")


def test_a_keyring_that_is_broken_is_a_warning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken() -> str:
        raise CredentialError("keyring_missing_or_locked", variable=credentials.KEY_VARIABLE)

    monkeypatch.setattr(credentials, "keyring_name", broken)
    found = keyring_found(monkeypatch, tmp_path)
    assert found.verdict == "warning"
    assert "missing or locked" in found.text and credentials.KEY_VARIABLE in found.mend


def test_a_keyring_that_hangs_is_a_warning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(credentials, "_TIMEOUT_S", 0.1)
    monkeypatch.setattr("keyring.get_keyring", lambda: time.sleep(1))
    found = keyring_found(monkeypatch, tmp_path)
    assert found.verdict == "warning" and "does not answer" in found.text and found.mend
