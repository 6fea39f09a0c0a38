"""Finds a service somewhere else: at the address that the user entered, with the key of the keyring.

Must not know this computer's own core.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from overpaint import credentials
from overpaint.errors import CredentialError
from overpaint.session.access import Endpoint


@dataclass(frozen=True, slots=True)
class RemoteAccess:
    """A service at an address that the user entered, with the key from the keyring.

    Attributes:
        server: Its base address.
        key: Of the user, where there is no keyring that could have it.
    """

    server: str
    key: str = field(default="", repr=False)

    @property
    def alive(self) -> bool:
        """A remote session may always still be there."""
        return True

    def keep_spare(self, on: bool) -> None:
        """Whoever runs it sees to that."""

    async def endpoint(self) -> Endpoint:
        """Raises ``CredentialError`` when there is no key for this server."""
        kept = None if self.key else await asyncio.to_thread(credentials.get_key, self.server)
        key = self.key or kept
        if key is None:
            raise CredentialError(
                f"There is no API key for {self.server}.",
                kind="no_key",
                mend="Set OVERPAINT_API_KEY, or enter the key in the app.",
            )
        return Endpoint(self.server, key, self.server)
