"""Global hotkeys, which work in every program: one small module a way of getting them.

On X11 the system hands over exactly the keys that were asked for (XGrabKey) and no others; on Windows
and macOS pynput listens. Wayland has no such thing for programs: there a key of the desktop's own
settings can run ``overpaint live …``. Must not know windows, nor what a key does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Protocol

from overpaint.errors import UsageError
from overpaint.hotkeys.combinations import Combination, Pressed


class Hotkeys(Protocol):
    """Keys that are held until ``close``.

    Attributes:
        refused: Why one of them could not be had, while others could.
    """

    refused: UsageError | None

    def close(self) -> None:
        """Lets go of them; idempotent."""


def why_not() -> str:
    """Why there can be no such keys here, as a stable name ("wayland"); empty when there can."""
    if sys.platform.startswith("linux") and (
        os.environ.get("XDG_SESSION_TYPE") == "wayland" or "DISPLAY" not in os.environ
    ):
        return "wayland"
    return ""


def grab(keys: Mapping[str, str], pressed: Pressed) -> Hotkeys:
    """Takes keys.

    Args:
        keys: Action to combination.
        pressed: Told the action.

    Raises:
        UsageError: A combination is none, or other programs have all of them already.
    """
    combinations = {name: Combination.parse(text) for name, text in keys.items() if text}
    listened = sys.platform in ("win32", "darwin")
    if not listened:
        from overpaint.hotkeys.x11 import X11Hotkeys

        return X11Hotkeys(combinations, pressed)
    from overpaint.hotkeys.pynput_listener import ListenedHotkeys

    return ListenedHotkeys(combinations, pressed)


__all__ = ["Combination", "Hotkeys", "grab", "why_not"]
