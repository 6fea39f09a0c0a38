"""Messages from the live process to the window about a newer release."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from overpaint.wire.messages import LiveMessage


class Release(LiveMessage):
    """A release of Overpaint.

    Attributes:
        version: Its version, ``MAJOR.MINOR.PATCH``.
        page: Address of the page that it can be had from.
        new: What is new in it, one sentence an entry, by language code.
    """

    version: str
    page: str
    new: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    def new_in(self, language: str) -> tuple[str, ...]:
        """What is new in a language, else in English; none where the release does not say."""
        return self.new.get(language) or self.new.get("en", ())


class Updates(LiveMessage):
    """What is known about newer releases.

    Attributes:
        host: Name of the computer that is asked; empty where no address to ask is known.
        newer: The newest release, where it is newer than this one and the user wants to be told.
    """

    type: Literal["updates"] = "updates"
    host: str = ""
    newer: Release | None = None
