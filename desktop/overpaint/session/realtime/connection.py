"""The desktop's connection to one session of the service: resource, control socket and link.

It can be resumed while its session lives, and reports its own end once. What follows is decided by the state
machine, not here.
"""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

from overpaint.client.control import ControlSocket
from overpaint.client.http import ServiceClient
from overpaint.errors import (
    AuthenticationError,
    InvalidRequestError,
    LinkError,
    OverpaintError,
    ServiceError,
    SessionClosedError,
    UnreachableError,
    UpstreamError,
)
from overpaint.media.frames import FrameKind, StyledFrame, now_ns
from overpaint.media.links import FrameLink, LinkRequest
from overpaint.session.output.frame_router import FrameHub
from overpaint.session.realtime.events import Style, Where
from overpaint.session.realtime.purchase_records import Order
from overpaint.wire import control
from overpaint.wire.control import AnyServerMessage, RtcJoin, RtcRoomInfo, SetImage, SetPrompt
from overpaint.wire.servers import as_encrypted
from overpaint.wire.service import RealtimeSession

log = logging.getLogger(__name__)

JOIN_TIMEOUT_S = 10.0
"""Time limit for joining, without the time in the queue, which is unlimited while the socket is open."""
CONFIRM_NS, CONFIRM_PHOTO_NS = 5_000_000_000, 12_000_000_000
"""Time after which a frame counts as in the user's style without the service's confirmation. A photo must be
uploaded and decoded first. Both are below the time limits of a first frame (``monitors``).
"""
FADE_NS, WARM_FRAMES = 350_000_000, 3
"""A change of looks cross-fades for a third of a second: frames within it are not in the user's style yet."""


class ConnectionListener(Protocol):
    """The owner of connections. Called on the event loop."""

    def delivered(self, connection: Connection) -> None:
        """Receives the first frame in the user's style; of a warmed session, after a few of them."""

    def heard(self, connection: Connection, message: AnyServerMessage) -> None:
        """Receives a message that is not part of joining."""

    def ended(self, connection: Connection, error: OverpaintError, *, resumable: bool) -> None:
        """Handles that it ended by itself; called at most once per opening."""


LinkMaker = Callable[[LinkRequest, ServiceClient], FrameLink]


