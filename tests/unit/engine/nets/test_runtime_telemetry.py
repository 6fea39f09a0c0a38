"""The library that runs nets tells nobody that it is used: this application has no telemetry."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process


PROGRAM = """
from overpaint.engine.nets.runtime import available_devices
assert available_devices()
"""


def test_nothing_is_left_for_a_report(tmp_path: Path) -> None:
    """Where it reports, it keeps a device id and what it will send in the user's cache folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ORT_")}
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "LOCALAPPDATA": str(tmp_path)}
    subprocess.run([sys.executable, "-c", PROGRAM], env=environment | home, check=True)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
