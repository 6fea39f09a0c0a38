"""A connection joins within its limit, delivers only what is in the user's style, and tells its end once.

Time is virtual, the service scripted; connection and hub are real.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from typing import Any

import pytest

from helpers import scripted_service, virtual_time
from helpers.scripted_service import HEIGHT, WIDTH, Client, Service, Source, make_link, script_service
from helpers.virtual_time import elapsed, in_virtual_time
from overpaint.errors import (
    InvalidRequestError,
    LinkError,
    OverpaintError,
    ServiceError,
    SessionClosedError,
    UnreachableError,
)
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.session.output import frame_router
from overpaint.session.output.frame_router import FrameHub
from overpaint.session.realtime import connection, purchase_records
from overpaint.session.realtime.connection import Connection
from overpaint.session.realtime.events import Style
from overpaint.session.realtime.purchase_records import Order, SessionOptions
from overpaint.wire.control import PromptAck, QueuePosition, RtcJoin, SetImage, SetPrompt, SocketError

INK = Style("ink comic")
PHOTO = Style("ink comic", reference=b"photo")
TICK_S = 0.1


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    script_service(monkeypatch)
    virtual_time.follow(monkeypatch, scripted_service, connection, frame_router, purchase_records)


class Ends:
    """A connection between a scripted service and a hub, and what it tells.

    Attributes:
        style: What the user wants now.
        shown: The frames that reach the outputs.
        delivered_s: When it told that it delivers.
        ended_with: How it told its end: the error, and whether it can be resumed.
        said: What it heard of the service.
    """

    def __init__(self, style: Style = INK, *, bought: Style = INK, warm: bool = False) -> None:
        self.service = Service()
        self.client = Client(self.service.url)
        self.hub = FrameHub(self, lambda _: None)
        self.source = Source()
        self.source.start(WIDTH, HEIGHT, self.hub)
        self.play = self.source.play
        self.style = style
        self.shown: list[StyledFrame] = []
        self.delivered_s: list[float] = []
        self.ended_with: list[tuple[OverpaintError, bool]] = []
        self.said: list[Any] = []
        order = Order("", SessionOptions(ttl_seconds=60), bought.prompt, bought.enhance_prompt, "key")
        self.connection = Connection(self.client, self.hub, make_link, order, self, warm=warm)  # type: ignore[arg-type]

    async def join(self) -> None:
        """Joins the session, which is bought if it is not yet."""
        if self.connection.session is None:
            await self.connection.create()
        await self.connection.join(lambda: self.style)

    def begin(self) -> asyncio.Task[None]:
        """Joins, and does not wait for the end of that."""
        return asyncio.create_task(self.join(), name="join")

    def deliver(self, frame: StyledFrame) -> None:
        self.shown.append(frame)

    def delivered(self, connection: Connection) -> None:
        self.delivered_s.append(elapsed())
        assert connection.link is not None
        self.hub.promote(connection.link)

    def heard(self, connection: Connection, message: Any) -> None:
        self.said.append(message)

    def ended(self, connection: Connection, error: OverpaintError, *, resumable: bool) -> None:
        self.ended_with.append((error, resumable))

    @property
    def first_s(self) -> float:
        """When the first frame was taken that was shown."""
        return round(self.shown[0].captured_ns / 1e9 - virtual_time.BEGIN_S, 3)


# ---- joining -------------------------------------------------------------------------------------


@in_virtual_time
async def test_joining_says_what_is_wanted_and_takes_the_room() -> None:
    ends = Ends(Style("ink comic", passthrough=True))
    await ends.join()
    options = ends.connection.order.options
    (socket,) = ends.service.sockets
    assert socket.heard[0] == RtcJoin(
        transports=["shared_memory", "webrtc"], width=WIDTH, height=HEIGHT, fps=options.fps, passthrough=True
    )
    assert ends.connection.link is ends.service.links[0]
    await ends.play(0.5)
    assert {frame.kind for frame in ends.shown} == {FrameKind.ORIGINAL}


@in_virtual_time
async def test_joining_has_ten_seconds_and_leaves_nothing_behind() -> None:
    ends = Ends()
    ends.service.admits = False
    with pytest.raises(UnreachableError) as slow:
        await ends.join()
    assert slow.value.code == "session_join_too_slow" and elapsed() == 10.0
    assert ends.connection.link is None and ends.service.sockets[0].closed
    assert not virtual_time.tasks()


@in_virtual_time
async def test_the_time_in_the_queue_does_not_count() -> None:
    ends = Ends()
    ends.service.admits = False
    joining = ends.begin()
    await asyncio.sleep(9)
    ends.service.sockets[0].say(QueuePosition(position=3, queue_size=4))
    await asyncio.sleep(600)
    assert not joining.done() and ends.said == [QueuePosition(position=3, queue_size=4)]
    ends.service.sockets[0].admit()
    await joining
    assert elapsed() == 609.0


@in_virtual_time
async def test_behind_the_queue_the_limit_begins_anew() -> None:
    ends = Ends()
    ends.service.admits = ends.service.opens = False
    joining = ends.begin()
    await asyncio.sleep(1)
    ends.service.sockets[0].say(QueuePosition(position=1, queue_size=1))
    await asyncio.sleep(100)
    ends.service.sockets[0].admit()
    with pytest.raises(UnreachableError):
        await joining
    assert elapsed() == 111.0 and ends.service.links[0].closed and ends.service.sockets[0].closed


@in_virtual_time
async def test_a_refusal_in_place_of_the_room_is_the_error_it_names() -> None:
    ends = Ends()
    ends.service.admits = False
    joining = ends.begin()
    await asyncio.sleep(1)
    ends.service.sockets[0].say(SocketError(code="invalid_request_error", error="No such size."))
    with pytest.raises(InvalidRequestError, match="No such size"):
        await joining
    assert ends.service.sockets[0].closed and not ends.ended_with, "who joins hears it, and nobody else"


@in_virtual_time
async def test_a_link_that_is_lost_while_it_opens_fails_the_joining() -> None:
    ends = Ends()
    make = ends.connection._make_link

    def make_losing(request: Any, client: Any) -> Any:
        link = make(request, client)
        opens = link.open

        async def open_and_lose(lost: Callable[[LinkError], None]) -> None:
            await opens(lost)
            lost(LinkError("webrtc_broke"))
            await asyncio.sleep(0)  # for the loop to hear of it

        link.open = open_and_lose  # type: ignore[method-assign]
        return link

    ends.connection._make_link = make_losing
    with pytest.raises(LinkError):
        await ends.join()
    assert ends.service.links[0].closed and ends.service.sockets[0].closed


# ---- delivering ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "first_s"),
    [(INK, 1.0), (PHOTO, 1.4), (Style("pencil sketch"), 1.4)],
    ids=["the look it was bought with", "a photo", "another look"],
)
@in_virtual_time
async def test_a_frame_is_delivered_after_confirmation_and_fade(style: Style, first_s: float) -> None:
    ends = Ends(style)
    ends.service.confirms = False
    await ends.join()
    await ends.play(1)
    ends.service.sockets[0].confirm()
    await asyncio.sleep(TICK_S / 2)
    await ends.play(2)
    assert first_s <= ends.first_s < first_s + TICK_S
    assert len(ends.delivered_s) == 1 and ends.connection.delivers


@in_virtual_time
async def test_where_frames_are_slow_the_fade_is_over_before_one_is_delivered() -> None:
    """A fade begins with the first frame of the new look, which may come long after the confirmation."""
    ends = Ends(PHOTO)
    ends.service.confirms = False
    await ends.join()
    ends.service.sockets[0].confirm()
    await asyncio.sleep(0.3)
    for _ in range(4):  # at 0.3, 0.5, 0.7 and 0.9 s
        ends.source.send()
        await asyncio.sleep(0.2)
    assert ends.first_s == 0.7


@pytest.mark.parametrize(
    ("style", "warm", "after_s"),
    [(INK, False, 5.0), (PHOTO, False, 12.0), (PHOTO, True, 5.0)],
    ids=["look", "photo", "photo, in place of a live session"],
)
@in_virtual_time
async def test_without_a_confirmation_it_is_delivered_after_seconds(
    style: Style, warm: bool, after_s: float
) -> None:
    """A photo has longer: it is uploaded and decoded before it is confirmed."""
    ends = Ends(style, warm=warm)
    ends.service.confirms = False
    await ends.join()
    await ends.play(after_s - 0.05)
    assert not ends.delivered_s
    await ends.play(1)
    assert ends.delivered_s == [pytest.approx(after_s, abs=3 * TICK_S)]
    assert len(ends.shown) == pytest.approx(10, abs=3)


@in_virtual_time
async def test_a_refused_change_is_an_answer_too() -> None:
    ends = Ends()
    ends.service.confirms = False
    await ends.join()
    ends.service.sockets[0].say(PromptAck(prompt="", success=False, error="No."))
    await ends.play(0.5)
    assert ends.connection.delivers


@pytest.mark.parametrize(("warm", "frames"), [(False, 1), (True, 3)])
@in_virtual_time
async def test_a_session_that_replaces_a_live_one_delivers_after_three_frames(
    warm: bool, frames: int
) -> None:
    ends = Ends(warm=warm)
    await ends.join()
    await asyncio.sleep(TICK_S)
    for sent in range(1, frames + 1):
        assert not ends.connection.delivers
        ends.source.send()
        await asyncio.sleep(TICK_S)
        assert ends.connection.delivers is (sent == frames)
    assert len(ends.delivered_s) == 1


@in_virtual_time
async def test_three_frames_of_one_link_are_needed() -> None:
    ends = Ends(warm=True)
    for _ in range(2):
        await ends.join()
        await asyncio.sleep(TICK_S)
        await ends.play(2 * TICK_S)
        assert not ends.connection.delivers
    await ends.play(TICK_S)
    assert ends.connection.delivers


@in_virtual_time
async def test_a_warmed_session_that_is_joined_again_delivers_with_its_first_frame() -> None:
    ends = Ends(warm=True)
    await ends.join()
    await ends.play(1)
    await ends.join()
    await asyncio.sleep(TICK_S)
    ends.source.send()
    await asyncio.sleep(TICK_S)
    assert ends.connection.delivers


@in_virtual_time
async def test_how_long_it_waits_for_its_first_frame_counts_only_while_frames_are_sent() -> None:
    ends = Ends()
    ends.service.paints = False
    await ends.join()
    assert ends.connection.waits_ns(virtual_time.now_ns(), 15) == 0
    await asyncio.sleep(10)
    assert ends.connection.waits_ns(virtual_time.now_ns(), 15) == 0, "nothing was sent"
    await ends.play(1.5)
    assert ends.connection.waits_ns(virtual_time.now_ns(), 15) == pytest.approx(11.5e9)
    ends.service.links[0].paints = True
    await ends.play(0.2)
    assert ends.connection.waits_ns(virtual_time.now_ns(), 15) == 0


# ---- the user's style ----------------------------------------------------------------------------


@in_virtual_time
async def test_a_photo_that_was_removed_meanwhile_is_told_on_joining_again() -> None:
    ends = Ends(PHOTO)
    await ends.join()
    (image,) = ends.service.sockets[0].told(SetImage)
    assert base64.b64decode(image.image_data) == b"photo"
    ends.style = INK
    await ends.join()
    (removal,) = ends.service.sockets[1].told(SetImage)
    assert removal.image_data == "", "the session keeps a photo until it is told otherwise"


@in_virtual_time
async def test_a_change_that_a_broken_socket_swallowed_is_told_on_joining_again() -> None:
    ends = Ends()
    await ends.join()
    await ends.service.sockets[0].close()
    ends.style = Style("pencil sketch")
    await ends.connection.restyle(ends.style)
    await ends.join()
    assert ends.service.sockets[1].told(SetPrompt)[0].prompt == "pencil sketch"


@in_virtual_time
async def test_a_photo_is_sent_again_only_when_it_is_another() -> None:
    ends = Ends(PHOTO)
    await ends.join()
    await ends.connection.restyle(Style("pencil sketch", reference=PHOTO.reference))
    other = b"other"
    await ends.connection.restyle(Style("pencil sketch", reference=other))
    await ends.connection.restyle(Style("neon", reference=other))
    images = ends.service.sockets[0].told(SetImage)
    assert [base64.b64decode(image.image_data) for image in images] == [b"photo", b"other"]


# ---- the end -------------------------------------------------------------------------------------


@in_virtual_time
async def test_its_end_is_told_once_whatever_else_breaks_then() -> None:
    ends = Ends()
    await ends.join()
    await ends.play(1)
    ends.service.break_links()
    ends.service.sockets[0].say(SessionClosedError("session_time_over"))
    await asyncio.sleep(1)
    ends.connection.stalled()
    assert [(error.code, resumable) for error, resumable in ends.ended_with] == [("webrtc_broke", True)]
    await ends.join()
    ends.connection.stalled()
    assert len(ends.ended_with) == 2, "joined again, it has an end again"


@pytest.mark.parametrize(
    ("error", "resumable", "spent"),
    [
        (UnreachableError("service_connection_lost"), True, False),
        (SessionClosedError("session_was_closed"), False, False),
        (SessionClosedError("session_time_over"), False, True),
    ],
    ids=["lost", "closed", "expired"],
)
@in_virtual_time
async def test_a_socket_that_ends_says_whether_its_session_goes_on(
    error: ServiceError, resumable: bool, spent: bool
) -> None:
    ends = Ends()
    await ends.join()
    ends.service.sockets[0].say(error)
    await asyncio.sleep(0.1)
    assert ends.ended_with == [(error, resumable)] and ends.connection.spent is spent


@in_virtual_time
async def test_closing_twice_is_closing_once_and_leaves_no_task() -> None:
    ends = Ends()
    await ends.join()
    await ends.play(0.5)
    shown = len(ends.shown)
    await ends.connection.close()
    await ends.connection.close()
    assert ends.service.sockets[0].closed and ends.service.links[0].closed and ends.client.closed
    assert not virtual_time.tasks()
    sent = ends.service.links[0].sent
    await ends.play(0.5)
    assert ends.service.links[0].sent == sent, "nothing is sent there any more"
    assert len(ends.shown) == shown and not ends.ended_with, "who closes it knows"


@in_virtual_time
async def test_one_that_was_closed_while_its_first_frame_came_delivers_no_more() -> None:
    ends = Ends()
    await ends.join()
    await asyncio.sleep(TICK_S)
    ends.source.send()  # the pump has seen it, the loop not yet
    await ends.connection.close()
    await asyncio.sleep(1)
    assert not ends.delivered_s and not ends.connection.delivers


@in_virtual_time
async def test_a_session_that_was_never_bought_cannot_be_joined() -> None:
    ends = Ends()
    with pytest.raises(SessionClosedError):
        await ends.connection.join(lambda: INK)
    assert not ends.service.sockets
