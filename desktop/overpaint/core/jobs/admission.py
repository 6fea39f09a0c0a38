"""Admission control: what one account may have under way, and what all may have together.

An account is one tenant, with however many keys, in both environments. What fills its own share is
refused with 429 while others go on; the bounds on all together are only there for many tenants at once.
Credits are on hold while an input is fetched and looked at, so that no account has more under way than it
can pay for; the sale itself is the ledger's. ``docs/limits.md`` lists the numbers. Must not know files,
formats or HTTP.
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
"""Requests that are served at the same time: images until their end, clips until they are queued."""
ACCOUNT_REQUESTS: dict[Kind, int] = {"image": 16, "video": 8}
"""Of them, one account's."""
FIRST_REQUESTS: dict[Kind, int] = {"image": 128, "video": 64}
"""Further ones, for accounts that have none under way: a few that fill their shares stop nobody else."""
FETCHES, ACCOUNT_FETCHES = 64, 8
"""Inputs and reference photos that are fetched at the same time; the rest wait in turns."""
ACCOUNT_CLIPS = 100
"""Clips of one account that wait or are worked on."""
STORED_BYTES, ACCOUNT_STORED_BYTES = 128 << 30, 16 << 30
"""Inputs that are being fetched (each as large as it may be) or wait for their job's end."""
INPUT_MAX_BYTES: dict[Kind, int] = {"image": IMAGE_MAX_BYTES, "video": VIDEO_MAX_BYTES}
_QUEUE_RETRY_S = 30


class Hold:
    """Credits that are kept for a request until it is sold or over. ``release`` is idempotent."""

    def __init__(self, release: Callable[[], None]) -> None:
        self._release: Callable[[], None] | None = release

    def release(self) -> None:
        """Gives them free."""
        release, self._release = self._release, None
        if release is not None:
            release()


class Funds:
    """Credits on hold, by purse. Used on one event loop.

    Args:
        ledger: Knows the balances.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._held: Counter[Purse] = Counter()
        self._changed: dict[Purse, asyncio.Event] = {}

    async def check(self, purse: Purse, price: int) -> None:
        """Raises ``InsufficientCreditsError`` for a balance that does not cover the price."""
        await asyncio.to_thread(self._ledger.check_balance, purse, price)

    @asynccontextmanager
    async def hold(self, purse: Purse, price: int) -> AsyncIterator[Hold]:
        """Keeps the price for a request, at the longest until the end of the block.

        While what is left is on hold for others of the same purse, it waits: they may fail and cost nothing.

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
    """A request with an Idempotency-Key that is being answered."""

    body_digest: str
    answer: asyncio.Future[Job]


class Repeats:
    """Requests with an Idempotency-Key that are under way: what repeats one waits for its answer."""

    def __init__(self) -> None:
        self._under_way: dict[tuple[int, str, str], _UnderWay] = {}

    async def once(self, repeat: Idempotency, make: Callable[[], Awaitable[Job]]) -> Job:
        """The job of a request, made by the first of those that are alike.

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
            answer.exception()  # it may be that nobody waits for it
            raise
        else:
            answer.set_result(job)
            return job
        finally:
            del self._under_way[name]


class Admission:
    """The shares of one service's accounts.

    Args:
        ledger: Knows the balances.

    Attributes:
        funds: Credits on hold.
        repeats: Requests that may be repeated and are under way.
        fetches: Places for fetching.
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
        """Serves a request for as long as the block takes.

        Raises:
            RateLimitedError: The account, or all together, have as many as may be.
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
        """Counts a clip that was sold, until its end."""
        _count(self._clips, account, 1)
        try:
            yield
        finally:
            _count(self._clips, account, -1)

    def store(self, job: str, account: str, size: int) -> None:
        """Counts the bytes of a job's input: before it comes, as large as it may be.

        Raises:
            RateLimitedError: The account, or all together, have as much as may be.
        """
        if self._stored_bytes[account] + size > ACCOUNT_STORED_BYTES:
            raise RateLimitedError(
                "account_inputs_too_large", gigabytes=ACCOUNT_STORED_BYTES >> 30, retry_after_s=_QUEUE_RETRY_S
            )
        if self._stored_bytes.total() + size > STORED_BYTES:
            raise RateLimitedError("service_inputs_too_large")
        self.settle(job, account, size)

    def settle(self, job: str, account: str, size: int) -> None:
        """Counts them as many as they turned out to be."""
        self.drop(job)
        self._stored[job] = (account, size)
        _count(self._stored_bytes, account, size)

    def drop(self, job: str) -> None:
        """Counts them no more; idempotent."""
        account, size = self._stored.pop(job, ("", 0))
        if size:
            _count(self._stored_bytes, account, -size)


def _count(counter: Counter[str], name: str, change: int) -> None:
    counter[name] += change
    if not counter[name]:
        del counter[name]
