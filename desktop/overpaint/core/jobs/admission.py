"""Admission control: limits of work under way, for one account and for all together.

An account is one tenant, with any number of keys, in both environments. Requests beyond its share are refused
with 429 while others go on; the limits of all together matter only with many tenants at once. Credits are on
hold while an input is fetched and examined, so that no account has more under way than it can pay for; the
ledger makes the sale itself. ``docs/limits.md`` lists the numbers. Must not know files, formats or HTTP.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from overpaint.errors import InvalidRequestError, OverpaintError, RateLimitedError
from overpaint.ledger import Idempotency, Ledger, Purse
from overpaint.ledger.records import Job
from overpaint.transforms.fair_queue import FairQueue
from overpaint.wire.media_limits import IMAGE_MAX_BYTES, VIDEO_MAX_BYTES, Kind

REQUESTS: dict[Kind, int] = {"image": 128, "video": 64}
"""Requests served at the same time: images until their end, clips until they are queued."""
ACCOUNT_REQUESTS: dict[Kind, int] = {"image": 16, "video": 8}
"""Limit of requests of one account."""
FIRST_REQUESTS: dict[Kind, int] = {"image": 128, "video": 64}
"""Further requests, for accounts with none under way: so a few busy accounts block nobody else."""
FETCHES, ACCOUNT_FETCHES = 64, 8
"""Inputs and reference photos fetched at the same time; the rest wait in turns."""
ACCOUNT_CLIPS = 100
"""Limit of one account's waiting and running clips."""
STORED_BYTES, ACCOUNT_STORED_BYTES = 128 << 30, 16 << 30
"""Limits of stored inputs: those being fetched (counted at their largest size) or kept for their job."""
INPUT_MAX_BYTES: dict[Kind, int] = {"image": IMAGE_MAX_BYTES, "video": VIDEO_MAX_BYTES}
_QUEUE_RETRY_S = 30


class Hold:
    """Credits on hold for a request until it is sold or over. ``release`` is idempotent."""

    def __init__(self, release: Callable[[], None]) -> None:
        self._release: Callable[[], None] | None = release

    def release(self) -> None:
        """Releases them."""
        release, self._release = self._release, None
        if release is not None:
            release()


