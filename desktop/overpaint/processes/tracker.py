"""The resource tracker of ``multiprocessing``, kept away from the current folder and from sandboxes.

It removes the shared memory of killed processes. It is a separate Python process, started with ``-c`` by the
first use of shared memory, and imports from the current folder first, where there may be a malicious
``signal.py``. Processes started with ``-P`` pass that option on; users start the window and ``overpaint
stream`` without it. The tracker is outside the sandbox of the process that starts it, and executes what its
pipe tells it: so a sandboxed process has none. Must not know what is shared.
"""

from __future__ import annotations

import sys
from multiprocessing import resource_tracker, util
from multiprocessing.shared_memory import SharedMemory

_NO_CURRENT_FOLDER = "-P"
_FLAGS = "_args_from_interpreter_flags"
"""The private function by which ``multiprocessing`` passes interpreter flags on."""


def keep_out_of_current_folder() -> None:
    """Starts the tracker safely; to be called before the first shared memory of this process; idempotent.

    Does nothing on Windows, which has no tracker, and in the frozen application, which imports from no
    folder.
    """
    inherited = vars(util)[_FLAGS]
    frozen = getattr(sys, "frozen", False)
    if sys.platform == "win32" or frozen or _NO_CURRENT_FOLDER in inherited() or sys.flags.isolated:
        return

    def flags() -> list[str]:
        return [*inherited(), _NO_CURRENT_FOLDER]

    vars(util)[_FLAGS] = flags


def attach_untracked(name: str) -> SharedMemory:
    """Opens another process's shared memory without a tracker. Only while there is no other thread.

    Raises:
        OSError: There is no such shared memory.
    """
    if sys.version_info >= (3, 13):
        return SharedMemory(name, track=False)
    register = resource_tracker.register
    resource_tracker.register = lambda name, rtype: None
    try:
        return SharedMemory(name)
    finally:
        resource_tracker.register = register
