"""Devices of the virtual machine, loaded and unloaded for each test."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

import pytest

from camera.machine import MODULES, loopbacks, output_of


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if "OVERPAINT_CAMERA_MACHINE" not in os.environ:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="run make test-camera"))


@pytest.fixture
def loopback() -> Iterator[None]:
    """The device as the user is told to make it."""
    with loopbacks("video_nr=10", "exclusive_caps=1", 'card_label="Overpaint Camera"'):
        yield


@pytest.fixture(scope="session")
def camera_modules() -> None:
    for name in (MODULES / "camera").read_text().split():
        if name != "vivid.ko":
            subprocess.run(["insmod", MODULES / name], check=True)


@pytest.fixture
def webcam(camera_modules: None) -> Iterator[str]:
    """A real V4L2 camera with a test pattern; its node."""
    subprocess.run(["insmod", MODULES / "vivid.ko"], check=True)
    listing = output_of("v4l2-ctl", "--list-devices")
    lines = listing[listing.index("vivid") :].splitlines()
    yield lines[1].strip()
    subprocess.run(["rmmod", "vivid"], check=True)
