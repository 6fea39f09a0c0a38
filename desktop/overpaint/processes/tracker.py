"""The resource tracker of ``multiprocessing``, kept out of the current folder and of sandboxes.

It removes the shared memory of a process that was killed, and is a Python of its own, begun with ``-c`` by
whoever uses shared memory first. Such a one looks for every module in the current folder before all others,
where a stranger's ``signal.py`` may lie. Processes that were begun with ``-P`` hand that on; the window and
``overpaint stream`` are begun by their users, without. It is not confined with the process that began it, and
does what its pipe says: a sandboxed process has none. Must not know what is shared.
"""

from __future__ import annotations

import sys
from multiprocessing import resource_tracker, util
from multiprocessing.shared_memory import SharedMemory

_NO_CURRENT_FOLDER = "-P"
_FLAGS = "_args_from_interpreter_flags"
"""What ``multiprocessing`` begins its own processes with; private to it."""


def keep_out_of_current_folder() -> None:
    """To be called before the first shared memory of this process; idempotent.

    Nothing on Windows, which has no tracker, and in the frozen application, which looks in no folder.
    """
    inherited = vars(util)[_FLAGS]
    frozen = getattr(sys, "frozen", False)
    if sys.platform == "win32" or frozen or _NO_CURRENT_FOLDER in inherited() or sys.flags.isolated:
        return

    def flags() -> list[str]:
        return [*inherited(), _NO_CURRENT_FOLDER]

    vars(util)[_FLAGS] = flags


def attach_untracked(name: str) -> SharedMemory:
    """Opens another process's shared memory, and begins no tracker for it. While there is no other thread.

    Raises:
        OSError: There is none of this name.
    """
    if sys.version_info >= (3, 13):
        return SharedMemory(name, track=False)
    register = resource_tracker.register
    resource_tracker.register = lambda name, rtype: None
    try:
        return SharedMemory(name)
    finally:
        resource_tracker.register = register
