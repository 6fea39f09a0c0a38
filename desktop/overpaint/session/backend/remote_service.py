"""Access to the remote service: the address that the user entered, the key from the keyring.

Must not know this computer's own core.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from overpaint import credentials
from overpaint.errors import CredentialError, UsageError
from overpaint.session.backend.service_access import Endpoint
from overpaint.wire.servers import is_unencrypted


@dataclass(frozen=True, slots=True)
class RemoteAccess:
    """A service at an address that the user entered, with the key from the keyring.

    Attributes:
        server: Its base address.
        key: The user's key where there is no keyring; else empty.
        allow_http: Whether the user has agreed to an unencrypted connection.
    """

    server: str
    key: str = field(default="", repr=False)
    allow_http: bool = False

    @property
    def alive(self) -> bool:
        """Always true: a remote session may still exist."""
        return True

    def keep_standby(self, on: bool) -> None:
        """Does nothing: a remote service keeps its own standby."""

    async def endpoint(self) -> Endpoint:
        """Returns address and key. Raises ``CredentialError`` without a key, and as ``check_encrypted``."""
        check_encrypted(self.server, self.allow_http)
        kept = None if self.key else await asyncio.to_thread(credentials.get_key, self.server)
        key = self.key or kept
        if key is None:
            raise CredentialError("service_key_missing", address=self.server)
        return Endpoint(self.server, key, self.server)


def check_encrypted(server: str, allow_http: bool) -> None:
    """Checks whether a key may be sent to a service at all.

    Raises:
        UsageError: ``not_encrypted``: the connection is not encrypted, and the user has not agreed to that.
    """
    if is_unencrypted(server) and not allow_http:
        raise UsageError("service_not_encrypted", address=server)
