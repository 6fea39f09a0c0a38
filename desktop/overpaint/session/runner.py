"""Performs what the state machine commands: opens, resumes, renews and closes connections.

Runs on one event loop; its public methods are called there. Must not know windows or devices.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from overpaint.client.http import ServiceClient
from overpaint.client.transport import ONCE_MORE
from overpaint.errors import (
    AuthenticationError,
    InsufficientCreditsError,
    InternalError,
    InvalidRequestError,
    OverpaintError,
    ServiceError,
    SessionClosedError,
)
from overpaint.media.frames import now_ns
from overpaint.session import state as machine
from overpaint.session.connection import (
    Connection,
    LinkMaker,
    Order,
    SessionOptions,
    Style,
    style_message,
)
from overpaint.session.hub import FrameHub
from overpaint.session.state import Phase, SessionState
from overpaint.wire import control
from overpaint.wire.service import Account, RealtimeSession

log = logging.getLogger(__name__)

STALL_NS = 2_000_000_000
"""Frames go out and none comes back for this long: the link is taken for dead."""
FIRST_FRAME_NS = 15_000_000_000
STALL_FRAMES = 15
WATCH_S = 0.5


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the service is, and the key for it (never logged).

    Attributes:
        url: Base address without ``/v1``.
        key: API key.
        server: "" for the local core, else the address that the user entered.
    """

    url: str
    key: str
    server: str = ""

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r})"


class ServiceAccess(Protocol):
    """Finds the service, starting it where that is ours to do."""

    async def endpoint(self) -> Endpoint:
        """Raises ``OverpaintError`` when there is none."""

    @property
    def alive(self) -> bool:
        """Whether the process behind the last endpoint is still there, as far as is known."""


@dataclass(slots=True)
class StreamFacts:
    """What the service said about the stream."""

    understood: str = ""
    engine: str = ""
    session_id: str = ""
    link: str = ""
    expires_at: datetime | None = None
    billed_before: int = 0
    billed_now: int = 0
    live_since_ns: int = 0
    sessions: int = 0


