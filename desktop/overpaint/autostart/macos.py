"""Autostart on macOS: a launch agent in the user's library.

Source: Apple, "Creating Launch Daemons and Agents".
"""

from __future__ import annotations

import plistlib
from pathlib import Path

from overpaint.folders import APP


class LaunchAgent:
    """``~/Library/LaunchAgents/overpaint.plist``; read by the system at the next sign-in."""

    def __init__(self) -> None:
        self.path = Path.home() / "Library" / "LaunchAgents" / f"{APP}.plist"

    def enabled(self) -> bool:
        """Returns whether the agent is there."""
        return self.path.is_file()

    def set_enabled(self, on: bool, command: list[str]) -> None:
        """Writes the agent, or removes it."""
        if not on:
            self.path.unlink(missing_ok=True)
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        agent = {"Label": APP, "ProgramArguments": command, "RunAtLoad": True}
        self.path.write_bytes(plistlib.dumps(agent))
