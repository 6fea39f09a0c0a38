"""CPU milliseconds a frame for every look, at 1080p and 720p, on one thread; and what a start costs.

Measures and prints; asserts nothing about speed. CPU time, not wall time: machines are shared.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import clip_frames, person_clip
from overpaint.engine import LookRequest, looks
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.governed_look import GovernedLook

SIZES = ((1920, 1080), (1280, 720))
FRAMES = 14


def clip(width: int, height: int) -> list[NDArray[np.uint8]]:
    """The first frames of a person's clip, I420."""
    frames = clip_frames(person_clip(), FRAMES, (width, height))
    return [np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420), np.uint8) for frame in frames]


def cpu_ms(engine: CpuEngine, request: LookRequest, frames: list[NDArray[np.uint8]]) -> float:
    """Median CPU time of ``apply`` after the first four frames."""
    height, width = frames[0].shape[0] * 2 // 3, frames[0].shape[1]
    look = engine.compile(request, width, height)
    spent = []
    for frame in frames:
        start = time.process_time()
        look.apply(frame)
        spent.append((time.process_time() - start) * 1000)
    return float(np.median(spent[4:]))


def test_cpu_ms_of_every_look(capsys: pytest.CaptureFixture[str]) -> None:
    engine = CpuEngine(threads=1)
    engine.warm()
    photo = np.random.default_rng(1).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    rows = []
    clips = {size: clip(*size) for size in SIZES}
    for look in looks():
        times = [cpu_ms(engine, LookRequest(look.name), clips[size]) for size in SIZES]
        with_photo = cpu_ms(engine, LookRequest(look.name, photo), clips[SIZES[0]])
        rows.append((look.name, *times, with_photo))
    rows.sort(key=lambda row: row[1])
    with capsys.disabled():
        print(f"\n{'CPU ms a frame, 1 thread, I420 in and out':44}{'1080p':>8}{'720p':>8}{'1080p+photo':>13}")
        for name, full, less, coloured in rows:
            print(f"{name:44}{full:8.1f}{less:8.1f}{coloured:13.1f}")
        print(f"{'mean':44}{np.mean([row[1] for row in rows]):8.1f}{np.mean([row[2] for row in rows]):8.1f}")


def test_cpu_ms_of_taking_a_frame_in_and_out(capsys: pytest.CaptureFixture[str]) -> None:
    frames = clip(*SIZES[0])
    engine = CpuEngine(threads=1)
    _, look = prepared(engine, LookRequest("colour grade"), *SIZES[0])
    look._look.steps = ()
    spent = []
    for frame in frames:
        start = time.process_time()
        look.apply(frame)
        spent.append((time.process_time() - start) * 1000)
    with capsys.disabled():
        print(f"\n{'taking in (steadied) and handing out, 1080p':44}{np.median(spent[4:]):8.1f}")


def test_preparing_a_look_in_frames(capsys: pytest.CaptureFixture[str]) -> None:
    """A look's first choice, its next one, and its least detail; kernels are loaded."""
    width, height = SIZES[0]
    CpuEngine(threads=1).warm()
    engine = CpuEngine(threads=1)
    rows = []
    for look in looks():
        request = LookRequest(look.name)
        engine.compile(request, 64, 64)
        first, made = prepared(engine, request, width, height)
        again, _ = prepared(engine, request, width, height)
        start = time.process_time()
        made._build(made._details[-1])
        rows.append((look.name, first, again, (time.process_time() - start) * 1000))
    rows.sort(key=lambda row: row[1])
    with capsys.disabled():
        title = "preparing, 1080p, CPU ms (frames at 30 fps)"
        print(f"\n{title:44}{'first':>14}{'again':>14}{'least detail':>14}")
        means = ("mean", *(float(np.mean([row[at] for row in rows])) for at in (1, 2, 3)))
        for name, *times in (*rows, means):
            print(f"{name:44}" + "".join(f"{spent:7.1f} ({spent * 0.03:.1f})" for spent in times))


def prepared(engine: CpuEngine, request: LookRequest, width: int, height: int) -> tuple[float, GovernedLook]:
    """CPU milliseconds of preparing a look, and the look."""
    start = time.process_time()
    look = engine.compile(request, width, height)
    assert isinstance(look, GovernedLook)
    return (time.process_time() - start) * 1000, look


def test_seconds_of_warming_with_a_cold_and_a_warm_cache(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = (
        "import sys, time; from pathlib import Path; start = time.perf_counter(); "
        "from overpaint.engine.cpu import CpuEngine; engine = CpuEngine(1, Path(sys.argv[1])); "
        "made = time.perf_counter(); engine.warm(); end = time.perf_counter(); "
        "print(f'{made - start:.2f} {end - made:.2f}')"
    )
    for state in ("cold", "warm"):
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            check=True,
            capture_output=True,
            text=True,
            timeout=600,
        )
        made, warmed = done.stdout.split()
        with capsys.disabled():
            print(f"{state} kernel cache: engine made in {made} s, warm() {warmed} s (wall)")
