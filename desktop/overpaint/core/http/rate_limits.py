"""Rate limits: a token bucket for each key, and for each address without a key.

Source: protocol decisions, "limit reached". Decided here: a request with a valid key counts only for that
key, so that many servers behind one address do not share a bucket; everything else counts for its address
(an IPv6 one for its /64, which is one customer's line). An order that is refused for want of credits costs
the service as much as any other and its tenant nothing: it counts for several. Memory is bounded: the least
recently used bucket is dropped. The defaults are in ``core/configuration.py``. Must not know keys' records
or HTTP routes.
"""

from __future__ import annotations

import hashlib
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
UNPAID_COST = 10
"""Requests for which one counts that was refused for want of credits."""
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
        self.check(name)
        self._keep(name, self._level(name) - 1)

    def check(self, name: Hashable) -> None:
        """Takes nothing.

        Raises:
            RateLimitedError: As ``take`` would.
        """
        level = self._level(name)
        if level < 1:
            self._levels.move_to_end(name)  # who goes on asking does not become the least recently used
            wait_s = max(1, math.ceil((1 - level) / self._per_second))
            raise RateLimitedError(
                "requests_too_many", per_second=self._per_second, burst=self._burst, retry_after_s=wait_s
            )

    def charge(self, name: Hashable, tokens: int) -> None:
        """Takes tokens for what is done already; a bucket may owe as many as it holds."""
        self._keep(name, max(-self._burst, self._level(name) - tokens))

    def _level(self, name: Hashable) -> float:
        level, since = self._levels.get(name, (self._burst, 0.0))
        return min(self._burst, level + (self._now() - since) * self._per_second)

    def _keep(self, name: Hashable, level: float) -> None:
        self._levels[name] = (level, self._now())
        self._levels.move_to_end(name)
        if len(self._levels) > self._size:
            self._levels.popitem(last=False)


class Limits:
    """The rate limits of one service. Used on its event loop only.

    Args:
        per_second: Requests a second.
        burst: Requests at once.
        now: As of ``Buckets``.
    """

    def __init__(self, per_second: float, burst: int, now: Callable[[], float] = time.monotonic) -> None:
        self._keys = Buckets(per_second, burst, now=now)
        self._addresses = Buckets(per_second, burst, now=now)
        self._limited: OrderedDict[bytes, int] = OrderedDict()
        """Ids of keys that were over their limit lately, by the digests of the keys."""

    def refuse_early(self, key: str) -> None:
        """Refuses a request whose key is known to be over its limit, before the key is looked up.

        Raises:
            RateLimitedError: Its bucket is empty still.
        """
        key_id = self._limited.get(_digest(key))
        if key_id is not None:
            self._keys.check(key_id)

    def count_key(self, key_id: int, key: str) -> None:
        """Counts a request of a valid key. Raises ``RateLimitedError``."""
        try:
            self._keys.take(key_id)
        except RateLimitedError:
            self._limited[_digest(key)] = key_id
            if len(self._limited) > BUCKETS:
                self._limited.popitem(last=False)
            raise

    def count_unpaid(self, key_id: int) -> None:
        """Counts the rest of an order that was refused for want of credits."""
        self._keys.charge(key_id, UNPAID_COST - 1)

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


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def _shows_key(scope: Scope) -> bool:
    scheme, _, key = Request(scope).headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and key.strip().startswith(_KEY_BEGINNINGS)
