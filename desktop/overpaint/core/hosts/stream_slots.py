"""Stream slots: how many streams run on an engine at once. The rest wait in the order in which they came.

A stream that takes the place of one that ends soon does not wait, because that place is free in a moment.

Everything here runs on one event loop. Must not know engines, sessions or sockets.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

Told = Callable[[int, int], None]
"""Called with a position (1 is next) and the length of the queue, whenever either changes."""


class Ticket:
    """One claim to a place: waits, has it, or is over.

    Args:
        told: Hears of its position while it waits.
    """

    def __init__(self, told: Told) -> None:
        self.has_place = False
        self._told = told
        self._last: tuple[int, int] | None = None
        self._settled = asyncio.Event()

    async def settled(self) -> bool:
        """Waits until it has its place (True) or was given back before (False)."""
        await self._settled.wait()
        return self.has_place

    def settle(self, has_place: bool) -> None:
        """Ends the wait. For ``StreamSlots``."""
        self.has_place = has_place
        self._settled.set()

    def stand(self, position: int, size: int) -> None:
        """Tells a changed position. For ``StreamSlots``."""
        if self._last != (position, size):
            self._last = (position, size)
            self._told(position, size)


class StreamSlots:
    """The stream slots of an engine: a settable number of places.

    Args:
        count: How many; 1 or more.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._taken: set[Ticket] = set()
        self._waiting: list[Ticket] = []

    @property
    def taken(self) -> int:
        """StreamSlots that are taken."""
        return len(self._taken)

    @property
    def waiting(self) -> int:
        """Tickets that wait."""
        return len(self._waiting)

    def ask(self, told: Told, *, succeeds: bool = False) -> Ticket:
        """A ticket at the end of the queue; it is settled at once when a place is free.

        Args:
            told: Hears of its position while it waits.
            succeeds: It takes the place of one that ends soon: until then there is one place more.
        """
        ticket = Ticket(told)
        if succeeds:
            self._taken.add(ticket)
            ticket.settle(True)
        else:
            self._waiting.append(ticket)
            self._advance()
        return ticket

    def give_back(self, ticket: Ticket) -> None:
        """Ends a ticket, whether it has its place or still waits; idempotent."""
        if ticket in self._waiting:
            self._waiting.remove(ticket)
        self._taken.discard(ticket)
        ticket.settle(False)
        self._advance()

    def _advance(self) -> None:
        while self._waiting and len(self._taken) < self._count:
            ticket = self._waiting.pop(0)
            self._taken.add(ticket)
            ticket.settle(True)
        for position, ticket in enumerate(self._waiting, 1):
            ticket.stand(position, len(self._waiting))
