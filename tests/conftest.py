"""What holds for every test: a data folder of its own, and no unexpected log."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.postgres import postgres_server, postgres_url
from helpers.stamps import stamped, watermarked
from overpaint.processes.program import end_at_once

__all__ = ["postgres_server", "postgres_url", "stamped", "watermarked"]  # fixtures for every test

if "DISPLAY" not in os.environ:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("XDG_SESSION_TYPE", "x11")


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, also for the processes that the test starts."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("OVERPAINT_DATA_DIR", str(folder))
    return folder


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture(autouse=True)
def no_unexpected_logs(request: pytest.FixtureRequest) -> Iterator[None]:
    """A warning or error in the log fails the test unless ``@pytest.mark.expect_log("part")`` names it."""
    collector = _Collector()
    root = logging.getLogger()
    root.addHandler(collector)
    yield
    root.removeHandler(collector)
    expected = [mark.args[0] for mark in request.node.iter_markers("expect_log")]
    surprising = [
        f"{record.name}: {record.getMessage()}"
        for record in collector.records
        if not any(part in record.getMessage() for part in expected)
    ]
    assert not surprising, f"unexpected logs: {surprising}"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "expect_log(part): a log of WARNING or above that is part of the promise"
    )
    config.addinivalue_line("markers", "asked_last: looks at what other tests leave time for")


def pytest_unconfigure() -> None:
    """When all is told, the process ends without what C++ libraries destroy then, in an order of their own.

    Seen once, after 995 tests of window, capture and codecs: a double free behind the last word.
    """
    end_at_once()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Who looks at what became of something after its minute is asked last: nobody waits for it."""
    items.sort(key=lambda item: item.get_closest_marker("asked_last") is not None)
