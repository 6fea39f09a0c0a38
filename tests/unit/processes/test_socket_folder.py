"""Folders of sockets that killed processes left are removed; those of processes at work are not."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from overpaint.processes.socket_folder import remove_left_folders, runtime_folder

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform == "win32", reason="named pipes leave nothing behind"),
]


@pytest.fixture
def parent() -> Iterator[Path]:
    """With a short name: a socket's path has at most about a hundred characters."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def ended() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def left(parent: Path, pid: int, seconds_ago: float = 3600) -> tuple[Path, socket.socket]:
    """A folder with a socket that listens."""
    folder = parent / f"overpaint-{pid}-{secrets.token_hex(4)}"
    folder.mkdir(mode=0o700)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / "listener-0"))
    listener.listen()
    os.utime(folder, (time.time() - seconds_ago,) * 2)
    return folder, listener


def test_the_folder_of_a_process_that_was_killed_is_removed(parent: Path, ended: int) -> None:
    folder, listener = left(parent, ended)
    listener.close()
    remove_left_folders(parent)
    assert not folder.exists()


def test_the_folder_of_a_process_that_runs_stays(parent: Path) -> None:
    folder, listener = left(parent, os.getpid())
    listener.close()
    remove_left_folders(parent)
    assert folder.exists()


def test_a_socket_that_still_listens_keeps_its_folder(parent: Path, ended: int) -> None:
    """A container that shares the folder counts its processes by itself."""
    folder, listener = left(parent, ended)
    remove_left_folders(parent)
    assert folder.exists()
    listener.close()


def test_an_empty_folder_stays_because_its_process_may_be_in_another_container(
    parent: Path, ended: int
) -> None:
    folder, listener = left(parent, ended)
    listener.close()
    (folder / "listener-0").unlink()
    os.utime(folder, (0, 0))
    remove_left_folders(parent)
    assert folder.exists()


def test_a_new_folder_and_other_programs_folders_stay(parent: Path, ended: int) -> None:
    young, listener = left(parent, ended, seconds_ago=0)
    listener.close()
    others = [parent / "overpaint-notes", parent / f"else-{ended}-abc"]
    for folder in others:
        folder.mkdir()
        os.utime(folder, (0, 0))
    remove_left_folders(parent)
    assert young.exists() and all(folder.exists() for folder in others)


def test_a_link_is_not_followed(parent: Path, ended: int, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    link = parent / f"overpaint-{ended}-abc"
    link.symlink_to(tmp_path)
    remove_left_folders(parent)
    assert link.is_symlink() and (tmp_path / "file").exists()


def test_a_channels_listener_sweeps_when_its_process_starts(ended: int) -> None:
    folder, listener = left(Path(runtime_folder() or tempfile.gettempdir()), ended)
    listener.close()
    code = (
        "from overpaint.processes.socket_folder import socket_folder; folder = socket_folder(); "
        "assert folder.stat().st_mode & 0o777 == 0o700; print(folder)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert not folder.exists() and not Path(done.stdout.strip()).exists(), "removed at its end"
