"""Key combinations as settings write them. Must not know how keys are had."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from overpaint.errors import UsageError

Pressed = Callable[[str], None]
"""Told, from any thread, the name of the action whose key was pressed."""


@dataclass(frozen=True, slots=True)
class DesktopTells:
    """Callbacks for what a Wayland desktop decides about hotkeys, at once or later; called from any thread.

    Attributes:
        assigned: Told the keys that it assigned, in its own words, by action; no entry where it gave none.
        refused: Told why there are none.
    """

    assigned: Callable[[Mapping[str, str]], None] = lambda keys: None
    refused: Callable[[UsageError], None] = lambda error: None


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
            raise UsageError("hotkey_unreadable", keys=text)
        if not function_key and not {"Ctrl", "Alt", "Meta"} & set(modifiers):
            raise UsageError("hotkey_too_plain", keys=text)
        return cls(frozenset(modifiers), key.upper() if len(key) == 1 else key)
