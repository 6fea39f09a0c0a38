"""The program on a screen of its own, as people have them, started for the first time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers import sound_room
from helpers.processes import end_all
from helpers.screens import Screen
from helpers.sound_server import SoundServer
from helpers.window_managers import window_manager
from walk.walker import Walker, opened

SCREENS = {
    "1920x1080": (1920, 1080, 1),
    "1366x768": (1366, 768, 1),
    "1920x1080 at 200": (1920, 1080, 2),
    "1080x1920": (1080, 1920, 1),
}


@pytest.fixture
def walker(
    request: pytest.FixtureRequest, tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Walker]:
    """The program on the screen of that name, without results or recordings of anybody else."""
    width, height, scale = SCREENS[request.param]
    for folder in ("Pictures", "Videos"):
        monkeypatch.setenv(f"XDG_{folder.upper()}_DIR", str(tmp_path / folder))
    monkeypatch.setenv("QT_SCALE_FACTOR", str(scale))
    monkeypatch.setenv("DISPLAY", "")
    monkeypatch.delenv("XAUTHORITY", raising=False)  # restored for the screen of the other walks
    screen = Screen(f"{width}x{height}x24")
    report = tmp_path / "report.json"
    with window_manager():
        program = opened(report, data_folder)
        walker = Walker(report, f"{request.param} ", scale, (width, height))
        try:
            walker.until(lambda: walker.sees()["painted"] > 10, "the first restyled picture, by itself")
            yield walker
        finally:
            program.terminate()
            program.wait(20)
            end_all(data_folder)
    screen.close()


@pytest.fixture
def claps(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A microphone that hears somebody clap once a second; asked for before the program."""
    server = SoundServer(tmp_path_factory.mktemp("pa"))
    monkeypatch.setenv("PULSE_SERVER", server.address)
    somebody = sound_room.Claps(server.address)
    yield
    somebody.close()
    server.close()
