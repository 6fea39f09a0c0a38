"""Start and end of each of Overpaint's programs: its log, its last message, its exit code.

Quick to import. Must not know what the programs do.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable

from overpaint.errors import OverpaintError, ProcessError, UsageError
from overpaint.processes.log_lines import TextLines
from overpaint.processes.roles import EXIT_ALREADY_RUNNING


def log_to_stderr() -> None:
    """Sets logging to standard error: warnings; for the app's own processes, whose log is a file, more."""
    handler = logging.StreamHandler()
    handler.setFormatter(TextLines())
    logging.basicConfig(level=logging.INFO if _is_child() else logging.WARNING, handlers=[handler])


def exit_code(work: Callable[[], int]) -> int:
    """Does the work; an error becomes one line on standard error and its exit code."""
    try:
        return work()
    except OverpaintError as error:
        return _told(error)
    except ImportError as error:
        # Of the system, which a program from a package relies on for display, sound and bus.
        lacking = re.match(r"(\S+\.so\S*): cannot open shared object file", str(error))
        if lacking is None:
            raise
        return _told(ProcessError("system_library_missing", library=lacking[1]))
    except KeyboardInterrupt:
        return 1


def _told(error: OverpaintError) -> int:
    """Says an error's sentence; returns its exit code."""
    if sys.stderr is not None:  # a GUI program on Windows has none
        sys.stderr.write(f"{error.line}\n")
    if error.kind == "already_running" and _is_child():
        return EXIT_ALREADY_RUNNING
    return 2 if isinstance(error, UsageError) else 1


def end_at_once() -> None:
    """Makes ``exit`` called by C code end the process at once, with its status.

    When the display breaks off, Qt calls ``exit`` in the middle of an event. Its destructors wait for
    Python's threads, which wait for a lock that Qt holds: a window would hang forever, and the live process
    would keep the webcam on for it. At a regular end Python has finished its own work before.
    """
    if sys.platform != "linux":
        return
    import ctypes

    system = ctypes.CDLL(None)
    if hasattr(system, "on_exit"):  # the GNU C library
        system.on_exit(system._exit, None)


def _is_child() -> bool:
    return "--embedded" in sys.argv or sys.argv[1:2] in (["attend"], ["hold-camera"])
