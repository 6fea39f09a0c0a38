"""Many at once on the real process: a balance is never spent twice, and a rate has its limit."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import httpx
import pytest

from helpers.served import ACCOUNT, SESSIONS, balance, refused, served

ORDER = {"model": "service-realtime-720p"}


async def crowd(url: str, key: str, size: int) -> list[httpx.Response]:
    """So many orders, each on a connection of its own and all under way at once."""
    begin = asyncio.Event()
    headers = {"Authorization": f"Bearer {key}"}
    limits = httpx.Limits(max_connections=size)
    async with httpx.AsyncClient(
        base_url=url, headers=headers, trust_env=False, timeout=60, limits=limits
    ) as client:

        async def order() -> httpx.Response:
            await begin.wait()
            return await client.post(SESSIONS, json=ORDER)

        orders = [asyncio.create_task(order()) for _ in range(size)]
        begin.set()
        return await asyncio.gather(*orders)


@pytest.mark.full
def test_five_hundred_at_once_on_a_balance_that_covers_seven(tmp_path: Path) -> None:
    options = ("--rate-burst", "10000", "--connections", "1000", "--connections-per-address", "1000")
    with served(tmp_path / "data", *options) as service:
        key = service.key("crowd", 7 * 25 + 24)
        answers = asyncio.run(crowd(service.url, key, 500))
        assert Counter(answer.status_code for answer in answers) == {201: 7, 402: 493}
        assert len({answer.json()["id"] for answer in answers if answer.status_code == 201}) == 7
        for answer in answers:
            if answer.status_code == 402:
                refused(answer, 402, "insufficient_credits")
        assert balance(service.client(key)) == 24


@pytest.mark.full
def test_beyond_the_rate_of_a_key_is_429_that_says_when_to_come_back(tmp_path: Path) -> None:
    with served(tmp_path / "data", "--rate-per-second", "0.5", "--rate-burst", "5") as service:
        hasty, other = service.caller("hasty", 25), service.caller("other", 25)
        answers = [hasty.get(ACCOUNT) for _ in range(6)]
        assert [answer.status_code for answer in answers[:5]] == [200] * 5
        refused(answers[5], 429, "rate_limited")
        assert 1 <= int(answers[5].headers["retry-after"]) <= 3
        refused(hasty.post(SESSIONS, json=ORDER), 429, "rate_limited")
        assert other.get(ACCOUNT).json()["credits_remaining"] == 25


def test_orders_that_are_not_paid_count_for_ten(tmp_path: Path) -> None:
    with served(tmp_path / "data", "--rate-per-second", "1", "--rate-burst", "25") as service:
        poor, other = service.caller("poor", 0), service.caller("other", 25)
        answers = [poor.post(SESSIONS, json=ORDER) for _ in range(4)]
        for answer in answers[:3]:
            refused(answer, 402, "insufficient_credits")
        refused(answers[3], 429, "rate_limited")
        assert 3 <= int(answers[3].headers["retry-after"]) <= 6, "3 times 10 of 25, and one to ask with"
        assert other.post(SESSIONS, json=ORDER).status_code == 201
