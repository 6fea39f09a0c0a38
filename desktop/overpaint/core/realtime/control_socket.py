"""The control socket: one WebSocket, its messages and its close codes.

Source: specification, "WebSocket …/realtime/stream"; protocol decisions, "Control socket". It never carries
frames. Decided here, where both are silent:

- A refused socket gets an ``error`` whose code is the close code's name, then the close.
- A socket closed by its client (1000, 1001, or no code) ends the stream; a lost one does not.
  In both cases the session may be opened again until it expires.
- ``rtc_join`` may be sent again: the session moves to a new room.
- ``generation_ended`` with ``client_left`` means that the client ended the room.
- Messages are handled in order, except for a join, which may have to wait for a slot.
- Messages beyond the rate (``_RATE`` a second in bursts of ``_BURST``, and the size of the inbox) are
  dropped, and answered by an ``error`` with the code ``rate_limited``.
- A socket counts for its address, as a request without a key does; beyond the limit it is refused with
  ``rate_limited`` and 1013 ("try again later").

Must not know how frames are restyled.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from itertools import count

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from overpaint.core.configuration import ServiceConfig
from overpaint.core.http.error_answers import validation_sentence
from overpaint.core.http.rate_limits import Limits
from overpaint.core.realtime.live_session import LiveSession
from overpaint.core.realtime.session_registry import Sessions
from overpaint.errors import (
    AuthenticationError,
    EngineError,
    InternalError,
    InvalidRequestError,
    RateLimitedError,
    ServiceError,
    SessionClosedError,
    UpstreamError,
)
from overpaint.web.hosts import client_address
from overpaint.wire import control

log = logging.getLogger(__name__)

MESSAGE_MAX_BYTES = 12 * 1024 * 1024
"""A photo of 8 MB in base64 and a long prompt; a larger message closes the socket (1009)."""
_OUTBOX_MESSAGES = 256
_INBOX_MESSAGES, _INBOX_CHARACTERS = 64, 2 * MESSAGE_MAX_BYTES
_RATE, _BURST = 20.0, 60.0
_COMMAS_MAX = 4096
"""More than any valid message has (a prompt of 2,000 characters, and five fields). Others are lists, each
item of which pydantic would describe: one message of 10 MB took 50 s and 4 GB."""
_JOINS = 4
_TRY_AGAIN_LATER = 1013
_FINISH_SECONDS = 2.0
_TAGS = frozenset({"rtc_join", "prompt", "set_image"})
_DELIBERATE_CODES = (1000, 1001, 1005)
_BINARY = "\0"


def control_router(sessions: Sessions, config: ServiceConfig, limits: Limits) -> APIRouter:
    """Makes the route of the control socket."""
    router = APIRouter()
    arrivals = count()

    @router.websocket("/v1/realtime/stream")
    async def stream(websocket: WebSocket) -> None:
        arrival = next(arrivals)
        await websocket.accept()
        try:
            limits.count_address(websocket.client.host if websocket.client else None)
        except RateLimitedError as error:
            await _refuse(websocket, _TRY_AGAIN_LATER, error.kind, str(error))
            return
        base_url = config.base_url(websocket.url.scheme, websocket.url.netloc)
        found = await sessions.find(websocket.query_params.get("token", ""), base_url)
        if isinstance(found, LiveSession):
            await ControlSocket(websocket, found, base_url, arrival).run()
        elif found is None:
            unknown = AuthenticationError("session_token_unknown")
            await _refuse(websocket, control.CLOSE_AUTHENTICATION, unknown.kind, str(unknown))
        else:
            await _refuse(websocket, control.CLOSE_SESSION, found, str(SessionClosedError("session_ended")))

    return router


async def _refuse(websocket: WebSocket, code: int, name: str, sentence: str) -> None:
    with suppress(WebSocketDisconnect):
        message = control.SocketError(code=name, error=sentence)
        await websocket.send_text(message.model_dump_json(exclude_none=True))
        await websocket.close(code, name)


class Inbox:
    """The inbox of messages not yet handled; bounded in messages, characters and rate."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._characters = 0
        self._loop = asyncio.get_running_loop()
        self._allowance = _BURST
        self._counted = self._loop.time()

    def put(self, text: str) -> bool:
        """Adds a message; False beyond the bounds."""
        now = self._loop.time()
        self._allowance = min(_BURST, self._allowance + (now - self._counted) * _RATE)
        self._counted = now
        if self._allowance < 1:
            return False
        self._allowance -= 1
        if self._queue.qsize() >= _INBOX_MESSAGES or self._characters + len(text) > _INBOX_CHARACTERS:
            return False
        self._characters += len(text)
        self._queue.put_nowait(text)
        return True

    def close(self) -> None:
        """Closes it: no message follows."""
        self._queue.put_nowait(None)

    async def take(self) -> str | None:
        """Returns the next message; None after the last."""
        text = await self._queue.get()
        self._characters -= len(text or "")
        return text


