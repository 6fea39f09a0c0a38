"""Events, commands and intents of a live session: values.

Their meaning is in ``state``. Must not know I/O.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from overpaint.errors import OverpaintError


class Where(StrEnum):
    """Which service a session is opened at."""

    CHOSEN = "chosen"
    STAND_IN = "stand_in"


@dataclass(frozen=True, slots=True)
class Style:
    """What the user wants to see; survives every session.

    Strength and place of a change are words of the prompt, which is the one truth.

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
    """The user wants to see something else."""

    style: Style


@dataclass(frozen=True, slots=True)
class Hold:
    """The user freezes the picture, or lets it go on."""

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
        gone: Whether the session itself is gone (expired, closed, or its core died), so that only a
            new one helps; else the way to it is broken, and what was paid for is still there.
    """

    error: OverpaintError
    gone: bool


@dataclass(frozen=True, slots=True)
class Dropped:
    """The current connection ended by itself.

    Attributes:
        resumable: Whether its session may still be there (the socket may be opened again).
        heir: Whether the next connection is open already, and the current one from now on.
    """

    error: OverpaintError
    resumable: bool
    heir: bool = False


@dataclass(frozen=True, slots=True)
class RenewalDue:
    """The current session ends soon."""


@dataclass(frozen=True, slots=True)
class NextDelivered:
    """The next session is warm, and is the current one from now on."""


@dataclass(frozen=True, slots=True)
class NextFailed:
    """The next session could not be opened."""

    error: OverpaintError


@dataclass(frozen=True, slots=True)
class Mended:
    """What a renewal was refused for is mended."""


@dataclass(frozen=True, slots=True)
class OutOfPatience:
    """The chosen service has been away for too long, and the user allows a stand-in."""


@dataclass(frozen=True, slots=True)
class ChosenBack:
    """The chosen service answers again, and would sell a session."""


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
    """Open a session after a delay, in place of all that is open."""

    after_s: float
    where: Where = Where.CHOSEN


@dataclass(frozen=True, slots=True)
class Resume:
    """Open the present session's socket and link again after a delay."""

    after_s: float


@dataclass(frozen=True, slots=True)
class OpenNext:
    """Open the next session beside the present one after a delay."""

    after_s: float
    where: Where = Where.CHOSEN


@dataclass(frozen=True, slots=True)
class Close:
    """End every connection."""


Command = Open | Resume | OpenNext | Close
