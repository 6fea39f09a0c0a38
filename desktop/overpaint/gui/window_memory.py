"""Persistent state of the window between two starts: its size, the mirror, favourite looks.

Apart from the settings, which belong to the live process: no two processes write one file.
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
    """Frozen: a change is a new object.

    Attributes:
        width: Of the window, in device-independent pixels.
        height: The same.
        maximized: Whether it filled the screen.
        mirror_preview: Show the preview of a camera like a mirror.
        favourite_looks: Names of looks.
        habits: What the user set for the window.
        recent_looks: Names of the looks chosen of late, the last one first.
        prompts: Those used, the last one last.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    width: int = Field(default=1280, ge=1)
    height: int = Field(default=800, ge=1)
    maximized: bool = False
    mirror_preview: bool = True
    favourite_looks: tuple[str, ...] = ()
    recent_looks: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    habits: Habits = Habits()


def load_remembered(folder: Path) -> Remembered:
    """Reads it; what is unreadable or invalid counts as nothing remembered."""
    try:
        return Remembered.model_validate_json((folder / _FILE).read_text("utf-8"))
    except (OSError, ValidationError):
        return Remembered()


def save_remembered(folder: Path, remembered: Remembered) -> None:
    """Writes it, whole or not at all; a failure is logged and costs nothing but the memory."""
    content = remembered.model_dump_json(indent=2) + "\n"
    try:
        write_private(folder / _FILE, content.encode())
    except OSError as error:
        log.warning("the window's size cannot be remembered: %s", error.strerror)
