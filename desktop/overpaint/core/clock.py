"""The service's clock: the present time, and waits until a time. Must not know what waits."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

_LONGEST_NAP_S = 30.0


class Clock:
    """Wall-clock time, in which ``expires_at`` is given. Tests run a faster one."""

    def now(self) -> datetime:
        """Returns the time, UTC."""
        return datetime.now(UTC)

    async def sleep_until(self, when: datetime) -> None:
        """Waits until a time.

        The event loop's own clock stops while the machine sleeps and ignores changes of the wall clock, so a
        long wait is split into short ones, with a check of the wall clock after each.
        """
        left = (when - self.now()).total_seconds()
        while left > 0:
            await asyncio.sleep(min(left, _LONGEST_NAP_S))
            left = (when - self.now()).total_seconds()
