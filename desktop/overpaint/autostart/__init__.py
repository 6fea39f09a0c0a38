"""Autostart when the user signs in: one small module a system.

The system itself remembers it (an entry that its own settings show too), so there is nothing of ours
to disagree with it. Must not know windows.
"""

from __future__ import annotations

import sys
from typing import Protocol

from overpaint.errors import UsageError


class Autostart(Protocol):
    """The system's list of what starts with it."""

    def enabled(self) -> bool:
        """Returns whether Overpaint is on it."""

    def set_enabled(self, on: bool, command: list[str]) -> None:
        """Puts it there with a command line, or takes it off; ``OSError`` where it cannot."""


def autostart() -> Autostart:
    """This system's. Raises ``UsageError`` where there is none that is known."""
    if sys.platform == "win32":
        from overpaint.autostart.windows import RunKey

        return RunKey()
    if sys.platform == "darwin":
        from overpaint.autostart.macos import LaunchAgent

        return LaunchAgent()
    if sys.platform.startswith("linux"):
        from overpaint.autostart.linux import DesktopEntry

        return DesktopEntry()
    raise UsageError("autostart_unknown_here")
