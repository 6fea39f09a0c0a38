"""Identities of cameras and screens, which stay the same when numbers change with what is plugged in.

An identity names the device ("usb 046d:082d 8A1B2C3D") and its port ("at 1-2"). The same name at another
port is the same device, moved, unless there are two of that name: then only the port distinguishes them.
Must not know what is stored under an identity.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from overpaint.media.sources import SourceInfo

_PLACE = " at "


class ScreenFacts(Protocol):
    """Facts about a screen from Qt (``QScreen``)."""

    def name(self) -> str:
        """Returns its connector ("HDMI-1"), or the system's name."""

    def manufacturer(self) -> str:
        """As the screen says; often empty."""

    def model(self) -> str:
        """As the screen says; often empty."""

    def serialNumber(self) -> str:
        """As the screen says; often empty."""


def camera_identity(name: str, title: str, sysfs: Path = Path("/sys")) -> str:
    """The identity of a camera.

    Args:
        name: The system's name; on Linux the device's node, which contains a number.
        title: Its name for the user.
        sysfs: Where the kernel's view of devices is mounted (Linux).
    """
    if sys.platform != "linux":
        return f"camera:{title}{_PLACE}{name}"
    node = Path(name).name
    entry = sysfs / "class" / "video4linux" / node
    device = (entry / "device").resolve()
    usb = device.parent  # the entry's device is an interface of the USB device
    maker, model = _read(usb / "idVendor"), _read(usb / "idProduct")
    if not maker or not model:
        return f"camera:{title}{_PLACE}{device.name if device.is_dir() else node}"
    number = _read(entry / "index")  # a device may have several video nodes
    words = (
        "usb",
        f"{maker}:{model}",
        _read(usb / "serial"),
        f"#{number}" if number not in ("", "0") else "",
    )
    return f"camera:{' '.join(filter(None, words))}{_PLACE}{usb.name}"


def screen_identity(screen: ScreenFacts) -> str:
    """Returns the identity of a screen; its connector where it reports nothing else."""
    serial = screen.serialNumber()
    if not serial:
        return f"screen:{screen.name()}"
    words = (screen.manufacturer(), screen.model(), serial)
    return f"screen:{' '.join(filter(None, words))}{_PLACE}{screen.name()}"


def part_identity(identity: str, region: tuple[int, int, int, int]) -> str:
    """Returns the identity of a part of a screen."""
    return f"{identity}@{','.join(map(str, region))}"


def words_for(identity: str, there: Iterable[SourceInfo], others: Collection[str] = ()) -> str | None:
    """Returns the present name of a source, as for ``--source``; None while it is missing.

    Args:
        identity: Identity of the source.
        there: Available sources.
        others: Known identities of other sources.
    """
    whole, at, part = identity.partition("@") if identity.startswith("screen:") else (identity, "", "")
    found = {info.identity: info.source for info in there}
    known = _moved(whole, [each for each in found if each not in others])
    if whole in found:
        known = whole
    return f"{found[known]}{at}{part}" if known is not None else None


def remembered_as(identity: str, known: Collection[str], there: Iterable[SourceInfo]) -> str:
    """Returns the identity under which data of a source is stored: its own, or that before it was moved.

    Args:
        identity: Identity of the source.
        known: Identities with stored data.
        there: Available sources: none of these was moved.
    """
    if identity in known:
        return identity
    here = {info.identity for info in there}
    return _moved(identity, [each for each in known if each not in here]) or identity


def _moved(identity: str, others: Iterable[str]) -> str | None:
    """Returns the same device at another port; None where there is none, or more than one."""
    thing, at, _ = identity.rpartition(_PLACE)
    same = [each for each in others if at and each.rpartition(_PLACE)[0] == thing]
    return same[0] if len(same) == 1 else None


def _read(path: Path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text("utf-8").strip()
    return ""
