"""The engine's compiled kernels: loaded, copied or compiled without disturbing a stream.

Must not know sessions.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from overpaint.engine.interface import Engine, LookRequest
from overpaint.folders import kernel_dir, looks_dir
from overpaint.processes.children import command, set_priority
from overpaint.processes.load_tuning import loading


def cpu_engine() -> Engine:
    """Makes the engine of this machine, with its compiled kernels in the user's cache."""
    from overpaint.engine.cpu import CpuEngine

    return CpuEngine(threads=os.cpu_count() or 1, cache_dir=kernel_dir(), looks_dir=looks_dir())


def load_all() -> None:
    """Loads a core's modules, and the first kernels where they are compiled; keeps nothing else.

    With one thread, as for a clip: so it leaves no thread that would keep this one's low priority
    (``load_quietly``).
    """
    from overpaint.engine.cpu import SMALLEST, CpuEngine, has_shipped, is_warm

    if is_warm(kernel_dir()) or has_shipped(kernel_dir()):
        CpuEngine(1, cache_dir=kernel_dir()).compile(LookRequest(), SMALLEST, SMALLEST, "clip")


def warm_kernels(wait: bool) -> None:
    """Compiles the engine's kernels for this processor, in this process, one process at a time.

    Its priority is low; the lowest where a package's kernels are used meanwhile.

    Args:
        wait: Whether to wait for another process that does so already. A core that is killed and restarted
        must not leave one more compiler behind each time.
    """
    from overpaint.engine.cpu import CpuEngine, has_shipped, is_warm

    folder = kernel_dir()
    folder.mkdir(parents=True, exist_ok=True)
    set_priority("lowered" if wait or not has_shipped(folder) else "idle")
    with suppress(Timeout), FileLock(str(folder / "warm.lock"), blocking=wait):
        if not is_warm(folder):
            CpuEngine(os.cpu_count() or 1, folder, looks_dir(), own_kernels=True).warm()


def package_kernels(package: Path) -> None:
    """Compiles the kernels that a package ships; none on a kind of machine that has no baseline.

    Args:
        package: Becomes the package's ``resources/kernels``.
    """
    from overpaint.engine.cpu import CpuEngine, kernels_of
    from overpaint.engine.kernels import shipped_kernels

    if not shipped_kernels.target_baseline():
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as made:
        CpuEngine(os.cpu_count() or 1, Path(made), own_kernels=True).warm()
        shipped_kernels.pack(kernels_of(Path(made)), package)


def warm_beside(engine: Engine) -> threading.Thread | None:
    """Loads or compiles the engine's kernels without disturbing a stream.

    Where they are compiled, or a package has brought some, the first ones are loaded before the first stream,
    which takes as long as loading all the others. Else they are compiled in a separate process of lower
    priority: compiling is pure Python, and would hold the lock that the streams of this process need
    (measured: 171 frames lost in the first six seconds).

    Args:
        engine: This process's engine.

    Returns:
        The loading thread, to be joined at the end: a thread that is inside a library when the interpreter
        ends crashes the process.
    """
    from overpaint.engine.cpu import is_warm
    from overpaint.engine.kernels import shipped_kernels

    if is_warm(kernel_dir()):
        work, arguments = _load, (engine,)
    elif shipped_kernels.shipped_dir() is not None:
        work, arguments = _take_shipped, (engine,)
    else:
        _compile_beside()
        return None
    thread = threading.Thread(target=work, args=arguments, name="load", daemon=True)
    thread.start()
    return thread


def _load(engine: Engine) -> None:
    from overpaint.engine.cpu import SMALLEST

    with loading():
        engine.compile(LookRequest(), SMALLEST, SMALLEST)


def _take_shipped(engine: Engine) -> None:
    """Loads a package's kernels where they run here; compiles own ones where those are faster."""
    from overpaint.engine.kernels import shipped_kernels

    with loading():
        fit = shipped_kernels.fit()
    if fit != "none":
        _load(engine)
    if fit != "whole":
        _compile_beside()


def _compile_beside() -> None:
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW
    child = subprocess.Popen(
        command("warm", "--beside"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=flags,
    )
    threading.Thread(target=child.wait, name="warm", daemon=True).start()
