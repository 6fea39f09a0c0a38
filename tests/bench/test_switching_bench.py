"""What a switch of looks costs a stream: how soon the new look is there, and the longest wait between frames.

A real core, 1080p, frames through shared memory, each look for the first time in this core. The new look is
there from the first frame that is more like one of a second later than like the last of the former look.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from helpers.clips import person_clip
from helpers.processes import end_all
from overpaint.app import make_link
from overpaint.engine import looks
from overpaint.media.frames import StyledFrame
from overpaint.media.sources.file_source import FileSource
from overpaint.session.backend.local_core import CoreLease
from overpaint.session.backend.service_access import NoFallback
from overpaint.session.output.frame_router import FrameHub
from overpaint.session.realtime.events import Style
from overpaint.session.realtime.purchase_records import SessionOptions
from overpaint.session.realtime.runner import SessionRunner

AFTER_S = 1.0
_EVERY = 12


@dataclass
class Seen:
    """What has been delivered: when, and every twelfth pixel of every twelfth row."""

    at_s: list[float] = field(default_factory=list)
    pictures: list[NDArray[np.int16]] = field(default_factory=list)

    def deliver(self, frame: StyledFrame) -> None:
        self.at_s.append(time.perf_counter())
        self.pictures.append(frame.image[::_EVERY, ::_EVERY].astype(np.int16))


def apart(one: NDArray[np.int16], other: NDArray[np.int16]) -> float:
    return float(np.abs(one - other).mean())


async def test_a_switch(data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen = Seen()
    hub = FrameHub(seen, lambda _: None)
    options = SessionOptions(model="service-realtime-1080p", ttl_seconds=600)
    lease = CoreLease(data_folder, lambda: None, lambda: None)
    runner = SessionRunner(
        lease, hub, make_link, options, lambda: None, NoFallback(), lambda: None, lambda session, server: None
    )
    runner.style = Style(prompt="soft light")
    source = FileSource(person_clip())
    source.start(*options.size, hub)
    runner.start()
    chosen = os.environ.get("OVERPAINT_LOOKS")
    names = chosen.split(",") if chosen else [look.name for look in looks()]
    rows = []
    try:
        while len(seen.at_s) < 60:  # noqa: ASYNC110 - frames come from another process
            await asyncio.sleep(0.05)
        for name in names:
            before = len(seen.at_s)
            asked = time.perf_counter()
            runner.set_style(Style(prompt=name))
            await asyncio.sleep(AFTER_S)
            old, new = seen.pictures[before - 1], seen.pictures[-1]
            frames = seen.pictures[before:]
            number = next(k for k, frame in enumerate(frames) if apart(frame, new) < apart(frame, old))
            gaps = [after - former for former, after in itertools.pairwise(seen.at_s[before - 1 :])]
            rows.append((name, number, (seen.at_s[before + number] - asked) * 1e3, max(gaps) * 1e3))
    finally:
        await runner.stop()
        source.stop()
        lease.release()
        await asyncio.to_thread(end_all, data_folder)
    with capsys.disabled():
        print(
            f"\n{'switch to':20} {'frames of the former':>20} {'there after ms':>15} {'longest gap ms':>15}"
        )
        for name, number, took, gap in sorted(rows, key=lambda row: row[2]):
            print(f"{name:20} {number:20} {took:15.0f} {gap:15.0f}")
        middle = np.median([row[1:] for row in rows], axis=0)
        print(f"{'median':20} {middle[0]:20.0f} {middle[1]:15.0f} {middle[2]:15.0f}")
