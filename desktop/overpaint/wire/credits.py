"""Messages between window and live process about credits: charges, and adding credits."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from overpaint.wire.messages import LiveMessage, Trouble

ChargeReason = Literal["session", "image", "video", "added"]

GRANT_MAX = 100_000


class AddCredits(LiveMessage):
    """The intent to add credits to the local service's account; a remote service does not allow it."""

    type: Literal["add_credits"] = "add_credits"
    credits: Annotated[int, Field(ge=1, le=GRANT_MAX)]


class Charge(LiveMessage):
    """A charge, or credits added."""

    id: str
    """Id of the session or job, each of which is listed once."""
    at: datetime
    reason: ChargeReason
    credits: int
    """Always positive."""
    what: str = ""
    """The file, or the address of the service; empty for the local service."""


class Charges(LiveMessage):
    """The charges that this computer caused, newest first; sent when they change."""

    type: Literal["charges"] = "charges"
    entries: list[Charge]
    trouble: Trouble | None = None
    """Why credits could not be added."""