class SessionRunner:
    """Keeps a session alive for as long as the user wants.

    Args:
        access: Finds the service.
        hub: Where frames come from and go to.
        make_link: Makes the desktop's end for a room.
        options: How sessions are opened.
        changed: Called when anything that is shown has changed.

    Attributes:
        charged: Called with each session that was paid for, and again with one that is gone on with.
    """

    def __init__(
        self,
        access: ServiceAccess,
        hub: FrameHub,
        make_link: LinkMaker,
        options: SessionOptions,
        changed: Callable[[], None],
    ) -> None:
        self._access = access
        self._hub = hub
        self._make_link = make_link
        self._changed = changed
        self._command: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._renewal: asyncio.TimerHandle | None = None
        self._watch: asyncio.Task[None] | None = None
        self._current: Connection | None = None
        self._next: Connection | None = None
        self._paid: Order | None = None
        self.charged: Callable[[RealtimeSession, str], None] = lambda session, server: None
        self.options = options
        self.style = Style()
        self.state = SessionState()
        self.facts = StreamFacts()
        self.account: Account | None = None
        self.server = ""
        self.notice: OverpaintError | None = None

    # ---- what the user wants ---------------------------------------------------------------------

    def start(self) -> None:
        """Opens a session, unless one is there."""
        self._handle(machine.Start())

    async def stop(self) -> None:
        """Ends the session; returns when everything is closed."""
        self._handle(machine.Stop())
        if self._closing:
            await asyncio.wait(set(self._closing))

    def set_style(self, style: Style) -> None:
        """Changes prompt and photo, now and for every session to come."""
        rejoin = style.passthrough != self.style.passthrough
        self.style = style
        if self._current is None:
            return
        if rejoin:
            # Both were opened for the picture of before: neither may go on with it.
            for connection in (self._next, self._current):
                if connection is not None:
                    if connection.link is not None:
                        self._hub.detach(connection.link)
                    connection.stalled()
            return
        for connection in (self._current, self._next):
            if connection is not None:
                self._spawn(connection.send(style_message(style)))

    async def refresh_account(self) -> None:
        """Asks for the balance (free of charge)."""
        try:
            endpoint = await self._access.endpoint()
            client = ServiceClient(endpoint.url, endpoint.key, retries=ONCE_MORE)
            try:
                self.account = await client.account()
                self.server = endpoint.server
            finally:
                await client.close()
        except OverpaintError as error:
            self.notice = error
        self._changed()

    async def change_service(self) -> None:
        """Another service is used from now on."""
        self.account, self._paid, self.notice = None, None, None
        await self.refresh_account()

    # ---- what connections say --------------------------------------------------------------------

    def delivered(self, connection: Connection) -> None:
        """The first styled frame of a connection came."""
        if connection is self._next:
            former, self._current, self._next = self._current, connection, None
            self._adopt(connection)
            if former is not None:
                self._retire(former)
            self._handle(machine.NextOpened())

    def heard(self, connection: Connection, message: control.AnyServerMessage) -> None:
        """A message of the control socket."""
        facts = self.facts
        match message:
            case control.PromptAck(prompt=prompt, success=True):
                facts.understood = prompt
                self.notice = None
            case control.PromptAck(error=error) | control.SetImageAck(success=False, error=error):
                self.notice = InternalError(error or "The service did not take the change.")
            case control.ReferenceImageError(error=error) | control.SocketError(error=error):
                self.notice = InternalError(error)
            case control.GenerationStarted(engine=engine):
                facts.engine = engine
            case control.GenerationTick(seconds=seconds) if connection is self._current:
                facts.billed_now = seconds
            case _:
                return
        self._changed()

    def ended(self, connection: Connection, error: OverpaintError, *, resumable: bool) -> None:
        """A connection ended by itself."""
        log.info("a connection ended: %s (%s)", error, error.kind)
        if connection is self._next:
            self._next = None
            self._retire(connection)
            self._handle(machine.NextFailed(error))
        elif connection is self._current and self._next is not None and self._next.link is not None:
            self.delivered(self._next)  # its first frame is on the way: sooner than anything else
        elif connection is self._current:
            self._handle(machine.Dropped(error, resumable=resumable and self._access.alive))

    # ---- inside ----------------------------------------------------------------------------------

    def _handle(self, event: machine.Event) -> None:
        before = self.state
        # Jitter keeps many desktops from coming back to a server at the same moment.
        self.state, command = machine.advance(before, event, random.uniform(0.5, 1.0))
        if self.state.phase is not before.phase:
            log.info("session: %s → %s", before.phase, self.state.phase)
        match command:
            case machine.Close():
                self._close_all()
            case machine.Open(after_s):
                self._perform(self._open(after_s))
            case machine.Resume(after_s):
                self._perform(self._resume(after_s))
            case machine.OpenNext(after_s):
                self._perform(self._open_next(after_s))
            case None:
                pass
        self._changed()

    def _perform(self, command: Coroutine[None, None, None]) -> None:
        # A command may command the next one as its last act; it must not cancel itself there.
        if self._command is not None and self._command is not asyncio.current_task():
            self._command.cancel()
        self._command = asyncio.create_task(command, name="session-command")

    def _close_all(self) -> None:
        if self._command is not None:
            self._command.cancel()
            self._command = None
        self._forget_renewal()
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        self._forget_connections()
        self.facts = StreamFacts(sessions=self.facts.sessions)

    def _forget_connections(self) -> None:
        """Closes what is open; what is paid for is asked for again by the next start."""
        self._paid = _still_paid(self._current) or self._paid
        for connection in (self._current, self._next):
            if connection is not None:
                self._retire(connection)
        self._current = self._next = None

    def _retire(self, connection: Connection) -> None:
        self._spawn(connection.close())

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _open(self, after_s: float) -> None:
        await asyncio.sleep(after_s)
        self._forget_connections()
        try:
            self._current = await self._connect()
        except OverpaintError as error:
            self._handle(machine.OpenFailed(error))
            return
        self._adopt(self._current)
        self._handle(machine.Opened())

    async def _resume(self, after_s: float) -> None:
        await asyncio.sleep(after_s)
        connection = self._current
        if connection is None:
            self._handle(machine.ResumeFailed(SessionClosedError("The session is closed."), gone=True))
            return
        try:
            await connection.join(self.style)
        except OverpaintError as error:
            gone = isinstance(error, AuthenticationError | SessionClosedError) or not self._access.alive
            self._handle(machine.ResumeFailed(error, gone))
            return
        self._adopt(connection)
        self._handle(machine.Opened())

    async def _open_next(self, after_s: float) -> None:
        await asyncio.sleep(after_s)
        try:
            self._next = await self._connect()
        except OverpaintError as error:
            self._handle(machine.NextFailed(error))

    async def _connect(self) -> Connection:
        """Opens a session: the one that is paid for already, else a new one. Nothing is paid for twice."""
        endpoint = await self._access.endpoint()
        paid = self._paid if self._paid is not None and self._paid.options == self.options else None
        self._paid = None
        client = ServiceClient(endpoint.url, endpoint.key, retries=ONCE_MORE)
        connection = Connection(client, self._hub, self._make_link, self.options, self)
        try:
            if self.account is None:
                self.account = await client.account()
            self.server = endpoint.server
            await connection.open(self.style, paid)
        except BaseException as error:
            # Whatever went wrong after it was paid for (or while it was stopped), it is asked for again,
            # unless the service says that it is over.
            if not isinstance(error, SessionClosedError | InvalidRequestError):
                self._paid = _still_paid(connection) or paid
            await connection.close()
            if isinstance(error, InsufficientCreditsError):
                name = self.account.key.name if self.account is not None else ""
                raise with_a_way_out(error, endpoint, name) from error
            raise
        if (session := connection.session) is not None:
            self.charged(session, endpoint.server)
            left = {"credits_remaining": session.credits_remaining}
            self.account = self.account and self.account.model_copy(update=left)
        self.facts.sessions += paid is None
        return connection

    def _adopt(self, connection: Connection) -> None:
        """Makes a connection the one whose frames go on."""
        facts, session = self.facts, connection.session
        if connection.link is None or session is None:
            return
        self._hub.promote(connection.link)
        facts.link = connection.link.name
        facts.live_since_ns = facts.live_since_ns or now_ns()
        if facts.session_id != session.id:
            facts.session_id, facts.expires_at = session.id, session.expires_at
            facts.billed_before, facts.billed_now = facts.billed_before + facts.billed_now, 0
        self._forget_renewal()
        left_s = (session.expires_at - datetime.now(UTC)).total_seconds()
        due_s = max(0.0, left_s - machine.RENEW_BEFORE_S)
        self._renewal = asyncio.get_running_loop().call_later(
            due_s, lambda: self._handle(machine.RenewalDue())
        )
        if self._watch is None:
            self._watch = asyncio.create_task(self._watch_frames())

    def _forget_renewal(self) -> None:
        if self._renewal is not None:
            self._renewal.cancel()
            self._renewal = None

    async def _watch_frames(self) -> None:
        """Takes a link for dead when frames go in and none comes out (sockets may look well then)."""
        sent, styled, since_ns = 0, -1, 0
        while True:
            live = self.state.phase in (Phase.LIVE, Phase.RENEWING)
            if not live or self._hub.styled.count != styled:
                sent, styled, since_ns = self._hub.sent, self._hub.styled.count, now_ns()
            elif self._current is not None and self._hub.sent - sent >= STALL_FRAMES:
                # Before the first frame a look may still be compiling: on a cold machine that takes a while.
                patience_ns = STALL_NS if self._current.delivers else FIRST_FRAME_NS
                if now_ns() - since_ns > patience_ns:
                    self._current.stalled()
            await asyncio.sleep(WATCH_S)


def _still_paid(connection: Connection | None) -> Order | None:
    """What a session was bought with that was stopped, or lost its core, before its time was over."""
    if connection is None or connection.session is None:
        return None
    left_s = (connection.session.expires_at - datetime.now(UTC)).total_seconds()
    return connection.order if left_s > machine.RENEW_BEFORE_S else None


def with_a_way_out(
    error: InsufficientCreditsError, endpoint: Endpoint, key_name: str
) -> InsufficientCreditsError:
    """On this computer's own core the user may add credits; elsewhere the service's word stands."""
    if endpoint.server or not key_name:
        return error
    command = f'overpaint credits add 500 --key-name "{key_name}"'
    return InsufficientCreditsError(str(error), mend=f"Add some: {command}")


__all__ = ["Endpoint", "ServiceAccess", "ServiceError", "SessionRunner", "StreamFacts", "with_a_way_out"]
