"""The command lines of Overpaint's own processes. Quick to import: they start before much is loaded."""

from __future__ import annotations

from pathlib import Path

from overpaint.processes import children


def start_live(folder: Path) -> None:
    """Starts the live process of a data folder, and returns when it can be connected to.

    Raises:
        ProcessError: It does not start.
    """
    children.start("The live process", ["attend", "--data-dir", str(folder)], folder / "live.log")


def start_core(folder: Path) -> None:
    """Starts the service core of a data folder, and returns when it answers.

    Raises:
        ProcessError: It does not start.
    """
    arguments = ["serve", "--embedded", "--data-dir", str(folder)]
    children.start("The service core", arguments, folder / "core.log")
