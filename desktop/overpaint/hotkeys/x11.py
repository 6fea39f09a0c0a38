"""Global hotkeys on X11: grabbed from the root window, over a connection of our own.

Source: Xlib, "Keyboard Grabbing" (XGrabKey). Lock keys count as modifiers there, so each key is
grabbed with every state of Caps Lock and Num Lock.
"""

from __future__ import annotations

import logging
import os
import select
import threading
from collections.abc import Mapping

from Xlib import XK, X, error
from Xlib.display import Display

from overpaint.errors import UsageError
from overpaint.hotkeys.combinations import MODIFIERS, Combination, Pressed

log = logging.getLogger(__name__)

_MASKS = {"Ctrl": X.ControlMask, "Alt": X.Mod1Mask, "Shift": X.ShiftMask, "Meta": X.Mod4Mask}
_LOCKS = (0, X.LockMask, X.Mod2Mask, X.LockMask | X.Mod2Mask)
_RELEVANT = X.ControlMask | X.Mod1Mask | X.ShiftMask | X.Mod4Mask
_NAMES = {"Space": "space", "Return": "Return", "Tab": "Tab", "Esc": "Escape", "Del": "Delete"}


class X11Hotkeys:
    """Grabbed keys, and the thread that waits for them.

    Args:
        keys: Action to combination.
        pressed: Told the action, from the thread.

    Raises:
        UsageError: There is no display, or none of the keys can be had.

    Attributes:
        refused: There is no such key, or another program has it; the others are held.
    """

    def __init__(self, keys: Mapping[str, Combination], pressed: Pressed) -> None:
        self._pressed = pressed
        try:
            self._display = Display()
        except error.DisplayError as failure:
            raise UsageError("hotkeys_without_x11") from failure
        self._actions: dict[tuple[int, int], str] = {}
        self._wake, self._woken = os.pipe()
        self.refused: UsageError | None = None
        for action, combination in keys.items():
            try:
                self._grab(action, combination)
            except UsageError as refusal:
                self.refused = self.refused or refusal
        if self.refused is not None and not self._actions:
            self._release()
            raise self.refused
        self._thread = threading.Thread(target=self._run, name="hotkeys", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Lets go of the keys; idempotent."""
        if self._thread.is_alive():
            os.write(self._woken, b"x")
            self._thread.join(timeout=2)

    def _grab(self, action: str, combination: Combination) -> None:
        symbol = XK.string_to_keysym(_NAMES.get(combination.key, combination.key))
        symbol = symbol or XK.string_to_keysym(combination.key.lower())
        code = self._display.keysym_to_keycode(symbol) if symbol else 0
        if not code:
            raise UsageError("hotkey_not_on_keyboard", key=combination.key)
        mask = 0
        for name in combination.modifiers:
            mask |= _MASKS[name]
        refused = error.CatchError(error.BadAccess)
        root = self._display.screen().root
        for lock in _LOCKS:
            root.grab_key(code, mask | lock, True, X.GrabModeAsync, X.GrabModeAsync, onerror=refused)
        self._display.sync()
        if refused.get_error() is not None:
            held = [name for name in MODIFIERS if name in combination.modifiers]
            words = "+".join([*held, combination.key])
            raise UsageError("hotkey_taken", keys=words)
        self._actions[code, mask] = action

    def _run(self) -> None:
        try:
            while True:
                while self._display.pending_events():
                    event = self._display.next_event()
                    action = None
                    if event.type == X.KeyPress:
                        action = self._actions.get((event.detail, event.state & _RELEVANT))
                    if action is not None:
                        self._pressed(action)
                ready, _, _ = select.select([self._display.fileno(), self._wake], [], [])
                if self._wake in ready:
                    return
        except (error.ConnectionClosedError, OSError) as failure:
            log.info("no more hotkeys: %s", failure)
        except Exception:
            log.exception("the hotkeys ended for an unknown reason")
        finally:
            self._release()

    def _release(self) -> None:
        self._display.close()  # what it grabbed is let go of
        os.close(self._wake)
        os.close(self._woken)
