"""Messages between window and live process about look previews: the source's picture in each look."""

from __future__ import annotations

from typing import Literal

from overpaint.wire.messages import LiveMessage


class WantedLook(LiveMessage):
    """A look to preview: its name in the window, and the prompt that selects it."""

    name: str
    prompt: str


class WantLooks(LiveMessage):
    """The intent to preview the looks that the window shows, visible ones first. They are painted at low
    priority. Empty when the window shows none.
    """

    type: Literal["want_looks"] = "want_looks"
    looks: tuple[WantedLook, ...]


class LookPicture(LiveMessage):
    """A look preview: the source's picture in that look."""

    type: Literal["look_picture"] = "look_picture"
    name: str
    picture: str
    """Base64 of a small JPEG."""
