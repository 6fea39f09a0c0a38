"""Global hotkeys on Windows and macOS: pynput listens for them.

macOS asks its user for leave first (Privacy & Security › Accessibility), and is silent without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from overpaint.errors import UsageError
from overpaint.hotkeys.combinations import Combination, Pressed

_MODIFIERS = {"Ctrl": "<ctrl>", "Alt": "<alt>", "Shift": "<shift>", "Meta": "<cmd>"}
_NAMES = {"Return": "enter", "Esc": "esc", "Del": "delete"}


class ListenedHotkeys:
    """A listener of pynput's, in a thread of its own.

    Args:
        keys: Action to combination.
        pressed: Told the action, from the thread.
    """

    def __init__(self, keys: Mapping[str, Combination], pressed: Pressed) -> None:
        from pynput.keyboard import GlobalHotKeys

        self.refused: UsageError | None = None

        def told(action: str) -> Callable[[], None]:
            return lambda: pressed(action)

        self._listener = GlobalHotKeys({_words(key): told(action) for action, key in keys.items()})
        self._listener.daemon = True
        self._listener.start()

    def close(self) -> None:
        """Ends the listener; idempotent."""
        self._listener.stop()


def _words(combination: Combination) -> str:
    """As pynput writes it: "<ctrl>+<alt>+p"."""
    key = combination.key
    name = key.lower() if len(key) == 1 else f"<{_NAMES.get(key, key.lower())}>"
    return "+".join([*(_MODIFIERS[word] for word in sorted(combination.modifiers)), name])
