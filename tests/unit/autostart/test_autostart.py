"""Starting with the system: the entry that each system wants, written and taken away."""

from __future__ import annotations

import configparser
import plistlib
import subprocess
from pathlib import Path

import pytest

from overpaint.autostart.linux import DesktopEntry
from overpaint.autostart.macos import LaunchAgent

pytestmark = pytest.mark.process


COMMAND = ["/opt/my apps/python", "-m", "overpaint", "--100%", 'a"b$c']


def test_linux_gets_a_desktop_entry(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    entry = DesktopEntry()
    assert not entry.enabled()
    entry.set_enabled(True, COMMAND)
    assert entry.enabled() and entry.path.parent.name == "autostart"
    file = configparser.RawConfigParser()
    file.optionxform = str  # type: ignore[method-assign]
    file.read(entry.path, "utf-8")
    words = file["Desktop Entry"]["Exec"].replace("%%", "%").replace("\\\\", "\\")
    # Its quoting is that of a shell's double quotes.
    said = subprocess.run(["sh", "-c", f"printf '%s\\n' {words}"], capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == COMMAND
    entry.path.write_text(entry.path.read_text() + "Hidden=true\n")
    assert not entry.enabled(), "switched off in the system's own settings"
    entry.set_enabled(False, COMMAND)
    entry.set_enabled(False, COMMAND)
    assert not entry.path.exists()


def test_macos_gets_a_launch_agent(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    agent = LaunchAgent()
    agent.set_enabled(True, COMMAND)
    assert agent.enabled()
    assert plistlib.loads(agent.path.read_bytes())["ProgramArguments"] == COMMAND
    agent.set_enabled(False, COMMAND)
    assert not agent.enabled()
