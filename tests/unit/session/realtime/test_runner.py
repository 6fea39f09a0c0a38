"""A session is kept alive at exact seconds: bought once, renewed, resumed, failed over, never paid for twice.

Time is virtual, the service scripted; runner, connections, purchases, monitors and hub are real.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Hashable
from dataclasses import replace

import pytest

from helpers import scripted_service, virtual_time
from helpers.scripted_service import HEIGHT, WIDTH, Link, Service, Source, make_link, script_service
from helpers.virtual_time import elapsed, in_virtual_time
from overpaint.errors import InsufficientCreditsError, UnreachableError, UpstreamError
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.session.backend.service_access import Endpoint, Fallback, NoFallback
from overpaint.session.output import frame_router
from overpaint.session.output.frame_router import FrameHub
from overpaint.session.realtime import connection, monitors, purchase_records, runner, stream_status
from overpaint.session.realtime.events import Style
from overpaint.session.realtime.purchase_records import SessionOptions
from overpaint.session.realtime.runner import SessionRunner
from overpaint.session.realtime.state import Phase
from overpaint.wire.control import GenerationTick, QueuePosition, RtcJoin, SetImage, SetPrompt
from overpaint.wire.service import RealtimeSession

INK, PENCIL = Style("ink comic"), Style("pencil sketch")
AWAY = UnreachableError("service_unreachable", address="far.example")
TICK_S = 0.1
"""Time between two frames."""


class Jitter:
    """What the runner draws in place of chance."""

    def __init__(self) -> None:
        self.value = 1.0
        self.bounds: set[tuple[float, float]] = set()

    def uniform(self, low: float, high: float) -> float:
        self.bounds.add((low, high))
        return self.value


@pytest.fixture(autouse=True)
def jitter(monkeypatch: pytest.MonkeyPatch) -> Jitter:
    """Scripts every edge, and the clock."""
    script_service(monkeypatch)
    virtual_time.follow(
        monkeypatch,
        *(scripted_service, connection, frame_router, monitors, purchase_records, stream_status),
    )
    jitter = Jitter()
    monkeypatch.setattr(runner, "random", jitter)
    monkeypatch.setattr(runner, "give_back", lambda: None)
    return jitter


class LocalCore(Service):
    """This computer's own service, which may stand in for the chosen one.

    Attributes:
        starts_s: How long it takes to start.
        held: Whether it is kept running for that.
    """

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1:10")
        self.starts_s = 0.0
        self.held = False

    async def endpoint(self) -> Endpoint:
        await asyncio.sleep(self.starts_s)
        self.held = True
        return await super().endpoint()

    def acquire_fallback(self) -> Service:
        return self

    def release_fallback(self) -> None:
        self.held = False


class Stream:
    """A runner, and what comes of it.

    Attributes:
        shown: The frames that reach the outputs.
        charged: Purchases as they are reported.
        seconds: When the first frame of each link was shown.
    """

    def __init__(self, fallback: Fallback | None = None, ttl_seconds: int = 60) -> None:
        self.service = Service(server="https://far.example" if fallback is not None else "")
        self.shown: list[StyledFrame] = []
        self.seconds: dict[int, float] = {}
        self.charged: list[str] = []
        self.network: Hashable = "home"
        self.hub = FrameHub(self, lambda _: None)
        self.source = Source()
        self.source.start(WIDTH, HEIGHT, self.hub)
        self.runner = SessionRunner(
            self.service,
            self.hub,
            make_link,
            SessionOptions(ttl_seconds=ttl_seconds),
            lambda: None,
            fallback or NoFallback(),
            lambda: self.network,
            self._note_charge,
        )
        self.runner.style = INK
        self.play = self.source.play

    def deliver(self, frame: StyledFrame) -> None:
        self.shown.append(frame)
        self.seconds.setdefault(id(frame.image), elapsed())

    def first_shown(self, link: Link) -> float:
        """When the first frame of a link was shown."""
        return self.seconds[id(link.image)]

    @property
    def phase(self) -> Phase:
        return self.runner.state.phase

    @property
    def numbers(self) -> list[int]:
        """Of the frames that were shown."""
        return [frame.number for frame in self.shown]

    async def go_live(self) -> None:
        self.runner.start()
        await self.play(1)
        assert self.phase is Phase.LIVE

    def _note_charge(self, session: RealtimeSession, server: str) -> None:
        self.charged.append(session.id)


def unbroken(numbers: list[int]) -> bool:
    """Whether none is missing or shown again."""
    return numbers == list(range(numbers[0], numbers[-1] + 1))


# ---- one session ---------------------------------------------------------------------------------


@in_virtual_time
async def test_a_start_buys_one_session_however_often_it_is_asked_for() -> None:
    stream = Stream()
    stream.runner.start()
    stream.runner.start()
    await stream.play(2)
    stream.runner.start()
    await stream.play(2)
    assert stream.service.asked_at("order") == [0.0]
    assert len(stream.charged) == stream.runner.facts.sessions == 1
    assert len(stream.service.sockets) == len(stream.service.links) == 1


@in_virtual_time
async def test_it_is_live_with_the_first_frame_in_the_users_style() -> None:
    stream = Stream()
    stream.service.confirms = False
    stream.runner.style = replace(INK, reference=b"photo")
    stream.runner.start()
    await stream.play(1)
    assert stream.phase is Phase.CONNECTING and not stream.shown, "the service has not taken the photo yet"
    stream.service.sockets[0].confirm()
    await stream.play(1)
    assert stream.phase is Phase.LIVE
    first_s = stream.first_shown(stream.service.links[0])
    assert first_s == pytest.approx(1.5, abs=TICK_S), "after the cross-fade of the frame at 1.1 s"
    assert stream.runner.facts.live_since_ns == stream.shown[0].captured_ns


@in_virtual_time
async def test_what_only_the_user_can_mend_ends_the_attempt_and_is_not_tried_again() -> None:
    stream = Stream()
    stream.service.credits = 0
    stream.runner.start()
    await stream.play(60)
    assert stream.phase is Phase.FAILED
    assert stream.runner.state.trouble is not None
    assert stream.runner.state.trouble.kind == "insufficient_credits"
    assert stream.service.asked_at("order") == [0.0]


@in_virtual_time
async def test_a_standby_is_kept_from_ten_seconds_after_it_is_live_until_the_stop() -> None:
    stream = Stream()
    stream.runner.start()
    await stream.play(9.9)
    assert not stream.service.standby
    await stream.play(0.5)
    assert stream.service.standby
    await stream.runner.stop()
    assert not stream.service.standby


# ---- the next session ----------------------------------------------------------------------------


@in_virtual_time
async def test_a_session_is_renewed_before_its_end_and_swapped_between_two_frames() -> None:
    stream = Stream()
    stream.runner.start()
    await stream.play(39.9)
    first = stream.service.sockets[0]
    assert len(stream.service.links) == 1
    await stream.play(0.3)
    assert stream.service.asked_at("order") == [0.0, 40.0], "20 s before the end of 60"
    old, new = stream.service.links
    assert stream.phase is Phase.RENEWING and not old.closed, "the next one is not warm yet"
    await stream.play(0.3)
    assert stream.phase is Phase.LIVE and old.closed and first.closed and not new.closed
    assert stream.first_shown(new) == pytest.approx(40.4, abs=TICK_S / 2), "behind its third frame"
    await stream.play(30)
    assert len(stream.service.asked_at("order")) == len(set(stream.charged)) == 2, "two purchases in all"
    assert unbroken(stream.numbers) and len(stream.numbers) == pytest.approx(705, abs=3)
    assert stream.hub.lost_frames == 0


@in_virtual_time
async def test_the_balance_is_asked_for_two_minutes_before_the_end() -> None:
    stream = Stream(ttl_seconds=300)
    stream.runner.start()
    await stream.play(100, fps=2)
    stream.service.credits = 7
    await stream.play(81, fps=2)
    assert stream.service.asked_at("account") == [0.0, 180.0]
    assert stream.runner.purchases.account is not None
    assert stream.runner.purchases.account.credits_remaining == 7, "the user has a minute and a half to act"
    assert stream.service.asked_at("order") == [0.0]


@in_virtual_time
async def test_a_renewal_that_is_refused_is_tried_again_as_soon_as_it_can_be_paid() -> None:
    stream = Stream()
    stream.service.server = "https://far.example"  # on this computer nothing is refused
    stream.service.credits = 25
    stream.runner.start()
    await stream.play(45)
    assert stream.phase is Phase.RENEWING
    assert stream.runner.state.trouble is not None
    assert stream.runner.state.trouble.kind == "insufficient_credits"
    assert stream.service.asked_at("order") == [0.0, 40.0], "it is not asked for in vain"
    stream.service.credits = 25
    await stream.play(5)
    assert stream.service.asked_at("order") == [0.0, 40.0, 46.0], "the balance is asked for every 2 s"
    assert stream.phase is Phase.LIVE and stream.runner.state.trouble is None
    assert unbroken(stream.numbers), "the present one went on"


@in_virtual_time
async def test_a_renewal_that_fails_follows_the_backoff_while_the_present_session_goes_on() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.refusal = UpstreamError("service_engine_unavailable")
    await stream.play(43)
    assert stream.service.asked_at("order") == [0.0, 40.0, 40.25, 40.75, 41.75, 43.75]
    stream.service.refusal = None
    await stream.play(3)
    assert stream.phase is Phase.LIVE and len(stream.service.sessions) == 2
    assert unbroken(stream.numbers)


@in_virtual_time
async def test_a_style_chosen_during_a_renewal_reaches_both_sessions() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.paints = False  # the next one waits for its first frame
    await stream.play(40)
    stream.runner.set_style(PENCIL)
    await stream.play(0.2)
    present, coming = stream.service.sockets
    for socket in (present, coming):
        assert socket.told(SetPrompt)[-1].prompt == PENCIL.prompt
    stream.service.links[1].paints = True
    await stream.play(1)
    assert stream.phase is Phase.LIVE and stream.shown[-1].image is stream.service.links[1].image


@in_virtual_time
async def test_a_style_chosen_while_the_next_session_is_joined_reaches_it_too() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.admits = False
    await stream.play(40)
    stream.runner.set_style(PENCIL)
    stream.service.sockets[1].admit()
    await stream.play(1)
    assert stream.service.sockets[1].told(SetPrompt)[-1].prompt == PENCIL.prompt


@in_virtual_time
async def test_the_heir_takes_over_at_once_if_the_present_one_drops() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.paints = False
    await stream.play(40)
    old, heir = stream.service.links
    old.lose()
    await stream.play(2)
    assert stream.phase is Phase.RECONNECTING and not heir.closed
    assert len(stream.service.sockets) == 2, "nothing is joined, for nothing else would be faster"
    heir.paints = True
    await stream.play(0.5)
    assert stream.phase is Phase.LIVE and stream.first_shown(heir) == pytest.approx(43.2, abs=TICK_S)
    assert len(stream.service.asked_at("order")) == 2 and stream.hub.lost_frames == pytest.approx(22, abs=2)


@in_virtual_time
async def test_a_next_session_without_a_picture_is_given_up_and_the_same_one_joined_anew() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.paints = False
    await stream.play(40)
    stream.service.paints = True
    await stream.play(8)
    assert stream.service.asked_at("join") == [0.0, 40.0, 46.5], "6 s for the first frame, and the backoff"
    assert len(stream.service.sessions) == 2, "what is paid for is used"
    assert stream.phase is Phase.LIVE and unbroken(stream.numbers)


# ---- what breaks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("drawn", [1.0, 0.5])
@in_virtual_time
async def test_attempts_to_connect_follow_the_backoff(jitter: Jitter, drawn: float) -> None:
    jitter.value = drawn
    stream = Stream()
    stream.service.away = AWAY
    stream.runner.start()
    await stream.play(70, fps=1)
    delays = (0.0, 0.25, 0.5, 1.0, *[2.0] * 17, 8.0, 8.0, 8.0)
    times = [each * drawn for each in itertools.accumulate(delays)]
    assert stream.service.asked_at("account")[: len(times)] == pytest.approx(times, abs=0.001)
    assert jitter.bounds == {(0.5, 1.0)}, "many desktops do not come back at the same moment"
    stream.service.away = None
    await stream.play(9)
    assert stream.phase is Phase.LIVE and stream.runner.state.attempt == 0


@in_virtual_time
async def test_a_lost_link_resumes_the_same_session_without_a_purchase() -> None:
    stream = Stream()
    await stream.go_live()
    stream.runner.set_style(PENCIL)
    stream.service.links[0].lose()
    await stream.play(1)
    assert stream.phase is Phase.LIVE
    assert stream.service.asked_at("order") == [0.0] and len(stream.charged) == 1
    assert stream.service.asked_at("join") == [0.0, 1.0], "at once"
    assert stream.service.sockets[1].told(SetPrompt)[0].prompt == PENCIL.prompt


@in_virtual_time
async def test_a_link_that_brings_nothing_back_is_joined_anew() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.links[0].paints = False
    await stream.play(5)
    assert stream.service.asked_at("order") == [0.0]
    (_, again) = stream.service.asked_at("join")
    assert 1.0 + 1.5 <= again <= 1.0 + 2.0, "after fifteen frames that nothing followed"
    assert stream.phase is Phase.LIVE


@in_virtual_time
async def test_a_session_that_is_over_is_bought_anew() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.end_sessions()
    await stream.play(1)
    assert stream.phase is Phase.LIVE
    assert stream.service.asked_at("order") == [0.0, 1.0]
    assert len(set(stream.charged)) == len(stream.service.sessions) == 2


@in_virtual_time
async def test_a_session_that_is_found_to_be_over_on_joining_again_is_bought_anew() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.end_sessions(told=False)
    stream.service.links[0].lose()
    await stream.play(1)
    assert stream.phase is Phase.LIVE
    assert stream.service.asked_at("order") == [0.0, 1.0] and len(stream.service.sessions) == 2


@in_virtual_time
async def test_a_session_whose_core_died_is_asked_for_again_and_not_joined_in_vain() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.alive = False
    stream.service.links[0].lose()
    await stream.play(1)
    assert stream.service.asked_at("order") == [0.0, 1.0]
    assert len(stream.service.sessions) == 1, "the new core knows what is paid for"


@in_virtual_time
async def test_in_a_hurry_the_next_attempt_is_made_at_once() -> None:
    stream = Stream()
    stream.service.away = AWAY
    stream.runner.start()
    await stream.play(4)
    assert stream.service.asked_at("account") == [0.0, 0.25, 0.75, 1.75, 3.75]
    stream.service.away = None
    stream.runner.hurry()
    await stream.play(0.5)
    assert stream.service.asked_at("account")[-1] == 4.0
    assert stream.phase is Phase.LIVE
    stream.runner.hurry()
    await stream.play(0.5)
    assert len(stream.service.sockets) == 1, "what is live is not touched"


@in_virtual_time
async def test_another_network_is_tried_at_once() -> None:
    stream = Stream()
    stream.service.away = AWAY
    stream.runner.start()
    await stream.play(4.2)
    stream.service.away, stream.network = None, "office"
    await stream.play(0.5)
    assert stream.service.asked_at("account")[-1] == 4.5, "it is looked at twice a second"
    assert stream.phase is Phase.LIVE


@in_virtual_time
async def test_a_hurry_cancels_nothing_that_is_joined() -> None:
    stream = Stream()
    stream.service.paints = False
    stream.runner.start()
    await stream.play(2)
    stream.runner.hurry()
    await stream.play(2)
    assert len(stream.service.sockets) == 1 and not stream.service.links[0].closed
    stream.service.links[0].paints = True
    await stream.play(0.5)
    assert stream.phase is Phase.LIVE


@in_virtual_time
async def test_a_hurry_repeats_a_renewal_that_waits_but_none_that_was_refused() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.refusal = UpstreamError("service_engine_unavailable")
    await stream.play(43.2)
    stream.runner.hurry()
    await stream.play(0.1)
    assert stream.service.asked_at("order")[-2:] == [43.75, 44.2]
    stream.service.refusal = InsufficientCreditsError("order_too_dear", price=25, left=0)
    stream.service.credits = 0
    await stream.play(6)
    orders = stream.service.asked_at("order")
    stream.runner.hurry()
    await stream.play(1)
    assert stream.runner.state.refused and stream.service.asked_at("order") == orders


# ---- failover ------------------------------------------------------------------------------------


@in_virtual_time
async def test_out_of_patience_it_fails_over_and_returns_when_the_chosen_service_is_back() -> None:
    local = LocalCore()
    stream = Stream(local)
    await stream.go_live()
    await stream.play(4)
    stream.service.away = AWAY
    stream.service.links[0].lose()
    await stream.play(2.9)
    assert local.held, "it is prepared"
    assert stream.phase is Phase.RECONNECTING and not local.sessions
    await stream.play(1)
    assert stream.phase is Phase.LIVE and len(local.sessions) == 1
    assert stream.first_shown(local.links[0]) == pytest.approx(8.0, abs=TICK_S), "three seconds away"
    assert stream.runner.failed_over_from == "https://far.example" and local.held
    await stream.play(11)
    assert stream.phase is Phase.LIVE and stream.shown[-1].image is local.links[0].image
    stream.service.away = None
    await stream.play(3)
    assert stream.phase is Phase.LIVE and stream.shown[-1].image is stream.service.links[-1].image
    assert stream.runner.failed_over_from == "" and not local.held, "it is given back"
    assert local.links[0].closed
    assert len(stream.service.sessions) == 1, "what was paid for is used"
    from_local = stream.numbers.index(next(f.number for f in stream.shown if f.image is local.links[0].image))
    assert unbroken(stream.numbers[from_local:]), "it returns between two frames"


@in_virtual_time
async def test_a_start_has_more_patience() -> None:
    local = LocalCore()
    stream = Stream(local)
    stream.service.away = AWAY
    stream.runner.start()
    await stream.play(7.9)
    assert not local.sessions
    await stream.play(0.3)
    assert stream.first_shown(local.links[0]) == pytest.approx(8.0, abs=TICK_S)


@in_virtual_time
async def test_a_fallback_that_was_prepared_in_vain_is_released(jitter: Jitter) -> None:
    jitter.value = 0.5  # an attempt before patience ends
    local = LocalCore()
    stream = Stream(local)
    await stream.go_live()
    stream.service.away = AWAY
    stream.service.links[0].lose()
    await stream.play(2)
    assert local.held
    stream.service.away = None
    await stream.play(2)
    assert stream.phase is Phase.LIVE and not local.held and not local.sessions


@in_virtual_time
async def test_a_fallback_that_is_ready_when_the_chosen_service_is_back_is_released(jitter: Jitter) -> None:
    jitter.value = 0.5
    local = LocalCore()
    local.starts_s = 4.0
    stream = Stream(local)
    await stream.go_live()
    stream.service.away = AWAY
    stream.service.links[0].lose()
    await stream.play(2)
    stream.service.away = None
    await stream.play(5)
    assert local.asked_at("endpoint") == [0.0], "it was prepared"
    assert stream.phase is Phase.LIVE and not local.held


@in_virtual_time
async def test_a_place_in_the_queue_is_no_reason_for_impatience() -> None:
    local = LocalCore()
    stream = Stream(local, ttl_seconds=300)
    stream.service.admits = False
    stream.runner.start()
    await stream.play(1)
    stream.service.sockets[0].say(QueuePosition(position=2, queue_size=3))
    await stream.play(60)
    assert stream.phase is Phase.CONNECTING and stream.runner.facts.queue == (2, 3)
    assert not local.sessions and len(stream.service.sockets) == 1
    stream.service.sockets[0].admit()
    await stream.play(1)
    assert stream.phase is Phase.LIVE and stream.runner.facts.queue is None


# ---- the end -------------------------------------------------------------------------------------


@in_virtual_time
async def test_a_stop_closes_everything_and_the_next_start_resumes_what_is_paid_for() -> None:
    stream = Stream()
    await stream.go_live()
    await stream.play(10)
    socket, link = stream.service.sockets[0], stream.service.links[0]
    await stream.runner.stop()
    assert socket.closed and link.closed
    assert stream.phase is Phase.STOPPED and not virtual_time.tasks(), "nothing runs any more"
    await stream.play(5)
    assert len(stream.service.sockets) == 1
    stream.runner.start()
    await stream.play(1)
    assert stream.phase is Phase.LIVE
    assert len(stream.service.sessions) == 1 and stream.runner.facts.sessions == 1
    await stream.play(24.5)
    assert stream.service.asked_at("order") == [0.0, 16.0, 40.0], "it ends when it would have ended"


@in_virtual_time
async def test_a_stop_in_the_middle_of_a_renewal_keeps_both_sessions_for_later() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.paints = False
    await stream.play(40)
    await stream.runner.stop()
    assert all(link.closed for link in stream.service.links)
    assert all(socket.closed for socket in stream.service.sockets) and not virtual_time.tasks()
    stream.service.paints = True
    stream.runner.start()
    await stream.play(20)
    assert stream.phase is Phase.LIVE and len(stream.service.sessions) == 2
    assert stream.service.asked_at("order") == [0.0, 40.0, 41.0], "the one that lasts longest goes on"


@pytest.mark.parametrize("moment", ["queue", "link"])
@in_virtual_time
async def test_a_stop_while_it_connects_leaves_nothing_open(moment: str) -> None:
    stream = Stream()
    stream.service.admits, stream.service.opens = moment != "queue", moment != "link"
    stream.runner.start()
    await stream.play(1)
    await stream.runner.stop()
    await asyncio.sleep(0)
    assert all(socket.closed for socket in stream.service.sockets)
    assert all(link.closed for link in stream.service.links)
    assert not virtual_time.tasks()
    stream.service.admits = stream.service.opens = True
    stream.runner.start()
    await stream.play(1)
    assert stream.phase is Phase.LIVE and len(stream.service.sessions) == 1


# ---- what is shown and told ----------------------------------------------------------------------


@pytest.mark.parametrize("to_original", [True, False])
@in_virtual_time
async def test_the_original_joins_anew_and_no_frame_of_the_former_picture_is_shown(to_original: bool) -> None:
    stream = Stream()
    stream.runner.style = replace(INK, passthrough=not to_original)
    await stream.go_live()
    stream.service.slow = True
    await stream.play(0.5)  # on their way when the choice is made
    shown = len(stream.shown)
    stream.runner.set_style(replace(INK, passthrough=to_original))
    stream.service.release()
    stream.service.slow = False
    await stream.play(2)
    assert stream.service.sockets[-1].told(RtcJoin)[0].passthrough is to_original
    kind = FrameKind.ORIGINAL if to_original else FrameKind.STYLED
    assert {frame.kind for frame in stream.shown[shown:]} == {kind}
    assert stream.phase is Phase.LIVE and len(stream.service.sessions) == 1


@in_virtual_time
async def test_the_original_chosen_during_a_renewal_is_in_both_sessions() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.paints = False
    await stream.play(40)
    shown = len(stream.shown)
    stream.service.paints = True
    stream.runner.set_style(replace(INK, passthrough=True))
    for link in stream.service.links:
        link.paints = True
    await stream.play(30)
    assert {frame.kind for frame in stream.shown[shown:]} == {FrameKind.ORIGINAL}
    assert stream.phase is Phase.LIVE and len(stream.service.sessions) == 2


@in_virtual_time
async def test_a_refusal_of_a_photo_stays_told_until_another_photo_is_taken() -> None:
    stream = Stream()
    stream.service.photo_refusal = "This is no picture."
    await stream.go_live()
    stream.runner.set_style(replace(INK, reference=b"no picture"))
    await stream.play(0.5)
    assert str(stream.runner.notice) == "This is no picture.", "although the prompt with it was taken"
    stream.runner.set_style(replace(stream.runner.style, prompt="pencil"))
    await stream.play(0.5)
    assert str(stream.runner.notice) == "This is no picture."
    stream.service.photo_refusal = ""
    stream.runner.set_style(replace(stream.runner.style, reference=b"picture"))
    await stream.play(0.5)
    assert stream.runner.notice is None
    assert len(stream.service.sockets[0].told(SetImage)) == 2, "a prompt alone does not send it again"


@in_virtual_time
async def test_billed_seconds_add_up_over_a_renewal() -> None:
    stream = Stream()
    await stream.go_live()
    stream.service.sockets[0].say(GenerationTick(seconds=40, frames=1200, fps=30.0))
    await stream.play(41)
    stream.service.sockets[1].say(GenerationTick(seconds=2, frames=60, fps=30.0))
    await stream.play(0.1)
    facts = stream.runner.facts
    assert (facts.billed_before, facts.billed_now) == (40, 2)


@in_virtual_time
async def test_a_balance_that_cannot_be_asked_for_is_told_until_it_can() -> None:
    stream = Stream()
    stream.service.away = AWAY
    await stream.runner.refresh_account()
    assert stream.runner.notice is AWAY
    stream.service.away = None
    await stream.runner.refresh_account()
    assert stream.runner.notice is None
