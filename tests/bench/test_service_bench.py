"""What the service bears beside a live stream: requests a second, their delay, and the stream's frames.

A load generator in a process of its own sends requests at fixed times, whether earlier ones were answered
or not (open loop), so that a service that stands still cannot hide it. SQLite, one core process, plain
HTTP on loopback, the generator and the desktop's end of the stream on the same machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from helpers import open_loop
from helpers.served import Served, served
from helpers.stamps import stamped_clip

SECONDS = 8.0
RATES = {"GET account": (50, 100, 200), "POST sessions": (25, 50, 100)}


def stream(service: Served, clip: Path, seconds: float) -> subprocess.Popen[str]:
    """A desktop that restyles a 1080p30 clip on the service's own data folder, over shared memory."""
    words = ["stream", "--source", str(clip), "--prompt", "ink comic", "--output", "null", "--json"]
    words += ["--link", "shared_memory", "--seconds", str(seconds), "--data-dir", str(service.folder)]
    return subprocess.Popen([sys.executable, "-m", "overpaint", *words], stdout=subprocess.PIPE, text=True)


def load(service: Served, key: str, what: str, rate: int) -> dict[str, float]:
    """Figures of one load."""
    words = [sys.executable, open_loop.__file__, service.url, key, what, str(rate), str(SECONDS)]
    told: dict[str, float] = json.loads(
        subprocess.run(words, capture_output=True, text=True, check=True).stdout
    )
    return told


def test_requests_beside_a_stream(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = stamped_clip(tmp_path / "stamped.mp4", seconds=10)
    options = ("--rate-per-second", "100000", "--rate-burst", "100000")
    lines = [f"{psutil.cpu_count()} cores, 1080p30 ink comic over shared memory, {SECONDS:.0f} s each"]
    with served(tmp_path / "data", *options) as service:
        key = service.key("bench", 10**8)
        for what, rates in {"nothing": (0,), **RATES}.items():
            for rate in rates:
                desktop = stream(service, clip, SECONDS + 4)
                time.sleep(4)
                figures = load(service, key, what, rate) if rate else None
                report = json.loads(desktop.communicate(timeout=60)[0])
                told = f"stream {report['fps']:.1f} fps"
                if figures is not None:
                    told += (
                        f", {figures['rps']:.0f} requests a second, p50 {figures['p50_ms']:.1f} ms, "
                        f"p99 {figures['p99_ms']:.1f} ms, {figures['failed']:.0f} failed"
                    )
                lines.append(f"{what} at {rate}/s: {told}")
    with capsys.disabled():
        print("", *lines, sep="\n")
