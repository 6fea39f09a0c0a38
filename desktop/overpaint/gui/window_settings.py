"""Settings of the window itself, as frozen values; ``window_memory`` saves them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Appearance = Literal["system", "light", "dark", "contrast"]
Language = Literal["system", "en", "de"]

HOTKEYS = {
    "air": "Ctrl+Alt+L",
    "session": "Ctrl+Alt+S",
    "next_look": "Ctrl+Alt+N",
    "hold": "Ctrl+Alt+H",
    "privacy": "Ctrl+Alt+P",
}
"""Action to the combination that stands for it until the user takes another."""


class Habits(BaseModel):
    """Frozen: a change is a new object.

    Attributes:
        language: Of the window; the system's where it is one of ours.
        appearance: Colours of the window.
        start_minimised: Open out of the way: in the tray where there is one.
        preview_at_start: The preview starts by itself when the window opens.
        keep_in_tray: Closing the window leaves the app in the tray.
        knows_places: Was told where other programs choose the camera, and has understood.
        hotkeys_on: Whether the keys below work in every program.
        hotkeys: Action to combination.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    language: Language = "system"
    appearance: Appearance = "system"
    start_minimised: bool = False
    preview_at_start: bool = True
    keep_in_tray: bool = False
    knows_places: bool = False
    hotkeys_on: bool = False
    hotkeys: dict[str, str] = HOTKEYS
