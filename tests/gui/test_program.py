"""The window as a program of its own: it ends politely on request, and its death harms nobody."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.scripted_live import ScriptedLive, on_air, previewing
from overpaint.wire.live import Quit

PROGRAM = (
    "import sys; from pathlib import Path; from overpaint.gui.main import run_window;"
    "sys.exit(run_window(Path(sys.argv[1]), lambda: None))"
)


@pytest.fixture
def live(data_folder: Path) -> Iterator[ScriptedLive]:
    process = ScriptedLive(data_folder, previewing())
    yield process
    process.end()


@pytest.fixture
def program(live: ScriptedLive, data_folder: Path, qtbot) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(data_folder)], stderr=subprocess.PIPE)
    qtbot.waitUntil(lambda: live.windows == 1 and live._port is not None, timeout=20000)
    yield process
    if process.poll() is None:
        process.kill()
    process.wait()
    assert process.stderr is not None
    process.stderr.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no polite request to end another process")
def test_a_request_to_end_closes_the_window_and_the_live_process(program, live, data_folder) -> None:
    program.send_signal(signal.SIGTERM)
    assert program.wait(timeout=10) == 0
    assert live.next_intent() == Quit()
    assert (data_folder / "window.json").is_file()
    assert program.stderr.read() == b""


def test_the_death_of_a_window_is_not_a_wish_to_quit(program, live, data_folder, qtbot, open_window) -> None:
    live.say(on_air())
    program.kill()
    program.wait()
    window = open_window()
    qtbot.waitUntil(lambda: window.model.on_air)
    assert live.intents.empty()
