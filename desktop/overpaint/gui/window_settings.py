"""Settings of the window, as opposed to those of the live process; ``window_memory`` saves them."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

Appearance = Literal["system", "light", "dark", "contrast"]
Language = Literal["system", "en", "de"]
TRANSLATED: tuple[Language, ...] = tuple(each for each in get_args(Language) if each not in ("system", "en"))
"""The languages with a file of translations, ``resources/translations/overpaint_CODE.ts``."""

HOTKEYS = {
    "air": "Ctrl+Alt+L",
    "session": "Ctrl+Alt+S",
    "next_look": "Ctrl+Alt+N",
    "hold": "Ctrl+Alt+H",
    "privacy": "Ctrl+Alt+P",
    "record": "Ctrl+Alt+R",
    "replay": "Ctrl+Alt+B",
    "mute": "Ctrl+Alt+M",
    "still": "Ctrl+Alt+C",
}
"""Default key combination of each action."""

LOOK_ACTION = "look:"
"""Prefix of the action that changes to a look or preset; its name in the list of looks follows."""


class Habits(BaseModel):
    """The settings of the window, as a frozen value.

    Attributes:
        language: Language of the window; "system" is the system's language if translated, else English.
        appearance: Colour palette of the window.
        start_minimised: Open in the tray, or minimised if there is no tray.
        preview_at_start: Start the preview when the window opens.
        keep_in_tray: Closing the window leaves the app in the tray.
        knows_places: The user has dismissed the hint about where other programs choose the camera.
        toured: The tour of the first start was shown.
        knows_sound: The user has been told that recordings carry the microphone.
        knows_version: The newest version that the user has been told of; empty for none.
        hotkeys_on: Whether the global hotkeys are registered.
        hotkeys: Key combinations that the user chose, by action; empty where an action has none.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    language: Language = "system"
    appearance: Appearance = "system"
    start_minimised: bool = False
    preview_at_start: bool = True
    keep_in_tray: bool = False
    knows_places: bool = False
    toured: bool = False
    knows_sound: bool = False
    knows_version: str = ""
    hotkeys_on: bool = False
    hotkeys: dict[str, str] = HOTKEYS

    @property
    def combinations(self) -> dict[str, str]:
        """Key combination of each action, also of those that a former version did not have."""
        return {**HOTKEYS, **self.hotkeys}
