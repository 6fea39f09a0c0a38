"""State of the v4l2loopback driver (Linux): not installed, not built for this kernel, not loaded, and so on.

Read from files that every user may read. Must not run or change anything.

Sources: modules.dep(5), dkms(8); UEFI specification, "Globally Defined Variables" (SecureBoot).
"""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

DriverState = Literal[
    "loaded", "not_loaded", "not_built", "headers_missing", "not_installed", "restart_needed", "no_modules"
]
"""not_loaded: installed for the running kernel. not_built: installed, but only for other kernels.
headers_missing: the same, and it cannot be built. restart_needed: the running kernel's modules have been
replaced by a newer kernel's. no_modules: this kernel has none (a container, WSL).
"""
PackageManager = Literal["apt", "dnf", "rpm-ostree", "pacman", "zypper", ""]

SYSTEM = Path("/")
_MODULE = "v4l2loopback"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]*")
"""What kernels and packages are called; nothing else gets into a command."""
_SECURE_BOOT = "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
_PROGRAMS: tuple[tuple[PackageManager, str], ...] = (
    ("rpm-ostree", "run/ostree-booted"),
    ("apt", "usr/bin/apt-get"),
    ("dnf", "usr/bin/dnf"),
    ("pacman", "usr/bin/pacman"),
    ("zypper", "usr/bin/zypper"),
)
_KEYS = ("var/lib/shim-signed/mok/MOK.der", "var/lib/dkms/mok.pub")
"""Certificates by which Ubuntu's and everybody else's dkms signs what it builds."""
_AKMODS_KEY = "/etc/pki/akmods/certs/public_key.der"


@dataclass(frozen=True, slots=True)
class DriverFacts:
    """The facts from which the setup of the driver follows.

    Attributes:
        state: State of the driver.
        kernel: Release of the running kernel, as ``uname -r``.
        packages: Package manager of this system; empty for an unknown one.
        flavour: Package of the running kernel, whose headers are named after it (Arch); else empty.
        fusion: Whether the package source RPM Fusion is known (Fedora).
        secure_boot: Whether the firmware loads only signed drivers; False where unknown.
        key: Certificate that has to be enrolled where Secure Boot refuses the driver.
    """

    state: DriverState
    kernel: str
    packages: PackageManager
    flavour: str
    fusion: bool
    secure_boot: bool
    key: str


def driver_facts(*, loaded: bool, system: Path | None = None, kernel: str = "") -> DriverFacts:
    """Reads the facts.

    Args:
        loaded: Whether the driver is loaded (``LoopbackDevices.module_loaded``).
        system: Root of the file system; ``SYSTEM`` by default.
        kernel: Release of the running kernel; this one's by default.
    """
    system = SYSTEM if system is None else system
    kernel = kernel or platform.release()
    packages: PackageManager = next((name for name, sign in _PROGRAMS if (system / sign).exists()), "")
    return DriverFacts(
        state="loaded" if loaded else _state(system, kernel),
        kernel=kernel if _NAME.fullmatch(kernel) else "",
        packages=packages,
        flavour=_flavour(system / "usr/lib/modules" / kernel / "pkgbase"),
        fusion=any((system / "etc/yum.repos.d").glob("rpmfusion-free*.repo")),
        secure_boot=_secure_boot(system / _SECURE_BOOT),
        key=_key(system, packages),
    )


def _state(system: Path, kernel: str) -> DriverState:
    modules = system / "lib/modules"
    if not (modules / kernel).is_dir():
        others = [entry.name for entry in modules.iterdir()] if modules.is_dir() else []
        newer = any(_version(other) > _version(kernel) for other in others)
        return "restart_needed" if newer else "no_modules"
    if _has_module(modules / kernel):
        return "not_loaded"
    if not _has_source(system / "usr/src"):
        return "not_installed"
    return "not_built" if (modules / kernel / "build" / "Makefile").exists() else "headers_missing"


def _has_module(folder: Path) -> bool:
    try:
        return f"{_MODULE}.ko" in (folder / "modules.dep").read_text("utf-8", "replace")
    except OSError:
        return False


def _has_source(folder: Path) -> bool:
    return any(folder.glob(f"{_MODULE}-*")) or any(folder.glob(f"akmods/{_MODULE}*"))


def _version(release: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"\d+", release)[:4])


def _flavour(file: Path) -> str:
    try:
        name = file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
    return name if _NAME.fullmatch(name) else ""


def _secure_boot(variable: Path) -> bool:
    try:
        return variable.read_bytes()[-1:] == b"\1"
    except OSError:
        return False


def _key(system: Path, packages: PackageManager) -> str:
    if packages in ("dnf", "rpm-ostree"):
        return _AKMODS_KEY  # its folder is closed to users
    return "/" + next((key for key in _KEYS if (system / key).exists()), _KEYS[-1])
