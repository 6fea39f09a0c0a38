"""The session runner: carries out the state machine's commands to open, resume, renew and close connections.

A renewed session is swapped in by ``delivered``. ``state`` decides when to resume, renew or fail over, and
the backoff between attempts. Runs on one event loop; its public methods are called there. Must not know
windows or devices.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import replace
from functools import partial

from overpaint.errors import (
    AuthenticationError,
    InternalError,
    OverpaintError,
    SessionClosedError,
)
from overpaint.processes.memory import give_back
from overpaint.session.backend.service_access import Fallback, ServiceAccess
from overpaint.session.output.frame_router import FrameHub
from overpaint.session.realtime import events
from overpaint.session.realtime import state as machine
from overpaint.session.realtime.connection import Connection, LinkMaker
from overpaint.session.realtime.events import Style, Where
from overpaint.session.realtime.monitors import (
    STANDBY_AFTER_S,
    Watches,
    WatchName,
    be_patient,
    needed_watches,
    watch_change,
    watch_for,
    watch_frames,
)
from overpaint.session.realtime.prompt_course import PromptCourse
from overpaint.session.realtime.purchase_records import SessionOptions
from overpaint.session.realtime.purchases import Charged, Purchases
from overpaint.session.realtime.state import Phase, SessionState, StandIn
from overpaint.session.realtime.stream_status import StreamFacts
from overpaint.wire import control

log = logging.getLogger(__name__)

CHECK_BEFORE_S = 120.0
"""Time before a session's end at which the balance is checked for the next one, so that the user can act."""


