"""What a look costs that moves because the user points at it: the real program on air at 1080p30.

A stamped clip in black and white, the camera a pipe. A window points at a look, then at none, in turns; CPU
time of each process in both, the frames that reach the camera, and how often the look's picture changes.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from helpers.live_camera import LiveCamera
from helpers.processes import role_pid
from helpers.stamps import stamped_clip
from overpaint.wire.live import SetOnAir, SetSource, SetStyle, StartSession

CLIP_FRAMES, FPS, TURN_S = 510, 30, 8.0
LOOKS = ("pencil-sketch", "oil-painting")

_WINDOW = """
import json, sys, time
from PySide6.QtCore import QTimer
from overpaint.cli import run
from overpaint.gui.window import MainWindow

folder, turn_s, looks = sys.argv[1], float(sys.argv[2]), sys.argv[3].split(",")
steps = [name for look in looks for name in (look, "")]
pictures = 0

def count(name):
    global pictures
    pictures += name in looks

def step(window):
    global pictures
    if not steps:
        print("done", flush=True)
        window.leave(end_live=False)
        return
    name, pictures = steps.pop(0), 0
    window.looks.strip.pointed.emit(name)
    QTimer.singleShot(1500, lambda: measure(window, name))  # the look is compiled

def measure(window, name):
    global pictures
    pictures = 0
    print(json.dumps(["begin", name, 0]), flush=True)
    def end():
        print(json.dumps(["end", name, pictures / turn_s]), flush=True)
        step(window)
    QTimer.singleShot(int(turn_s * 1000), end)

shown = MainWindow.showEvent
def show_event(self, event):
    shown(self, event)
    self.looks.pictures.changed.connect(count)
    QTimer.singleShot(15000, lambda: step(self))  # the strip's own pictures are painted
MainWindow.showEvent = show_event
sys.exit(run(["--data-dir", folder]))
"""


def cpu_s(folder: Path, window: int) -> dict[str, float]:
    """CPU seconds so far, by process; workers are the live process's children."""
    live = role_pid(folder, "live")
    found = {"window": psutil.Process(window)}
    for role in ("live", "core"):
        pid = role_pid(folder, role)
        if pid is not None:
            found[role] = psutil.Process(pid)
    for child in psutil.Process(live).children():
        if "work" in child.cmdline():
            found["worker"] = child
    return {name: sum(process.cpu_times()[:2]) for name, process in found.items()}


def test_pointing(tmp_path: Path, data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = stamped_clip(tmp_path / "stamped.mp4", seconds=CLIP_FRAMES / FPS)
    camera = LiveCamera(tmp_path, data_folder)
    rows: list[tuple[str, float, float, dict[str, float]]] = []
    try:
        camera.intend(SetSource(source=str(clip)), SetStyle(prompt="black and white"))
        camera.wait(lambda snapshot: snapshot.source == str(clip) and snapshot.camera.state == "slate")
        camera.intend(StartSession(), SetOnAir(on=True))
        camera.wait_for_frames(60)
        command = [sys.executable, "-c", _WINDOW, str(data_folder), str(TURN_S), ",".join(LOOKS)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as window:
            assert window.stdout is not None
            began, before = 0.0, dict[str, float]()
            for line in window.stdout:
                if line.startswith("done"):
                    break
                kind, name, rate = json.loads(line)
                now, spent = time.monotonic(), cpu_s(data_folder, window.pid)
                if kind == "begin":
                    began, before = now, spent
                    continue
                numbers = [each.number for each in camera.shown if began <= each.at < now]
                fresh = sum(one != other for one, other in itertools.pairwise(numbers))
                used = {each: (spent[each] - before.get(each, 0.0)) / (now - began) for each in spent}
                rows.append((name, rate, fresh / (now - began), used))
            window.kill()
    finally:
        camera.close()
    with capsys.disabled():
        print(f"\n{'pointed at':16}{'moves fps':>10}{'on air fps':>11}  CPU, % of one core")
        for name, rate, fps, used in rows:
            words = "  ".join(f"{each} {share * 100:.1f}" for each, share in sorted(used.items()))
            print(f"{name or '-':16}{rate:10.1f}{fps:11.1f}  {words}")
    assert len(rows) == 2 * len(LOOKS)
