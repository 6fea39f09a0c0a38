"""The live session as a pure state machine: no I/O, no clock, no randomness of its own.

             Start                    Opened
    STOPPED ───────▶ CONNECTING ─────────────────▶ LIVE ◀──────────────┐
       ▲                 │  ▲                      │  │ RenewalDue      │ NextOpened
       │ Stop (any)      │  │ OpenFailed (waits)   │  └───▶ RENEWING ───┤ NextFailed (tries again)
       │                 ▼  │                      │ Dropped    │ Dropped
       │              FAILED ◀── fatal ──┐         ▼            ▼
       └──────────────────────────────── RECONNECTING ── Opened ▶ LIVE
                                            │    ▲
                                            └────┘ ResumeFailed, OpenFailed (waits, longer each time)

Every state keeps what the user wants (prompt, photo, source): those live in the runner's ``Style``
and are sent with every session that is opened. A fatal error (no credits, wrong key, wrong request)
is never retried; everything else is, for as long as the user does not stop.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from overpaint.errors import OverpaintError

RENEW_BEFORE_S = 20.0
"""How long before its end the next session is opened."""
FIRST_DELAY_S, LONGEST_DELAY_S = 0.25, 8.0
FATAL_KINDS = frozenset(
    {
        "authentication_error",
        "insufficient_credits",
        "invalid_request_error",
        "not_found",
        "no_key",
        "no_keyring",
    }
)


class Phase(StrEnum):
    """Where the session is."""

    STOPPED = "stopped"
    CONNECTING = "connecting"
    LIVE = "live"
    RENEWING = "renewing"
    RECONNECTING = "reconnecting"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SessionState:
    """The whole state.

    Attributes:
        phase: Where the session is.
        attempt: Failed attempts since it was last live.
        trouble: Why it is not live, or why its renewal failed.
    """

    phase: Phase = Phase.STOPPED
    attempt: int = 0
    trouble: OverpaintError | None = None


# ---- what happens ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """The user wants to be live."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The user does not want to be live any more."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection is open, and is the current one from now on."""


@dataclass(frozen=True, slots=True)
class OpenFailed:
    """A connection could not be opened or resumed."""

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
    """

    error: OverpaintError
    resumable: bool


@dataclass(frozen=True, slots=True)
class RenewalDue:
    """The current session ends soon."""


@dataclass(frozen=True, slots=True)
class NextOpened:
    """The next session delivers frames, and is the current one from now on."""


@dataclass(frozen=True, slots=True)
class NextFailed:
    """The next session could not be opened."""

    error: OverpaintError


Event = Start | Stop | Opened | OpenFailed | ResumeFailed | Dropped | RenewalDue | NextOpened | NextFailed


# ---- what is to be done ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Open:
    """Open a new session after a delay."""

    after_s: float


@dataclass(frozen=True, slots=True)
class Resume:
    """Open the present session's socket and link again after a delay."""

    after_s: float


@dataclass(frozen=True, slots=True)
class OpenNext:
    """Open the next session beside the present one after a delay."""

    after_s: float


@dataclass(frozen=True, slots=True)
class Close:
    """End every connection."""


Command = Open | Resume | OpenNext | Close


def advance(state: SessionState, event: Event, jitter: float = 1.0) -> tuple[SessionState, Command | None]:
    """The next state and what is to be done for it.

    Args:
        state: Where the session is.
        event: What happened.
        jitter: Factor for delays, drawn by the caller between 0.5 and 1.0.

    Returns:
        The new state, and a command or None. Events that mean nothing in a state change nothing.
    """
    match event, state.phase:
        case Stop(), _:
            return SessionState(), Close()
        case Start(), Phase.STOPPED | Phase.FAILED:
            return SessionState(Phase.CONNECTING), Open(0.0)
        case Opened(), Phase.CONNECTING | Phase.RECONNECTING:
            return SessionState(Phase.LIVE), None
        case OpenFailed(error), Phase.CONNECTING | Phase.RECONNECTING:
            return _failed(state, error, jitter)
        case ResumeFailed(error, gone), Phase.RECONNECTING:
            if gone:
                return replace(state, trouble=error), Open(0.0)
            attempt = state.attempt + 1
            return replace(state, attempt=attempt, trouble=error), Resume(delay_s(attempt, jitter))
        case Dropped(error, resumable), Phase.LIVE | Phase.RENEWING:
            if error.kind in FATAL_KINDS and not resumable:
                return SessionState(Phase.FAILED, trouble=error), Close()
            again = Resume(0.0) if resumable else Open(0.0)
            return SessionState(Phase.RECONNECTING, trouble=error), again
        case RenewalDue(), Phase.LIVE:
            return replace(state, phase=Phase.RENEWING), OpenNext(0.0)
        case NextOpened(), Phase.RENEWING:
            return SessionState(Phase.LIVE), None
        case NextFailed(error), Phase.RENEWING:
            # The present session still runs: the user is told, and has until its end to act.
            attempt = state.attempt + 1
            return SessionState(Phase.RENEWING, attempt, error), OpenNext(delay_s(attempt, jitter))
        case _:
            return state, None


def delay_s(attempt: int, jitter: float) -> float:
    """Seconds to wait before an attempt: doubled each time, bounded, jittered."""
    return min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** (attempt - 1)) * jitter


def _failed(state: SessionState, error: OverpaintError, jitter: float) -> tuple[SessionState, Command]:
    if error.kind in FATAL_KINDS:
        return SessionState(Phase.FAILED, trouble=error), Close()
    attempt = state.attempt + 1
    return replace(state, attempt=attempt, trouble=error), Open(delay_s(attempt, jitter))
