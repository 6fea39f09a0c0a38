"""Stream slots: the limit of streams on an engine at once. The rest queue in order.

A stream that replaces one that ends soon does not wait, because that slot is free in a moment.

Everything here runs on one event loop. Must not know engines, sessions or sockets.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

Told = Callable[[int, int], None]
"""Called with a position (1 is next) and the length of the queue, whenever either changes."""


class Ticket:
    """A claim to a stream slot: it waits, has a slot, or is over.

    Args:
        told: Receives its position while it waits.
    """

    def __init__(self, told: Told) -> None:
        self.has_place = False
        self._told = told
        self._last: tuple[int, int] | None = None
        self._settled = asyncio.Event()

    async def settled(self) -> bool:
        """Waits until it has a slot (True) or was given back before (False)."""
        await self._settled.wait()
        return self.has_place

    def settle(self, has_place: bool) -> None:
        """Ends the wait; called by ``StreamSlots``."""
        self.has_place = has_place
        self._settled.set()

    def stand(self, position: int, size: int) -> None:
        """Reports a changed position; called by ``StreamSlots``."""
        if self._last != (position, size):
            self._last = (position, size)
            self._told(position, size)


class StreamSlots:
    """The stream slots of an engine.

    Args:
        count: Number of slots; 1 or more.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._taken: set[Ticket] = set()
        self._waiting: list[Ticket] = []

    @property
    def taken(self) -> int:
        """Number of slots in use."""
        return len(self._taken)

    @property
    def waiting(self) -> int:
        """Number of waiting tickets."""
        return len(self._waiting)

    def ask(self, told: Told, *, succeeds: bool = False) -> Ticket:
        """Adds a ticket to the queue; it is settled at once when a slot is free.

        Args:
            told: Receives its position while it waits.
            succeeds: Whether it replaces a stream that ends soon: until then there is one slot more.
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
        """Gives a ticket back, with its slot or while it waits; idempotent."""
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
