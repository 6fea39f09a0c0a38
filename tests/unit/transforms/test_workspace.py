"""Workspaces belong to one process, and those of ended processes go."""

from __future__ import annotations

import os
from pathlib import Path

from overpaint.transforms.workspace import process_folder


def test_folders_of_ended_processes_go_and_those_of_running_ones_stay(tmp_path: Path) -> None:
    ended, running = tmp_path / str(2**22 + 1), tmp_path / str(os.getppid())
    for folder in (ended, running, tmp_path / "stray"):
        folder.mkdir()
        (folder / "file").touch()
    own = process_folder(tmp_path)
    assert own == tmp_path / str(os.getpid()) and not own.exists()
    assert [each.name for each in tmp_path.iterdir()] == [running.name] and (running / "file").exists()


def test_a_folder_of_a_former_process_with_the_same_number_goes_and_no_parent_is_made(tmp_path: Path) -> None:
    former = tmp_path / str(os.getpid())
    former.mkdir()
    (former / "file").touch()
    assert process_folder(tmp_path) == former and not former.exists()
    assert process_folder(tmp_path / "none").parent.name == "none" and not (tmp_path / "none").exists()
