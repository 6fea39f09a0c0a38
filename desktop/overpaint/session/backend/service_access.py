"""Access of a live session to a service: an address and a key, whoever provides them.

Must not know sessions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from overpaint.errors import InsufficientCreditsError


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

    def keep_standby(self, on: bool) -> None:
        """Whether a standby is kept, where the service is a core of this computer; returns at once."""


class Fallback(Protocol):
    """This computer's own service in the place of the chosen one while that is away."""

    def stand_in(self) -> ServiceAccess | None:
        """Finds it while another service is chosen and the user allows this; else None."""

    def dismiss_stand_in(self) -> None:
        """It is of no use any more; idempotent."""


class NoFallback:
    """A ``Fallback`` for a live process that has none."""

    def stand_in(self) -> None:
        """See ``Fallback``."""

    def dismiss_stand_in(self) -> None:
        """See ``Fallback``."""


def with_a_way_out(
    error: InsufficientCreditsError, endpoint: Endpoint, key_name: str
) -> InsufficientCreditsError:
    """On this computer's own core the user may add credits; elsewhere the service's word stands."""
    command = way_out(endpoint, key_name)
    if not command:
        return error
    return InsufficientCreditsError("credits_missing_here", sentence=str(error), command=command)


def way_out(endpoint: Endpoint, key_name: str) -> str:
    """The command that adds credits on this computer's own core; empty for another service."""
    return f'overpaint credits add 500 --key-name "{key_name}"' if key_name and not endpoint.server else ""
