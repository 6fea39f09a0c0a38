"""PipeWire's daemon: whether one listens for this user. Must not know the library.

Source: pipewire(1), "ENVIRONMENT VARIABLES".
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

SYSTEM_FOLDER = Path("/run/pipewire")


def daemon_listens() -> bool:
    """Returns whether a daemon accepts connections of this user."""
    return any(_accepts(path) for path in _sockets())


def _sockets() -> list[Path]:
    name = os.environ.get("PIPEWIRE_REMOTE") or "pipewire-0"
    own = next(
        (
            Path(folder)
            for variable in ("PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR", "USERPROFILE")
            if (folder := os.environ.get(variable))
        ),
        None,
    )
    return [folder / name for folder in (own, SYSTEM_FOLDER) if folder is not None]


def _accepts(path: Path) -> bool:
    if sys.platform == "win32":
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.setblocking(False)
        try:
            connection.connect(str(path))
        except OSError:
            return False
    return True
