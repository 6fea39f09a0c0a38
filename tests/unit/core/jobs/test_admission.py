"""Admission: accounts that fill their shares stop no other."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from overpaint.core.jobs.admission import ACCOUNT_REQUESTS, FIRST_REQUESTS, REQUESTS, Admission
from overpaint.errors import RateLimitedError
from overpaint.ledger import Ledger, ledger_url
from overpaint.wire.media_limits import Kind


@pytest.fixture
def admission(tmp_path: Path) -> Admission:
    return Admission(Ledger(ledger_url(tmp_path)))


@pytest.mark.parametrize("kind", ["image", "video"])
def test_an_account_with_nothing_under_way_is_served_although_others_fill_all_places(
    admission: Admission, kind: Kind
) -> None:
    greedy = REQUESTS[kind] // ACCOUNT_REQUESTS[kind]
    with ExitStack() as under_way:
        for number in range(REQUESTS[kind]):
            under_way.enter_context(admission.request(kind, f"greedy {number % greedy}"))
        under_way.enter_context(admission.request(kind, "a modest one"))
        with pytest.raises(RateLimitedError, match="at the moment"):
            under_way.enter_context(admission.request(kind, "a modest one"))
        with pytest.raises(RateLimitedError, match="This account has"):
            under_way.enter_context(admission.request(kind, "greedy 0"))


def test_there_is_an_end_to_accounts_too(admission: Admission) -> None:
    with ExitStack() as under_way:
        for number in range(REQUESTS["image"] + FIRST_REQUESTS["image"]):
            under_way.enter_context(admission.request("image", f"account {number}"))
        with pytest.raises(RateLimitedError, match="at the moment"):
            under_way.enter_context(admission.request("image", "one more"))
