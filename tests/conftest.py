"""What holds for every test: a data folder of its own, its module's category, and no unexpected log."""

from __future__ import annotations

import logging
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from helpers import screens
from helpers.categories import CATEGORIES, categorise, held_to, started_anyway
from helpers.postgres import postgres_server, postgres_url
from helpers.stamps import stamped, watermarked
from overpaint.engine.cpu import kernels_of
from overpaint.folders import kernel_dir
from overpaint.processes.program import end_at_once

__all__ = ["postgres_server", "postgres_url", "stamped", "watermarked"]  # fixtures for every test

os.environ.setdefault("XDG_SESSION_TYPE", "x11")
# No test puts a camera into the PipeWire of whoever runs it; those about PipeWire have one of their own.
os.environ["PIPEWIRE_RUNTIME_DIR"] = "/nonexistent"
# Also an engine without a cache of its own finds the kernels that "overpaint warm" has compiled.
os.environ.setdefault("NUMBA_CACHE_DIR", str(kernels_of(kernel_dir())))


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, also for the processes that the test starts."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("OVERPAINT_DATA_DIR", str(folder))
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """What a module's category does not allow fails, in fixtures too."""
    with held_to(next(name for name in CATEGORIES if item.get_closest_marker(name))):
        return (yield)


@pytest.fixture(autouse=True)
def no_unexpected_process() -> Iterator[None]:
    """Also where the program took that failure for one of its own."""
    yield
    assert not started_anyway()


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


_SCREEN = pytest.StashKey[screens.Screen]()


def pytest_configure(config: pytest.Config) -> None:
    for name, meaning in CATEGORIES.items():
        config.addinivalue_line("markers", f"{name}: the module's category: {meaning}")
    config.addinivalue_line("markers", "full: only in the full suite (make test-full)")
    config.addinivalue_line(
        "markers", "expect_log(part): a log of WARNING or above that is part of the promise"
    )
    if hasattr(config, "workerinput") and screens.can_be_made():
        config.stash[_SCREEN] = screens.Screen()
    elif config.getoption("dist", "no") == "no" and not {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        # here, and not in workers
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def pytest_unconfigure() -> None:
    """When all is told, the process ends without what C++ libraries destroy then, in an order of their own.

    Seen once, after 995 tests of window, capture and codecs: a double free behind the last word.
    """
    end_at_once()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    categorise(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Of ``-n``, whatever ``--dist`` says: xdist's own groups do nothing under pytest 9.2."""
    from helpers.scheduling import ByCategory

    return ByCategory(config, log)
