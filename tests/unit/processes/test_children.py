"""A process of ours is started once, says when it is ready, and its last words are heard when it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.processes import end_all, role_pid
from overpaint.errors import ProcessError
from overpaint.processes import children


def test_it_is_ready_when_start_returns_and_a_second_one_gives_way(data_folder: Path) -> None:
    arguments = ["serve", "--embedded", "--data-dir", str(data_folder)]
    children.start("The service core", arguments, data_folder / "core.log")
    first = role_pid(data_folder, "core")
    assert first is not None
    children.start("The service core", arguments, data_folder / "second.log")
    assert role_pid(data_folder, "core") == first
    end_all(data_folder)


def test_one_that_cannot_start_says_why(data_folder: Path) -> None:
    (data_folder / "ledger.sqlite").write_bytes(b"this is no database" * 100)
    arguments = ["serve", "--embedded", "--data-dir", str(data_folder)]
    with pytest.raises(ProcessError) as refused:
        children.start("The service core", arguments, data_folder / "core.log")
    assert str(refused.value).startswith("The service core does not start: ")
    assert "core.log" in refused.value.mend
