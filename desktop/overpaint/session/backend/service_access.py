"""Access to a service, as an address and a key; the interfaces of primary and fallback.

Must not know sessions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Address of a service, and the key for it (never logged).

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

    @property
    def is_free(self) -> bool:
        """Whether it is the local core, whose account is topped up by itself."""
        return not self.server


class ServiceAccess(Protocol):
    """A service that can be found, and started where it is the local core."""

    @property
    def server(self) -> str:
        """Its address as the user entered it; empty for the local core, which is free."""

    async def endpoint(self) -> Endpoint:
        """Returns address and key. Raises ``OverpaintError`` when there is no service."""

    @property
    def alive(self) -> bool:
        """Whether the process of the last endpoint still runs, as far as is known."""

    def keep_standby(self, on: bool) -> None:
        """Keeps or drops the standby where the service is the local core; returns at once."""


class Fallback(Protocol):
    """The fallback: the local core in place of the primary (the chosen service) while that is away."""

    def acquire_fallback(self) -> ServiceAccess | None:
        """Returns the fallback while a remote service is chosen and the user allows failover; else None."""

    def release_fallback(self) -> None:
        """Gives the fallback back when it is no longer needed; idempotent."""


class NoFallback:
    """A ``Fallback`` that never gives one."""

    def acquire_fallback(self) -> None:
        """See ``Fallback``."""

    def release_fallback(self) -> None:
        """See ``Fallback``."""
