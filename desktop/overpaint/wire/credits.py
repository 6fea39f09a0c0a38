"""Messages about credits: what was charged and what came of it, and that a balance may have changed."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from overpaint.wire.messages import LiveMessage

BOOKS_CHANGED = b'{"type":"books_changed"}'
"""On a core's lease, in both directions: a balance may have changed, so request it again. The core sends it
to its lease holders; a process that changed the books (``overpaint credits add``) sends it to the core."""

ChargeReason = Literal["session", "image", "video", "added", "topped_up"]
"""added: credits that an earlier version added to this computer's account. topped_up: by its
service, by itself."""

ChargeOutcome = Literal["", "cancelled", "refunded"]
"""cancelled: charged all the same, since the service had begun. refunded: given back in full."""


class ChargesNoted(LiveMessage):
    """The message that another process of this data folder has noted charges (``overpaint transform``)."""

    type: Literal["charges_noted"] = "charges_noted"


class Charge(LiveMessage):
    """A charge."""

    id: str
    """Id of the session, Idempotency-Key of a file's order, or time of a top-up; each is listed once."""
    at: datetime
    reason: ChargeReason
    credits: int
    """Always positive."""
    what: str = ""
    """The file; empty for a session."""
    server: str = ""
    """Address of the service; empty for the local one, where nothing is paid for."""
    outcome: ChargeOutcome = ""

    @property
    def is_gain(self) -> bool:
        """Whether the balance grows by it."""
        return self.reason in ("added", "topped_up")

    @property
    def paid(self) -> int:
        """Credits that the user has paid: none at the local service, or of what was refunded."""
        return 0 if not self.server or self.outcome == "refunded" or self.is_gain else self.credits


class Charges(LiveMessage):
    """The charges that this computer caused, newest first; sent when they change."""

    type: Literal["charges"] = "charges"
    entries: list[Charge]
