"""How evenly new frames reach the camera, when the engine is even and when it is not. Prints only.

The engine is a stub behind the real core, whose delays are scripted; all else is real, from the source to the
camera, at 720p30 on both links.
"""

from __future__ import annotations

import itertools
import os
import time
from pathlib import Path

import numpy as np
import pytest

from helpers.on_air import Link, OnAir, new_frames
from helpers.scripted_pace import PACES

SECONDS = float(os.environ.get("OVERPAINT_SECONDS", "10"))
LINKS: tuple[Link, ...] = ("shared_memory", "webrtc")


@pytest.mark.timeout(900)
def test_intervals_at_the_camera(
    tmp_path: Path, watermarked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        print("\n| engine | link | new frames/s | p5 | p50 | p95 | p99 | max, ms | none at all, max ms |")
        print("| --- " * 9 + "|")
    for pace, link in itertools.product(PACES, LINKS):
        folder = tmp_path / f"{pace}-{link}"
        folder.mkdir()
        call = OnAir(folder, watermarked, link, engine=pace)
        try:
            since = time.monotonic()
            time.sleep(SECONDS)
            shown = [frame for frame in call.seen.shown if frame.at >= since]
        finally:
            call.close()
        fresh = np.diff([frame.at for frame in new_frames(shown)]) * 1e3
        every = np.diff([frame.at for frame in shown]) * 1e3
        p5, p50, p95, p99 = np.percentile(fresh, [5, 50, 95, 99])
        with capsys.disabled():
            print(
                f"| {pace} | {link} | {len(fresh) / SECONDS:.1f} | {p5:.0f} | {p50:.0f} | {p95:.0f} |"
                f" {p99:.0f} | {fresh.max():.0f} | {every.max():.0f} |",
                flush=True,
            )
