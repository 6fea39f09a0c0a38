"""Services that several modules use: the real process, and one whose clock hurries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from helpers.running_service import HastyClock, RunningService, running_service
from helpers.served import Served, served
from helpers.short_session import ShortSession


@pytest.fixture(scope="session")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service that may call webhooks on loopback; everything else as it comes."""
    with served(tmp_path_factory.mktemp("public") / "data", "--allow-private-urls") as service:
        yield service


@pytest.fixture(scope="session")
def short_session(public: Served) -> ShortSession:
    """Bought before all else that is asked of the service, so that its minute passes meanwhile."""
    return ShortSession(public)


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningService, HastyClock]]:
    """A service for which a minute is a second."""
    clock = HastyClock(60)
    with running_service(tmp_path_factory.mktemp("hasty"), clock) as running:
        yield running, clock
