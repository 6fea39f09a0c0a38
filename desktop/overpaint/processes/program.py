"""Start and end of each of Overpaint's programs: its log, its last message, its exit code.

Quick to import. Must not know what the programs do.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

from overpaint.errors import OverpaintError, UsageError
from overpaint.processes.log_lines import TextLines
from overpaint.processes.roles import EXIT_ALREADY_RUNNING


def log_to_stderr() -> None:
    """Logs what a user should see; one of the app's own processes, whose log is a file, says more."""
    handler = logging.StreamHandler()
    handler.setFormatter(TextLines())
    logging.basicConfig(level=logging.INFO if _is_child() else logging.WARNING, handlers=[handler])


def exit_code(work: Callable[[], int]) -> int:
    """Does the work; an error becomes one line on standard error, and the exit code that is its own."""
    try:
        return work()
    except OverpaintError as error:
        if sys.stderr is not None:  # a window's program on Windows has none
            sys.stderr.write(f"{error.line}\n")
        if error.kind == "already_running" and _is_child():
            return EXIT_ALREADY_RUNNING
        return 2 if isinstance(error, UsageError) else 1
    except KeyboardInterrupt:
        return 1


def end_at_once() -> None:
    """From now on an end that C code asks for ends the process at once, with the status that it names.

    A display that breaks off lets Qt call ``exit`` in the middle of an event. What that destroys waits for
    Python's threads, which wait for what it has locked: a window would hang for ever, and the live process
    keep the webcam on for it. What Python itself has to finish at a regular end is finished before.
    """
    if sys.platform != "linux":
        return
    import ctypes

    system = ctypes.CDLL(None)
    if hasattr(system, "on_exit"):  # the GNU C library
        system.on_exit(system._exit, None)


def _is_child() -> bool:
    return "--embedded" in sys.argv or sys.argv[1:2] in (["attend"], ["hold-camera"])
