"""Global hotkeys, which work in every program: one small module a way of getting them.

On X11 the system hands over exactly the keys that were asked for (XGrabKey) and no others; on Windows
and macOS pynput listens; on Wayland the desktop's portal assigns keys, perhaps others. Must not know windows,
nor what a key does.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Protocol

from overpaint.errors import UsageError
from overpaint.hotkeys.combinations import Combination, DesktopTells, Pressed
from overpaint.portal import is_wayland


class Hotkeys(Protocol):
    """Keys that are held until ``close``.

    Attributes:
        refused: Why one of them could not be had, while others could.
    """

    refused: UsageError | None

    def close(self) -> None:
        """Lets go of them; idempotent."""


def grab(
    keys: Mapping[str, str],
    pressed: Pressed,
    titles: Mapping[str, str] | None = None,
    told: DesktopTells | None = None,
) -> Hotkeys:
    """Takes keys.

    Args:
        keys: Action to combination; only wishes on Wayland.
        pressed: Told the action.
        titles: What each action does, for the desktop's dialog.
        told: Told what the desktop decides; only on Wayland.

    Raises:
        UsageError: A combination is none, or other programs have all of them already.
    """
    combinations = {name: Combination.parse(text) for name, text in keys.items() if text}
    if is_wayland():
        from overpaint.hotkeys.portal_hotkeys import PortalHotkeys

        return PortalHotkeys(combinations, titles or {}, pressed, told or DesktopTells())
    listened = sys.platform in ("win32", "darwin")
    if not listened:
        from overpaint.hotkeys.x11 import X11Hotkeys

        return X11Hotkeys(combinations, pressed)
    from overpaint.hotkeys.pynput_listener import ListenedHotkeys

    return ListenedHotkeys(combinations, pressed)


__all__ = ["Combination", "DesktopTells", "Hotkeys", "grab"]
