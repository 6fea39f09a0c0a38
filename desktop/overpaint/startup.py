"""Parallel start of the app: window, live process and core load at the same time.

Each of the three takes the better part of a second of one CPU core to load, so each starts the next before
it loads its own modules. Quick to import for that reason.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from overpaint.errors import ProcessError
from overpaint.private_folder import private_umask
from overpaint.processes import roles
from overpaint.processes.children import Starting
from overpaint.processes.command_lines import await_core, begin_core, begin_live, start_core
from overpaint.processes.headstart import HeadStart
from overpaint.processes.load_tuning import loading
from overpaint.processes.supervision.live_successor import LiveSuccessor

if TYPE_CHECKING:
    from overpaint.gui.looks.prompt_reader import TypedPrompt

FORMER_ENDS_S = 2.0
"""How long to wait for the end of a killed live process."""


def run_app(folder: Path, preset: str | None = None) -> int:
    """Opens the window, and starts the live process if none runs.

    Args:
        folder: The data folder.
        preset: Path of a preset's file that the window is to take in.

    Returns:
        The exit status.

    Raises:
        ProcessError: There is no display (``no_display``).
    """
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("QT_QPA_PLATFORM")
    ):
        raise ProcessError("window_without_display")
    successor = LiveSuccessor(folder)
    live = HeadStart(successor.start)
    if not roles.is_announced(folder, "live"):
        live.begin(_begin_both(folder).wait)
    with loading():
        # Before PySide6, whose import hook reads the source of every module that is imported after it.
        import numpy  # noqa: F401

        import overpaint.wire.live  # noqa: F401
        from overpaint.gui.main import run_window

    return run_window(folder, live, successor.doubt, _load_search, read_typed, preset)


def _load_search() -> Callable[[str], Mapping[str, tuple[float, float]]]:
    """Loads the search for looks, in the window's process."""
    from overpaint.engine.prompt.look_search import load_search

    return load_search()


def read_typed(prompt: str, has_photo: bool) -> TypedPrompt:
    """Reads a prompt as this computer's core does, in the window's process, while it is typed."""
    from overpaint.engine.library import own_looks
    from overpaint.engine.prompt.reader import read_prompt
    from overpaint.folders import looks_dir
    from overpaint.gui.looks.prompt_reader import TypedPrompt
    from overpaint.wire.looks import PromptReading, PromptSuggestion

    reading = read_prompt(prompt, has_photo, own=own_looks(looks_dir()))
    suggestions = tuple(PromptSuggestion(kind=each.kind, words=each.words) for each in reading.suggestions)
    left = PromptReading(
        prompt=prompt,
        not_understood=reading.not_understood,
        suggestions=suggestions,
        unchanged=reading.nothing,
    )
    return TypedPrompt(reading.understood, left)


def _begin_both(folder: Path) -> Starting:
    """Starts the core (unless a remote service is used) and the live process.

    The core is first, because it takes the longest and the first picture waits for it.
    """
    core = None
    if _needs_core(folder):
        core = begin_core(folder)
        threading.Thread(target=_hear, args=(core,), name="core-start", daemon=True).start()
    return begin_live(folder, core.pid if core is not None else None)


def _hear(core: Starting) -> None:
    """Waits for the core's line of output; errors are left to the live process, which meets them too."""
    with suppress(ProcessError):
        core.wait()


def _needs_core(folder: Path) -> bool:
    return not _server(folder) and not roles.is_announced(folder, "core")


def _server(folder: Path) -> str:
    """The address of the service in the settings; "" for the local service.

    Read without ``settings``, whose library takes a tenth of a second to load. If a core is started without
    need, it ends by itself.
    """
    try:
        return str(json.loads((folder / "settings.json").read_text("utf-8"))["server"])
    except (OSError, ValueError, TypeError, KeyError):
        return ""


def attend(
    folder: Path,
    core_pid: int | None,
    ready: Callable[[], None],
    cued: Callable[[], bool] | None = None,
) -> None:
    """Runs the live process, which loads while the core loads.

    Args:
        folder: The data folder.
        core_pid: Process id of the core, if the window has started it already.
        ready: Called when windows can connect.
        cued: For a successor, called once it has loaded: waits until its predecessor has ended, and returns
            whether to continue.

    Raises:
        ProcessError: A live process already serves this data folder (``already_running``).
    """
    if cued is not None:
        _load_live()
        if not cued():
            return
    core = HeadStart(lambda: start_core(folder))
    if core_pid is not None:
        core.begin(lambda: await_core(folder, core_pid))
    elif _needs_core(folder):
        core.begin(lambda: start_core(folder))
    with loading():
        from overpaint.app import run_live

    run_live(folder, core, ready, FORMER_ENDS_S if cued is not None else 0.0)


def _load_live() -> None:
    """Imports the modules that a live process needs soon, so that their first use does not wait."""
    with loading():
        import overpaint.app
        import overpaint.media.sources.camera_source
        import overpaint.media.sources.screen_source
        import overpaint.media.webrtc.desktop_link  # noqa: F401


def hold_camera(folder: Path, ready: Callable[[], None]) -> None:
    """Runs the camera process, which writes to the virtual camera.

    Args:
        folder: The data folder.
        ready: Called when the live process can connect.

    Raises:
        ProcessError: This data folder has a camera process already (``already_running``).
    """
    from overpaint.media.virtual_camera.camera_process import CameraHolder
    from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink
    from overpaint.processes.children import set_priority

    private_umask()
    role = roles.Role(folder, "camera")
    role.take()
    holder, ended = CameraHolder(VirtualCameraSink), threading.Event()
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: holder.end())
        set_priority("raised")
        role.announce(holder.server.address, holder.server.secret)
        ready()
        # In its own thread, so that loading its modules delays no frame.
        threading.Thread(target=_watch_live, args=(folder, ended), name="live-watch", daemon=True).start()
        holder.run()
    finally:
        ended.set()
        holder.close()
        role.leave()


def _watch_live(folder: Path, ended: threading.Event) -> None:
    from overpaint.processes.supervision.succession import LiveWatch

    LiveWatch(folder, ended).run()
