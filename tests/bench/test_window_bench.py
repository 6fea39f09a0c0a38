"""What the window costs, and how long a user waits for it: the real program with its three processes.

A start with warm files and compiled kernels (the first of a new data folder, then others in it): from the
order to the system until the window is there, until the live process has answered, until the first restyled
picture is painted. Then CPU time of the window while it shows 1080p at 30 frames a second at its usual size,
from when the controls on the picture have gone to rest. ``OVERPAINT_PYTHON`` names the interpreter of another
installation: one without development packages is what users have.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.processes import end_all

RUNS, SECONDS = 5, 20
PYTHON = os.environ.get("OVERPAINT_PYTHON", sys.executable)

_PROGRAM = """
import json, os, sys, time
began, folder, seconds = float(sys.argv[1]), sys.argv[2], float(sys.argv[3])
marks = {}
def mark(name):
    marks.setdefault(name, time.time() - began)
mark("python")
from overpaint import startup
from overpaint.__main__ import main
begin = startup.HeadStart.begin
def begin_and_watch(self, start):
    begin(self, start)
    if "begun" not in marks:  # what is watched is loaded where the program itself loads it
        mark("begun")
        watch()
startup.HeadStart.begin = begin_and_watch
def watch():
    global QTimer
    from PySide6.QtCore import QTimer
    from overpaint.gui.widgets.stage import StageView
    from overpaint.gui.window import MainWindow
    mark("imports")
    paint, show, shown = StageView.paintEvent, MainWindow.showEvent, MainWindow._show_model
    def paint_event(self, event):
        paint(self, event)
        if self.painted and "picture" not in marks:
            mark("picture")
            QTimer.singleShot(8000 if seconds > 1 else 500, lambda: measure(self.window()))
    def show_event(self, event):
        show(self, event)
        mark("window")
    def show_model(self):
        shown(self)
        if self.model.snapshot is not None and "answer" not in marks:
            mark("answer")
    def measure(window):
        cpu, painted, at = time.process_time(), window.stage.painted, time.time()
        def done():
            marks["cpu"] = (time.process_time() - cpu) / (time.time() - at)
            marks["fps"] = (window.stage.painted - painted) / (time.time() - at)
            print(json.dumps(marks), flush=True)
            window.leave(end_live=True)
        QTimer.singleShot(int(seconds * 1000), done)
    StageView.paintEvent, MainWindow.showEvent, MainWindow._show_model = paint_event, show_event, show_model
os.environ["OVERPAINT_DATA_DIR"], sys.argv = folder, ["overpaint"]
main()
"""


def started(folder: Path, seconds: float) -> dict[str, float]:
    command = [PYTHON, "-c", _PROGRAM, str(time.time()), str(folder), str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    end_all(folder)
    assert done.returncode == 0, done.stderr
    return {name: float(value) for name, value in json.loads(done.stdout.splitlines()[-1]).items()}


def test_the_window(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [started(tmp_path, SECONDS if run == RUNS else 0.1) for run in range(RUNS + 1)]
    with capsys.disabled():
        print(f"\n{'seconds since the order':28}" + "".join(f"{run:>8}" for run in range(len(rows))))
        for name in ("python", "begun", "imports", "window", "answer", "picture"):
            print(f"{name:28}" + "".join(f"{row[name]:8.2f}" for row in rows))
        last = rows[-1]
        print(f"window while live: {last['cpu'] * 100:.1f} % of one core, {last['fps']:.1f} fps painted")
        print(f"load {os.getloadavg()[0]:.1f}")
