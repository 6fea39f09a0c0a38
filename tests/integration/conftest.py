"""One service process for the modules that hold it against the specification, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from helpers.served import SESSIONS, Served, served


@pytest.fixture(scope="session")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service that may call webhooks on loopback; everything else as it comes."""
    with served(tmp_path_factory.mktemp("public") / "data", "--allow-private-urls") as service:
        yield service


@pytest.fixture(scope="session")
def soon_expired(public: Served) -> dict[str, Any]:
    """The shortest session there is, bought before all else, so that its minute passes meanwhile."""
    order = {"model": "service-realtime-720p", "ttl_seconds": 60}
    body: dict[str, Any] = public.caller("soon expired", 25).post(SESSIONS, json=order).json()
    return body
