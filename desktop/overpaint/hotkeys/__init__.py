"""Global hotkeys, which work in every program: one small module a way of getting them.

On X11 the system hands over exactly the keys that were asked for (XGrabKey) and no others; on Windows
and macOS pynput listens. Wayland has no such thing for programs: there a key of the desktop's own
settings can run ``overpaint live …``. Must not know windows, nor what a key does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from overpaint.errors import UsageError

Pressed = Callable[[str], None]
"""Told, from any thread, the name of the action whose key was pressed."""

MODIFIERS = ("Ctrl", "Alt", "Shift", "Meta")


@dataclass(frozen=True, slots=True)
class Combination:
    """Modifiers and one key, as "Ctrl+Alt+P" writes them.

    Attributes:
        modifiers: Of ``MODIFIERS``.
        key: A letter or digit in upper case, or a name ("F9", "Space").
    """

    modifiers: frozenset[str]
    key: str

    @classmethod
    def parse(cls, text: str) -> Combination:
        """Reads "Ctrl+Alt+P". Raises ``UsageError`` when it would take a plain key from every program."""
        *modifiers, key = (word.strip() for word in text.split("+"))
        function_key = key[:1] == "F" and key[1:].isdecimal()
        if not key or not set(modifiers) <= set(MODIFIERS):
            raise UsageError(f"{text} is not a combination of keys.", mend="Take one like Ctrl+Alt+P.")
        if not function_key and not {"Ctrl", "Alt", "Meta"} & set(modifiers):
            raise UsageError(
                f"{text} would be taken from every other program.", mend="Add Ctrl, Alt or Meta."
            )
        return cls(frozenset(modifiers), key.upper() if len(key) == 1 else key)


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
    from overpaint.hotkeys.listening import ListenedHotkeys

    return ListenedHotkeys(combinations, pressed)
