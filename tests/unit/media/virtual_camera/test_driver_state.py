"""Why there is no camera is told apart, each case with the one thing that mends it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from overpaint.gui.widgets.advice import split_mend
from overpaint.media.virtual_camera.driver_setup import (
    SET_UP_BY_ITSELF,
    driver_missing,
    driver_setup,
    enrolment,
)
from overpaint.media.virtual_camera.driver_state import DriverFacts, driver_facts

KERNEL = "6.1.0-18-amd64"
CONFIGURED = (
    "echo v4l2loopback | sudo tee /etc/modules-load.d/overpaint.conf && "
    "echo 'options v4l2loopback exclusive_caps=1 card_label=\"Overpaint Camera\"' | "
    "sudo tee /etc/modprobe.d/overpaint.conf"
)
"""What lasts over the next start of the computer."""


def has(system: Path, *files: str, text: str = "") -> None:
    for name in files:
        file = system / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


@pytest.fixture
def debian(tmp_path: Path) -> Path:
    has(tmp_path, "usr/bin/apt-get", f"lib/modules/{KERNEL}/modules.dep")
    return tmp_path


def facts_of(system: Path, kernel: str = KERNEL, loaded: bool = False) -> DriverFacts:
    return driver_facts(loaded=loaded, system=system, kernel=kernel)


def installed(system: Path) -> None:
    has(
        system,
        f"lib/modules/{KERNEL}/modules.dep",
        text="updates/dkms/v4l2loopback.ko.xz: kernel/videodev.ko\n",
    )


def built_for_another_kernel(system: Path) -> None:
    has(system, "usr/src/v4l2loopback-0.12.7/dkms.conf")


def buildable(system: Path) -> None:
    built_for_another_kernel(system)
    has(system, f"lib/modules/{KERNEL}/build/Makefile")


def replaced_by_a_newer_kernel(system: Path) -> None:
    (system / f"lib/modules/{KERNEL}/modules.dep").unlink()
    (system / f"lib/modules/{KERNEL}").rename(system / "lib/modules/6.1.0-21-amd64")


def of_another_kernel_only(system: Path) -> None:
    (system / f"lib/modules/{KERNEL}").rename(system / "lib/modules/5.10.0-8-amd64")


def nothing(system: Path) -> None:
    pass


@pytest.mark.parametrize(
    ("prepare", "loaded", "code", "words", "begins"),
    [
        (nothing, False, "virtual_camera_driver_missing", "not installed", "sudo apt-get update && "),
        (installed, False, "virtual_camera_driver_not_loaded", "not loaded", "echo v4l2loopback"),
        (buildable, False, "virtual_camera_driver_not_built", KERNEL, "sudo apt-get update && "),
        (
            *(built_for_another_kernel, False, "virtual_camera_driver_headers_missing"),
            *("headers are missing", f"sudo apt-get update && sudo apt-get install linux-headers-{KERNEL}"),
        ),
        (nothing, True, "virtual_camera_missing", "no virtual camera", "echo v4l2loopback"),
        (replaced_by_a_newer_kernel, False, "virtual_camera_restart_needed", "restarted", ""),
        (of_another_kernel_only, False, "virtual_camera_kernel_takes_no_drivers", "container", ""),
    ],
)
def test_each_state_has_its_sentence_and_its_command(
    debian: Path, prepare: Callable[[Path], None], loaded: bool, code: str, words: str, begins: str
) -> None:
    prepare(debian)
    error = driver_missing(facts_of(debian, loaded=loaded))
    assert (error.code, error.kind) == (code, "missing")
    assert words in str(error)
    _, command = split_mend(error.mend)
    assert command.startswith(begins) and bool(command) == bool(begins)
    if command:
        assert CONFIGURED in command and command.endswith("sudo modprobe v4l2loopback")
        assert code in SET_UP_BY_ITSELF and driver_setup(facts_of(debian, loaded=loaded)).by_itself


def test_a_kernel_without_any_modules_takes_no_drivers(tmp_path: Path) -> None:
    assert facts_of(tmp_path).state == "no_modules"


def test_headers_that_are_there_are_built_with(debian: Path) -> None:
    buildable(debian)
    assert f"sudo dkms autoinstall -k {KERNEL}" in driver_setup(facts_of(debian)).commands()


@pytest.mark.parametrize(
    ("files", "first"),
    [
        (["usr/bin/apt-get"], "sudo apt-get update"),
        (
            ["usr/bin/dnf", "etc/yum.repos.d/rpmfusion-free.repo"],
            f"sudo dnf install akmod-v4l2loopback kernel-devel-{KERNEL}",
        ),
        (["usr/bin/pacman"], "sudo pacman -S --needed linux-headers v4l2loopback-dkms"),
        (["usr/bin/zypper"], "sudo zypper install v4l2loopback-kmp-default"),
    ],
)
def test_each_distribution_has_its_own_commands(tmp_path: Path, files: list[str], first: str) -> None:
    has(tmp_path, *files, f"lib/modules/{KERNEL}/modules.dep")
    setup = driver_setup(facts_of(tmp_path))
    assert setup.commands()[0] == first and setup.by_itself


def test_arch_names_the_headers_of_the_kernel_that_runs(tmp_path: Path) -> None:
    has(tmp_path, "usr/bin/pacman", f"lib/modules/{KERNEL}/modules.dep")
    has(tmp_path, f"usr/lib/modules/{KERNEL}/pkgbase", text="linux-zen\n")
    assert "linux-zen-headers" in driver_setup(facts_of(tmp_path)).line()


def test_a_further_package_source_is_the_users_to_add(tmp_path: Path) -> None:
    has(tmp_path, "usr/bin/dnf", f"lib/modules/{KERNEL}/modules.dep")
    facts = facts_of(tmp_path)
    error = driver_missing(facts)
    assert error.code == "virtual_camera_driver_missing_fusion" not in SET_UP_BY_ITSELF
    assert "rpmfusion-free-release" in error.mend.split(" && ")[0]
    assert not driver_setup(facts).by_itself


def test_fedora_without_a_package_manager_of_its_own_is_restarted(tmp_path: Path) -> None:
    has(tmp_path, "usr/bin/dnf", "run/ostree-booted", f"lib/modules/{KERNEL}/modules.dep")
    first = driver_setup(facts_of(tmp_path))
    assert "rpmfusion" in first.line() and first.commands()[-1] == "systemctl reboot"
    has(tmp_path, "etc/yum.repos.d/rpmfusion-free.repo")
    second = driver_setup(facts_of(tmp_path))
    assert (
        second.commands()[0] == "sudo rpm-ostree install akmod-v4l2loopback" and CONFIGURED in second.line()
    )
    assert not second.by_itself and second.restart


def test_an_unknown_distribution_gets_no_other_ones_commands(tmp_path: Path) -> None:
    has(tmp_path, f"lib/modules/{KERNEL}/modules.dep")
    error = driver_missing(facts_of(tmp_path))
    assert error.code == "virtual_camera_driver_missing_unknown_system" not in SET_UP_BY_ITSELF
    assert "package manager" in error.mend and "apt" not in error.mend and CONFIGURED in error.mend


@pytest.mark.parametrize("prepare", [nothing, installed])
def test_secure_boot_is_said_beforehand(debian: Path, prepare: Callable[[Path], None]) -> None:
    prepare(debian)
    variable = debian / "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
    variable.parent.mkdir(parents=True)
    variable.write_bytes(b"\6\0\0\0\0")
    assert "Secure Boot" not in driver_missing(facts_of(debian)).mend
    variable.write_bytes(b"\6\0\0\0\1")
    words, command = split_mend(driver_missing(facts_of(debian)).mend)
    assert words.startswith("Secure Boot is on") and command.endswith("sudo modprobe v4l2loopback")


@pytest.mark.parametrize(
    ("file", "key"),
    [
        ("var/lib/dkms/mok.pub", "/var/lib/dkms/mok.pub"),
        ("var/lib/shim-signed/mok/MOK.der", "/var/lib/shim-signed/mok/MOK.der"),
        ("usr/bin/dnf", "/etc/pki/akmods/certs/public_key.der"),
    ],
)
def test_the_key_to_enrol_is_the_one_that_this_system_signs_with(tmp_path: Path, file: str, key: str) -> None:
    has(tmp_path, file)
    assert split_mend(enrolment(facts_of(tmp_path)).mend)[1] == f"sudo mokutil --import {key}"


@pytest.mark.parametrize("name", ["$(reboot)", "6.1; reboot", "../../tmp", "-rf", "6.1 x"])
def test_a_name_that_no_kernel_has_gets_into_no_command_of_root(tmp_path: Path, name: str) -> None:
    has(tmp_path, "usr/bin/pacman", f"lib/modules/{name}/modules.dep")
    has(tmp_path, f"usr/lib/modules/{name}/pkgbase", text=name)
    facts = facts_of(tmp_path, name)
    assert (facts.kernel, facts.flavour) == ("", "")
    setup = driver_setup(facts)
    assert not setup.by_itself and name not in setup.script()
