"""The session's promises, told to the pure machine: it never gives up, and never retries what is final."""

from __future__ import annotations

import re
from dataclasses import replace

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
from overpaint.session.realtime import state as machine
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
from overpaint.session.realtime.state import (
    CALL_ATTEMPTS,
    LONGEST_DELAY_S,
    Phase,
    SessionState,
    StandIn,
    advance,
    is_fatal,
)

AWAY = UnreachableError("session_connection_closed")
BROKE = InsufficientCreditsError("order_too_dear", price=25, left=12)
HERE = Where.STAND_IN


def told(*events: Event) -> tuple[SessionState, list[Command | None]]:
    state, commands = SessionState(), []
    for event in events:
        state, command = advance(state, event)
        commands.append(command)
    return state, commands


def test_start_opens_a_session_and_its_first_frame_makes_it_live() -> None:
    state, commands = told(Start())
    assert state.phase is Phase.CONNECTING and commands == [Open(0.0)]
    state, command = advance(state, Delivered())
    assert state.phase is Phase.LIVE and state.trouble is None and command is None


def test_a_service_that_is_away_is_tried_again_ever_more_slowly() -> None:
    state, commands = told(Start(), *[OpenFailed(AWAY)] * 30)
    assert state.phase is Phase.CONNECTING and state.trouble is AWAY
    delays = [command.after_s for command in commands if isinstance(command, Open)]
    assert delays == sorted(delays) and delays[1] == 0.25 and delays[-1] == LONGEST_DELAY_S
    assert max(delays[:CALL_ATTEMPTS]) == 2.0, "who is in a call is back soon after the network is"


@pytest.mark.parametrize(
    "error", [BROKE, AuthenticationError("session_notice", sentence="The key is unknown.")]
)
def test_what_only_the_user_can_mend_is_not_retried(error: OverpaintError) -> None:
    state, commands = told(Start(), OpenFailed(error))
    assert state.phase is Phase.FAILED and state.trouble is error
    assert commands[-1] == Close()
    state, command = advance(state, Start())
    assert state.phase is Phase.CONNECTING and command == Open(0.0), "but it may be started again"


def test_a_lost_socket_resumes_the_session_that_is_paid_for() -> None:
    state, commands = told(
        Start(), Delivered(), Dropped(AWAY, resumable=True), ResumeFailed(AWAY, gone=False), Delivered()
    )
    assert state.phase is Phase.LIVE
    assert commands[2:4] == [Resume(0.0), Resume(0.25)]


def test_a_link_that_opens_and_brings_nothing_is_tried_ever_more_slowly() -> None:
    state, commands = told(
        Start(), Delivered(), *[Dropped(LinkError("session_without_pictures"), resumable=True)] * 5
    )
    assert state.phase is Phase.RECONNECTING
    delays = [command.after_s for command in commands if isinstance(command, Resume)]
    assert delays == [0.0, 0.25, 0.5, 1.0, 2.0]


def test_a_session_that_is_gone_is_replaced_at_once() -> None:
    gone = SessionClosedError("session_is_closed")
    _, commands = told(Start(), Delivered(), Dropped(AWAY, resumable=True), ResumeFailed(gone, gone=True))
    assert commands[-1] == Open(0.0)


def test_a_dead_core_is_not_resumed_but_opened_anew() -> None:
    lost = LinkError("channel_lost")
    _, commands = told(Start(), Delivered(), Dropped(lost, resumable=False))
    assert commands[-1] == Open(0.0)


def test_a_renewal_leaves_the_present_session_running_until_the_next_delivers() -> None:
    state, commands = told(Start(), Delivered(), RenewalDue())
    assert state.phase is Phase.RENEWING and commands[-1] == OpenNext(0.0)
    state, command = advance(state, NextDelivered())
    assert state.phase is Phase.LIVE and command is None


def test_a_session_that_ends_while_the_next_is_warmed_leaves_it_its_place() -> None:
    state, commands = told(Start(), Delivered(), RenewalDue(), Dropped(AWAY, resumable=False, heir=True))
    assert state.phase is Phase.RECONNECTING and commands[-1] is None, "the heir's first frame is on its way"
    assert advance(state, Delivered())[0].phase is Phase.LIVE


def test_a_refused_renewal_is_told_and_asked_for_again_only_when_it_is_mended() -> None:
    refused = (Start(), Delivered(), RenewalDue(), NextFailed(BROKE))
    state, commands = told(*refused)
    assert state.phase is Phase.RENEWING and state.trouble is BROKE and state.refused
    assert commands[-1] is None
    state, command = advance(state, Mended())
    assert state.trouble is None and command == OpenNext(0.0)
    ended = Dropped(SessionClosedError("session_is_closed"), resumable=False)
    state, commands = told(*refused, ended, OpenFailed(BROKE))
    assert state.phase is Phase.FAILED and state.trouble is BROKE, "not mended in time: it says why"


