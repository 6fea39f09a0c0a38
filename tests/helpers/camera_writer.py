"""A process that feeds the camera as the live process does, until it is killed: FOLDER SYSFS DEV KIND."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np

WIDTH, HEIGHT = 320, 180
SLATE, SHOWN = 50, 101


def main() -> None:
    """Feeds it."""
    from helpers import scripted_machine
    from overpaint.media.frames import FrameKind, StyledFrame, now_ns
    from overpaint.media.virtual_camera.camera_client import HeldCamera
    from overpaint.media.virtual_camera.v4l2 import LoopbackDevices
    from overpaint.processes import children

    folder, sysfs, dev = map(Path, sys.argv[1:4])
    kind = FrameKind[sys.argv[4]]
    if scripted_machine.SYSFS in os.environ:
        children.command = lambda *words: [sys.executable, scripted_machine.__file__, *words]
    camera = HeldCamera(folder, loopbacks=LoopbackDevices(sysfs, dev))
    camera.open(WIDTH, HEIGHT, 30.0)
    for number in range(-1, 100_000):
        value, shown = (SLATE, FrameKind.SLATE) if number < 0 else (SHOWN, kind)
        camera.write(StyledFrame(np.full((HEIGHT * 3 // 2, WIDTH), value, np.uint8), number, now_ns(), shown))
        time.sleep(0.03)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    main()
