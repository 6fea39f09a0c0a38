"""What tests of updates share: a host of releases that this process trusts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.release_host import ReleaseHost, release_host


@pytest.fixture
def host(tmp_path: Path, monkeypatch) -> Iterator[ReleaseHost]:
    with release_host(tmp_path) as made:
        monkeypatch.setenv("SSL_CERT_FILE", str(made.authority))
        yield made
