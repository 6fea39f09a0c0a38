"""Whether opening a panel or a dialog delays a frame at the camera: the real program, each opened in turn.

A stamped clip in black and white, 1920x1080, the camera a pipe. Beside each opening, as much time in which
the window is only there is the comparison, since these machines are noisy. What opens stays open for a
while: opening loads and paints, staying asks the live process for pictures.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from helpers.live_camera import LiveCamera, Shown
from helpers.stamps import stamped_clip
from overpaint.wire.live import SetOnAir, SetSource, SetStyle, StartSession

CLIP_FRAMES, FPS, OPEN_S, ROUNDS = 510, 30, 1.5, 3

_WINDOW = """
import json, sys, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from overpaint.cli import run
from overpaint.gui.window import MainWindow

folder, open_s, rounds = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
ways = {
    "menu": lambda w: w.everyday.open_menu(),
    "settings": lambda w: w.everyday.open_settings(),
    "about": lambda w: w.everyday.open_about(),
    "gallery": lambda w: w.looks.open_gallery(),
    "sources": lambda w: w.top_bar.source.open_gallery(),
    "source menu": lambda w: w.top_bar.source.open_menu(),
    "framing": lambda w: w.stage._open_framing(),
    "photo menu": lambda w: w.prompt.photos.chip.add.click(),
    "preset": lambda w: w.presets.ask_name(),
    "service": lambda w: w.service.open(),
    "charges": lambda w: w.side.balance.open_charges(),
    "compare": lambda w: w.stage.compare.setValue(400),
}
steps = [name for _ in range(rounds) for name in ways]

def close_all(window):
    for _ in range(5):
        widget = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if widget is None:
            break
        widget.close()
    for widget in QApplication.topLevelWidgets():
        if widget is not window and widget.isVisible():
            widget.close()
    window.looks.close_gallery()
    window.stage.compare.setValue(0)

def step(window):
    if not steps:
        print("done", flush=True)
        window.leave(end_live=False)
        return
    name = steps.pop(0)
    opened = time.monotonic()
    def close():
        close_all(window)
        closed = time.monotonic()
        QTimer.singleShot(int(open_s * 1000), lambda: finish(closed))
    def finish(closed):
        print(json.dumps([name, opened, closed, time.monotonic()]), flush=True)
        step(window)
    QTimer.singleShot(int(open_s * 1000), close)
    ways[name](window)

shown = MainWindow.showEvent
def show_event(self, event):
    shown(self, event)
    QTimer.singleShot(6000, lambda: step(self))
MainWindow.showEvent = show_event
sys.exit(run(["--data-dir", folder]))
"""


def intervals_ms(shown: list[Shown], since: float, until: float) -> list[float]:
    """Times between new frames at the camera."""
    part = [frame for frame in shown if since <= frame.at < until and frame.number is not None]
    fresh = part[:1] + [after for before, after in itertools.pairwise(part) if after.number != before.number]
    return [(after.at - before.at) * 1e3 for before, after in itertools.pairwise(fresh)]


def missed(shown: list[Shown], since: float, until: float) -> int:
    """Frames of the clip that never came."""
    numbers = [f.number for f in shown if since <= f.at < until and f.number is not None]
    steps = [(after - before) % CLIP_FRAMES for before, after in itertools.pairwise(numbers)]
    return sum(step - 1 for step in steps if step > 1)


def test_dialogs(tmp_path: Path, data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = stamped_clip(tmp_path / "stamped.mp4", seconds=CLIP_FRAMES / FPS)
    camera = LiveCamera(tmp_path, data_folder)
    marks: list[tuple[str, float, float, float]] = []
    try:
        camera.intend(SetSource(source=str(clip)), SetStyle(prompt="black and white"))
        camera.wait(lambda snapshot: snapshot.source == str(clip) and snapshot.camera.state == "slate")
        camera.intend(StartSession(), SetOnAir(on=True))
        camera.wait_for_frames(60)
        command = [sys.executable, "-c", _WINDOW, str(data_folder), str(OPEN_S), str(ROUNDS)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as window:
            assert window.stdout is not None
            for line in window.stdout:
                if line.startswith("done"):
                    break
                name, *times = json.loads(line)
                marks.append((name, *times))
            window.kill()
        time.sleep(0.5)
    finally:
        camera.close()
    with capsys.disabled():
        print(f"\n{'':14}{'open':>30}{'beside it, closed':>30}")
        print(
            f"{'':14}{'p95 ms':>10}{'max ms':>10}{'missed':>10}"
            + f"{'p95 ms':>10}{'max ms':>10}{'missed':>10}"
        )
        for name in dict.fromkeys(mark[0] for mark in marks):
            row = f"{name:14}"
            for begin, end in ((1, 2), (2, 3)):
                spans = [(mark[begin], mark[end]) for mark in marks if mark[0] == name]
                gaps = [gap for span in spans for gap in intervals_ms(camera.shown, *span)]
                lost = sum(missed(camera.shown, *span) for span in spans)
                row += f"{np.percentile(gaps, 95):10.0f}{max(gaps):10.0f}{lost:10}"
            print(row)
    assert len(marks) == ROUNDS * 12, "every one was opened"
