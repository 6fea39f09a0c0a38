"""Tuning of loading: a paused garbage collector, and a shorter switch interval of threads.

Hundreds of modules make some 100,000 objects that stay, and the collector scans them repeatedly: without it
loading takes an eighth less time. Loaded objects are then frozen, since scanning them would delay a stream by
tens of milliseconds. A thread that answers meanwhile gets the interpreter within a millisecond, not five
(``sys.setswitchinterval``). Must not know what is loaded.
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
"""Pause before each of some 1,500 modules."""
_QOS_BACKGROUND = 0x09
"""macOS's class of background work (``sys/qos.h``)."""
_THREAD_PRIORITY_IDLE = -15
"""Windows' lowest thread priority (``winbase.h``)."""

_guard = threading.Lock()
_usual_turn_s = sys.getswitchinterval()
_under_way = 0


@contextmanager
def loading() -> Iterator[None]:
    """Tunes its block for loading; may be nested, and used in several threads at once.

    For the start of a process: garbage of that time is kept, too.
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
    """Loads in a thread of the lowest priority, with a pause before each module; returns at its end.

    The process keeps its priority, which only an administrator could raise again on Linux. There, threads
    that the loading starts keep the lowest priority.

    Args:
        load: Loads; its exceptions are raised here.
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
    """An import hook that finds nothing, but pauses.

    Priority alone is not enough: hyper-threads share a core, and all processors share the memory. A stream
    of 30 frames a second lost four to eight of them in each second of loading; with pauses at most three,
    for twice as long.
    """

    def find_spec(self, *_: object) -> None:
        """Pauses; called before each module is loaded."""
        time.sleep(_PAUSE_S)


def _step_back() -> None:
    """Gives this thread the lowest priority; a refusal changes nothing."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
    elif sys.platform == "darwin":
        ctypes.CDLL(None).pthread_set_qos_class_self_np(_QOS_BACKGROUND, 0)
    elif sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        kernel.SetThreadPriority(kernel.GetCurrentThread(), _THREAD_PRIORITY_IDLE)
