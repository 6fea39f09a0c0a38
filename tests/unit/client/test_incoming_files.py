"""A result is there whole or not at all, and nothing of it is left behind, by a killed process neither."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from overpaint.client.file_transfers import IncomingFile

pytestmark = pytest.mark.process


KILLED = """
import os, signal, sys
from pathlib import Path
from overpaint.client.file_transfers import IncomingFile
with IncomingFile(Path(sys.argv[1])) as file:
    file.write(b"half of")
    os.kill(os.getpid(), signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    return folder


def killed_at(target: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(target)], check=False)
    assert done.returncode != 0


def test_who_is_killed_at_a_file_leaves_nothing_behind_once_it_is_there(folder: Path) -> None:
    target, other = folder / "cat.look.png", folder / "dog.look.png"
    killed_at(target)
    killed_at(other)
    assert len(list(folder.iterdir())) == 2
    with IncomingFile(target) as file:
        file.write(b"whole")
        assert len(list(folder.iterdir())) == 2, "the other one's part is its own affair"
        file.keep()
    assert target.read_bytes() == b"whole"
    assert [each.suffix for each in sorted(folder.iterdir())] == [".part", ".png"]


def test_two_at_once_do_not_take_each_others_parts(folder: Path) -> None:
    target = folder / "cat.look.png"
    with IncomingFile(target) as first, IncomingFile(target) as second:
        first.write(b"first")
        second.write(b"second")
        first.keep()
        second.keep()
    assert target.read_bytes() == b"second" and [*folder.iterdir()] == [target]
