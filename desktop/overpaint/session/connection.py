"""One session of the service as the desktop sees it: resource, control socket and link.

Opens, can be resumed while its session lives, and reports its own end once. Must not decide what
happens then: that is the state machine's.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from overpaint.client.control import ControlSocket
from overpaint.client.http import ServiceClient
from overpaint.errors import (
    InvalidRequestError,
    LinkError,
    OverpaintError,
    ServiceError,
    SessionClosedError,
    UnreachableError,
    UpstreamError,
)
from overpaint.media.links import FrameLink, LinkRequest
from overpaint.session.hub import FrameHub
from overpaint.wire import control
from overpaint.wire.control import AnyServerMessage, RtcJoin, RtcRoomInfo, SetImage, SetPrompt, Transport
from overpaint.wire.service import OUTPUT_SIZES, RealtimeModel, RealtimeSession

log = logging.getLogger(__name__)

JOIN_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class Style:
    """What the user wants to see; survives every session.

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


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """How sessions are opened.

    Attributes:
        model: Realtime model.
        transports: Offered links, preferred first.
        ttl_seconds: Lifetime asked for.
        fps: Frames a second that will be sent.
    """

    model: RealtimeModel = "service-realtime-1080p"
    transports: tuple[Transport, ...] = ("shared_memory", "webrtc")
    ttl_seconds: int = 1800
    fps: float = 30.0

    @property
    def size(self) -> tuple[int, int]:
        """Output (width, height)."""
        return OUTPUT_SIZES[self.model]


class ConnectionListener(Protocol):
    """Whoever holds connections. Called on the event loop."""

    def delivered(self, connection: Connection) -> None:
        """The first styled frame came."""

    def heard(self, connection: Connection, message: AnyServerMessage) -> None:
        """A message that is not part of joining."""

    def ended(self, connection: Connection, error: OverpaintError, *, resumable: bool) -> None:
        """It ended by itself; called at most once an opening."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a session was bought with; asked for again, it gives the same session and charges nothing.

    Source: protocol decisions, "retries".
    """

    options: SessionOptions
    prompt: str
    enhance_prompt: bool
    idempotency_key: str


LinkMaker = Callable[[LinkRequest, ServiceClient], FrameLink]