class Funds:
    """The credits on hold, by purse. Used on one event loop.

    Args:
        ledger: Knows the balances.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._held: Counter[Purse] = Counter()
        self._changed: dict[Purse, asyncio.Event] = {}

    async def check(self, purse: Purse, price: int) -> None:
        """Checks a balance. Raises ``InsufficientCreditsError`` where it does not cover the price."""
        await asyncio.to_thread(self._ledger.check_balance, purse, price)

    @asynccontextmanager
    async def hold(self, purse: Purse, price: int) -> AsyncIterator[Hold]:
        """Puts the price of a request on hold, at most until the end of the block.

        Waits while the rest is on hold for other requests of the same purse, which may fail and cost nothing.

        Raises:
            InsufficientCreditsError: The balance does not cover it.
        """
        while True:
            balance = await asyncio.to_thread(self._ledger.check_balance, purse, price)
            if balance - self._held[purse] >= price:
                break
            await self._changed.setdefault(purse, asyncio.Event()).wait()
        self._held[purse] += price
        hold = Hold(lambda: self._release(purse, price))
        try:
            yield hold
        finally:
            hold.release()

    def _release(self, purse: Purse, price: int) -> None:
        self._held[purse] -= price
        if not self._held[purse]:
            del self._held[purse]
        changed = self._changed.pop(purse, None)
        if changed is not None:
            changed.set()


@dataclass(frozen=True, slots=True)
class _UnderWay:
    """A request with an Idempotency-Key, under way."""

    body_digest: str
    answer: asyncio.Future[Job]


class Repeats:
    """The requests with an Idempotency-Key under way; repetitions wait for their answers."""

    def __init__(self) -> None:
        self._under_way: dict[tuple[int, str, str], _UnderWay] = {}

    async def once(self, repeat: Idempotency, make: Callable[[], Awaitable[Job]]) -> Job:
        """Returns the job of a request; only the first of equal requests makes it.

        Raises:
            InvalidRequestError: The same Idempotency-Key is under way with another body.
            OverpaintError: As ``make`` raised it for the first.
        """
        name = (repeat.key_id, repeat.route, repeat.value)
        first = self._under_way.get(name)
        if first is not None:
            if first.body_digest != repeat.body_digest:
                raise InvalidRequestError("idempotency_key_reused")
            return await asyncio.shield(first.answer)
        answer: asyncio.Future[Job] = asyncio.get_running_loop().create_future()
        self._under_way[name] = _UnderWay(repeat.body_digest, answer)
        try:
            job = await make()
        except BaseException as error:
            alike = isinstance(error, OverpaintError)
            answer.set_exception(error if alike else RateLimitedError("first_request_broke_off"))
            answer.exception()  # perhaps nobody waits for it
            raise
        else:
            answer.set_result(job)
            return job
        finally:
            del self._under_way[name]


class Admission:
    """The admission control of one service.

    Args:
        ledger: Knows the balances.

    Attributes:
        funds: Credits on hold.
        repeats: Requests with an Idempotency-Key under way.
        fetches: Fair queue of downloads.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.funds = Funds(ledger)
        self.repeats = Repeats()
        self.fetches = FairQueue(FETCHES, ACCOUNT_FETCHES)
        self._requests: dict[Kind, Counter[str]] = {"image": Counter(), "video": Counter()}
        self._clips: Counter[str] = Counter()
        self._stored: dict[str, tuple[str, int]] = {}
        self._stored_bytes: Counter[str] = Counter()

    @contextmanager
    def request(self, kind: Kind, account: str) -> Iterator[None]:
        """Counts a request during its block.

        Raises:
            RateLimitedError: The account, or all together, are at their limit.
        """
        served = self._requests[kind]
        if served[account] >= ACCOUNT_REQUESTS[kind]:
            raise RateLimitedError("account_requests_under_way", requests=ACCOUNT_REQUESTS[kind])
        if kind == "video" and self._clips[account] + served[account] >= ACCOUNT_CLIPS:
            raise RateLimitedError(
                "account_clips_unfinished", clips=ACCOUNT_CLIPS, retry_after_s=_QUEUE_RETRY_S
            )
        bound = REQUESTS[kind] if served[account] else REQUESTS[kind] + FIRST_REQUESTS[kind]
        if served.total() >= bound:
            raise RateLimitedError("inputs_too_many")
        _count(served, account, 1)
        try:
            yield
        finally:
            _count(served, account, -1)

    @contextmanager
    def clip(self, account: str) -> Iterator[None]:
        """Counts a sold clip until its end."""
        _count(self._clips, account, 1)
        try:
            yield
        finally:
            _count(self._clips, account, -1)

    def store(self, job: str, account: str, size: int) -> None:
        """Counts the bytes of a job's input; before it is fetched, at its largest size.

        Raises:
            RateLimitedError: The account, or all together, are at their limit.
        """
        if self._stored_bytes[account] + size > ACCOUNT_STORED_BYTES:
            raise RateLimitedError(
                "account_inputs_too_large", gigabytes=ACCOUNT_STORED_BYTES >> 30, retry_after_s=_QUEUE_RETRY_S
            )
        if self._stored_bytes.total() + size > STORED_BYTES:
            raise RateLimitedError("service_inputs_too_large")
        self.settle(job, account, size)

    def settle(self, job: str, account: str, size: int) -> None:
        """Corrects them to the real size."""
        self.drop(job)
        self._stored[job] = (account, size)
        _count(self._stored_bytes, account, size)

    def drop(self, job: str) -> None:
        """Stops counting them; idempotent."""
        account, size = self._stored.pop(job, ("", 0))
        if size:
            _count(self._stored_bytes, account, -size)


def _count(counter: Counter[str], name: str, change: int) -> None:
    counter[name] += change
    if not counter[name]:
        del counter[name]
