"""Identities of cameras and screens, which stay the same when numbers change with what is plugged in.

An identity names the thing ("usb 046d:082d 8A1B2C3D") and the place that it hangs on ("at 1-2"). The same
at another place is the same thing that was moved, unless two of the name are there: then only the
place tells them apart. Must not know what is remembered under an identity.
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
    """What Qt says about a screen (``QScreen``)."""

    def name(self) -> str:
        """Of its connector ("HDMI-1"), or what the system calls it."""

    def manufacturer(self) -> str:
        """As the screen says; often empty."""

    def model(self) -> str:
        """As the screen says; often empty."""

    def serialNumber(self) -> str:
        """As the screen says; often empty."""


def camera_identity(name: str, title: str, sysfs: Path = Path("/sys")) -> str:
    """The identity of a camera.

    Args:
        name: What the system calls it; a device's node on Linux, where it is a number again.
        title: As a person would call it.
        sysfs: Where the kernel's view of devices is mounted (Linux).
    """
    if sys.platform != "linux":
        return f"camera:{title}{_PLACE}{name}"
    node = Path(name).name
    entry = sysfs / "class" / "video4linux" / node
    device = (entry / "device").resolve()
    usb = device.parent  # the entry's device is one of the USB device's interfaces
    maker, model = _read(usb / "idVendor"), _read(usb / "idProduct")
    if not maker or not model:
        return f"camera:{title}{_PLACE}{device.name if device.is_dir() else node}"
    number = _read(entry / "index")  # one device may give several pictures
    words = (
        "usb",
        f"{maker}:{model}",
        _read(usb / "serial"),
        f"#{number}" if number not in ("", "0") else "",
    )
    return f"camera:{' '.join(filter(None, words))}{_PLACE}{usb.name}"


def screen_identity(screen: ScreenFacts) -> str:
    """The identity of a screen; of one that says nothing about itself, its connector."""
    serial = screen.serialNumber()
    if not serial:
        return f"screen:{screen.name()}"
    words = (screen.manufacturer(), screen.model(), serial)
    return f"screen:{' '.join(filter(None, words))}{_PLACE}{screen.name()}"


def part_identity(identity: str, region: tuple[int, int, int, int]) -> str:
    """The identity of a part of a screen."""
    return f"{identity}@{','.join(map(str, region))}"


def words_for(identity: str, there: Iterable[SourceInfo], others: Collection[str] = ()) -> str | None:
    """How the command line names a source now; None while it is not there.

    Args:
        identity: Of what is looked for.
        there: What is there now.
        others: Identities that are known to be something else.
    """
    whole, at, part = identity.partition("@") if identity.startswith("screen:") else (identity, "", "")
    found = {info.identity: info.source for info in there}
    known = _moved(whole, [each for each in found if each not in others])
    if whole in found:
        known = whole
    return f"{found[known]}{at}{part}" if known is not None else None


def remembered_as(identity: str, known: Collection[str], there: Iterable[SourceInfo]) -> str:
    """The identity under which something is remembered for a source: its own, or that of before it was moved.

    Args:
        identity: Of the source.
        known: Under which something is remembered.
        there: What is there now: none of these was moved.
    """
    if identity in known:
        return identity
    here = {info.identity for info in there}
    return _moved(identity, [each for each in known if each not in here]) or identity


def _moved(identity: str, others: Iterable[str]) -> str | None:
    """The same thing at another place; None where there is none, or more than one."""
    thing, at, _ = identity.rpartition(_PLACE)
    same = [each for each in others if at and each.rpartition(_PLACE)[0] == thing]
    return same[0] if len(same) == 1 else None


def _read(path: Path) -> str:
    with suppress(OSError, UnicodeDecodeError):
        return path.read_text("utf-8").strip()
    return ""
