"""Setup commands of the v4l2loopback driver: install it, load it now and at each start.

Sources: modules-load.d(5), modprobe.d(5); UEFI specification, "Globally Defined Variables" (SecureBoot). Must
not run anything.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from overpaint.errors import SinkError
from overpaint.media.virtual_camera.v4l2 import OWN_TITLE

_OPTIONS = f'exclusive_caps=1 card_label="{OWN_TITLE} Camera"'
MODPROBE = f"sudo modprobe v4l2loopback {_OPTIONS}"
RELOAD = f"sudo modprobe -r v4l2loopback && {MODPROBE}"
KEEP = (
    "echo v4l2loopback | sudo tee /etc/modules-load.d/overpaint.conf && "
    f"echo 'options v4l2loopback {_OPTIONS}' | sudo tee /etc/modprobe.d/overpaint.conf"
)
"""Commands that make it load at each start of the computer, with these options."""
_EFI = Path("/sys/firmware/efi/efivars")
_SECURE_BOOT = "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"


def driver_missing(wanted: str, efi_variables: Path = _EFI) -> SinkError:
    """Returns the error that explains how to set the driver up permanently on this distribution.

    Args:
        wanted: Node or title of the wanted camera; empty for any.
        efi_variables: Mount point of the firmware's variables (efivarfs).
    """
    command = f"{_install()} && {KEEP} && {MODPROBE}"
    signed = secure_boot(efi_variables)
    if wanted and signed:
        return SinkError("virtual_camera_name_driver_missing_secure_boot", camera=wanted, command=command)
    if wanted:
        return SinkError("virtual_camera_name_driver_missing", camera=wanted, command=command)
    if signed:
        return SinkError("virtual_camera_driver_missing_secure_boot", command=command)
    return SinkError("virtual_camera_driver_missing", command=command)


def secure_boot(efi_variables: Path = _EFI) -> bool:
    """Returns whether the firmware loads only signed drivers; False where unknown."""
    try:
        return (efi_variables / _SECURE_BOOT).read_bytes()[-1:] == b"\1"
    except OSError:
        return False


def _install() -> str:
    """Returns the command for this distribution; Debian's for an unknown one.

    It includes the headers of the running kernel: without them, building the driver fails silently.
    """
    if shutil.which("apt") is None:
        if shutil.which("dnf"):
            return "sudo dnf install akmod-v4l2loopback kernel-devel (from RPM Fusion)"
        if shutil.which("pacman"):
            return "sudo pacman -S linux-headers v4l2loopback-dkms"
        if shutil.which("zypper"):
            return "sudo zypper install v4l2loopback-kmp-default"
    return "sudo apt install linux-headers-$(uname -r) v4l2loopback-dkms"
