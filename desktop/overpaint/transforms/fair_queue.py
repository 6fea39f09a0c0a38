"""Fair queueing between tenants for a limited number of places (a fair semaphore).

Start-time fair queueing (Goyal, Vin, Cheng, SIGCOMM 1996). The cost of a turn is the time for which its
place was held. Of the waiting tenants, the one that has been served least is next, so that neither many
small nor few large requests get more than an equal share. A tenant collects no credit while it is idle.
Must not know what a place is for.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class FairQueue:
    """A fair semaphore between tenants. Used on one event loop.

    Args:
        places: Most places held at the same time, by all tenants together.
        per_tenant: Most places held at the same time by one tenant.
        now: Monotonic clock, seconds.
    """

    def __init__(self, places: int, per_tenant: int, now: Callable[[], float] = time.monotonic) -> None:
        self._places, self._per_tenant, self._now = places, per_tenant, now
        self._held: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._served: dict[str, float] = {}
        """Virtual time at which each tenant's last turn ended; idle tenants are removed."""
        self._virtual = 0.0
        self._turns: dict[str, int] = {}
        self._turn = 0

    @property
    def waiting(self) -> int:
        """Number of callers that wait for a place."""
        return sum(len(each) for each in self._waiting.values())

    @property
    def held(self) -> int:
        """Number of places in use."""
        return self._held.total()

    @asynccontextmanager
    async def place(self, tenant: str) -> AsyncIterator[None]:
        """Waits for a place, and holds it while the block runs."""
        await self._enter(tenant)
        since = self._now()
        try:
            yield
        finally:
            self._leave(tenant, self._now() - since)

    async def _enter(self, tenant: str) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, deque()).append(turn)
        self._grant()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._forget(tenant, turn)
            else:  # the place was granted before the cancellation
                self._leave(tenant, 0.0)
            raise

    def _leave(self, tenant: str, cost: float) -> None:
        self._held[tenant] -= 1
        self._served[tenant] = max(self._served.get(tenant, 0.0), self._virtual) + cost
        if not self._held[tenant]:
            del self._held[tenant]
        self._grant()
        idle = [
            name
            for name, served in self._served.items()
            if served <= self._virtual and name not in self._held and name not in self._waiting
        ]
        for name in idle if self._held or self._waiting else list(self._served):
            del self._served[name]
            self._turns.pop(name, None)

    def _grant(self) -> None:
        """Grants free places to the next tenants."""
        while self.held < self._places:
            ready = [name for name in self._waiting if self._held[name] < self._per_tenant]
            if not ready:
                return
            # Ties go to the tenant whose last turn is the longest ago: round robin.
            name = min(ready, key=lambda each: (self._standing(each), self._turns.get(each, 0)))
            turn = self._waiting[name][0]
            self._forget(name, turn)
            if turn.done():  # the waiting task was cancelled, and has not run since
                continue
            self._virtual = self._standing(name)
            self._turn += 1
            self._turns[name] = self._turn
            self._held[name] += 1
            turn.set_result(None)

    def _standing(self, tenant: str) -> float:
        return max(self._served.get(tenant, 0.0), self._virtual)

    def _forget(self, tenant: str, turn: asyncio.Future[None]) -> None:
        line = self._waiting.get(tenant)
        if line is not None and turn in line:
            line.remove(turn)
            if not line:
                del self._waiting[tenant]