class SessionRunner:
    """The session runner, which keeps a session alive for as long as the user wants.

    Args:
        access: Finds the service.
        hub: The frame router.
        make_link: Makes the desktop's end of a room's link.
        options: Options of sessions.
        changed: Called when anything shown has changed.
        fallback: Finds the local core while the chosen service is away.
        network: Returns a value that changes with the network of this computer.
        charged: Receives purchases, see ``Purchases``.

    Attributes:
        purchases: Purchases and the account.
        prompts: The course of prompts.
    """

    def __init__(
        self,
        access: ServiceAccess,
        hub: FrameHub,
        make_link: LinkMaker,
        options: SessionOptions,
        changed: Callable[[], None],
        fallback: Fallback,
        network: Callable[[], Hashable],
        charged: Charged,
    ) -> None:
        self._access = access
        self._fallback = fallback
        self._hub = hub
        self._make_link = make_link
        self._changed = changed
        self._command: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._watches = Watches()
        self._watching: dict[WatchName, Callable[[], Coroutine[None, None, None]]] = {
            "frames": lambda: watch_frames(hub, lambda: (self._current, self._next)),
            "renewal": self._await_renewal,
            "refusal": lambda: watch_for(self._can_pay, partial(self._handle, events.Mended())),
            "patience": self._lose_patience,
            "chosen": lambda: watch_for(self._chosen_is_back, partial(self._handle, events.ChosenBack())),
            "network": lambda: watch_change(network, self.hurry),
            "standby": self._keep_standby,
        }
        self._current: Connection | None = None
        self._next: Connection | None = None
        self._preparing: asyncio.Task[None] | None = None
        self._unasked: OverpaintError | None = None
        self._photo_refused: OverpaintError | None = None
        self._doing: events.Command | None = None
        self.purchases = Purchases(hub, make_link, self, charged)
        self.options = options
        self.state = SessionState()
        self.facts = StreamFacts()
        self.prompts = PromptCourse()
        self.notice: OverpaintError | None = None

    # ---- what the user wants ---------------------------------------------------------------------

    @property
    def style(self) -> Style:
        """The user's style; setting it affects only later sessions (see ``set_style``)."""
        return self.state.style

    @style.setter
    def style(self, style: Style) -> None:
        self.state, _ = machine.advance(self.state, events.Restyle(style))

    def start(self) -> None:
        """Opens a session, unless there is one."""
        self._handle(events.Start())

    async def stop(self) -> None:
        """Ends the session; returns when everything is closed."""
        self._handle(events.Stop())
        if self._closing:
            await asyncio.wait(set(self._closing))

    def set_style(self, style: Style) -> None:
        """Changes prompt and photo, now and for every session to come."""
        self.prompts.ask(style)
        self.style = style
        # The next one first: if the present one is given up, an outdated one must not follow it.
        for connection in (self._next, self._current):
            if connection is not None:
                self._bring_style(connection)

    def hold(self, on: bool) -> None:
        """Freezes or resumes the picture."""
        self._handle(events.Hold(on))

    def hurry(self) -> None:
        """Tries at once what waits for its backoff, or hangs in a network that is gone."""
        if self.state.phase in machine.WAITING and not self._joined:
            self._perform(self._doing)
        elif self.state.phase in (Phase.RENEWING, Phase.RETURNING) and self._next is None:
            self._perform(None if self.state.refused else self._doing)

    @property
    def failed_over_from(self) -> str:
        """Address of the chosen service while the fallback serves in its place; else empty."""
        live = self.state.phase in machine.FLOWING or self.state.held
        return self.purchases.chosen if live and self.state.stand_in is StandIn.USED else ""

    async def refresh_account(self) -> None:
        """Requests the balance (free of charge)."""
        try:
            await self.purchases.ask(self._service(self.state.where))
        except OverpaintError as error:
            self.notice = self._unasked = error
        else:
            self.notice = None if self.notice is self._unasked else self.notice
        self._changed()

    async def change_service(self) -> None:
        """Starts anew with another service."""
        self.purchases.account, self.notice = None, None
        await self.refresh_account()

    # ---- what connections say --------------------------------------------------------------------

    def delivered(self, connection: Connection) -> None:
        """Handles the first frames in the user's style; swaps a renewed session in."""
        if connection is self._next:
            former, self._next = self._current, None
            self._adopt(connection)
            if former is not None:
                self._retire(former)
            self._handle(events.NextDelivered())
        elif connection is self._current:
            self.facts.note_live()
            self._handle(events.Delivered())

    def heard(self, connection: Connection, message: control.AnyServerMessage) -> None:
        """Handles a message of the control socket."""
        facts = self.facts
        match message:
            case control.PromptAck(prompt=prompt, success=True, reading=reading):
                facts.understood = prompt
                self.style = self.prompts.answered(self.style, reading)
                if reading is not None and reading.unchanged:
                    connection.keeps(self.style)
                self.notice = self._photo_refused
            case control.SetImageAck(success=True):
                self.notice = self._photo_refused = None
            case control.PromptAck(error=error):
                self.notice = _notice(error) if error else InternalError("session_change_refused")
            case control.SetImageAck(error=error):
                # Shown until another photo is set: the prompt sent with it is acknowledged all the same.
                self.notice = _notice(error) if error else InternalError("session_photo_refused")
                self._photo_refused = self.notice
            case control.ReferenceImageError(error=error) | control.SocketError(error=error):
                self.notice = _notice(error)
            case control.GenerationStarted(engine=engine):
                facts.engine = engine
            case control.GenerationTick(seconds=seconds) if connection is self._current:
                facts.billed_now = seconds
            case control.QueuePosition(position=position, queue_size=size) if (
                self.state.phase in machine.WAITING
            ):
                facts.queue = position, size
            case _:
                return
        self._changed()

    def ended(self, connection: Connection, error: OverpaintError, *, resumable: bool) -> None:
        """Handles that a connection ended by itself."""
        log.info("a connection ended: %s (%s)", error, error.kind)
        if connection is self._next:
            self._next = None
            self._retire(connection)
            self._handle(events.NextFailed(error))
        elif connection is self._current and self._next is not None:
            heir, self._next = self._next, None  # its first frame is coming: nothing else is faster
            self._adopt(heir)
            self._retire(connection)
            self._handle(events.Dropped(error, resumable=False, heir=True))
            if heir.delivers:
                self.delivered(heir)
        elif connection is self._current:
            alive = self._service(connection.where).alive
            self._handle(events.Dropped(error, resumable=resumable and alive))

    # ---- inside ----------------------------------------------------------------------------------

    def _handle(self, event: events.Event) -> None:
        before = self.state
        # Jitter keeps many desktops from reconnecting to a server at the same moment.
        self.state, command = machine.advance(before, event, random.uniform(0.5, 1.0))
        if self.state.phase is not before.phase:
            log.info("session: %s → %s", before.phase, self.state.phase)
        if isinstance(command, events.Close):
            self._close_all()
        else:
            self._perform(command)
        if self.state.where is Where.CHOSEN and self.state.phase in (Phase.LIVE, *machine.OVER):
            self._fallback.release_fallback()
        self._watch()
        self._changed()

    def _perform(self, command: events.Command | None) -> None:
        match command:
            case events.Open(after_s, where):
                work = self._open(after_s, where)
            case events.Resume(after_s):
                work = self._resume(after_s)
            case events.OpenNext(after_s, where):
                work = self._open_next(after_s, where)
            case _:
                return
        # A command may start the next one as its last act; it must not cancel itself there.
        if self._command is not None and self._command is not asyncio.current_task():
            self._command.cancel()
        # Repeated in a hurry, it runs without its delay.
        self._doing = replace(command, after_s=0.0)
        self._command = asyncio.create_task(work, name="session-command")

    def _watch(self) -> None:
        """Starts and ends monitors for the present phase."""
        needed = needed_watches(self.state, fallback=self._fallback.acquire_fallback() is not None)
        for name, watch in self._watching.items():
            self._watches.keep(name, name in needed, watch)

    def _close_all(self) -> None:
        self._access.keep_standby(False)
        if self._command is not None:
            self._command.cancel()
            self._command = None
        self._forget_connections()
        self.facts = StreamFacts(sessions=self.facts.sessions)

    def _forget_connections(self) -> None:
        """Closes all connections; the next start resumes what is paid for."""
        for connection in (self._current, self._next):
            if connection is not None:
                self._retire(connection)
        self._current = self._next = None

    def _retire(self, connection: Connection) -> None:
        self.purchases.put_by(connection)
        self._spawn(_let_go(connection))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _service(self, where: Where) -> ServiceAccess:
        stand_in = self._fallback.acquire_fallback() if where is Where.STAND_IN else None
        return stand_in or self._access

    @property
    def _joined(self) -> bool:
        return self._current is not None and self._current.link is not None

    async def _open(self, after_s: float, where: Where) -> None:
        await asyncio.sleep(after_s)
        self._forget_connections()
        self.facts.queue = None
        try:
            connection = await self._buy(where, warm=False)
        except OverpaintError as error:
            self._handle(events.OpenFailed(error))
        else:
            self._join(connection)

    async def _resume(self, after_s: float) -> None:
        await asyncio.sleep(after_s)
        connection = self._current
        if connection is None:
            self._handle(events.ResumeFailed(SessionClosedError("session_is_closed"), gone=True))
            return
        try:
            await connection.join(lambda: self.style)
        except OverpaintError as error:
            alive = self._service(connection.where).alive
            gone = isinstance(error, AuthenticationError | SessionClosedError) or not alive
            self._handle(events.ResumeFailed(error, gone))
        else:
            self._join(connection)

    async def _open_next(self, after_s: float, where: Where) -> None:
        await asyncio.sleep(after_s)
        try:
            connection = await self._buy(where, warm=True)
        except OverpaintError as error:
            self._handle(events.NextFailed(error))
        else:
            self._next = connection
            self._bring_style(connection)

    async def _buy(self, where: Where, *, warm: bool) -> Connection:
        access, style = self._service(where), lambda: self.style
        connection = await self.purchases.open(access, self.options, style, where, warm=warm)
        self.facts.sessions = self.purchases.sessions
        return connection

    def _join(self, connection: Connection) -> None:
        """Attaches an open connection, whose frames are delivered once they are in the user's style."""
        self._current = connection
        if self._bring_style(connection):
            self._adopt(connection)
        if connection.delivers:
            self.delivered(connection)
        self._changed()

    def _adopt(self, connection: Connection) -> None:
        """Makes a connection the current one."""
        self._current = connection
        if connection.link is not None and connection.session is not None:
            self._hub.promote(connection.link)
            self.facts.note(connection.session, connection.ends_at, connection.link.name)

    def _bring_style(self, connection: Connection) -> bool:
        """Sends the user's present style to a session; False when it has to be joined anew for that."""
        told, style = connection.told, self.style
        if told is None or told == style:
            return True
        if told.passthrough == style.passthrough:
            self._spawn(connection.restyle(style))
            return True
        # It was opened for the former picture, and must not go on with it.
        if connection.link is not None:
            self._hub.detach(connection.link)
        connection.stalled()
        return False

    # ---- watches ---------------------------------------------------------------------------------

    async def _await_renewal(self) -> None:
        """Reports when the session is due for renewal; checks before that whether it can be paid."""
        present = self._current
        if present is None:
            return
        if present.left_s > CHECK_BEFORE_S:
            await asyncio.sleep(present.left_s - CHECK_BEFORE_S)
            await self.refresh_account()
        await asyncio.sleep(max(0.0, present.left_s - machine.RENEW_BEFORE_S))
        self._handle(events.RenewalDue())

    async def _keep_standby(self) -> None:
        while True:
            await asyncio.sleep(STANDBY_AFTER_S)
            self._service(self.state.where).keep_standby(True)  # replaces one that hung or died

    async def _can_pay(self) -> bool:
        """Returns whether the service would sell another session."""
        return await self.purchases.sells(self._service(self.state.where), self.options, tell=True)

    async def _chosen_is_back(self) -> bool:
        return await self.purchases.sells(self._access, self.options)

    async def _lose_patience(self) -> None:
        limit_s = machine.START_PATIENCE_S if self.state.phase is Phase.CONNECTING else machine.PATIENCE_S
        await be_patient(limit_s, lambda: not self._joined and self.facts.queue is None, self._rouse)
        self._handle(events.OutOfPatience())

    def _rouse(self) -> None:
        self._preparing = asyncio.create_task(self._prepare_fallback())

    async def _prepare_fallback(self) -> None:
        try:
            await self._service(Where.STAND_IN).endpoint()
        except OverpaintError as error:
            log.info("there is no stand-in yet: %s", error)
        if self.state.where is Where.CHOSEN and self.state.phase not in machine.WAITING:
            self._fallback.release_fallback()  # the chosen one is back meanwhile


async def _let_go(connection: Connection) -> None:
    await connection.close()
    await asyncio.to_thread(give_back)


def _notice(sentence: str) -> InternalError:
    """What a service says in a session that goes on."""
    return InternalError("session_notice", sentence=sentence)
