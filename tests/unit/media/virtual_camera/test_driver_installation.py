"""The driver is installed by one password: what root runs, how it is stopped, and what went wrong in words.

The script is the real one, in a real shell; only the programs that need root stand in (``FakeRoot``).
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from helpers.fake_root import FakeRoot
from overpaint.errors import SinkError
from overpaint.media.virtual_camera import driver_installation
from overpaint.media.virtual_camera.driver_installation import (
    DriverInstallation,
    Stopped,
    installation,
    only_root_can_change,
    way_to_root,
)
from overpaint.media.virtual_camera.driver_setup import driver_setup
from overpaint.media.virtual_camera.driver_state import DriverFacts

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="v4l2loopback is Linux's"),
]
KERNEL = "6.1.0-18-amd64"
DEBIAN = DriverFacts("not_installed", KERNEL, "apt", "", False, False, "/var/lib/dkms/mok.pub")
INSTALLED = DriverFacts("not_loaded", KERNEL, "apt", "", False, False, "/var/lib/dkms/mok.pub")
SIGNED = DriverFacts("not_loaded", KERNEL, "apt", "", False, True, "/var/lib/dkms/mok.pub")


@pytest.fixture
def root(tmp_path: Path) -> FakeRoot:
    return FakeRoot(tmp_path)


class Listener:
    """What an installation told."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.lines: list[str] = []
        self.reached = threading.Event()
        self.wanted = ""

    def step(self, name: str) -> None:
        self.steps.append(name)
        if name == self.wanted:
            self.reached.set()


def install(root: FakeRoot, facts: DriverFacts = DEBIAN) -> Listener:
    listener = Listener()
    setup = driver_setup(facts)
    DriverInstallation(facts, setup, root.command(setup), listener.step, listener.lines.append).run()
    return listener


def test_it_installs_configures_and_loads_in_this_order(root: FakeRoot) -> None:
    root.says("apt-get", "Setting up v4l2loopback-dkms")
    told = install(root)
    assert told.steps == ["sources", "packages", "configure", "load"]
    assert "Setting up v4l2loopback-dkms" in told.lines
    assert root.calls == [
        "apt-get -q update",
        "apt-get -q -y -o DPkg::Lock::Timeout=300 --no-remove install"
        f" linux-headers-{KERNEL} v4l2loopback-dkms",
        "modprobe v4l2loopback",
    ]
    # What the next start of the computer reads.
    assert (root.etc / "modules-load.d" / "overpaint.conf").read_text() == "v4l2loopback\n"
    options = (root.etc / "modprobe.d" / "overpaint.conf").read_text()
    assert options == 'options v4l2loopback exclusive_caps=1 card_label="Overpaint Camera"\n'


def test_package_lists_that_cannot_be_fetched_do_not_end_it(root: FakeRoot) -> None:
    root.says("apt-get", does='[ "$2" != update ] || exit 100')
    assert install(root).steps[-1] == "load"


@pytest.mark.parametrize(
    ("facts", "program", "words", "code", "mend"),
    [
        (
            *(
                SIGNED,
                "modprobe",
                "modprobe: ERROR: could not insert 'v4l2loopback': Key was rejected by service",
            ),
            *("virtual_camera_driver_refused", "sudo mokutil --import /var/lib/dkms/mok.pub"),
        ),
        (
            *(
                SIGNED,
                "modprobe",
                "modprobe: ERROR: could not insert 'v4l2loopback': Operation not permitted",
            ),
            *("virtual_camera_driver_refused", "Enroll MOK"),
        ),
        (
            *(
                INSTALLED,
                "modprobe",
                "modprobe: ERROR: could not insert 'v4l2loopback': Operation not permitted",
            ),
            *("driver_setup_failed", "Run it in a terminal"),
        ),
        (
            *(
                DEBIAN,
                "modprobe",
                f"modprobe: FATAL: Module v4l2loopback not found in directory /lib/modules/{KERNEL}",
            ),
            *("driver_setup_not_built", "restart the computer"),
        ),
        (
            *(DEBIAN, "apt-get", "Error! Bad return status for module build on kernel: 6.1.0 (x86_64)"),
            *("driver_setup_not_built", "restart the computer"),
        ),
        (
            *(
                DEBIAN,
                "apt-get",
                "E: Failed to fetch http://deb.debian.org/x.deb  Temporary failure resolving 'deb'",
            ),
            *("driver_setup_offline", "connection to the internet"),
        ),
        (
            *(DEBIAN, "apt-get", f"E: Unable to locate package linux-headers-{KERNEL}"),
            *("driver_setup_headers_gone", "Update the system, restart"),
        ),
        (
            *(DEBIAN, "apt-get", "E: Unable to locate package v4l2loopback-dkms"),
            *("driver_setup_package_unknown", "universe"),
        ),
        (
            *(
                DEBIAN,
                "apt-get",
                "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7",
            ),
            *("driver_setup_packages_busy", "Wait"),
        ),
        (
            *(DEBIAN, "apt-get", "E: You do not have enough free space in /var/cache/apt/archives/."),
            *("driver_setup_failed", "sudo apt-get install"),
        ),
    ],
)
def test_what_goes_wrong_is_told_apart(
    root: FakeRoot, facts: DriverFacts, program: str, words: str, code: str, mend: str
) -> None:
    root.says(program, words, status=1)
    with pytest.raises(SinkError) as refusal:
        install(root, facts)
    assert refusal.value.code == code and mend in refusal.value.mend
    if code == "driver_setup_failed":
        assert words.split(": ", 1)[1].rstrip(".") in str(refusal.value)


