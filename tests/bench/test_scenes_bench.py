"""What it costs to put a person before each scene: the pass alone, and what the scene itself draws.

The pass may take 5 ms of a 1080p frame on two threads. ``OVERPAINT_SCENES`` names some scenes only.
"""

from __future__ import annotations

import os
import time

import cv2
import numpy as np
import pytest

from helpers.clips import clip_frames, person_clip
from overpaint.engine.canvas import Canvas
from overpaint.engine.catalogue import entries
from overpaint.engine.kernels.bands import Bands
from overpaint.engine.passes.frame_intake import Settle
from overpaint.engine.passes.pass_interface import Stage
from overpaint.engine.passes.place.scene import Scene
from overpaint.engine.passes.place.subject import Find

WIDTH, HEIGHT = 1920, 1080
ROUNDS = 3
MOST_MS = 5.0
CHOSEN = os.environ.get("OVERPAINT_SCENES", "").split(",")


def test_milliseconds_of_each_scene(capsys: pytest.CaptureFixture[str]) -> None:
    cv2.setNumThreads(2)
    frames = [
        np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420), np.uint8)
        for frame in clip_frames(person_clip(), 30, (WIDTH, HEIGHT))
    ]
    slow = []
    for entry in entries("scenes"):
        if CHOSEN != [""] and entry.name not in CHOSEN:
            continue
        canvas, bands = Canvas(WIDTH, HEIGHT), Bands(2)
        intake = Settle(canvas, bands, 0.8)
        find = Find(Stage(canvas, bands))
        scene = Scene(Stage(canvas, bands), name=entry.name)
        whole, drawn = [], []
        for index, frame in enumerate(frames * ROUNDS):
            intake.take(frame, canvas)
            find.apply(canvas)
            began = time.perf_counter()
            scene._view.draw(index)
            middle = time.perf_counter()
            scene.apply(canvas)
            whole.append(time.perf_counter() - middle)
            drawn.append(middle - began)
        draw = float(np.median(drawn[5:])) * 1e3
        alone = float(np.median(whole[5:])) * 1e3 - draw
        if alone > MOST_MS:
            slow.append(entry.name)
        with capsys.disabled():
            print(f"{entry.name:22} person {alone:5.2f} ms, scene {draw:5.2f} ms")
    assert not slow
