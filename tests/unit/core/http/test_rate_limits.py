"""Token buckets: as many as were promised, back at their rate, in bounded memory."""

from __future__ import annotations

import pytest

from overpaint.core.http.rate_limits import Buckets, Limits
from overpaint.errors import RateLimitedError
from overpaint.web.connection_register import network_of


class Hands:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_burst_is_allowed_whole_and_then_the_rate() -> None:
    now = Hands()
    buckets = Buckets(per_second=100, burst=300, now=now)
    for _ in range(300):
        buckets.take("key")
    with pytest.raises(RateLimitedError) as refused:
        buckets.take("key")
    assert refused.value.retry_after_s == 1
    now.seconds += 1
    for _ in range(100):
        buckets.take("key")
    with pytest.raises(RateLimitedError):
        buckets.take("key")


def test_one_key_does_not_spend_what_is_anothers() -> None:
    buckets = Buckets(per_second=1, burst=1, now=Hands())
    buckets.take("one")
    buckets.take("other")
    with pytest.raises(RateLimitedError):
        buckets.take("one")


def test_a_refused_request_is_told_when_the_next_one_is_allowed() -> None:
    now = Hands()
    buckets = Buckets(per_second=0.1, burst=1, now=now)
    buckets.take("key")
    with pytest.raises(RateLimitedError) as refused:
        buckets.take("key")
    now.seconds += refused.value.retry_after_s
    buckets.take("key")


def test_a_refused_caller_that_goes_on_does_not_get_a_fresh_bucket() -> None:
    buckets = Buckets(per_second=0.01, burst=1, size=2, now=Hands())
    buckets.take("busy")
    for other in range(5):
        with pytest.raises(RateLimitedError):
            buckets.take("busy")
        buckets.take(other)
    with pytest.raises(RateLimitedError):
        buckets.take("busy")


def test_an_order_that_is_not_paid_counts_for_ten_and_the_debt_is_bounded() -> None:
    now = Hands()
    limits = Limits(per_second=10, burst=30, now=now)
    for _ in range(3):
        limits.count_key(1, "one")
        limits.count_unpaid(1)
    with pytest.raises(RateLimitedError):
        limits.count_key(1, "one")
    for _ in range(100):  # orders that were under way already
        limits.count_unpaid(1)
    with pytest.raises(RateLimitedError) as refused:
        limits.count_key(1, "one")
    assert refused.value.retry_after_s == 4, "as much as the bucket holds, and one request"
    limits.count_key(2, "two")
    now.seconds += 4
    limits.count_key(1, "one")


def test_a_key_over_its_limit_is_refused_unseen_until_its_next_token() -> None:
    now = Hands()
    limits = Limits(per_second=1, burst=1, now=now)
    limits.refuse_early("one")
    limits.count_key(1, "one")
    limits.refuse_early("one")  # not known to be over it yet
    with pytest.raises(RateLimitedError):
        limits.count_key(1, "one")
    with pytest.raises(RateLimitedError) as refused:
        limits.refuse_early("one")
    assert refused.value.retry_after_s == 1
    limits.refuse_early("two")
    now.seconds += 1
    limits.refuse_early("one")
    limits.count_key(1, "one")


def test_the_buckets_used_longest_ago_make_room() -> None:
    buckets = Buckets(per_second=1, burst=1, size=3, now=Hands())
    for name in range(50):
        buckets.take(name)
    assert len(buckets) == 3


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_address_counts_as_its_owners_line(address: str, network: str) -> None:
    assert network_of(address) == network
