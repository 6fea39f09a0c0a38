"""Autostart on Linux: a desktop entry in the user's autostart folder.

Source: freedesktop.org, "Desktop Application Autostart Specification" and "Desktop Entry Specification".
"""

from __future__ import annotations

import os
from pathlib import Path

from overpaint.folders import APP

_RESERVED = " \t\n\"'\\><~|&;$*?#()`"


class DesktopEntry:
    """``$XDG_CONFIG_HOME/autostart/overpaint.desktop``."""

    def __init__(self) -> None:
        home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
        self.path = Path(home) / "autostart" / f"{APP}.desktop"

    def enabled(self) -> bool:
        """Returns whether the entry is there and not hidden."""
        try:
            lines = self.path.read_text("utf-8").splitlines()
        except OSError:
            return False
        return not {"Hidden=true", "X-GNOME-Autostart-enabled=false"} & set(lines)

    def set_enabled(self, on: bool, command: list[str]) -> None:
        """Writes the entry, or removes it."""
        if not on:
            self.path.unlink(missing_ok=True)
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        words = " ".join(_quoted(word) for word in command)
        self.path.write_text(
            "[Desktop Entry]\nType=Application\nName=Overpaint\n"
            f"Exec={words}\nIcon=overpaint\nTerminal=false\n",
            "utf-8",
        )


def _quoted(word: str) -> str:
    """An argument as the Exec key wants it; a percent sign would be a field code."""
    word = word.replace("%", "%%")
    if not any(sign in _RESERVED for sign in word):
        return word
    # Escaped twice: for the string type of the file, and for the quoting of the key.
    inner = "".join(f"\\\\{sign}" if sign in '"`$\\' else sign for sign in word)
    return f'"{inner}"'
