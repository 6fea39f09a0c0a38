"""The service's clock: the present time, and waits until a time. Must not know what is waited for."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

_LONGEST_NAP_S = 30.0


class Clock:
    """Wall-clock time, since ``expires_at`` is promised in it. Tests run a faster one."""

    def now(self) -> datetime:
        """The time, UTC."""
        return datetime.now(UTC)

    async def sleep_until(self, when: datetime) -> None:
        """Waits until a time.

        The event loop's own clock stands still while the machine sleeps and knows nothing of a clock
        that is set, so a long wait is taken in naps, each with a look at the wall clock.
        """
        left = (when - self.now()).total_seconds()
        while left > 0:
            await asyncio.sleep(min(left, _LONGEST_NAP_S))
            left = (when - self.now()).total_seconds()
