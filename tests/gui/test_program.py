"""The window as a program of its own: it ends on request, its death harms nobody, and it ends who hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from helpers.scripted_live import ScriptedLive, on_air, previewing
from overpaint.errors import LinkError, ProcessError
from overpaint.gui.connection.bridge import LiveBridge
from overpaint.wire.live import Quit

pytestmark = pytest.mark.process


PROGRAM = (
    "import sys; from pathlib import Path; from overpaint.gui.main import run_window;"
    "from overpaint.startup import read_typed;"
    "data, *preset = sys.argv[1:];"
    "calls = lambda: None, lambda _: None, lambda: lambda _: {}, read_typed;"
    "sys.exit(run_window(Path(data), *calls, *preset))"
)
PRESET = '{"overpaint_preset": 1, "name": "Evening", "prompt": "oil painting"}'


@pytest.fixture
def live(data_folder: Path) -> Iterator[ScriptedLive]:
    process = ScriptedLive(data_folder, previewing())
    yield process
    process.end()


@pytest.fixture
def display() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A screen of its own, and its name."""
    reads, writes = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writes), "-nolisten", "tcp"], pass_fds=[writes], stderr=subprocess.DEVNULL
    )
    os.close(writes)
    with os.fdopen(reads) as told:
        yield server, f":{told.readline().strip()}"
    server.kill()
    server.wait()


@pytest.fixture
def program(
    request: pytest.FixtureRequest, live: ScriptedLive, data_folder: Path, qtbot
) -> Iterator[subprocess.Popen[bytes]]:
    own = {"DISPLAY": request.getfixturevalue("display")[1]} if "display" in request.fixturenames else {}
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(data_folder)], stderr=subprocess.PIPE, env=os.environ | own
    )
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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no polite request to end another process")
@pytest.mark.parametrize("requests", [[signal.SIGTERM], [signal.SIGINT, signal.SIGINT]])
def test_a_request_to_end_on_air_asks_nobody_who_may_be_gone_and_takes_the_camera_with_it(
    program, live, qtbot, requests: list[signal.Signals]
) -> None:
    live.say(on_air())
    qtbot.wait(1000)
    *first, last = requests
    for request in first:
        program.send_signal(request)
        with pytest.raises(subprocess.TimeoutExpired):
            program.wait(timeout=1)  # a person at a terminal is asked once
    assert live.intents.empty()
    program.send_signal(last)
    assert program.wait(timeout=10) == 0
    assert live.next_intent() == Quit()


def test_the_death_of_a_window_is_not_a_wish_to_quit(program, live, data_folder, qtbot, open_window) -> None:
    live.say(on_air())
    program.kill()
    program.wait()
    window = open_window()
    qtbot.waitUntil(lambda: window.model.on_air)
    assert live.intents.empty()


def test_a_presets_file_that_is_opened_is_taken_in_by_the_window_that_is_there(
    program, live, data_folder, tmp_path, qtbot
) -> None:
    """As a desktop does it: the program is started with the file's path."""
    (tmp_path / "Abend ü.overpaint").write_text(PRESET)
    second = subprocess.run([sys.executable, "-c", PROGRAM, data_folder, "Abend ü.overpaint"], cwd=tmp_path)
    assert second.returncode == 0
    qtbot.waitUntil(lambda: len(list((data_folder / "presets").glob("*.overpaint"))) == 1, timeout=10000)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no program outlives its screen")
def test_a_screen_that_goes_away_takes_the_window_with_it(display, program, live) -> None:
    picture = np.zeros((540, 960, 4), np.uint8)

    def show() -> None:
        with suppress(LinkError):
            while program.poll() is None:
                live.show(picture)

    showing = threading.Thread(target=show)
    showing.start()
    display[0].kill()
    assert program.wait(timeout=10) == 1, "the live process would keep the webcam on for it"
    showing.join()


SILENT_LIVE = """
import sys
from pathlib import Path
from overpaint.processes.channel import ChannelServer
from overpaint.processes.roles import Role
role = Role(Path(sys.argv[1]), "live")
role.take()
def hear(channel):
    while channel.receive():
        pass
server = ChannelServer(hear, "live")
role.announce(server.address, server.secret)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.expect_log("hangs")
def test_a_live_process_that_hangs_is_killed_before_another_is_started(qtbot, data_folder) -> None:
    """It takes every word, and answers none: its connection alone proves nothing."""
    words = [sys.executable, "-c", SILENT_LIVE, str(data_folder)]
    with subprocess.Popen(words, stdin=-1, stdout=-1) as hung:
        assert hung.stdout is not None and hung.stdout.readline()
        ends: list[int | None] = []
        started = threading.Event()

        def start() -> None:
            ends.append(hung.poll())
            started.set()
            raise ProcessError("standby_stopped")

        bridge = LiveBridge(data_folder, start, lambda _: None, (0.0,))
        bridge.start()
        qtbot.waitUntil(started.is_set, timeout=20_000)
        assert ends == [-signal.SIGKILL if sys.platform != "win32" else 1]
        bridge.close()


@pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)
def test_about_copies_what_the_doctor_finds(qtbot, start_live, open_window) -> None:
    start_live()
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)
    window.everyday.menu.about.trigger()
    dialog = window.everyday.about
    assert dialog is not None
    assert dialog.copy.isVisible() and dialog.copy.isEnabled()
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.copy.isEnabled, timeout=60000)
    text = QGuiApplication.clipboard().text()
    assert "Overpaint: " in text and "camera output" in text and "PySide" in text
