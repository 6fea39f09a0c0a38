"""Command lines and log files of Overpaint's own processes.

Quick to import: the processes start before much is loaded.
"""

from __future__ import annotations

import time
from pathlib import Path

import psutil

from overpaint.processes import roles
from overpaint.processes.children import Starting

LOOK_AGAIN_S = 0.02


def begin_live(folder: Path, core: int | None = None) -> Starting:
    """Begins the live process of a data folder.

    Args:
        folder: The data folder.
        core: Process id of the service core where that is starting already.

    Raises:
        ProcessError: It cannot be started.
    """
    coming = [] if core is None else ["--core", str(core)]
    return Starting("The live process", ["attend", "--data-dir", str(folder), *coming], folder / "live.log")


def begin_live_successor(folder: Path) -> Starting:
    """Begins the successor of a live process: it loads, and serves a data folder when it is cued.

    Raises:
        ProcessError: It cannot be started.
    """
    words = ["attend", "--data-dir", str(folder), "--standby"]
    return Starting("The live process", words, folder / "live.log", cued=True)


def begin_core(folder: Path) -> Starting:
    """Begins the service core of a data folder.

    Raises:
        ProcessError: It cannot be started.
    """
    return Starting("The service core", _core(folder), folder / "core.log")


def begin_standby_core(folder: Path) -> Starting:
    """Begins a standby core: it loads, and takes over a data folder when it is cued.

    Raises:
        ProcessError: It cannot be started.
    """
    return Starting("The standby core", [*_core(folder), "--standby"], folder / "core.log", cued=True)


def start_camera(folder: Path) -> None:
    """Starts the process that holds a data folder's camera, and returns when it can be connected to.

    Raises:
        ProcessError: It does not start.
    """
    Starting("The camera process", ["hold-camera", "--data-dir", str(folder)], folder / "camera.log").wait()


def start_live(folder: Path) -> None:
    """Starts the live process of a data folder, and returns when it can be connected to.

    Raises:
        ProcessError: It does not start.
    """
    begin_live(folder).wait()


def start_core(folder: Path) -> None:
    """Starts the service core of a data folder, and returns when it answers.

    Raises:
        ProcessError: It does not start.
    """
    begin_core(folder).wait()


def await_core(folder: Path, pid: int) -> None:
    """Waits until a core that another process has begun answers; starts one where that one has ended.

    Args:
        folder: The data folder.
        pid: Process id of that core.

    Raises:
        ProcessError: It does not start.
    """
    while not roles.is_announced(folder, "core"):
        if not psutil.pid_exists(pid):
            start_core(folder)
            return
        # Polled, because its output (which says that it is ready) goes to its parent, the window.
        time.sleep(LOOK_AGAIN_S)


def _core(folder: Path) -> list[str]:
    return ["serve", "--embedded", "--data-dir", str(folder)]
