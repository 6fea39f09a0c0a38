"""Events and commands of the session's state machine, as values.

Their meaning is in ``state``. Must not know I/O.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from overpaint.errors import OverpaintError


class Where(StrEnum):
    """The service of a session: the chosen one (primary) or the stand-in (fallback)."""

    CHOSEN = "chosen"
    STAND_IN = "stand_in"


@dataclass(frozen=True, slots=True)
class Style:
    """The user's style; survives every session.

    Strength and region are words of the prompt.

    Attributes:
        prompt: Free text.
        enhance_prompt: Whether the service may expand it.
        reference: Reference photo as a picture file, or None.
        passthrough: The unstyled picture ("Original"), chosen deliberately.
    """

    prompt: str = ""
    enhance_prompt: bool = True
    reference: bytes | None = None
    passthrough: bool = False


# ---- what happens ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """The user wants to be live."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The user does not want to be live any more."""


@dataclass(frozen=True, slots=True)
class Restyle:
    """The user wants another style."""

    style: Style


@dataclass(frozen=True, slots=True)
class Hold:
    """The user freezes or resumes the picture."""

    on: bool


@dataclass(frozen=True, slots=True)
class Delivered:
    """The first styled frame of the current connection came."""


@dataclass(frozen=True, slots=True)
class OpenFailed:
    """A new connection could not be opened."""

    error: OverpaintError


@dataclass(frozen=True, slots=True)
class ResumeFailed:
    """The present session could not be joined again.

    Attributes:
        gone: Whether the session itself is gone (expired, closed, or its core died), so that only a new one
            helps; else only the connection is broken, and the paid session still exists.
    """

    error: OverpaintError
    gone: bool


@dataclass(frozen=True, slots=True)
class Dropped:
    """The current connection ended by itself.

    Attributes:
        resumable: Whether its session may still exist (the socket may be reopened).
        heir: Whether the next connection is already open and becomes the current one.
    """

    error: OverpaintError
    resumable: bool
    heir: bool = False


@dataclass(frozen=True, slots=True)
class RenewalDue:
    """The current session ends soon."""


@dataclass(frozen=True, slots=True)
class NextDelivered:
    """The next session is warm, and becomes the current one."""


@dataclass(frozen=True, slots=True)
class NextFailed:
    """The next session could not be opened."""

    error: OverpaintError


@dataclass(frozen=True, slots=True)
class Mended:
    """The reason why a renewal was refused no longer holds."""


@dataclass(frozen=True, slots=True)
class OutOfPatience:
    """The chosen service (primary) has been away for too long, and the user allows failover."""


@dataclass(frozen=True, slots=True)
class ChosenBack:
    """The chosen service (primary) answers again, and would sell a session."""


Event = (
    Start
    | Stop
    | Restyle
    | Hold
    | Delivered
    | OpenFailed
    | ResumeFailed
    | Dropped
    | RenewalDue
    | NextDelivered
    | NextFailed
    | Mended
    | OutOfPatience
    | ChosenBack
)


# ---- what is to be done ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Open:
    """Close all connections, and open a new session after a delay."""

    after_s: float
    where: Where = Where.CHOSEN


@dataclass(frozen=True, slots=True)
class Resume:
    """Reopen the present session's socket and link after a delay."""

    after_s: float


@dataclass(frozen=True, slots=True)
class OpenNext:
    """Open the next session beside the present one after a delay."""

    after_s: float
    where: Where = Where.CHOSEN


@dataclass(frozen=True, slots=True)
class Close:
    """Close every connection."""


Command = Open | Resume | OpenNext | Close
