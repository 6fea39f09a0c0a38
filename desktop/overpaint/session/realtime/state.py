"""The live session as a pure state machine: no I/O, no clock, no randomness of its own.

    from          on                      to             does
    ------------  ----------------------  -------------  -----------------------------------------
    any           Stop                    STOPPED        Close
    STOPPED       Start                   CONNECTING     Open now
    FAILED        Start                   CONNECTING     Open now
    CONNECTING    Delivered               LIVE           -
    CONNECTING    OpenFailed              CONNECTING     Open, later each time
    CONNECTING    ResumeFailed            CONNECTING     Resume, later each time; Open when it is gone
    CONNECTING    Dropped                 CONNECTING     Resume or Open, later each time
    CONNECTING    OutOfPatience           FAILING_OVER   Open the stand-in now
    LIVE          RenewalDue              RENEWING       OpenNext now
    LIVE          Dropped                 RECONNECTING   Resume or Open now; nothing with an heir
    LIVE          ChosenBack (stand-in)   RETURNING      OpenNext at the chosen service now
    RENEWING      NextDelivered           LIVE           -
    RENEWING      NextFailed              RENEWING       OpenNext, later each time; waits when it is final
    RENEWING      Mended (was refused)    RENEWING       OpenNext now
    RENEWING      Dropped                 RECONNECTING   as from LIVE
    RETURNING     NextDelivered           LIVE           -
    RETURNING     NextFailed              LIVE           - (the stand-in goes on)
    RETURNING     Dropped                 RECONNECTING   Open at the chosen service; nothing with an heir
    RECONNECTING  Delivered               LIVE           -
    RECONNECTING  OpenFailed              RECONNECTING   Open, later each time
    RECONNECTING  ResumeFailed            RECONNECTING   Resume, later each time; Open when it is gone
    RECONNECTING  Dropped                 RECONNECTING   Resume or Open, later each time
    RECONNECTING  OutOfPatience           FAILING_OVER   Open the stand-in now
    RECONNECTING  ChosenBack (stand-in)   RECONNECTING   Open at the chosen service now
    FAILING_OVER  Delivered               LIVE           - (on the stand-in)
    FAILING_OVER  OpenFailed              FAILING_OVER   Open the stand-in, later each time
    FAILING_OVER  ResumeFailed            FAILING_OVER   as CONNECTING
    FAILING_OVER  Dropped                 FAILING_OVER   as CONNECTING
    FAILING_OVER  ChosenBack (failed)     RECONNECTING   Open at the chosen service now

What only the user can mend (no credits, wrong key, wrong request) is never retried: from CONNECTING,
RECONNECTING and LIVE it leads to FAILED, with Close. A stand-in that says so is left for the chosen
service (RECONNECTING), and not asked again before that one has been live. A renewal that was refused
leaves the present session running to its end.

"Held" is no phase but a wish: the session goes on behind a frozen picture, so every phase may be held
(``SessionState.shown``). What the user wishes is in every state and survives every event.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

from overpaint.errors import OverpaintError
from overpaint.session.realtime.events import (
    ChosenBack,
    Close,
    Command,
    Delivered,
    Dropped,
    Event,
    Hold,
    Mended,
    NextDelivered,
    NextFailed,
    Open,
    OpenFailed,
    OpenNext,
    OutOfPatience,
    RenewalDue,
    Restyle,
    Resume,
    ResumeFailed,
    Start,
    Stop,
    Style,
    Where,
)

RENEW_BEFORE_S = 20.0
"""How long before its end the next session is opened."""
PATIENCE_S, START_PATIENCE_S = 3.0, 8.0
"""Failover: how long the chosen service may be away before a stand-in that is allowed takes its place; longer
where nothing was seen of it yet."""
FIRST_DELAY_S, CALL_DELAY_S, LONGEST_DELAY_S = 0.25, 2.0, 8.0
CALL_ATTEMPTS = 20
"""Attempts for which others in a call are taken to wait, half a minute: until then delays stay short."""
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
    RETURNING = "returning"
    RECONNECTING = "reconnecting"
    FAILING_OVER = "failing_over"
    FAILED = "failed"


FLOWING = frozenset({Phase.LIVE, Phase.RENEWING, Phase.RETURNING})
"""Phases in which styled frames of the present connection come."""
WAITING = frozenset({Phase.CONNECTING, Phase.RECONNECTING, Phase.FAILING_OVER})
"""Phases that wait for the first styled frame of a connection."""
OVER = frozenset({Phase.STOPPED, Phase.FAILED})
"""Phases without a session."""


class StandIn(StrEnum):
    """What part this computer's own service takes while another one is chosen."""

    NONE = "none"
    USED = "used"
    REFUSED = "refused"
    """It said no for good: not asked again before the chosen service has been live."""


@dataclass(frozen=True, slots=True)
class SessionState:
    """The whole state.

    Attributes:
        phase: Where the session is.
        attempt: Failed attempts since it was last live.
        trouble: Why it is not live, or why its renewal failed.
        stand_in: Whether this computer's own service stands in for the chosen one.
        style: What the user wants to see.
        held: Whether the user has frozen the picture.
    """

    phase: Phase = Phase.STOPPED
    attempt: int = 0
    trouble: OverpaintError | None = None
    stand_in: StandIn = StandIn.NONE
    style: Style = field(default_factory=Style)
    held: bool = False

    @property
    def where(self) -> Where:
        """Which service the present session is at."""
        return Where.STAND_IN if self.stand_in is StandIn.USED else Where.CHOSEN

    @property
    def shown(self) -> Literal["held"] | Phase:
        """What a user is told: "held" in place of a phase in which the picture would move."""
        return "held" if self.held and self.phase is Phase.LIVE else self.phase

    @property
    def refused(self) -> bool:
        """Whether the next session was refused for a reason that only the user can mend."""
        return self.phase is Phase.RENEWING and self.trouble is not None and is_fatal(self.trouble)