class ControlSocket:
    """The server's end of one control socket.

    Args:
        websocket: An accepted WebSocket.
        session: Its session.
        base_url: The service's address as the client reached it.
        arrival: Its number in the order of this service's sockets.
    """

    def __init__(self, websocket: WebSocket, session: LiveSession, base_url: str, arrival: int) -> None:
        self.arrival = arrival
        self._websocket = websocket
        self._session = session
        self._inbox = Inbox()
        self._outbox: asyncio.Queue[control.ServerMessage | tuple[int, str]] = asyncio.Queue(_OUTBOX_MESSAGES)
        self._joins: set[asyncio.Task[None]] = set()
        self._limit_told = False
        self._done = asyncio.Event()
        self._finishing = False
        self._peer = client_address(websocket)
        self._base_url = base_url

    def post(self, message: control.ServerMessage) -> None:
        """Sends a message, unless the socket is finishing."""
        if self._finishing:
            return
        try:
            self._outbox.put_nowait(message)
        except asyncio.QueueFull:
            # Its client has read nothing for minutes: it counts as lost.
            self.finish(_TRY_AGAIN_LATER, "too slow")

    def finish(self, code: int, reason: str) -> None:
        """Closes the socket after the messages posted before."""
        if self._finishing:
            return
        self._finishing = True
        if self._outbox.full():
            self._outbox.get_nowait()
        self._outbox.put_nowait((code, reason))

    async def finished(self) -> None:
        """Returns when the socket is closed, or its client does not acknowledge the close."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_FINISH_SECONDS):
                await self._done.wait()

    async def run(self) -> None:
        """Serves the socket until either side closes."""
        self._session.attach(self)
        writer = asyncio.create_task(self._write())
        worker = asyncio.create_task(self._work())
        code = 1006
        try:
            code = await self._read()
        finally:
            self._inbox.close()
            if not self._finishing:
                writer.cancel()
            await asyncio.wait([writer])  # unlike await, this does not mistake our cancellation for its own
            self._done.set()
            await worker  # messages before the end are handled
            await self._session.detach(self, for_good=code in _DELIBERATE_CODES)

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect):
            while True:
                item = await self._outbox.get()
                if isinstance(item, tuple):
                    await self._websocket.close(*item)
                    break
                await self._websocket.send_text(item.model_dump_json(exclude_none=True))
                if isinstance(item, control.SocketError) and item.code == "rate_limited":
                    self._limit_told = False
        self._done.set()

    async def _read(self) -> int:
        """Receives messages until the socket closes; returns the close code."""
        while True:
            event = await self._websocket.receive()
            if event["type"] == "websocket.disconnect":
                # uvicorn reports 1005 for a close without a code and for a lost connection; only the
                # former has a reason.
                return int(event.get("code") or 1006) if "reason" in event else 1006
            # Binary messages are invalid JSON: they are handled alike, under the same limits.
            text = event.get("text")
            if not self._inbox.put(_BINARY if text is None else text):
                self._limit()

    async def _work(self) -> None:
        """Handles messages in order."""
        while (text := await self._inbox.take()) is not None:
            if text == _BINARY:
                self._complain(InvalidRequestError("message_not_text"))
                continue
            if text.count(",") > _COMMAS_MAX:
                self._complain(InvalidRequestError("message_too_long"))
                continue
            try:
                message = control.parse_client(text)
            except ValidationError as error:
                sentence = validation_sentence(error, _TAGS)
                self._complain(InvalidRequestError("body_breaks_rules", sentence=sentence))
                continue
            if not isinstance(message, control.RtcJoin):
                await self._handle(message)
            elif len(self._joins) >= _JOINS:
                self._limit()
            else:
                join = asyncio.create_task(self._handle(message))
                self._joins.add(join)
                join.add_done_callback(self._joins.discard)

    async def _handle(self, message: control.AnyClientMessage) -> None:
        try:
            if isinstance(message, control.RtcJoin):
                await self._join(message)
            elif isinstance(message, control.SetPrompt):
                await self._set_prompt(message)
            else:
                await self._set_image(message)
        except SessionClosedError:
            pass  # replaced or expired meanwhile; the client is being told
        except Exception:  # the root of a message: the session goes on
            log.exception("a control message failed")
            self._complain(InternalError("message_failed"))

    async def _join(self, message: control.RtcJoin) -> None:
        try:
            await self._session.join(self, message, self._peer, self._base_url)
        except InvalidRequestError as error:
            self._complain(error)
        except (EngineError, UpstreamError) as error:
            await self._session.fail(str(error))

    async def _set_prompt(self, message: control.SetPrompt) -> None:
        try:
            ack = await self._session.restyle(self, message.prompt, message.enhance_prompt)
        except (EngineError, UpstreamError) as error:
            self.post(control.PromptAck(prompt=message.prompt, success=False, error=str(error)))
        else:
            self.post(ack)

    async def _set_image(self, message: control.SetImage) -> None:
        try:
            await self._session.set_photo(self, message.image_data, message.prompt, message.enhance_prompt)
        except (InvalidRequestError, EngineError, UpstreamError) as error:
            self.post(control.SetImageAck(success=False, error=str(error)))
        else:
            self.post(control.SetImageAck(success=True))

    def _complain(self, error: ServiceError) -> None:
        self.post(control.SocketError(code=error.kind, error=str(error)))

    def _limit(self) -> None:
        """Reports a dropped message; once until that is sent, so that answers do not pile up."""
        if not self._limit_told:
            self._limit_told = True
            self._complain(RateLimitedError("message_dropped"))
