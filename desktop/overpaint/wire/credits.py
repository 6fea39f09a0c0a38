"""Messages between window and live process about credits: what they went for, and more."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from overpaint.wire.messages import LiveMessage, Trouble

ChargeReason = Literal["session", "image", "video", "added"]

GRANT_MAX = 100_000


class AddCredits(LiveMessage):
    """Adds credits to the account of this computer's own service; no other service takes them."""

    type: Literal["add_credits"] = "add_credits"
    credits: Annotated[int, Field(ge=1, le=GRANT_MAX)]


class Charge(LiveMessage):
    """A charge, or credits added."""

    id: str
    """Of the session or job: the same one is listed once."""
    at: datetime
    reason: ChargeReason
    credits: int
    """Always positive."""
    what: str = ""
    """The file, or the address of the service; empty for this computer's own."""


class Charges(LiveMessage):
    """The charges of this computer, newest first; sent on change."""

    type: Literal["charges"] = "charges"
    entries: list[Charge]
    trouble: Trouble | None = None
    """Why credits could not be added."""
