"""A stand-in for a v4l2loopback device (``fake_camera.c``), for programs run in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("fake_camera.c")

PRELUDE = """
import json, os, sys
from pathlib import Path
import numpy as np
from overpaint.errors import SinkError
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.virtual_camera.v4l2 import LoopbackDevices
from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink, camera_report
devices = LoopbackDevices(Path(sys.argv[1]), Path(sys.argv[2]))
def picture(seed, width=1920, height=1080):
    return np.random.default_rng(seed).integers(0, 256, (height * 3 // 2, width), np.uint8)
def say(**words):
    print("ANSWER " + json.dumps(words))
def attempt(work):
    try:
        work()
    except SinkError as error:
        say(kind=error.kind, sentence=str(error), mend=error.mend)
        sys.exit()
"""


class FakeCamera:
    """One loopback device that other processes see through ``run``.

    Attributes:
        node: The device's node; what was written to the device is in it.
        entry: The device's folder in sysfs.
    """

    def __init__(self, folder: Path, title: str = "Overpaint Camera") -> None:
        self.sysfs, self.dev, self.title = folder / "sys", folder / "dev", title
        self.node, self.entry = self.dev / "video10", self.add_device("video10", title)
        (self.sysfs / "module" / "v4l2loopback" / "parameters").mkdir(parents=True)
        self.set_exclusive(True)
        self._library = folder / "fake_camera.so"
        subprocess.run(
            ["gcc", "-shared", "-fPIC", "-Wall", "-Werror", "-O2", "-o", self._library, SOURCE, "-ldl"],
            check=True,
        )

    def add_device(self, name: str, title: str, *, loopback: bool = True) -> Path:
        """A further entry in sysfs, with a node that is no camera to those who open it."""
        entry = self.sysfs / "class" / "video4linux" / name
        entry.mkdir(parents=True)
        (entry / "name").write_text(f"{title}\n")
        if loopback:
            (entry / "format").write_text("\n")
            (entry / "max_openers").write_text("10\n")
        self.dev.mkdir(exist_ok=True)
        (self.dev / name).touch()
        return entry

    def set_exclusive(self, exclusive: bool) -> None:
        """What the module's parameter says."""
        file = self.sysfs / "module" / "v4l2loopback" / "parameters" / "exclusive_caps"
        file.write_text(",".join(["Y" if exclusive else "N"] * 8) + "\n")

    def settle(self, text: str) -> None:
        """Lets the device carry a format, as when somebody holds it: ``YU12:1280x720@30``."""
        (self.entry / "format").write_text(f"{text}\n")

    def environment(self, play: str = "output") -> dict[str, str]:
        """What makes a process see this device."""
        return {
            "LD_PRELOAD": str(self._library),
            "FAKE_CAMERA_NODE": str(self.node),
            "FAKE_CAMERA_SYSFS": str(self.entry),
            "FAKE_CAMERA_TITLE": self.title,
            "FAKE_CAMERA_PLAY": play,
        }

    def run(self, script: str, play: str = "output") -> dict[str, Any]:
        """Runs a script after ``PRELUDE`` with this device; returns what it said."""
        result = subprocess.run(
            [sys.executable, "-c", PRELUDE + script, str(self.sysfs), str(self.dev)],
            capture_output=True,
            text=True,
            timeout=30,
            env=os.environ | self.environment(play),
        )
        answers = [line[7:] for line in result.stdout.splitlines() if line.startswith("ANSWER ")]
        assert result.returncode == 0 and len(answers) == 1, result.stdout + result.stderr
        answer = json.loads(answers[0])
        assert isinstance(answer, dict)
        return answer
