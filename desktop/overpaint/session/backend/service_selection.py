"""The selected service (local core or remote, tested before it is used) and its fallback.

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
    """A ``ServiceAccess`` that can be switched to another service.

    Args:
        address: The service used last; empty for the local core.
        fall_back: Whether the local core serves as fallback while a remote service is away.
        lease: Makes a lease of the local core.
        busy: Says why the service cannot be switched now; empty when it can.
        taken: Called after a switch with the new address and whether failover is allowed.
        tell: Receives messages for windows.
        allowed_http: Address of the service that may be used unencrypted, as the user agreed; empty: none.
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
        self._fallback_lease: CoreLease | None = None
        self.allowed_http = allowed_http
        self.lease: CoreLease | None = None
        self._access: CoreLease | RemoteAccess = self._find(address)

    @property
    def server(self) -> str:
        """Address of the chosen service; empty for the local core."""
        return self._state.address

    @property
    def alive(self) -> bool:
        """Whether the process of the last endpoint still runs, as far as is known."""
        return self._access.alive

    async def endpoint(self) -> Endpoint:
        """Returns address and key. Raises ``OverpaintError`` when there is no service."""
        return await self._access.endpoint()

    def keep_standby(self, on: bool) -> None:
        """Keeps or drops the standby where the service is the local core."""
        self._access.keep_standby(on)

    def acquire_fallback(self) -> CoreLease | None:
        """Returns the local core while a remote service is chosen and failover is allowed; else None."""
        if not self._state.address or not self._state.fall_back:
            return None
        self._fallback_lease = self._fallback_lease or self._make_lease()
        return self._fallback_lease

    def release_fallback(self) -> None:
        """Gives the fallback back when it is no longer needed; idempotent."""
        if self._fallback_lease is not None:
            self._fallback_lease.release()

    def close(self) -> None:
        """Gives the leases of the local core back; idempotent."""
        self.release_fallback()
        if self.lease is not None:
            self.lease.release()

    def say(self) -> None:
        """Publishes the present choice."""
        self._tell(self._state)

    async def use(self, intent: UseServer) -> None:
        """Switches to another service, or publishes why not."""
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
        """Switches; returns whether the keyring failed to store the key."""
        address = service_address(intent.address) if intent.address.strip() else ""
        # Another key for the same service can mend a refused renewal: that is allowed at any time.
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
    """Stores a key; returns whether the keyring has it now."""
    try:
        await asyncio.to_thread(credentials.set_key, address, key)
    except CredentialError as error:
        log.info("the key of %s is not kept: %s", address, error)
        return False
    return True
