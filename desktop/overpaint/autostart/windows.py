"""Autostart on Windows: a value of the user's Run key in the registry.

Source: Microsoft Learn, "Run and RunOnce Registry Keys".
"""

from __future__ import annotations

import subprocess
import sys
import winreg

from overpaint.folders import APP

assert sys.platform == "win32"  # mypy looks no further elsewhere

_RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"


class RunKey:
    r"""``HKEY_CURRENT_USER\Software\Microsoft\Windows\CurrentVersion\Run``."""

    def enabled(self) -> bool:
        """Returns whether the value is there."""
        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _RUN) as key:
                winreg.QueryValueEx(key, APP)
        except OSError:
            return False
        return True

    def set_enabled(self, on: bool, command: list[str]) -> None:
        """Writes the value, or removes it."""
        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _RUN) as key:
            if on:
                winreg.SetValueEx(key, APP, 0, winreg.REG_SZ, subprocess.list2cmdline(command))
                return
            try:
                winreg.DeleteValue(key, APP)
            except FileNotFoundError:
                return