def test_a_remote_service_that_stays_away_is_stood_in_for_and_returned_to() -> None:
    lost = (Start(), Delivered(), Dropped(AWAY, resumable=True), ResumeFailed(AWAY, gone=False))
    state, commands = told(*lost, OutOfPatience())
    assert state.phase is Phase.FAILING_OVER and commands[-1] == Open(0.0, HERE)
    state, _ = advance(state, Delivered())
    assert state.phase is Phase.LIVE and state.stand_in is StandIn.USED
    state, command = advance(state, RenewalDue())
    assert command == OpenNext(0.0, HERE), "a long outage renews the stand-in's own session"
    state, _ = advance(state, NextDelivered())
    state, command = advance(state, ChosenBack())
    assert state.phase is Phase.RETURNING and command == OpenNext(0.0)
    again, command = advance(state, NextFailed(AWAY))
    assert again.phase is Phase.LIVE and again.stand_in is StandIn.USED and command is None
    state, command = advance(state, NextDelivered())
    assert state.phase is Phase.LIVE and state.stand_in is StandIn.NONE and command is None


def test_a_stand_in_that_refuses_is_left_alone_until_the_chosen_service_was_live() -> None:
    state, commands = told(
        Start(), Delivered(), Dropped(AWAY, resumable=True), OutOfPatience(), OpenFailed(BROKE)
    )
    assert state.phase is Phase.RECONNECTING and isinstance(commands[-1], Open)
    assert commands[-1].where is Where.CHOSEN
    assert advance(state, OutOfPatience()) == (state, None)
    assert advance(state, Delivered())[0].stand_in is StandIn.NONE


def test_held_is_a_wish_that_no_transition_ends() -> None:
    state, _ = told(Start(), Delivered(), Hold(True))
    assert state.shown == "held"
    state, _ = advance(state, Dropped(AWAY, resumable=True))
    assert state.shown is Phase.RECONNECTING and state.held
    assert advance(state, Delivered())[0].shown == "held"


# ---- whatever happens ------------------------------------------------------------------------------


_errors = some.sampled_from(
    [AWAY, BROKE, LinkError("session_without_pictures"), SessionClosedError("session_is_closed")]
)
_flags = some.booleans()
_styles = some.builds(
    Style,
    prompt=some.sampled_from(["", "ink", "watercolour, room only", "noir, 40 percent"]),
    reference=some.sampled_from([None, b"photo"]),
    passthrough=_flags,
)
_events = some.one_of(
    some.sampled_from(
        [Start(), Start(), Delivered(), Delivered(), RenewalDue(), RenewalDue(), NextDelivered(), Mended()]
    ),
    some.sampled_from([Stop(), OutOfPatience(), ChosenBack(), ChosenBack()]),
    some.builds(Restyle, _styles),
    some.builds(Hold, _flags),
    some.builds(OpenFailed, _errors),
    some.builds(NextFailed, _errors),
    some.builds(ResumeFailed, _errors, _flags),
    some.builds(Dropped, _errors, _flags, _flags),
)


@given(some.lists(_events, max_size=40))
def test_no_sequence_loses_what_the_user_wishes(events: list[Event]) -> None:
    style, held = Style(), False
    for event in events:
        if isinstance(event, Restyle):
            style = event.style
        elif isinstance(event, Hold):
            held = event.on
    state, _ = told(*events)
    assert (state.style, state.held) == (style, held)


@given(some.lists(_events, max_size=40))
def test_whatever_happens_stop_ends_everything_and_start_begins_again(events: list[Event]) -> None:
    state, _ = told(*events)
    stopped, command = advance(state, Stop())
    assert stopped == SessionState(style=state.style, held=state.held) and command == Close()
    started, command = advance(stopped, Start())
    assert started.phase is Phase.CONNECTING and command == Open(0.0)