Step = tuple[SessionState, Command | None]


def advance(state: SessionState, event: Event, jitter: float = 1.0) -> Step:
    """The next state and what is to be done for it.

    Args:
        state: Where the session is.
        event: What happened.
        jitter: Factor for delays, drawn by the caller between 0.5 and 1.0.

    Returns:
        The new state, and a command or None. Events that mean nothing in a state change nothing.
    """
    match event:
        case Stop():
            return _fresh(state, Phase.STOPPED), Close()
        case Restyle(style):
            return replace(state, style=style), None
        case Hold(on):
            return replace(state, held=on), None
        case Start() if state.phase in (Phase.STOPPED, Phase.FAILED):
            return _fresh(state, Phase.CONNECTING), Open(0.0)
    if state.phase in WAITING:
        return _waiting(state, event, jitter)
    if state.phase in FLOWING:
        return _flowing(state, event, jitter)
    return state, None


def delay_s(attempt: int, jitter: float) -> float:
    """Backoff: seconds to wait before an attempt, doubled each time, bounded, jittered."""
    longest_s = CALL_DELAY_S if attempt <= CALL_ATTEMPTS else LONGEST_DELAY_S
    return min(longest_s, FIRST_DELAY_S * 2.0 ** min(attempt - 1, 16)) * jitter


def is_fatal(error: OverpaintError) -> bool:
    """Whether only the user can mend it."""
    return error.kind in FATAL_KINDS


def _waiting(state: SessionState, event: Event, jitter: float) -> Step:
    """No styled frame of the present connection has come yet."""
    again = replace(state, attempt=state.attempt + 1)
    later_s = delay_s(again.attempt, jitter)
    match event:
        case Delivered():
            used = state.stand_in is StandIn.USED
            return replace(_live(state), stand_in=StandIn.USED if used else StandIn.NONE), None
        case OpenFailed(error) | Dropped(error, resumable=False) if is_fatal(error):
            return _refused(state, error, jitter)
        case OpenFailed(error) | Dropped(error, resumable=False):
            return replace(again, trouble=error), Open(later_s, state.where)
        case ResumeFailed(error, gone=True):
            return replace(state, trouble=error), Open(0.0, state.where)
        case ResumeFailed(error) | Dropped(error):
            return replace(again, trouble=error), Resume(later_s)
        case OutOfPatience() if state.stand_in is StandIn.NONE:
            over = replace(state, phase=Phase.FAILING_OVER, attempt=0, stand_in=StandIn.USED)
            return over, Open(0.0, Where.STAND_IN)
        case ChosenBack() if state.stand_in is StandIn.USED and (
            state.phase is Phase.RECONNECTING or state.attempt
        ):
            back = replace(state, phase=Phase.RECONNECTING, attempt=0, stand_in=StandIn.NONE)
            return back, Open(0.0)
    return state, None


def _flowing(state: SessionState, event: Event, jitter: float) -> Step:
    """Styled frames come, or came until now."""
    match event, state.phase:
        case Dropped(), _:
            return _dropped(state, event)
        case RenewalDue(), Phase.LIVE:
            return replace(state, phase=Phase.RENEWING), OpenNext(0.0, state.where)
        case ChosenBack(), Phase.LIVE if state.stand_in is StandIn.USED:
            return replace(state, phase=Phase.RETURNING, attempt=0), OpenNext(0.0)
        case NextDelivered(), Phase.RENEWING:
            return _live(state), None
        case NextDelivered(), Phase.RETURNING:
            return replace(_live(state), stand_in=StandIn.NONE), None
        case NextFailed(), Phase.RETURNING:
            return _live(state), None
        case NextFailed(error), Phase.RENEWING:
            # The present session still runs: the user is told, and has until its end to act.
            attempt = state.attempt + 1
            again = OpenNext(delay_s(attempt, jitter), state.where)
            return replace(state, attempt=attempt, trouble=error), None if is_fatal(error) else again
        case Mended(), Phase.RENEWING if state.refused:
            return replace(state, attempt=0, trouble=None), OpenNext(0.0, state.where)
    return state, None


def _dropped(state: SessionState, event: Dropped) -> Step:
    returning = state.phase is Phase.RETURNING
    if returning:
        state = replace(state, stand_in=StandIn.NONE)
    waiting = replace(state, phase=Phase.RECONNECTING, attempt=0, trouble=event.error)
    if event.heir:
        return waiting, None
    if returning:
        return waiting, Open(0.0)
    if event.resumable:
        return waiting, Resume(0.0)
    if is_fatal(event.error):
        return _refused(state, event.error, 1.0)
    return waiting, Open(0.0, state.where)


def _refused(state: SessionState, error: OverpaintError, jitter: float) -> Step:
    """A service said no for good."""
    if state.stand_in is not StandIn.USED:
        return replace(_fresh(state, Phase.FAILED), trouble=error), Close()
    attempt = state.attempt + 1
    back = replace(state, phase=Phase.RECONNECTING, attempt=attempt, trouble=error, stand_in=StandIn.REFUSED)
    return back, Open(delay_s(attempt, jitter))


def _live(state: SessionState) -> SessionState:
    return replace(state, phase=Phase.LIVE, attempt=0, trouble=None)


def _fresh(state: SessionState, phase: Phase) -> SessionState:
    """What the user wishes, and nothing else of before."""
    return SessionState(phase, style=state.style, held=state.held)
