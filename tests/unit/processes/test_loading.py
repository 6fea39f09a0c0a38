"""The garbage collector rests exactly as long as something loads."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator

import pytest

from overpaint.processes.loading import loading


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
