"""The garbage collector rests while a process loads, and threads take turns at shorter intervals.

Hundreds of modules make some 100,000 objects that stay, and the collector looks through them again and
again: without it loading takes an eighth less time. What was loaded it never looks through again, which
would hold up a stream for tens of milliseconds. A thread that answers meanwhile gets the interpreter within a
millisecond, not five (``sys.setswitchinterval``). Must not know what is loaded.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_TURN_S = 0.001

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
