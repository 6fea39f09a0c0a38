"""The garbage collector rests exactly as long as something loads."""

from __future__ import annotations

import gc
import importlib
import sys
import threading
from collections.abc import Iterator

import pytest

from overpaint.processes.load_tuning import load_quietly, loading


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_it_rests_until_the_last_of_several_has_loaded() -> None:
    inside, leave = threading.Event(), threading.Event()

    def load() -> None:
        with loading():
            inside.set()
            leave.wait(5)

    other = threading.Thread(target=load)
    usual = sys.getswitchinterval()
    with loading():
        other.start()
        assert inside.wait(5)
    assert not gc.isenabled() and sys.getswitchinterval() < usual, "the other thread still loads"
    leave.set()
    other.join(5)
    assert gc.isenabled() and sys.getswitchinterval() == usual


def test_it_works_again_where_loading_fails() -> None:
    with pytest.raises(ImportError), loading():
        raise ImportError
    assert gc.isenabled()


def test_what_was_loaded_is_not_looked_through_again() -> None:
    with loading():
        kept = [[number] for number in range(10_000)]
    assert gc.get_freeze_count() >= len(kept)


def test_what_loads_quietly_pauses_before_each_module_and_leaves_no_trace() -> None:
    before, pauses = list(sys.meta_path), []

    def load() -> None:
        pauses.extend(finder for finder in sys.meta_path if finder not in before)
        assert not gc.isenabled() and threading.current_thread() is not threading.main_thread()
        with pytest.raises(ImportError):
            importlib.import_module("there_is_no_such_module")

    load_quietly(load)
    assert len(pauses) == 1 and sys.meta_path == before and gc.isenabled()


def test_what_fails_to_load_quietly_fails_for_who_asked() -> None:
    def load() -> None:
        raise ImportError("It is not there.")

    before = list(sys.meta_path)
    with pytest.raises(ImportError, match="not there"):
        load_quietly(load)
    assert sys.meta_path == before
