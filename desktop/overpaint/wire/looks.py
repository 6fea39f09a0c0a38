"""Messages between window and live process about pictures of looks: the user's own picture in each."""

from __future__ import annotations

from typing import Literal

from overpaint.wire.messages import LiveMessage


class WantedLook(LiveMessage):
    """A look to be painted for the window: what it is called there, and the prompt that means it."""

    name: str
    prompt: str


class WantLooks(LiveMessage):
    """The looks that the window shows, those in sight first: each is to be painted on the source's picture
    when there is time. None while no looks are shown.
    """

    type: Literal["want_looks"] = "want_looks"
    looks: tuple[WantedLook, ...]


class LookPicture(LiveMessage):
    """The source's picture in a look."""

    type: Literal["look_picture"] = "look_picture"
    name: str
    picture: str
    """Base64 of a small JPEG."""