class Connection:
    """A connection to one session.

    Args:
        client: The service's client; closed here.
        hub: The frame router.
        make_link: Makes the desktop's end of a room's link.
        order: The order of its purchase.
        listener: Receives events.
        where: Which service it is at.
        warm: Whether it replaces a live session: then it delivers only after some frames.

    Attributes:
        session: The service's resource, once created.
        ends_at: Its end by this computer's clock, which may differ from the service's.
        spent: Whether the service said that it is over.
        link: The present link.
        told: The style last sent to the session; None before that.
        delivers: Whether a frame in the user's style has come over the present link.
    """

    def __init__(
        self,
        client: ServiceClient,
        hub: FrameHub,
        make_link: LinkMaker,
        order: Order,
        listener: ConnectionListener,
        where: Where = Where.CHOSEN,
        warm: bool = False,
    ) -> None:
        self._client = client
        self._hub = hub
        self._make_link = make_link
        self._listener = listener
        self._warm = warm
        self._loop = asyncio.get_running_loop()
        self._socket: ControlSocket | None = None
        self._reading: asyncio.Task[None] | None = None
        self._over = False
        self._joined_ns = 0
        self._captured_before = 0
        self._confirmed_ns: int | None = None
        self._styled_ns: int | None = None  # capture time of the first frame after the confirmation
        self._warmed = 0
        self._telling = asyncio.Lock()
        self._has_photo = False  # whether the session has a photo: it keeps one until it is removed
        self.order = order
        self.where = where
        self.ends_at = datetime.now(UTC) + timedelta(seconds=order.options.ttl_seconds)
        self.spent = False
        self.session: RealtimeSession | None = None
        self.link: FrameLink | None = None
        self.told: Style | None = None
        self.delivers = False

    @property
    def left_s(self) -> float:
        """Seconds until its session ends."""
        return (self.ends_at - datetime.now(UTC)).total_seconds()

    async def create(self) -> RealtimeSession:
        """Creates the session (charges credits, unless its order was already paid).

        Raises:
            ServiceError: The service refused, or cannot be reached.
        """
        order = self.order
        self.session = await self._client.create_session(
            model=order.options.model,
            prompt=order.prompt or None,
            enhance_prompt=order.enhance_prompt,
            ttl_seconds=order.options.ttl_seconds,
            idempotency_key=order.idempotency_key,
        )
        return self.session

    async def join(self, style: Callable[[], Style]) -> None:
        """Opens, or reopens, the socket and the link of its session.

        Args:
            style: Returns the user's present style.

        Raises:
            ServiceError: The session is gone, or the service cannot be reached.
            LinkError: Frames cannot cross.
        """
        if self.session is None:
            raise SessionClosedError("session_missing")
        await self._leave()
        self._over = self.delivers = False
        self._confirmed_ns, self._styled_ns, self._warmed, self._joined_ns = None, None, 0, 0
        try:
            async with asyncio.timeout(JOIN_TIMEOUT_S) as limit:
                await self._join(self.session, style, limit)
        except TimeoutError as error:
            await self._leave()
            raise UnreachableError("session_join_too_slow") from error
        except OverpaintError as error:
            self._note_expiry(error)
            await self._leave()
            raise

    async def restyle(self, style: Style) -> None:
        """Sends a change of style; if the socket breaks, it is sent again on joining."""
        socket, former = self._socket, self.told
        if socket is not None and former is not None:
            self.told = style
            swap = style.reference is not former.reference
            try:
                await self._tell(socket, style, swap_photo=swap)
            except ServiceError as error:
                log.info("a change of style waits for the next socket: %s", error)

    def keeps(self, style: Style) -> None:
        """Notes that the session kept a prompt instead of the one it was told."""
        if self.told is not None:
            self.told = replace(self.told, prompt=style.prompt, enhance_prompt=style.enhance_prompt)

    def waits_ns(self, now: int, frames: int) -> int:
        """Returns the time since joining without any frame although that many were sent; else 0."""
        joined = self.link is not None and self._joined_ns
        if not joined or self.delivers or self._hub.captured.count < self._captured_before + frames:
            return 0
        return now - self._joined_ns

    def stalled(self) -> None:
        """Reports a stall: no frames come although frames are sent."""
        self._end(LinkError("session_without_pictures"), resumable=True)

    async def close(self) -> None:
        """Ends the session's socket and link; idempotent."""
        self._over = True
        await self._leave()
        await self._client.close()

    # ---- inside ----------------------------------------------------------------------------------

    async def _join(
        self, session: RealtimeSession, style: Callable[[], Style], limit: asyncio.Timeout
    ) -> None:
        options = self.order.options
        width, height = options.size
        self._socket = socket = await ControlSocket.connect(
            as_encrypted(self._client.base_url, session.websocket_url)
        )
        self.told = told = style()
        await socket.send(
            RtcJoin(
                transports=list(options.transports),
                width=width,
                height=height,
                fps=options.fps,
                passthrough=told.passthrough,
            )
        )
        room = await self._room(socket, limit)
        # The session keeps prompt and photo; they are sent because they may have changed while no
        # socket was open, and because a new session does not know the photo.
        await self._tell(socket, told, swap_photo=told.reference is not None or self._has_photo)
        kind = FrameKind.ORIGINAL if told.passthrough else FrameKind.STYLED
        rtc_url = as_encrypted(self._client.base_url, room.rtc_url)
        request = LinkRequest(rtc_url, room.token, room.room_name, width, height, options.fps, kind)
        self.link = link = self._make_link(request, self._client)
        await link.open(self._link_lost)
        if self._over:
            raise LinkError("session_link_lost_at_once")
        self._reading = asyncio.create_task(self._read(socket), name="control-socket")
        self._joined_ns, self._captured_before = now_ns(), self._hub.captured.count
        self._hub.attach(link, lambda frame: self._ready(link, frame))

    async def _tell(self, socket: ControlSocket, style: Style, *, swap_photo: bool) -> None:
        """Sends a style to the session. Raises ``ServiceError``."""
        async with self._telling:  # each change is sent as a whole
            self._has_photo |= style.reference is not None
            for message in style_messages(style, swap_photo=swap_photo):
                await socket.send(message)

    async def _room(self, socket: ControlSocket, limit: asyncio.Timeout) -> RtcRoomInfo:
        async for message in socket:
            if isinstance(message, RtcRoomInfo):
                limit.reschedule(self._loop.time() + JOIN_TIMEOUT_S)
                return message
            if isinstance(message, control.SocketError):
                raise _as_error(message)
            if isinstance(message, control.QueuePosition):
                limit.reschedule(None)
            self._listener.heard(self, message)
        raise SessionClosedError("session_closed_by_service")

    async def _read(self, socket: ControlSocket) -> None:
        try:
            async for message in socket:
                if isinstance(message, control.PromptAck | control.SetImageAck | control.SocketError):
                    self._confirmed_ns = self._confirmed_ns or now_ns()
                self._listener.heard(self, message)
        except ServiceError as error:
            self._end(error, resumable=isinstance(error, UnreachableError))
        else:
            self._end(UnreachableError("session_connection_closed"), resumable=True)

    def _link_lost(self, error: LinkError) -> None:
        """Reports, from any thread, that the link is lost."""
        self._loop.call_soon_threadsafe(lambda: self._end(error, resumable=True))

    def _ready(self, link: FrameLink, frame: StyledFrame) -> bool:
        """Returns whether a frame is in the user's style; called in the pump's thread until it is true.

        Frames painted before the session knows the style would show as a flash of another look.
        """
        confirmed_ns = self._confirmed_ns
        if frame.captured_ns < (confirmed_ns or self._joined_ns):
            return False
        if confirmed_ns is None:
            if now_ns() - self._joined_ns < self._patience_ns:
                return False
        elif self._fades:
            # Counted from a frame, not from the confirmation: where frames are slow, the fade begins late.
            self._styled_ns = self._styled_ns or frame.captured_ns
            if frame.captured_ns < self._styled_ns + FADE_NS:
                return False
        self._warmed += 1
        if self._warmed < (WARM_FRAMES if self._warm else 1):
            return False
        self._loop.call_soon_threadsafe(self._delivered, link)
        return True

    @property
    def _patience_ns(self) -> int:
        photo = self.told is not None and self.told.reference is not None
        # One that is to replace a live session has less time; and the service has decoded that photo before.
        return CONFIRM_PHOTO_NS if photo and not self._warm else CONFIRM_NS

    @property
    def _fades(self) -> bool:
        """Returns whether the session began with another look, as it does where there is a photo."""
        told, order = self.told, self.order
        if told is None or told.reference is not None:
            return True
        return (told.prompt, told.enhance_prompt) != (order.prompt, order.enhance_prompt)

    def _delivered(self, link: FrameLink) -> None:
        if link is self.link and not self._over:
            self.delivers, self._warm = True, False
            self._listener.delivered(self)

    def _end(self, error: OverpaintError, *, resumable: bool) -> None:
        self._note_expiry(error)
        if not self._over:
            self._over = True
            self._listener.ended(self, error, resumable=resumable)

    def _note_expiry(self, error: OverpaintError) -> None:
        self.spent = self.spent or error.kind == "session_expired"

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


def style_messages(style: Style, *, swap_photo: bool) -> list[SetImage | SetPrompt]:
    """The messages that bring a style to a session.

    Args:
        style: The new style.
        swap_photo: Whether the session has, or may have, another photo.
    """
    prompt = SetPrompt(prompt=style.prompt, enhance_prompt=style.enhance_prompt)
    if not swap_photo:
        return [prompt]
    image_data = base64.b64encode(style.reference or b"").decode("ascii")
    # Both at once, so that no frame shows one without the other; the prompt is sent again because only
    # its own acknowledgement tells what was understood.
    image = SetImage(image_data=image_data, prompt=style.prompt, enhance_prompt=style.enhance_prompt)
    return [image, prompt]


def _as_error(message: control.SocketError) -> ServiceError:
    kind, sentence = message.code, message.error
    match kind:
        case "invalid_request_error":
            return InvalidRequestError("service_refuses", kind=kind, sentence=sentence)
        case "authentication_error":
            return AuthenticationError("service_refuses", kind=kind, sentence=sentence)
        case "session_expired" | "session_closed":
            return SessionClosedError("service_refuses", kind=kind, sentence=sentence)
        case _:
            return UpstreamError("service_refuses", kind=kind, sentence=sentence)