class World:
    """What the runner would have: one command under way, a session present, perhaps one coming."""

    def __init__(self) -> None:
        self.state = SessionState()
        self.pending: Command | None = None
        self.present: Where | None = None
        self.coming: Where | None = None
        self.bought = 0

    def possible(self) -> list[Event]:
        """What can happen to it now, and all that the user and clocks may add at any time."""
        events: list[Event] = [Start(), Stop(), RenewalDue(), OutOfPatience(), ChosenBack(), Mended()]
        match self.pending:
            case Open():
                events += [OpenFailed(AWAY), OpenFailed(BROKE), Delivered()]
            case Resume():
                events += [ResumeFailed(AWAY, gone) for gone in (True, False)] + [Delivered()]
            case OpenNext():
                events += [NextFailed(AWAY), NextFailed(BROKE), NextDelivered()]
        if self.present is not None:
            events += [Dropped(AWAY, True), Dropped(AWAY, False), Dropped(BROKE, False)]
            if self.coming is not None:
                events.append(Dropped(AWAY, False, heir=True))
        return events

    def happen(self, event: Event) -> None:
        before = self.state
        self.state, command = advance(before, event)
        match event:
            case Delivered() if isinstance(self.pending, Open) and before.phase in machine.WAITING:
                self.present, self.bought = self.pending.where, self.bought + 1
                self.pending = None
            case Delivered():
                self.pending = None
            case NextDelivered() if before.phase is not self.state.phase:
                assert isinstance(self.pending, OpenNext)
                self.present, self.coming, self.pending = self.pending.where, None, None
                self.bought += 1
            case NextFailed():
                self.pending = self.coming = None
            case Dropped(heir=True):
                self.present, self.coming, self.pending = self.coming, None, None
        match command:
            case Open():
                assert self.state.phase in machine.WAITING, "a session in place of one that is live"
                self.present = self.coming = None
                self.pending = command
            case Resume():
                assert self.present is not None, "there is no session to join"
                self.pending = command
            case OpenNext():
                assert before.phase in machine.FLOWING and self.present is not None
                assert self.coming is None, "a third session at once"
                self.coming, self.pending = command.where, command
            case Close():
                self.present = self.coming = self.pending = None
        if self.state.phase not in (Phase.RENEWING, Phase.RETURNING):
            self.coming = None


@given(some.data())
def test_no_sequence_opens_a_session_without_need_or_waits_for_nothing(data: some.DataObject) -> None:
    world = World()
    for _ in range(data.draw(some.integers(0, 40))):
        before = world.state
        event = data.draw(some.sampled_from(world.possible()))
        bought = world.bought
        world.happen(event)
        state, pending = world.state, world.pending
        assert world.bought - bought <= 1
        if state.phase in machine.WAITING:
            heir = isinstance(event, Dropped) and event.heir
            assert pending is not None or world.present is not None or heir, "it waits for nothing"
        if state.phase is Phase.RENEWING:
            assert isinstance(pending, OpenNext) or state.refused, "a renewal that nobody works on"
        if state.phase in (Phase.STOPPED, Phase.FAILED):
            assert pending is None and world.present is None
        error = getattr(event, "error", None)
        if error is not None and is_fatal(error) and state is not before and state != before:
            resumable = isinstance(event, Dropped) and (event.resumable or event.heir)
            gone = isinstance(event, ResumeFailed)
            elsewhere = before.where is not state.where or before.phase is Phase.RETURNING
            retried = isinstance(pending, Open | OpenNext) and pending.where is before.where
            assert resumable or gone or elsewhere or not retried, "what is final is retried"


# ---- the drawing -----------------------------------------------------------------------------------


ROW = re.compile(r"^    ([A-Z_]{4,}|any)\s+([A-Z]\w+)(?: \((.*?)\))?\s+([A-Z_]{4,})\s+(\S.*)$")


def drawn() -> dict[tuple[str, str], tuple[str, str]]:
    """The table of the module's docstring: from and event, to and what is done."""
    lines = (machine.__doc__ or "").splitlines()
    rows = [found.groups() for line in lines if (found := ROW.match(line))]
    return {(phase, event): (to, does) for phase, event, _, to, does in rows}


def test_the_drawing_is_what_the_machine_does() -> None:
    """Every row is true, and nothing moves that no row draws."""
    rows = drawn()
    assert len(rows) == 29, "the table cannot be read"
    mild = [
        *(Start(), Stop(), Delivered(), OpenFailed(AWAY), ResumeFailed(AWAY, False), Dropped(AWAY, True)),
        *(RenewalDue(), NextDelivered(), NextFailed(AWAY), Mended(), OutOfPatience(), ChosenBack()),
    ]
    for phase in Phase:
        for event in mild:
            name = type(event).__name__
            row = rows.get((phase.name, name)) or rows.get(("any", name))
            state = fitting(phase, event)
            after, command = advance(state, event)
            if row is None:
                assert (after, command) == (state, None), f"{phase.name} and {name} are not drawn"
            else:
                to, does = row
                assert after.phase.name == to, f"{phase.name}, {name}"
                if command is None:
                    assert does.startswith("-"), f"{phase.name}, {name}: {does}"
                else:
                    assert type(command).__name__ in does or does.startswith("as "), f"{phase.name}, {name}"


def fitting(phase: Phase, event: Event) -> SessionState:
    """A state of that phase in which the event means what its row says."""
    back = isinstance(event, ChosenBack) and phase is not Phase.CONNECTING
    here = back or phase in (Phase.FAILING_OVER, Phase.RETURNING)
    state = SessionState(phase, attempt=1, stand_in=StandIn.USED if here else StandIn.NONE)
    return replace(state, trouble=BROKE) if isinstance(event, Mended) else state
