"""Single-instance window of a data folder: a second start asks the first window to show itself, and ends.

The second start may name a preset's file, which the first window then takes in.

Uses the same roles and channels as the other processes. Must not know widgets.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from overpaint.errors import LinkError, ProcessError
from overpaint.processes import roles
from overpaint.processes.channel import Channel, ChannelServer

_SHOW = b"show "
"""Message of a second start, followed by the path of a preset's file or nothing."""


class OneWindow(QObject):
    """Single-instance lock: holds the role of the window for a data folder.

    Args:
        folder: The data folder.
    """

    asked_for = Signal(str)
    """A second start asks this window to show itself; with the path of a preset's file, or empty."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._role = roles.Role(folder, roles.WINDOW)
        self._server: ChannelServer | None = None

    def take(self, preset: str = "") -> bool:
        """Takes the role; returns False if another window holds it, after asking that one to show itself.

        Args:
            preset: Path of a preset's file that the other window is to take in; empty for none.

        Raises:
            ProcessError: The other window does not answer (``window_open_and_silent``).
        """
        try:
            self._role.take()
        except ProcessError as error:
            if not self._ask(preset):
                raise ProcessError("window_open_and_silent") from error
            return False
        self._server = ChannelServer(self._serve, "one-window")
        self._role.announce(self._server.address, self._server.secret)
        return True

    def leave(self) -> None:
        """Releases the role."""
        if self._server is not None:
            self._server.close()
            self._role.leave()

    def _ask(self, preset: str) -> bool:
        """Asks the existing window to show itself; returns whether it could be reached."""
        channel = roles.call(self._folder, roles.WINDOW)
        if channel is None:
            return False
        try:
            channel.send(_SHOW + preset.encode())
        except LinkError:
            return False
        finally:
            channel.close()
        return True

    def _serve(self, channel: Channel) -> None:
        try:
            message = channel.receive(timeout=5.0) or b""
            if message.startswith(_SHOW):
                self.asked_for.emit(message.removeprefix(_SHOW).decode("utf-8", "replace"))
        except LinkError:
            return
