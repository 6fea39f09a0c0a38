"""The words of a prompt for its photo as a background: the service has one photo, and no field for its use.

Pure functions; must not know looks, nor who sends a prompt.
"""

from __future__ import annotations

BACKDROP = "Backdrop"
"""The prompt, and the title of the look, that puts people as they are before their photo."""

PHOTO_BEHIND = "my photo as the background"
"""The words that put the photo behind people, and leave the look to the rest of the prompt."""


def with_photo_behind(prompt: str) -> str:
    """The prompt with the words that put its photo behind people; of no prompt, the backdrop."""
    return f"{prompt}, {PHOTO_BEHIND}" if prompt.strip() else BACKDROP
