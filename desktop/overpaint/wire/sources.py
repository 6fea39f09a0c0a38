"""What the window and the live process say to each other while the user chooses a screen or a window."""

from __future__ import annotations

from typing import Literal

from overpaint.wire.messages import LiveMessage


class WantSourcePictures(LiveMessage):
    """Whether the window shows screens and windows to choose from: each is then pictured again and again."""

    type: Literal["want_source_pictures"] = "want_source_pictures"
    on: bool


class SourcePicture(LiveMessage):
    """What a screen or window shows now."""

    type: Literal["source_picture"] = "source_picture"
    source: str
    """As in ``SourceChoice``."""
    picture: str
    """Base64 of a small JPEG."""
