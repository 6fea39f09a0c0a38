"""Rate limits: a token bucket for each key, and for each address without a key.

Source: protocol decisions, "limit reached". Decided here: a request with a valid key counts only for that
key, so that many servers behind one address do not share a bucket; everything else counts for its address
(an IPv6 one for its /64, which is one customer's line). Memory is bounded: the least recently used bucket is
dropped. The defaults are in ``core/configuration.py``. Must not know keys' records or HTTP routes.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from overpaint.errors import RateLimitedError
from overpaint.web.connection_register import network_of
from overpaint.web.refusals import refusal

_KEY_BEGINNINGS = ("ovp_live_", "ovp_test_")
BUCKETS = 10_000
"""Limit of buckets for keys, and of those for addresses; each takes some hundred bytes."""


class Buckets:
    """Token buckets by name.

    Args:
        per_second: Tokens refilled a second.
        burst: Tokens of a full bucket.
        size: Limit of buckets.
        now: A monotonic clock, seconds.
    """

    def __init__(
        self, per_second: float, burst: int, size: int = BUCKETS, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second = per_second
        self._burst = float(burst)
        self._size = size
        self._now = now
        self._levels: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._levels)

    def take(self, name: Hashable) -> None:
        """Takes one token.

        Raises:
            RateLimitedError: The bucket is empty; it names the time of the next token.
        """
        now = self._now()
        level, since = self._levels.pop(name, (self._burst, now))
        level = min(self._burst, level + (now - since) * self._per_second)
        allowed = level >= 1
        self._levels[name] = (level - 1 if allowed else level, now)
        if len(self._levels) > self._size:
            self._levels.popitem(last=False)
        if not allowed:
            wait_s = max(1, math.ceil((1 - level) / self._per_second))
            raise RateLimitedError(
                "requests_too_many", per_second=self._per_second, burst=self._burst, retry_after_s=wait_s
            )


class Limits:
    """The rate limits of one service. Used on its event loop only.

    Args:
        per_second: Requests a second.
        burst: Requests at once.
    """

    def __init__(self, per_second: float, burst: int) -> None:
        self._keys = Buckets(per_second, burst)
        self._addresses = Buckets(per_second, burst)

    def count_key(self, key_id: int) -> None:
        """Counts a request of a valid key. Raises ``RateLimitedError``."""
        self._keys.take(key_id)

    def count_address(self, address: str | None) -> None:
        """Counts a request without a valid key. Raises ``RateLimitedError``."""
        self._addresses.take(network_of(address or ""))


class AddressLimit:
    """Middleware that counts requests without a valid key; others are counted where the key is checked.

    Args:
        app: The wrapped application.
        limits: The rate limits.
        checks_key: Returns whether a key is checked for a method and path; elsewhere a key proves nothing.
    """

    def __init__(self, app: ASGIApp, limits: Limits, checks_key: Callable[[str, str], bool]) -> None:
        self._app = app
        self._limits = limits
        self._checks_key = checks_key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        if scope["type"] == "http" and not self._is_counted_elsewhere(scope):
            try:
                self._limits.count_address(scope["client"][0] if scope["client"] else None)
            except RateLimitedError as error:
                answer = refusal(error, headers={"Retry-After": str(error.retry_after_s)})
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_counted_elsewhere(self, scope: Scope) -> bool:
        return self._checks_key(scope["method"], scope["path"]) and _shows_key(scope)


def _shows_key(scope: Scope) -> bool:
    scheme, _, key = Request(scope).headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and key.strip().startswith(_KEY_BEGINNINGS)
