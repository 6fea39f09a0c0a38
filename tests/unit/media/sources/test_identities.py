"""A camera is told by what it is and where it hangs, never by its number."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from overpaint.media.sources import SourceInfo
from overpaint.media.sources.identities import (
    camera_identity,
    part_identity,
    remembered_as,
    screen_identity,
    words_for,
)

linux = pytest.mark.skipif(sys.platform != "linux", reason="sysfs is Linux's")


def plug(sysfs: Path, node: str, port: str, serial: str = "", *, index: int = 0) -> None:
    """A USB camera in sysfs, as Linux 6.1 shows one."""
    usb = sysfs / "devices" / "usb1" / port
    interface = usb / f"{port}:1.0"
    entry = interface / "video4linux" / node
    entry.mkdir(parents=True)
    (usb / "idVendor").write_text("046d\n")
    (usb / "idProduct").write_text("082d\n")
    if serial:
        (usb / "serial").write_text(f"{serial}\n")
    (entry / "index").write_text(f"{index}\n")
    (entry / "device").symlink_to(interface)
    shown = sysfs / "class" / "video4linux" / node
    shown.parent.mkdir(parents=True, exist_ok=True)
    shown.unlink(missing_ok=True)
    shown.symlink_to(entry)


def camera(identity: str, number: int) -> SourceInfo:
    return SourceInfo(f"camera:{number}", "C920", "camera", identity)


@linux
def test_a_camera_keeps_its_identity_when_its_number_changes(tmp_path: Path) -> None:
    plug(tmp_path, "video0", "1-2", "8A1B")
    before = camera_identity("/dev/video0", "C920", tmp_path)
    plug(tmp_path, "video4", "1-2", "8A1B")
    assert camera_identity("/dev/video4", "C920", tmp_path) == before == "camera:usb 046d:082d 8A1B at 1-2"


@linux
def test_two_of_one_model_are_told_apart(tmp_path: Path) -> None:
    plug(tmp_path, "video0", "1-2")
    plug(tmp_path, "video2", "1-3")
    identities = {camera_identity(f"/dev/video{number}", "C920", tmp_path) for number in (0, 2)}
    assert len(identities) == 2


@linux
def test_two_pictures_of_one_device_are_told_apart(tmp_path: Path) -> None:
    plug(tmp_path, "video0", "1-2", "8A1B")
    plug(tmp_path, "video2", "1-2", "8A1B", index=2)
    identities = {camera_identity(f"/dev/video{number}", "RealSense", tmp_path) for number in (0, 2)}
    assert len(identities) == 2


@linux
def test_what_hangs_on_no_usb_is_told_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "class" / "video4linux" / "video10").mkdir(parents=True)
    assert camera_identity("/dev/video10", "OBS Virtual Camera", tmp_path) == (
        "camera:OBS Virtual Camera at video10"
    )


@dataclass
class Screen:
    connector: str
    serial: str = ""

    def name(self) -> str:
        return self.connector

    def manufacturer(self) -> str:
        return "Dell"

    def model(self) -> str:
        return "U2720Q"

    def serialNumber(self) -> str:
        return self.serial


def test_a_screen_is_told_by_its_serial_number_else_by_its_connector() -> None:
    assert screen_identity(Screen("HDMI-1", "7C9")) == "screen:Dell U2720Q 7C9 at HDMI-1"
    assert screen_identity(Screen("HDMI-1")) == "screen:HDMI-1"


def test_a_source_is_named_by_the_number_that_it_has_now() -> None:
    there = [camera("camera:A at 1-1", 0), camera("camera:B at 1-2", 1)]
    assert words_for("camera:B at 1-2", there) == "camera:1"
    assert words_for("camera:C at 1-3", there) is None


def test_a_part_of_a_screen_moves_with_its_screen() -> None:
    there = [
        SourceInfo("screen:0", "Other", "screen", "screen:DP-1"),
        SourceInfo("screen:1", "Mine", "screen", "screen:Dell 7C9 at HDMI-2"),
    ]
    part = part_identity("screen:Dell 7C9 at HDMI-1", (10, 20, 640, 480))
    assert words_for(part, there) == "screen:1@10,20,640,480"


def test_a_camera_on_another_port_is_the_same_unless_it_was_there_before() -> None:
    moved = [camera("camera:A at 1-3", 0)]
    assert words_for("camera:A at 1-1", moved) == "camera:0"
    assert words_for("camera:A at 1-1", moved, {"camera:A at 1-3"}) is None
    two = [camera("camera:A at 1-3", 0), camera("camera:A at 1-4", 1)]
    assert words_for("camera:A at 1-1", two) is None, "which of them it is, nobody can tell"


def test_what_is_remembered_of_a_camera_follows_it_to_another_port() -> None:
    known = {"camera:A at 1-1", "camera:A at 1-2", "camera:B at 1-9"}
    moved = [camera("camera:A at 1-2", 0), camera("camera:A at 1-5", 1)]
    assert remembered_as("camera:A at 1-2", known, moved) == "camera:A at 1-2"
    assert remembered_as("camera:A at 1-5", known, moved) == "camera:A at 1-1", "the one that is missed"
    assert remembered_as("camera:A at 1-5", known, [moved[1]]) == "camera:A at 1-5", "two are missed"
    assert remembered_as("demo", known, moved) == "demo"
