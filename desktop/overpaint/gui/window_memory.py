"""Persistent window state: size, mirrored preview, favourite and used looks, prompts, window settings.

In a file apart from the settings of the live process, so that no file has two writing processes.
"""

from __future__ import annotations

import logging
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from overpaint.gui.window_settings import Habits
from overpaint.private_folder import write_private

log = logging.getLogger(__name__)

_FILE = "window.json"


class Remembered(BaseModel):
    """The saved state of the window, as a frozen value.

    Attributes:
        width: Width of the window in device-independent pixels.
        height: Height of the window in device-independent pixels.
        maximized: Whether the window was maximized.
        mirror_preview: Whether a camera's preview is mirrored.
        side_shown: Whether the side panel is shown, not folded away.
        favourite_looks: Names of favourite looks.
        habits: The settings of the window.
        recent_looks: Names of recently chosen looks, the newest first.
        look_uses: How often each look was chosen, by name.
        prompts: Used prompts, the newest last.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    width: int = Field(default=1280, ge=1)
    height: int = Field(default=800, ge=1)
    maximized: bool = False
    mirror_preview: bool = True
    side_shown: bool = True
    favourite_looks: tuple[str, ...] = ()
    recent_looks: tuple[str, ...] = ()
    look_uses: dict[str, int] = {}
    prompts: tuple[str, ...] = ()
    habits: Habits = Habits()


def load_remembered(folder: Path) -> Remembered:
    """Reads the state; returns the defaults if the file is unreadable or invalid."""
    try:
        return Remembered.model_validate_json((folder / _FILE).read_text("utf-8"))
    except (OSError, ValidationError):
        return Remembered()


def save_remembered(folder: Path, remembered: Remembered) -> None:
    """Writes the state atomically; a failure is only logged."""
    content = remembered.model_dump_json(indent=2) + "\n"
    try:
        write_private(folder / _FILE, content.encode())
    except OSError as error:
        log.warning("the window's size cannot be remembered: %s", error.strerror)
