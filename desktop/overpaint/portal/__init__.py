"""The desktop portal: what a Wayland desktop lets programs have, asked for over D-Bus, answered by its user.

Source: XDG Desktop Portal, https://flatpak.github.io/xdg-desktop-portal/docs/. Screens, windows and keys
belong to the desktop there: a program names what it wants, the desktop's own dialog shows it, and the user
decides. Must not know what a picture or a key is used for.
"""

from __future__ import annotations

import os
import sys


def is_wayland() -> bool:
    """Returns whether this session is Wayland's, where screens, windows and keys are the desktop's.

    It is so too where this program runs by XWayland, which shows it only what else runs so.
    """
    return sys.platform.startswith("linux") and bool(os.environ.get("WAYLAND_DISPLAY"))


__all__ = ["is_wayland"]
