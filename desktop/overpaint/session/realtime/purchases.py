"""Purchases of sessions: nothing is paid for twice.

A paid session that was left, for whatever reason, is resumed before a new one is bought. Requests about the
account are free of charge. Must not decide when a session is needed.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

from overpaint.client.http import ServiceClient
from overpaint.client.transport import ONCE_MORE
from overpaint.errors import OverpaintError, SessionClosedError
from overpaint.session.backend.service_access import ServiceAccess
from overpaint.session.output.frame_router import FrameHub
from overpaint.session.realtime.connection import Connection, ConnectionListener, LinkMaker
from overpaint.session.realtime.events import Style, Where
from overpaint.session.realtime.purchase_records import Kept, Order, Orders, SessionOptions
from overpaint.session.realtime.state import is_fatal
from overpaint.wire.service import PRICES, Account, RealtimeSession

Charged = Callable[[RealtimeSession, str], None]


class Purchases:
    """The purchases of one live process.

    Args:
        hub: The frame router.
        make_link: Makes the desktop's end of a room's link.
        listener: Listener of the opened connections.
        charged: Called with each paid session and the service's address, also when it is resumed.

    Attributes:
        orders: The records of orders.
        account: The account as last reported; None before that.
        server: Address of that account's service; empty for the local core.
        chosen: Last known address of the chosen service.
        sessions: Number of paid sessions.
    """

    def __init__(
        self, hub: FrameHub, make_link: LinkMaker, listener: ConnectionListener, charged: Charged
    ) -> None:
        self._hub = hub
        self._make_link = make_link
        self._listener = listener
        self._charged = charged
        self.orders = Orders()
        self._ids: set[str] = set()
        self._asking = asyncio.Lock()
        self.account: Account | None = None
        self.server = self.chosen = ""

    @property
    def sessions(self) -> int:
        """The number of paid sessions."""
        return len(self._ids)

    async def open(
        self,
        access: ServiceAccess,
        options: SessionOptions,
        style: Callable[[], Style],
        where: Where,
        *,
        warm: bool,
    ) -> Connection:
        """Opens a session and joins it.

        Args:
            access: Finds the service.
            options: Options of the session.
            style: Returns the user's present style.
            where: Which service that is.
            warm: Whether it replaces a live session.

        Raises:
            OverpaintError: The service cannot be found, refuses, or no link works.
        """
        endpoint = await access.endpoint()
        if where is Where.CHOSEN:
            self.chosen = endpoint.server
        client = ServiceClient(endpoint.url, endpoint.key, retries=ONCE_MORE)
        kept = self.orders.take(endpoint.server, options)
        order = kept.order if kept is not None else _order(endpoint.server, options, style())
        connection = Connection(client, self._hub, self._make_link, order, self._listener, where, warm)
        self.orders.use(kept or _kept(connection))
        try:
            if self.account is None or self.server != endpoint.server:
                self.account, self.server = await client.account(), endpoint.server
            self._note(await connection.create(), connection, kept)
            self.orders.use(_kept(connection))
            await connection.join(style)
        except BaseException as error:
            # After any failure (the answer may be lost, or it was stopped) the same order is sent
            # again, unless the service says that there is no session, or that it is over.
            final = isinstance(error, OverpaintError) and is_fatal(error)
            if final or isinstance(error, SessionClosedError):
                self.orders.drop(order)
            else:
                self.put_by(connection)
            await connection.close()
            raise
        return connection

    def put_by(self, connection: Connection) -> None:
        """Puts by a session that is left, so that the rest of its time can be used."""
        if connection.spent:
            self.orders.drop(connection.order)
        else:
            self.orders.keep(_kept(connection))

    async def ask(self, access: ServiceAccess) -> Account:
        """Requests the balance of a service.

        Raises:
            OverpaintError: It cannot be found, or rejects the key.
        """
        async with self._asking:  # so that the last answer is the newest
            endpoint = await access.endpoint()
            async with ServiceClient(endpoint.url, endpoint.key, retries=ONCE_MORE) as client:
                self.account, self.server = await client.account(), endpoint.server
            return self.account

    async def sells(self, access: ServiceAccess, options: SessionOptions, *, tell: bool = False) -> bool:
        """Returns whether a service answers and would sell a session.

        Args:
            access: Finds it.
            options: Options of the session.
            tell: Whether its balance is the one to show.
        """
        try:
            endpoint = await access.endpoint()
            async with ServiceClient(endpoint.url, endpoint.key, retries=ONCE_MORE) as client:
                account = await client.account()
        except OverpaintError:
            return False
        if tell:
            self.account, self.server = account, endpoint.server
        affordable = endpoint.is_free or account.credits_remaining >= PRICES[options.model]
        return affordable or self.orders.has(endpoint.server, options)

    def _note(self, session: RealtimeSession, connection: Connection, kept: Kept | None) -> None:
        if kept is not None:  # else it begins now, with its whole lifetime
            connection.ends_at = kept.until if kept.answered else min(connection.ends_at, session.expires_at)
        self._ids.add(session.id)
        if kept is None:  # else it is the former answer, with the former balance
            left = {"credits_remaining": session.credits_remaining}
            self.account = self.account and self.account.model_copy(update=left)
        self._charged(session, self.server)


def _order(server: str, options: SessionOptions, style: Style) -> Order:
    return Order(server, options, style.prompt, style.enhance_prompt, secrets.token_hex(16))


def _kept(connection: Connection) -> Kept:
    return Kept(connection.order, connection.ends_at, connection.session is not None)
