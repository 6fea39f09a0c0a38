"""CPU milliseconds a frame of every scene at 1080p and 720p on one thread, and how much of it changes.

``OVERPAINT_SCENES`` names some scenes only, ``OVERPAINT_SHEET`` a file for a contact sheet of them as drawn.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from overpaint.engine.canvas import Canvas
from overpaint.engine.catalogue import entries
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.planes import LIMITED_BLACK, LIMITED_SCALE, Plane, split
from overpaint.engine.scenes.scene_view import SceneView

CHOSEN = os.environ.get("OVERPAINT_SCENES", "").split(",")
SIZES = ((1920, 1080), (1280, 720))
FRAMES = 60
BUDGET_MS = 6.0
"""The most that a scene may take of a 1080p frame on this machine; what is aimed at is half of it."""


def shown(planes: tuple[Plane, Plane, Plane]) -> Plane:
    """A frame as BGR."""
    height, width = planes[0].shape
    image = np.empty((height * 3 // 2, width), np.uint8)
    y, u, v = split(image)
    cv2.convertScaleAbs(planes[0], dst=y, alpha=LIMITED_SCALE, beta=LIMITED_BLACK)
    u[:], v[:] = planes[1], planes[2]
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_YUV2BGR_I420), np.uint8)


def test_scenes(capsys: pytest.CaptureFixture[str]) -> None:
    cv2.setNumThreads(1)
    rows, tiles, worst = [], [], 0.0
    for entry in entries("scenes"):
        if CHOSEN != [""] and entry.name not in CHOSEN:
            continue
        row = f"{entry.name:20}"
        for width, height in SIZES:
            view = SceneView(Stage(Canvas(width, height), Bands(1)), entry)
            spent = []
            for frame in range(FRAMES):
                since = time.process_time()
                view.draw(frame)
                spent.append((time.process_time() - since) * 1e3)
            taken = float(np.median(spent))
            row += f"{taken:9.2f}"
            if height == 1080:
                worst = max(worst, taken)
                one = view.draw(600)[0].astype(np.int16)
                row += f"{np.abs(one - view.draw(601)[0]).mean():9.3f}"
                tiles.append(cv2.resize(shown(view.draw(600)), (480, 270), interpolation=cv2.INTER_AREA))
        rows.append(row)
    with capsys.disabled():
        print(f"\n{'CPU ms a frame':20}{'1080p':>9}{'change':>9}{'720p':>9}")
        print("\n".join(rows))
    if sheet := os.environ.get("OVERPAINT_SHEET"):
        tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 4)
        picture = np.vstack([np.hstack(tiles[i : i + 4]) for i in range(0, len(tiles), 4)])
        Path(sheet).write_bytes(cv2.imencode(Path(sheet).suffix, picture)[1].tobytes())
    assert worst < BUDGET_MS
