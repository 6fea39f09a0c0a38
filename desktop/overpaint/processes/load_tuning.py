"""Faster loading: the garbage collector rests, and threads take turns at shorter intervals.

Hundreds of modules make some 100,000 objects that stay, and the collector looks through them again and
again: without it loading takes an eighth less time. What was loaded it never looks through again, which
would hold up a stream for tens of milliseconds. A thread that answers meanwhile gets the interpreter within a
millisecond, not five (``sys.setswitchinterval``). Must not know what is loaded.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.abc import MetaPathFinder

_TURN_S = 0.001
_PAUSE_S = 0.003
"""Before each of some 1,500 modules."""
_QOS_BACKGROUND = 0x09
"""macOS's class of work that nobody waits for (``sys/qos.h``)."""
_THREAD_PRIORITY_IDLE = -15
"""Windows' lowest (``winbase.h``)."""

_guard = threading.Lock()
_usual_turn_s = sys.getswitchinterval()
_under_way = 0


@contextmanager
def loading() -> Iterator[None]:
    """Around what loads; in any number of threads at once, and within each other.

    For the beginning of a process: what is garbage by then is kept too.
    """
    global _under_way
    with _guard:
        _under_way += 1
        gc.disable()
        sys.setswitchinterval(_TURN_S)
    try:
        yield
    finally:
        with _guard:
            _under_way -= 1
            if not _under_way:
                gc.freeze()
                gc.enable()
                sys.setswitchinterval(_usual_turn_s)


def load_quietly(load: Callable[[], object]) -> None:
    """Loads in a thread of the lowest priority, with a pause before each module; returns when that is done.

    Not by the priority of the process: on Linux only an administrator may raise that again. Threads that the
    loading starts and leaves behind have that priority for good there.

    Args:
        load: What loads; its exceptions are raised here.
    """
    failure: list[BaseException] = []

    pauses = _Pauses()

    def run() -> None:
        _step_back()
        sys.meta_path.insert(0, pauses)
        try:
            with loading():
                load()
        except BaseException as error:  # noqa: BLE001 - raised again below
            failure.append(error)
        finally:
            sys.meta_path.remove(pauses)

    thread = threading.Thread(target=run, name="load-quietly")
    thread.start()
    thread.join()
    if failure:
        raise failure[0]


class _Pauses(MetaPathFinder):
    """Finds nothing, and takes its time for it.

    Priority alone does not do: two processors of one core, and the memory of all, share what a priority does
    not divide. A stream of 30 frames a second lost four to eight of them in each second of loading; with
    pauses three at most, for twice as long.
    """

    def find_spec(self, *_: object) -> None:
        """Called before each module that is loaded."""
        time.sleep(_PAUSE_S)


def _step_back() -> None:
    """Gives this thread the lowest priority; where the system refuses, it loads all the same."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
    elif sys.platform == "darwin":
        ctypes.CDLL(None).pthread_set_qos_class_self_np(_QOS_BACKGROUND, 0)
    elif sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        kernel.SetThreadPriority(kernel.GetCurrentThread(), _THREAD_PRIORITY_IDLE)
