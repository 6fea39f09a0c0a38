"""How the app opens: the window, the live process and the core load beside each other, not one after another.

Each of the three takes a good second of one core to load; each begins the next before it loads its own
part. So this module itself must stay quick to import.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from overpaint.errors import ProcessError
from overpaint.processes import roles
from overpaint.processes.headstart import HeadStart
from overpaint.processes.starting import start_core, start_live
from overpaint.settings import load_settings


def run_app(folder: Path) -> int:
    """Opens the window; the live process is started when there is none.

    Args:
        folder: The data folder.

    Returns:
        The exit status.

    Raises:
        ProcessError: There is no display (``no_display``).
    """
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("QT_QPA_PLATFORM")
    ):
        raise ProcessError(
            "There is no display to open a window on.",
            kind="no_display",
            mend="Use a virtual one (xvfb-run -a overpaint), or stream without a window (overpaint stream).",
        )
    live = HeadStart(lambda: start_live(folder))
    if not roles.is_announced(folder, "live"):
        live.begin()
    from overpaint.gui.main import run_window

    return run_window(folder, live)


def attend(folder: Path, ready: Callable[[], None]) -> None:
    """Runs the live process, beside whose loading the core loads.

    Args:
        folder: The data folder.
        ready: Called when windows can connect.

    Raises:
        ProcessError: A live process already serves this data folder (``already_running``).
    """
    core = HeadStart(lambda: start_core(folder))
    if not load_settings(folder).server and not roles.is_announced(folder, "core"):
        core.begin()
    from overpaint.app import run_live

    run_live(folder, core, ready)
