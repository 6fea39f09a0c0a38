"""Screens are captured on a real Wayland desktop: real portals, real PipeWire."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from helpers.qt_main import Taker, beside_main_thread
from overpaint.errors import SourceError
from overpaint.media import pictures
from overpaint.media.sources import SourceSpec
from overpaint.media.sources.qt_loop import MainThread
from overpaint.media.sources.source_factory import available_sources, make_source
from overpaint.wire.sources import SourceOptions
from wayland.person import Person

BACKGROUND = (66, 147, 112)
"""Sway's, #204060, as Y, U and V (BT.601, limited range)."""


@contextmanager
def something_moves() -> Iterator[None]:
    """A terminal whose text changes thirty times a second."""
    words = [
        "foot",
        "--app-id",
        "clock",
        "--title",
        "clock",
        "sh",
        "-c",
        "while :; do date +%N; sleep 0.03; done",
    ]
    terminal = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        time.sleep(1.5)
        yield
    finally:
        terminal.terminate()
        terminal.wait(10)


def captured(main: MainThread, folder: Path, spec: SourceSpec, seconds: float = 0) -> Taker:
    source, taker = make_source(spec, main, lambda _: SourceOptions(fps=60), folder), Taker()
    source.start(1920, 1080, taker)
    try:
        taker.wait_for(lambda taken: len(taken.frames) >= 2)
        time.sleep(seconds)
    finally:
        source.stop()
    return taker


def test_a_screen_is_chosen_once_and_arrives_in_its_colours(person: Person, data_folder: Path) -> None:
    def work(main: MainThread) -> None:
        before = person.choices
        listed = [info.title for info in available_sources(main, data_folder) if info.kind == "screen"]
        assert listed == ["Screen 1 (HEADLESS-1, 1920×1080)"]
        with something_moves():
            frame = captured(main, data_folder, SourceSpec("screen", 0)).frames[-1]
            assert (frame.width, frame.height) == (1920, 1080)
            blue = [int(plane[10, 10]) for plane in pictures.planes(frame.image)]
            assert np.abs(np.subtract(blue, BACKGROUND)).max() < 4
            assert np.ptp(pictures.planes(frame.image)[0][400:560, 1640:1900]) > 100, "the clock"
            captured(main, data_folder, SourceSpec("screen", 0))
            part = captured(main, data_folder, SourceSpec("screen", 0, region=(1640, 400, 260, 160))).frames[
                -1
            ]
            assert np.ptp(pictures.planes(part.image)[0]) > 100 and part.image.shape == frame.image.shape
        assert person.choices == before + 1, "asked once"

    beside_main_thread(work)


def test_what_moves_arrives_at_its_rate(person: Person, data_folder: Path) -> None:
    def work(main: MainThread) -> None:
        with something_moves():
            began, used = time.perf_counter(), time.process_time()
            frames = captured(main, data_folder, SourceSpec("screen", 0), 5).frames
            cpu_ms = 1000 * (time.process_time() - used) / len(frames)
            span = (frames[-1].captured_ns - frames[0].captured_ns) / 1e9
            print(
                f"\n{len(frames) / span:.1f} fps, {cpu_ms:.2f} ms CPU a frame, load {os.getloadavg()[0]:.1f}"
            )
            assert time.perf_counter() - began < 60 and len(frames) > 30

    beside_main_thread(work)


def test_a_refused_dialog_is_said(person: Person, data_folder: Path) -> None:
    def work(main: MainThread) -> None:
        person.chooses("")
        try:
            with pytest.raises(SourceError, match="You have not allowed the capture of Screen 1"):
                captured(main, data_folder, SourceSpec("screen", 0))
        finally:
            person.chooses("Monitor:")

    beside_main_thread(work)


def test_a_window_is_chosen_in_the_desktops_dialog(person: Person, data_folder: Path) -> None:
    def work(main: MainThread) -> None:
        before = person.choices
        spec = SourceSpec("window", 0, "Shared window", ask_again=True)
        with something_moves():
            person.chooses("Window:")
            try:
                frame = captured(main, data_folder, spec).frames[-1]
            finally:
                person.chooses("Monitor:")
            assert np.ptp(pictures.planes(frame.image)[0]) > 100
        # This backend remembers no windows; that one is restored is tested in integration/test_portal.py.
        assert person.choices == before + 1

    beside_main_thread(work)
