"""Overpaint's own processes are told by their command lines from those that only start or name them."""

from __future__ import annotations

import pytest

from overpaint.processes.children import command, own_words

STREAM = ["stream", "--source", "demo"]


@pytest.mark.parametrize(
    "started",
    [
        ["overpaint"],
        ["C:\\Program Files\\Overpaint\\Overpaint.exe"],
        ["/home/a/.venv/bin/python3.12", "/home/a/.venv/bin/overpaint"],
        ["C:\\venv\\Scripts\\pythonw.exe", "C:\\venv\\Scripts\\overpaint-window.exe"],
        ["/Library/Frameworks/Python.app/Contents/MacOS/Python", "-m", "overpaint"],
        ["python3", "-X", "dev", "-W", "error", "-P", "-m", "overpaint"],
        command(),
    ],
)
def test_the_program_is_known_however_it_was_started(started: list[str]) -> None:
    assert own_words([*started, *STREAM]) == STREAM
    assert own_words(started) == []


@pytest.mark.parametrize(
    "other",
    [
        [],
        ["/bin/sh", "/usr/bin/xvfb-run", "-a", "overpaint", *STREAM],
        ["timeout", "60", "overpaint", *STREAM],
        ["sudo", "-u", "a", "/home/a/.venv/bin/overpaint", *STREAM],
        ["vim", "overpaint"],
        ["python3", "-c", "import overpaint", "overpaint", *STREAM],
        ["python3", "-m", "pdb", "overpaint", *STREAM],
        ["python3", "check.py", "overpaint", *STREAM],
        ["python3", "-m"],
    ],
)
def test_other_programs_are_not(other: list[str]) -> None:
    assert own_words(other) is None
