"""Frames a second of every look, as a user gets them: ``overpaint stream`` on real video, nothing beside it.

``OVERPAINT_LOOKS`` names some looks (commas between), ``OVERPAINT_SECONDS`` how long each runs. Beside the
frames stands what the governor chose, learnt in this process at 30 frames a second. Asserts nothing about
speed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import clip_frames, person_clip
from overpaint.engine import LookRequest, looks
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.governed_look import WITH_NET, WITHOUT_NET
from overpaint.engine.library import look_named

SECONDS = os.environ.get("OVERPAINT_SECONDS", "6")
SIZES = {"service-realtime-720p": (1280, 720), "service-realtime-1080p": (1920, 1080)}
LIGHT_MS = 13.0
"""CPU time of a look that is called light: these are also shown video of 60 frames a second."""

Picture = NDArray[np.uint8]


def written(path: Path, fps: int, size: tuple[int, int]) -> Path:
    with av.open(str(path), "w") as file:
        stream = file.add_stream("libx264", rate=Fraction(fps), options={"preset": "ultrafast", "crf": "20"})
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        for frame in clip_frames(person_clip(), fps * 5, size):
            file.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="bgr24")))
        file.mux(stream.encode())
    return path


def streamed(source: Path, look: str, model: str, folder: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "overpaint", "stream", "--source", str(source), "--prompt", look]
    command += ["--model", model, "--output", "null", "--link", "shared_memory", "--seconds", SECONDS]
    command += ["--json", "--data-dir", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=180)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    return {"fps": report["fps"], "p95": report["latency_ms"]["p95"]}


def governed(engine: CpuEngine, look: str, size: tuple[int, int], shown: list[Picture]) -> tuple[float, str]:
    """CPU time of a frame, and the detail chosen, after 75 frames at 30 frames a second."""
    governed_look = engine.compile(LookRequest(look), *size)
    began, cpu = time.perf_counter(), 0.0
    for number in range(75):
        wait = began + number / 30 - time.perf_counter()
        time.sleep(max(0.0, wait))
        cpu -= time.process_time()
        governed_look.apply(shown[number % len(shown)])
        cpu += time.process_time()
    with_net = "net" in look_named(look).pass_names
    detail = (WITH_NET if with_net else WITHOUT_NET)[governed_look.work.level]
    canvas = f"{size[0] * detail.canvas:.0f}×{size[1] * detail.canvas:.0f}"
    return cpu / 75 * 1e3, f"{canvas}, net {360 * detail.net:.0f} rows" if with_net else canvas


def test_frames_a_second_of_every_look(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    chosen = os.environ.get("OVERPAINT_LOOKS")
    picked = [look_named(name) for name in chosen.split(",")] if chosen else looks()
    engine = CpuEngine(threads=2)
    at_30 = {size: written(tmp_path / f"{size[1]}p30.mp4", 30, size) for size in SIZES.values()}
    at_60 = written(tmp_path / "1080p60.mp4", 60, (1920, 1080))
    shown = {
        size: [
            np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420), np.uint8)
            for frame in clip_frames(person_clip(), 30, size)
        ]
        for size in SIZES.values()
    }
    with capsys.disabled():
        print(
            "\n| look | 720p fps | p95 ms | CPU ms | detail | 1080p fps | p95 ms | CPU ms | detail | 60 in |"
        )
        print("| --- " * 10 + "|")
    for look in picked:
        row: list[str] = []
        for model, size in SIZES.items():
            got = streamed(at_30[size], look.name, model, tmp_path / look.name / model)
            cpu_ms, detail = governed(engine, look.name, size, shown[size])
            row += [f"{got['fps']:.1f}", f"{got['p95']:.0f}", f"{cpu_ms:.1f}", detail]
        fast = ""
        if cpu_ms < LIGHT_MS:
            got = streamed(at_60, look.name, "service-realtime-1080p", tmp_path / look.name / "60")
            fast = f"{got['fps']:.1f}"
        with capsys.disabled():
            print(f"| {look.name} | {' | '.join(row)} | {fast} |", flush=True)
