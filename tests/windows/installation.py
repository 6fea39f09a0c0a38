"""An installation of Overpaint as its user has it: by the installer, found in the registry, uninstalled."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
import winreg
from collections.abc import Callable, Iterator
from pathlib import Path

assert sys.platform == "win32"  # mypy looks no further elsewhere

UNINSTALL = r"Software\Microsoft\Windows\CurrentVersion\Uninstall\Overpaint"
RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
CLASSES = r"Software\Classes"
LOCAL = Path(os.environ["LOCALAPPDATA"])
USUAL = LOCAL / "Programs" / "Overpaint"
DATA = LOCAL / "overpaint"
MENU = Path(os.environ["APPDATA"]) / r"Microsoft\Windows\Start Menu\Programs\Overpaint.lnk"
PATIENCE_S = 240.0
"""Under Wine, on a busy machine, everything takes long."""


def value(key: str, name: str = "") -> str | None:
    """A value of the user's registry; None where there is none."""
    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
            return str(winreg.QueryValueEx(opened, name)[0])
    except OSError:
        return None


def environment() -> dict[str, str]:
    """The user's, without what belongs to tests: a frozen program must not find our packages or folders."""
    ours = ("PYTHON", "OVERPAINT_", "NUMBA_", "QT_")
    return {name: text for name, text in os.environ.items() if not name.startswith(ours)}


def install(*options: str, folder: Path | None = None) -> int:
    """Runs the installer; its exit code. A folder is the last word, and is never quoted (NSIS)."""
    line = subprocess.list2cmdline([os.environ["OVERPAINT_SETUP"], "/S", *options])
    return subprocess.run(
        line if folder is None else f"{line} /D={folder}", env=environment(), timeout=900
    ).returncode


def uninstall(*options: str) -> None:
    """Runs the uninstaller that the registry names, and waits for the copy of itself that does the work."""
    quiet = value(UNINSTALL, "QuietUninstallString")
    folder = value(UNINSTALL, "InstallLocation")
    assert quiet is not None and folder is not None
    subprocess.run(f"{quiet} {' '.join(options)}", env=environment(), timeout=300, check=True)
    until(lambda: value(UNINSTALL, "InstallLocation") is None and not Path(folder).exists(), "it is gone")


def run(
    *arguments: str, program: str = "overpaint.exe", timeout: float = PATIENCE_S
) -> subprocess.CompletedProcess[str]:
    """Runs a command of the installed program to its end."""
    folder = value(UNINSTALL, "InstallLocation")
    assert folder is not None
    return subprocess.run(
        [str(Path(folder) / program), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(),
        timeout=timeout,
    )


def until(condition: Callable[[], object], what: str, seconds: float = PATIENCE_S) -> float:
    """Waits; returns after how many seconds."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, f"not within {seconds} s: {what}"
        time.sleep(0.2)
    return time.monotonic() - began


def windows() -> Iterator[tuple[int, str, str]]:
    """Handle, class and title of every visible window."""
    user = ctypes.WinDLL("user32")
    found: list[int] = []
    kind = ctypes.WINFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
    user.EnumWindows(kind(lambda handle, _: found.append(handle) or True), None)
    for handle in found:
        if user.IsWindowVisible(ctypes.c_void_p(handle)):
            words = []
            for ask in (user.GetClassNameW, user.GetWindowTextW):
                text = ctypes.create_unicode_buffer(300)
                ask(ctypes.c_void_p(handle), text, 300)
                words.append(text.value)
            yield handle, words[0], words[1]


def main_window() -> int | None:
    """The app's window."""
    return next(
        (handle for handle, kind, title in windows() if title == "Overpaint" and kind.startswith("Qt")), None
    )


def close_window() -> None:
    """Closes the app's window as a click on its cross does, and waits until nothing of it runs."""
    handle = main_window()
    if handle is not None:
        ctypes.WinDLL("user32").PostMessageW(ctypes.c_void_p(handle), 0x0010, None, None)  # WM_CLOSE
    until(lambda: "Nothing runs" in run("processes").stdout, "the app has ended")
