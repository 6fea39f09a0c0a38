"""One service process for the modules that hold it against the specification, row by row."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from helpers.served import Served, served


@pytest.fixture(scope="session")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service that may call webhooks on loopback; everything else as it comes."""
    with served(tmp_path_factory.mktemp("public") / "data", "--allow-private-urls") as service:
        yield service
