"""Frames a second of every look, scene, material and cloth, as a user gets them: ``overpaint stream`` on real
video, nothing beside it.

``OVERPAINT_LOOKS`` names some of them (commas between), ``OVERPAINT_SECONDS`` how long each runs,
``OVERPAINT_ROWS`` one height (720 or 1080). Beside the frames stands what the governor chose, learnt in this
process at 30 frames a second. Asserts nothing about speed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import clip_frames, person_clip
from overpaint.engine import LookRequest, looks
from overpaint.engine.catalogue import Kind, entries
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.governed_look import WITH_NET, WITHOUT_NET
from overpaint.engine.library import look_named
from overpaint.engine.prompt.edits import prompt_of
from overpaint.engine.prompt.reader import read_prompt

SECONDS = os.environ.get("OVERPAINT_SECONDS", "6")
ROWS = os.environ.get("OVERPAINT_ROWS", "")
SIZES = {
    model: size
    for model, size in {
        "service-realtime-720p": (1280, 720),
        "service-realtime-1080p": (1920, 1080),
    }.items()
    if ROWS in ("", str(size[1]))
}
CHOSEN = os.environ.get("OVERPAINT_LOOKS", "")
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


def streamed(source: Path, prompt: str, model: str, folder: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "overpaint", "stream", "--source", str(source), "--prompt", prompt]
    command += ["--model", model, "--output", "null", "--link", "shared_memory", "--seconds", SECONDS]
    command += ["--json", "--data-dir", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=180)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    return {"fps": report["fps"], "p95": report["latency_ms"]["p95"]}


def governed(
    engine: CpuEngine, prompt: str, size: tuple[int, int], shown: list[Picture]
) -> tuple[float, str]:
    """CPU time of a frame, and the detail chosen, after 75 frames at 30 frames a second."""
    governed_look = engine.compile(LookRequest(prompt), *size)
    began, cpu = time.perf_counter(), 0.0
    for number in range(75):
        wait = began + number / 30 - time.perf_counter()
        time.sleep(max(0.0, wait))
        cpu -= time.process_time()
        governed_look.apply(shown[number % len(shown)])
        cpu += time.process_time()
    with_net = "net" in read_prompt(prompt).look.pass_names
    detail = (WITH_NET if with_net else WITHOUT_NET)[governed_look.work.level]
    canvas = f"{size[0] * detail.canvas:.0f}×{size[1] * detail.canvas:.0f}"
    return cpu / 75 * 1e3, f"{canvas}, net {360 * detail.net:.0f} rows" if with_net else canvas


def measure(prompts: Mapping[str, str], capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Prints a row for each prompt of a table by name."""
    engine = CpuEngine(threads=2)
    at_30 = {size: written(folder / f"{size[1]}p30.mp4", 30, size) for size in SIZES.values()}
    at_60 = written(folder / "1080p60.mp4", 60, (1920, 1080))
    shown = {
        size: [
            np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420), np.uint8)
            for frame in clip_frames(person_clip(), 30, size)
        ]
        for size in SIZES.values()
    }
    heads = [f"{size[1]}p fps | p95 ms | CPU ms | detail" for size in SIZES.values()]
    with capsys.disabled():
        print(f"\n| what | {' | '.join(heads)} | 60 in |")
        print("| --- " * (2 + 4 * len(SIZES)) + "|")
    for name, prompt in prompts.items():
        row: list[str] = []
        for model, size in SIZES.items():
            got = streamed(at_30[size], prompt, model, folder / name / model)
            cpu_ms, detail = governed(engine, prompt, size, shown[size])
            row += [f"{got['fps']:.1f}", f"{got['p95']:.0f}", f"{cpu_ms:.1f}", detail]
        fast = ""
        if cpu_ms < LIGHT_MS and size[1] == 1080:
            got = streamed(at_60, prompt, "service-realtime-1080p", folder / name / "60")
            fast = f"{got['fps']:.1f}"
        with capsys.disabled():
            print(f"| {name} | {' | '.join(row)} | {fast} |", flush=True)


def test_frames_a_second_of_every_look(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picked = [look_named(name) for name in CHOSEN.split(",")] if CHOSEN else looks()
    measure({look.name: look.name for look in picked}, capsys, tmp_path)


@pytest.mark.parametrize("kind", ["scenes", "materials", "cloths"])
def test_frames_a_second_of_every_entry(
    kind: Kind, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    picked = [entry for entry in entries(kind) if not CHOSEN or entry.name in CHOSEN.split(",")]
    measure({entry.name: prompt_of(entry) for entry in picked}, capsys, tmp_path)
