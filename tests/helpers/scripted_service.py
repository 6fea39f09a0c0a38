"""A service in the test's own process, whose every answer is scripted, and a source for what goes there.

It stands in for the service's HTTP side, control socket and link. Every picture is of one level: what is
restyled is STYLED, what comes back over a link that was joined with ``passthrough`` is RAW.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar
from urllib.parse import urlsplit

import numpy as np
import pytest

from overpaint.errors import (
    InsufficientCreditsError,
    LinkError,
    OverpaintError,
    SessionClosedError,
    UnreachableError,
)
from overpaint.media.frames import FrameSlot, RawFrame, StyledFrame, now_ns
from overpaint.media.links import LinkRequest
from overpaint.session.backend.service_access import Endpoint
from overpaint.session.realtime import connection, purchase_records, purchases
from overpaint.wire.control import PromptAck, RtcJoin, RtcRoomInfo, SetImage, SetImageAck, SetPrompt
from overpaint.wire.looks import PromptReading
from overpaint.wire.service import PRICES, Account, ClientSecret, KeyInfo, RealtimeSession
from overpaint.wire.sources import SourceOffer

WIDTH, HEIGHT = 64, 36
RAW, STYLED, SLATE = 200, 100, 50
DEALT_S = 10.0
"""Real seconds within which a frame is dealt with."""


def level(value: int) -> np.ndarray:
    """A picture that shows nothing but its level."""
    image = np.full((HEIGHT * 3 // 2, WIDTH), 128, np.uint8)
    image[:HEIGHT] = value
    return image


class Source:
    """Sends a frame when it is told to."""

    title, identity, fps, aspect, offer = "scripted", "", 30.0, 16 / 9, SourceOffer()
    trouble = None

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._listener: Any = None

    def start(self, width: int, height: int, listener: Any) -> None:
        self._listener = listener

    def stop(self) -> None:
        self._listener = None

    def send(self) -> None:
        listener = self._listener
        if listener is not None:
            listener.frame(RawFrame(level(RAW), next(self._numbers), now_ns()))

    async def play(self, seconds: float, fps: float = 10.0) -> None:
        """Sends frames for a time."""
        for _ in range(round(seconds * fps)):
            self.send()
            await asyncio.sleep(1 / fps)


class Service:
    """Answers as the service does, as it is told to.

    Args:
        url: Its address; sockets and clients find it by that.
        server: As the user entered it; empty for the local core.

    Attributes:
        alive: Whether its process runs.
        away: What everybody is told who asks for anything; None while it answers.
        refusal: What orders of new sessions are told; None while they are sold.
        credits: What is left.
        admits: Whether who joins gets a room at once; else ``Socket.admit`` gives it.
        confirms: Whether changes of style are acknowledged at once; else ``Socket.confirm`` does it.
        photo_refusal: Why photos are not taken; empty while they are.
        opens: Whether new links open.
        paints: Whether new links bring frames back.
        slow: Whether what comes back waits in its link until ``release``.
        asked: What was asked for, in order, with the loop's time.
        sessions: What was sold, by idempotency key.
        sockets: All that were opened.
        links: All that were made.
        standby: Whether a standby is kept.
    """

    _at: ClassVar[dict[str, Service]] = {}

    def __init__(self, url: str = "http://127.0.0.1:9", server: str = "") -> None:
        self.url, self.server = url, server
        self.alive = self.admits = self.confirms = self.opens = self.paints = True
        self.slow = self.standby = False
        self.away: OverpaintError | None = None
        self.refusal: OverpaintError | None = None
        self.photo_refusal = ""
        self.credits = 10_000
        self.asked: list[tuple[str, float]] = []
        self.sessions: dict[str, RealtimeSession] = {}
        self.sockets: list[Socket] = []
        self.links: list[Link] = []
        self._over: set[str] = set()
        self._rooms: dict[str, bool] = {}
        self._at[urlsplit(url).netloc] = self

    @classmethod
    def at(cls, url: str) -> Service:
        """The one at an address, also that of a socket or a link."""
        return cls._at[urlsplit(url).netloc]

    # ---- as the live process knows it ------------------------------------------------------------

    async def endpoint(self) -> Endpoint:
        self._note("endpoint")
        return Endpoint(self.url, "scripted", self.server)

    def keep_standby(self, on: bool) -> None:
        self.standby = on

    # ---- what it is asked ------------------------------------------------------------------------

    def ask(self, what: str) -> None:
        """Raises what it is told to."""
        self._note(what)
        if self.away is not None:
            raise self.away

    def asked_at(self, what: str) -> list[float]:
        """When something was asked for, in seconds since the first request of all."""
        return [round(at - self.asked[0][1], 3) for name, at in self.asked if name == what]

    def sell(self, order: dict[str, Any]) -> RealtimeSession:
        self.ask("order")
        key = order["idempotency_key"]
        if key not in self.sessions:
            if self.refusal is not None:
                raise self.refusal
            price = PRICES[order["model"]]
            if self.credits < price:
                raise InsufficientCreditsError("order_too_dear", price=price, left=self.credits)
            self.credits -= price
            ends = datetime.now(UTC) + timedelta(seconds=order["ttl_seconds"])
            self.sessions[key] = RealtimeSession(
                id=f"rts_{key}",
                model=order["model"],
                prompt=order["prompt"],
                reference_image_url=None,
                client_secret=ClientSecret(value="s", expires_at=ends),
                websocket_url=f"{self.url.replace('http', 'ws')}/{key}",
                expires_at=ends,
                credits_charged=price,
                credits_remaining=self.credits,
            )
        return self.sessions[key]

    def room(self, passthrough: bool) -> RtcRoomInfo:
        name = f"room{len(self._rooms)}"
        self._rooms[name] = passthrough
        return RtcRoomInfo(rtc_url="scripted://", token="scripted", room_name=name)

    def link(self, request: LinkRequest) -> Link:
        self.links.append(Link(self, request, RAW if self._rooms[request.room] else STYLED))
        return self.links[-1]

    def is_over(self, key: str) -> bool:
        return key in self._over

    # ---- what happens to it ----------------------------------------------------------------------

    def release(self) -> None:
        """All that waits comes now, from links that are left, too."""
        for each in self.links:
            each.release()

    def break_links(self) -> None:
        """The way to the service is gone."""
        for each in self.links:
            each.lose()

    def end_sessions(self, *, told: bool = True) -> None:
        """The time of all its sessions is over; who has a socket is told at once, or on joining again."""
        self._over |= self.sessions.keys()
        for socket in self.sockets if told else ():
            socket.say(SessionClosedError("session_time_over"))

    def _note(self, what: str) -> None:
        self.asked.append((what, asyncio.get_running_loop().time()))


class AttendedSlot(FrameSlot[StyledFrame]):
    """A slot whose ``put`` returns once the taker has dealt with the frame, and waits for the next one.

    So what a thread does with a frame is done when the frame is sent, however busy the machine.
    """

    def __init__(self) -> None:
        super().__init__()
        self._turn = threading.Lock()
        self._dealt = threading.Condition()
        self._given = self._taken = self._finished = 0

    def put(self, frame: StyledFrame) -> None:
        with self._turn:
            self._given += 1
            super().put(frame)
            with self._dealt:
                assert self._dealt.wait_for(self._is_dealt_with, DEALT_S), "nobody takes the frame"

    def take(self, timeout: float | None = None) -> StyledFrame | None:
        with self._dealt:
            self._finished = self._taken
            self._dealt.notify_all()
        frame = super().take(timeout)
        with self._dealt:
            self._taken += frame is not None
        return frame

    def close(self) -> None:
        super().close()
        with self._dealt:
            self._dealt.notify_all()

    def _is_dealt_with(self) -> bool:
        return self.closed or self._given == self._finished


class Link:
    """The desktop's end of a room.

    Attributes:
        image: Every picture that comes back, which tells by which link it came.
        paints: Whether frames come back.
        sent: How many frames were sent.
        closed: Whether it was left.
    """

    name = "scripted"
    dropped = 0

    def __init__(self, service: Service, request: LinkRequest, shows: int) -> None:
        self.received = AttendedSlot()
        self.image = level(shows)
        self.paints = service.paints
        self.sent = 0
        self._service = service
        self._kind = request.kind
        self._waiting: list[StyledFrame] = []
        self._lost: Callable[[LinkError], None] | None = None

    @property
    def closed(self) -> bool:
        return self.received.closed

    async def open(self, lost: Callable[[LinkError], None]) -> None:
        if not self._service.opens:
            await asyncio.get_running_loop().create_future()
        self._lost = lost

    def send(self, frame: RawFrame) -> None:
        self.sent += 1
        if self.paints:
            self._waiting.append(StyledFrame(self.image, frame.number, frame.captured_ns, self._kind))
        if not self._service.slow:
            self.release()

    def release(self) -> None:
        waiting, self._waiting = self._waiting, []
        for frame in waiting:
            self.received.put(frame)

    def lose(self) -> None:
        if self._lost is not None:
            self._lost(LinkError("webrtc_broke"))

    async def close(self) -> None:
        self._lost = None
        self.received.close()


class Socket:
    """The control socket.

    Attributes:
        heard: What was sent to the service.
        closed: Whether it was closed.
    """

    def __init__(self, service: Service) -> None:
        self.heard: list[Any] = []
        self.closed = False
        self._service = service
        self._answers: asyncio.Queue[Any] = asyncio.Queue()
        self._late: list[Any] = []
        self._prompt = ""

    @classmethod
    async def connect(cls, url: str) -> Socket:
        service = Service.at(url)
        service.ask("join")
        socket = cls(service)
        service.sockets.append(socket)
        if service.is_over(urlsplit(url).path.lstrip("/")):
            socket.say(SessionClosedError("session_time_over"))
        return socket

    async def send(self, message: Any) -> None:
        if self.closed:
            raise UnreachableError("service_connection_lost")
        self.heard.append(message)
        match message:
            case RtcJoin() if self._service.admits:
                self.admit()
            case SetPrompt(prompt=prompt) if "nonsense" in prompt:
                reading = PromptReading(prompt=prompt, not_understood=("nonsense",), unchanged=True)
                self._answer(PromptAck(prompt=self._prompt, success=True, reading=reading))
            case SetPrompt(prompt=prompt):
                self._prompt = prompt
                self._answer(PromptAck(prompt=prompt, success=True))
            case SetImage():
                refusal = self._service.photo_refusal
                self._answer(SetImageAck(success=not refusal, error=refusal or None))

    def say(self, message: Any) -> None:
        """Sends a message of the service, or closes the socket with an error."""
        self._answers.put_nowait(message)

    def admit(self) -> None:
        """Gives the room."""
        (join,) = (each for each in self.heard if isinstance(each, RtcJoin))
        self.say(self._service.room(join.passthrough))

    def confirm(self) -> None:
        """Acknowledges what was not acknowledged at once."""
        late, self._late = self._late, []
        for message in late:
            self.say(message)

    def told(self, kind: type) -> list[Any]:
        """What it was told of a kind."""
        return [each for each in self.heard if isinstance(each, kind)]

    async def __aiter__(self) -> AsyncIterator[Any]:
        while (message := await self._answers.get()) is not None:
            if isinstance(message, OverpaintError):
                raise message
            yield message

    async def close(self) -> None:
        self.closed = True
        self.say(None)

    def _answer(self, message: Any) -> None:
        if self._service.confirms:
            self.say(message)
        else:
            self._late.append(message)


class Client:
    """The service's HTTP side.

    Attributes:
        closed: Whether it was closed.
    """

    def __init__(self, url: str, *_: object, **__: object) -> None:
        self.base_url = url
        self.closed = False
        self._service = Service.at(url)

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def account(self) -> Account:
        self._service.ask("account")
        key = KeyInfo(name="Test", environment="test", masked="…")
        return Account(credits_remaining=self._service.credits, key=key)

    async def create_session(self, **order: Any) -> RealtimeSession:
        return self._service.sell(order)

    async def close(self) -> None:
        self.closed = True


def make_link(request: LinkRequest, client: Any) -> Link:
    """As the live process makes one."""
    return Service.at(client.base_url).link(request)


def script_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts scripted services in the place of real ones, and small pictures."""
    monkeypatch.setattr(purchases, "ServiceClient", Client)
    monkeypatch.setattr(connection, "ControlSocket", Socket)
    sizes = {"service-realtime-1080p": (WIDTH, HEIGHT)}
    monkeypatch.setattr(purchase_records, "OUTPUT_SIZES", sizes)
