"""The session's promises, told to the pure machine: it never gives up, and never retries what is final."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from overpaint.errors import (
    AuthenticationError,
    InsufficientCreditsError,
    LinkError,
    OverpaintError,
    SessionClosedError,
    UnreachableError,
)
from overpaint.session.state import (
    LONGEST_DELAY_S,
    Close,
    Command,
    Dropped,
    Event,
    NextFailed,
    NextOpened,
    Open,
    Opened,
    OpenFailed,
    OpenNext,
    Phase,
    RenewalDue,
    Resume,
    ResumeFailed,
    SessionState,
    Start,
    Stop,
    advance,
)

AWAY = UnreachableError("Nobody answers.")
BROKE = InsufficientCreditsError("The balance is too low.")


def told(*events: Event) -> tuple[SessionState, list[Command | None]]:
    state, commands = SessionState(), []
    for event in events:
        state, command = advance(state, event)
        commands.append(command)
    return state, commands


def test_start_opens_a_session_and_makes_it_live() -> None:
    state, commands = told(Start(), Opened())
    assert state.phase is Phase.LIVE and state.trouble is None
    assert commands == [Open(0.0), None]


def test_a_service_that_is_away_is_tried_again_ever_more_slowly() -> None:
    state, commands = told(Start(), *[OpenFailed(AWAY)] * 12)
    assert state.phase is Phase.CONNECTING and state.trouble is AWAY
    delays = [command.after_s for command in commands if isinstance(command, Open)]
    assert delays == sorted(delays) and delays[1] == 0.25 and delays[-1] == LONGEST_DELAY_S


@pytest.mark.parametrize("error", [BROKE, AuthenticationError("The key is unknown.")])
def test_what_only_the_user_can_mend_is_not_retried(error: OverpaintError) -> None:
    state, commands = told(Start(), OpenFailed(error))
    assert state.phase is Phase.FAILED and state.trouble is error
    assert commands[-1] == Close()
    state, command = advance(state, Start())
    assert state.phase is Phase.CONNECTING and command == Open(0.0), "but it may be started again"


def test_a_lost_socket_resumes_the_session_that_is_paid_for() -> None:
    state, commands = told(
        Start(), Opened(), Dropped(AWAY, resumable=True), ResumeFailed(AWAY, gone=False), Opened()
    )
    assert state.phase is Phase.LIVE
    assert commands[2:4] == [Resume(0.0), Resume(0.25)]


def test_a_session_that_is_gone_is_replaced_at_once() -> None:
    gone = SessionClosedError("The session has expired.")
    _, commands = told(Start(), Opened(), Dropped(AWAY, resumable=True), ResumeFailed(gone, gone=True))
    assert commands[-1] == Open(0.0)


def test_a_dead_core_is_not_resumed_but_opened_anew() -> None:
    _, commands = told(Start(), Opened(), Dropped(LinkError("The other process is gone."), resumable=False))
    assert commands[-1] == Open(0.0)


def test_a_renewal_leaves_the_present_session_running_until_the_next_delivers() -> None:
    state, commands = told(Start(), Opened(), RenewalDue())
    assert state.phase is Phase.RENEWING and commands[-1] == OpenNext(0.0)
    state, command = advance(state, NextOpened())
    assert state.phase is Phase.LIVE and command is None


def test_a_refused_renewal_is_told_while_there_is_time_to_act() -> None:
    state, commands = told(Start(), Opened(), RenewalDue(), NextFailed(BROKE))
    assert state.phase is Phase.RENEWING and state.trouble is BROKE
    assert isinstance(commands[-1], OpenNext), "credits may be added meanwhile"


_events = some.sampled_from(
    [
        *(Start(), Stop(), Opened(), OpenFailed(AWAY), OpenFailed(BROKE), RenewalDue(), NextOpened()),
        *(NextFailed(AWAY), Dropped(AWAY, True), Dropped(AWAY, False), Dropped(BROKE, False)),
        *(ResumeFailed(AWAY, True), ResumeFailed(AWAY, False)),
    ]
)


@given(some.lists(_events, max_size=40))
def test_whatever_happens_stop_ends_everything_and_start_begins_again(events: list[Event]) -> None:
    state, _ = told(*events)
    stopped, command = advance(state, Stop())
    assert stopped == SessionState() and command == Close()
    started, command = advance(stopped, Start())
    assert started.phase is Phase.CONNECTING and command == Open(0.0)


@given(some.lists(_events, max_size=40))
def test_a_state_that_waits_always_has_something_under_way(events: list[Event]) -> None:
    """No sequence of events ends in a phase that waits for a command that was never given."""
    state, pending = SessionState(), False
    for event in events:
        state, command = advance(state, event)
        if command is not None:
            pending = not isinstance(command, Close)
        elif state.phase is Phase.LIVE:
            pending = False
        if state.phase in (Phase.CONNECTING, Phase.RECONNECTING):
            assert pending
