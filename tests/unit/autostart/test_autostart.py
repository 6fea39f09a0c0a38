"""Starting with the system: the entry that each system wants, written and taken away."""

from __future__ import annotations

import configparser
import plistlib
import subprocess
import sys
from pathlib import Path

import pytest

from overpaint.autostart.linux import DesktopEntry
from overpaint.autostart.macos import LaunchAgent

pytestmark = pytest.mark.process


COMMAND = ["/opt/my apps/python", "-m", "overpaint", "--100%", 'a"b$c']


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell reads the entry")
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


@pytest.mark.skipif(sys.platform != "win32", reason="needs a registry")
def test_windows_gets_a_value_of_the_run_key(monkeypatch) -> None:
    """A key of the test's own, since the real one starts programs."""
    if sys.platform == "win32":
        import ctypes
        import winreg

        from overpaint.autostart import windows

        monkeypatch.setattr(windows, "_RUN", r"Software\Overpaint-of-a-test")
        entry = windows.RunKey()
        assert not entry.enabled()
        command = [r"C:\Users\Zoë Groß\AppData\Local\Programs\Overpaint\overpaint-window.exe", 'a "b"']
        entry.set_enabled(True, command)
        assert entry.enabled()
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, windows._RUN) as key:
            line = winreg.QueryValueEx(key, "overpaint")[0]
        count, split = ctypes.c_int(), ctypes.WinDLL("shell32").CommandLineToArgvW
        split.restype = ctypes.POINTER(ctypes.c_wchar_p)
        words = split(ctypes.c_wchar_p(line), ctypes.byref(count))
        assert words[: count.value] == command, "as Windows reads it"
        entry.set_enabled(False, command)
        entry.set_enabled(False, command)
        assert not entry.enabled()
        winreg.DeleteKey(winreg.HKEY_CURRENT_USER, windows._RUN)