class Connection:
    """One session.

    Args:
        client: Of the service; owned.
        hub: Where frames come from and go to.
        make_link: Makes the desktop's end for a room.
        options: How it is opened.
        listener: Told what happens.

    Attributes:
        session: The service's resource, once it is created.
        order: What it was bought with.
        link: The present link.
        delivers: Whether a styled frame has come over it.
    """

    def __init__(
        self,
        client: ServiceClient,
        hub: FrameHub,
        make_link: LinkMaker,
        options: SessionOptions,
        listener: ConnectionListener,
    ) -> None:
        self._client = client
        self._hub = hub
        self._make_link = make_link
        self._options = options
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self._socket: ControlSocket | None = None
        self._reading: asyncio.Task[None] | None = None
        self._over = False
        self.session: RealtimeSession | None = None
        self.order: Order | None = None
        self.link: FrameLink | None = None
        self.delivers = False

    async def open(self, style: Style, order: Order | None = None) -> None:
        """Creates the session (charges credits) and joins it.

        Args:
            style: What the user wants to see.
            order: Of a session that is paid for and lost its core: it is asked for again.

        Raises:
            ServiceError: The service refused, or cannot be reached.
            LinkError: Frames cannot cross.
        """
        self.order = order = order or Order(
            self._options, style.prompt, style.enhance_prompt, secrets.token_hex(16)
        )
        self.session = await self._client.create_session(
            model=self._options.model,
            prompt=order.prompt or None,
            enhance_prompt=order.enhance_prompt,
            ttl_seconds=self._options.ttl_seconds,
            idempotency_key=order.idempotency_key,
        )
        await self.join(style)

    async def join(self, style: Style) -> None:
        """Opens the socket and the link of the session that is there (again).

        Raises:
            ServiceError: The session is gone, or the service cannot be reached.
            LinkError: Frames cannot cross.
        """
        if self.session is None:
            raise SessionClosedError("There is no session to join.")
        await self._leave()
        self._over = self.delivers = False
        try:
            async with asyncio.timeout(JOIN_TIMEOUT_S):
                await self._join(self.session, style)
        except TimeoutError as error:
            await self._leave()
            raise UnreachableError(
                "The service does not answer in time.", mend="Overpaint tries again by itself."
            ) from error
        except OverpaintError:
            await self._leave()
            raise

    async def send(self, message: SetPrompt | SetImage) -> None:
        """Sends a change of style; lost with the socket it is sent again when the session is joined."""
        if self._socket is not None:
            try:
                await self._socket.send(message)
            except ServiceError as error:
                log.info("a change of style waits for the next socket: %s", error)

    def stalled(self) -> None:
        """Tells that no frames come although frames are sent."""
        self._end(LinkError("No pictures come back from the service.", kind="lost"), resumable=True)

    async def close(self) -> None:
        """Ends the session's socket and link; idempotent."""
        self._over = True
        await self._leave()
        await self._client.close()

    # ---- inside ----------------------------------------------------------------------------------

    async def _join(self, session: RealtimeSession, style: Style) -> None:
        width, height = self._options.size
        self._socket = socket = await ControlSocket.connect(session.websocket_url)
        await socket.send(
            RtcJoin(
                transports=list(self._options.transports),
                width=width,
                height=height,
                fps=self._options.fps,
                passthrough=style.passthrough,
            )
        )
        room = await self._room(socket)
        # The session keeps its own prompt and photo; these are sent because they may have changed
        # while no socket was open, and because a new session does not know the photo.
        await socket.send(style_message(style))
        request = LinkRequest(room.rtc_url, room.token, room.room_name, width, height, self._options.fps)
        self.link = link = self._make_link(request, self._client)
        await link.open(self._link_lost)
        self._reading = asyncio.create_task(self._read(socket), name="control-socket")
        self._hub.attach(link, lambda: self._first_frame(link))

    async def _room(self, socket: ControlSocket) -> RtcRoomInfo:
        async for message in socket:
            if isinstance(message, RtcRoomInfo):
                return message
            if isinstance(message, control.SocketError):
                raise _as_error(message)
            self._listener.heard(self, message)
        raise SessionClosedError("The service closed the session.")

    async def _read(self, socket: ControlSocket) -> None:
        try:
            async for message in socket:
                self._listener.heard(self, message)
        except ServiceError as error:
            self._end(error, resumable=isinstance(error, UnreachableError))
        else:
            self._end(UnreachableError("The service closed the connection."), resumable=True)

    def _link_lost(self, sentence: str) -> None:
        """From any thread."""
        error = LinkError(sentence, kind="lost")
        self._loop.call_soon_threadsafe(lambda: self._end(error, resumable=True))

    def _first_frame(self, link: FrameLink) -> None:
        """From the pump's thread."""
        self._loop.call_soon_threadsafe(self._delivered, link)

    def _delivered(self, link: FrameLink) -> None:
        if link is self.link and not self._over:
            self.delivers = True
            self._listener.delivered(self)

    def _end(self, error: OverpaintError, *, resumable: bool) -> None:
        if not self._over:
            self._over = True
            self._listener.ended(self, error, resumable=resumable)

    async def _leave(self) -> None:
        reading, self._reading = self._reading, None
        if reading is not None and reading is not asyncio.current_task():
            reading.cancel()
            await asyncio.wait([reading])
        link, self.link = self.link, None
        if link is not None:
            self._hub.detach(link)
            await link.close()
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()


def style_message(style: Style) -> SetPrompt | SetImage:
    """The message that brings a whole style to a session."""
    if style.reference is None:
        return SetPrompt(prompt=style.prompt, enhance_prompt=style.enhance_prompt)
    return SetImage(
        image_data=base64.b64encode(style.reference).decode("ascii"),
        prompt=style.prompt,
        enhance_prompt=style.enhance_prompt,
    )


def _as_error(message: control.SocketError) -> ServiceError:
    kinds: dict[str, type[ServiceError]] = {"invalid_request_error": InvalidRequestError}
    return kinds.get(message.code, UpstreamError)(message.error)