def test_a_driver_in_use_is_not_taken_away(root: FakeRoot) -> None:
    root.says("modprobe", "modprobe: FATAL: Module v4l2loopback is in use.", status=1)
    loaded = DriverFacts("loaded", KERNEL, "apt", "", False, False, "")
    with pytest.raises(SinkError, match="while a program uses it"):
        install(root, loaded)


def test_it_stops_before_the_next_step_and_never_within_one(root: FakeRoot, tmp_path: Path) -> None:
    """A package manager that is killed leaves broken packages."""
    gate, done = tmp_path / "gate", tmp_path / "done"
    root.says("apt-get", does=f'[ "$2" = update ] || until [ -e {gate} ]; do sleep 0.02; done; touch {done}')
    listener = Listener()
    listener.wanted = "packages"
    setup = driver_setup(DEBIAN)
    work = DriverInstallation(DEBIAN, setup, root.command(setup), listener.step, listener.lines.append)
    ended: list[Any] = []

    def run() -> None:
        with pytest.raises(Stopped):
            work.run()
        ended.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    assert listener.reached.wait(10)
    done.unlink(missing_ok=True)
    work.stop()
    gate.touch()
    thread.join(10)
    assert ended and done.exists()
    assert listener.steps == ["sources", "packages"]
    assert not list((root.etc / "modprobe.d").iterdir())


def test_it_ends_when_whoever_began_it_has_died(root: FakeRoot) -> None:
    done = subprocess.run(
        root.command(driver_setup(DEBIAN)),
        input="go\n",
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 20 and root.calls == ["apt-get -q update"]


def test_a_word_that_is_not_the_agreed_one_begins_nothing(root: FakeRoot) -> None:
    done = subprocess.run(
        root.command(driver_setup(DEBIAN)),
        input="$(reboot)\n" * 9,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 20 and root.calls == []


def play_pkexec(folder: Path, does: str) -> list[str]:
    """A stand-in for pkexec, which becomes root where the user gives the password."""
    file = folder / "pkexec"
    file.write_text(f"#!/bin/sh\n{does}\n")
    file.chmod(0o755)
    return [str(file)]


@pytest.mark.parametrize(("does", "code"), [("exit 127", "driver_setup_not_allowed"), ("exit 126", "")])
def test_a_password_that_is_not_given_changes_nothing(tmp_path: Path, does: str, code: str) -> None:
    setup = driver_setup(DEBIAN)
    work = DriverInstallation(DEBIAN, setup, play_pkexec(tmp_path, does), lambda _: None, lambda _: None)
    if not code:
        with pytest.raises(Stopped):
            work.run()
        return
    with pytest.raises(SinkError) as refusal:
        work.run()
    assert refusal.value.code == code and "sudo apt-get update" in refusal.value.mend


def test_stopping_closes_the_dialog_for_the_password(tmp_path: Path) -> None:
    setup = driver_setup(DEBIAN)
    command = play_pkexec(tmp_path, "echo Password:; exec sleep 60")
    asks = threading.Event()
    work = DriverInstallation(DEBIAN, setup, command, lambda _: None, lambda _: asks.set())
    user = threading.Thread(target=lambda: asks.wait(60) and work.stop())
    user.start()
    with pytest.raises(Stopped):
        work.run()
    user.join()


def test_root_needs_no_password_and_a_desktop_asks_in_a_dialog(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pkexec, sudo = tmp_path / "pkexec", tmp_path / "sudo"
    monkeypatch.setattr(driver_installation, "PKEXEC", str(pkexec))
    monkeypatch.setattr(driver_installation, "SUDO", str(sudo))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert way_to_root(terminal=False) == ("/bin/sh", "-c")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert way_to_root(terminal=True) is None
    pkexec.touch()
    sudo.touch()
    assert way_to_root(terminal=True) == (str(sudo), "--", "/bin/sh", "-c")
    assert way_to_root(terminal=False) == (str(pkexec), "--disable-internal-agent", "/bin/sh", "-c")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert way_to_root(terminal=True) is None


@pytest.mark.parametrize(("roots", "words"), [(True, ["install"]), (False, ["/bin/sh", "-c"])])
def test_the_packaged_helper_is_preferred_where_it_is_roots_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, roots: bool, words: list[str]
) -> None:
    """It is called with one fixed argument; otherwise the script is handed over whole."""
    pkexec = tmp_path / "pkexec"
    pkexec.touch()
    monkeypatch.setattr(driver_installation, "PKEXEC", str(pkexec))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(driver_installation, "only_root_can_change", lambda file: roots)
    work = installation(DEBIAN, driver_setup(DEBIAN), lambda _: None, lambda _: None)
    assert work is not None
    helper = [str(driver_installation.HELPER)] if roots else []
    command = list(work._command)
    assert command[:2] == [str(pkexec), "--disable-internal-agent"]
    assert command[2:] == helper + words if roots else command[2:-1] == words
    assert roots or command[-1] == driver_setup(DEBIAN).script()


def test_nothing_is_begun_that_only_the_user_can_decide() -> None:
    fedora = DriverFacts("not_installed", KERNEL, "dnf", "", False, False, "")
    assert installation(fedora, driver_setup(fedora), lambda _: None, lambda _: None) is None
    gone = DriverFacts("restart_needed", KERNEL, "apt", "", False, False, "")
    assert installation(gone, driver_setup(gone), lambda _: None, lambda _: None) is None


def test_a_helper_that_others_could_change_does_not_become_root(tmp_path: Path) -> None:
    """The packaged one, and every folder above it, is root's alone."""
    assert only_root_can_change(Path("/etc/passwd"))
    helper = tmp_path / "camera-driver"
    helper.touch(mode=0o755)
    assert not only_root_can_change(helper), "its folder is open to all (/tmp), or a user's"
    assert not only_root_can_change(tmp_path / "missing")
