"""The choice of the service: local core or remote, tested before it is taken; its fallback.

The key is stored in the system's keyring. Where there is none, it is kept until the process ends, and
the user is told so. Must not know sessions or windows.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from overpaint import credentials
from overpaint.client.addresses import service_address
from overpaint.client.http import ServiceClient
from overpaint.client.transport import ONCE_MORE
from overpaint.errors import CredentialError, OverpaintError, UsageError
from overpaint.session.backend.local_core import CoreLease
from overpaint.session.backend.remote_service import RemoteAccess, check_encrypted
from overpaint.session.backend.service_access import Endpoint
from overpaint.wire.messages import Trouble
from overpaint.wire.servers import Server, UseServer, is_unencrypted

log = logging.getLogger(__name__)


class ServiceSwitch:
    """A ``ServiceAccess`` that can become another one.

    Args:
        address: The service of the last time; empty for this computer's own.
        fall_back: Whether this computer's own takes the place of another one that is away.
        lease: Makes the hold on this computer's own.
        busy: Says why no other service can be taken now; empty when one can.
        taken: Called with the address of another one and whether this computer's own may take its place,
            after it was taken.
        tell: Takes what a window should know.
        allowed_http: Address of the service whose way the user has agreed to be not encrypted; empty: none.
    """

    def __init__(
        self,
        address: str,
        lease: Callable[[], CoreLease],
        busy: Callable[[], UsageError | None],
        taken: Callable[[str, bool], Awaitable[None]],
        tell: Callable[[Server], None],
        fall_back: bool = False,
        allowed_http: str = "",
    ) -> None:
        self._make_lease = lease
        self._busy = busy
        self._taken = taken
        self._tell = tell
        self._turn = asyncio.Lock()
        self._state = Server(address=address, fall_back=fall_back)
        self._stand_in: CoreLease | None = None
        self.allowed_http = allowed_http
        self.lease: CoreLease | None = None
        self._access: CoreLease | RemoteAccess = self._find(address)

    @property
    def alive(self) -> bool:
        """Whether the process behind the last endpoint is still there, as far as is known."""
        return self._access.alive

    async def endpoint(self) -> Endpoint:
        """Where the service is. Raises ``OverpaintError`` when there is none."""
        return await self._access.endpoint()

    def keep_standby(self, on: bool) -> None:
        """Whether a standby is kept, where the service is a core of this computer."""
        self._access.keep_standby(on)

    def stand_in(self) -> CoreLease | None:
        """This computer's own service while another one is chosen and may be stood in for; else None."""
        if not self._state.address or not self._state.fall_back:
            return None
        self._stand_in = self._stand_in or self._make_lease()
        return self._stand_in

    def dismiss_stand_in(self) -> None:
        """It is of no use any more; idempotent."""
        if self._stand_in is not None:
            self._stand_in.release()

    def close(self) -> None:
        """Lets go of this computer's own service; idempotent."""
        self.dismiss_stand_in()
        if self.lease is not None:
            self.lease.release()

    def say(self) -> None:
        """Tells what is so now."""
        self._tell(self._state)

    async def use(self, intent: UseServer) -> None:
        """Takes another service, or says why not."""
        async with self._turn:
            self._change(testing=True, trouble=None)
            try:
                forgotten = await self._take(intent)
            except OverpaintError as error:
                log.info("the service at %r is not taken: %s", intent.address, error)
                trouble = Trouble.of(error)
                self._change(testing=False, trouble=trouble, wish=self._state.wish + 1)
            else:
                self._change(testing=False, key_forgotten=forgotten, wish=self._state.wish + 1)

    async def _take(self, intent: UseServer) -> bool:
        """Returns whether the key could not be kept."""
        address = service_address(intent.address) if intent.address.strip() else ""
        # Another key for the same service is what mends a refused renewal: that may come at any time.
        if address != self._state.address and (busy := self._busy()):
            raise busy
        key, forgotten = intent.key.strip(), False
        if address:
            check_encrypted(address, intent.allow_http or address == self.allowed_http)
            key = key or await self._known_key(address)
            async with ServiceClient(address, key, retries=ONCE_MORE) as client:
                await client.account()
            forgotten = not await _kept(address, key)
        self.allowed_http = address if is_unencrypted(address) else ""
        if address != self._state.address or forgotten or intent.allow_http:
            self.close()
            self.lease = None
            self._access = self._find(address, key if forgotten else "")
        fall_back = bool(address) and intent.fall_back
        self._state = self._state.model_copy(update={"address": address, "fall_back": fall_back})
        await self._taken(address, fall_back)
        return forgotten

    async def _known_key(self, address: str) -> str:
        key = await asyncio.to_thread(credentials.get_key, address)
        if key is None:
            raise CredentialError("service_key_wanted")
        return key

    def _find(self, address: str, key: str = "") -> CoreLease | RemoteAccess:
        if address:
            return RemoteAccess(address, key, allow_http=address == self.allowed_http)
        self.lease = self._make_lease()
        return self.lease

    def _change(self, **fields: object) -> None:
        self._state = self._state.model_copy(update=fields)
        self.say()


async def _kept(address: str, key: str) -> bool:
    """Whether the keyring has the key now."""
    try:
        await asyncio.to_thread(credentials.set_key, address, key)
    except CredentialError as error:
        log.info("the key of %s is not kept: %s", address, error)
        return False
    return True
