"""Memory of a process: free parts go back to the system, and nothing is written to a core dump.

The GNU C library has a heap for each thread, up to eight for each processor, and keeps what was freed there.
Streams that follow each other run in ever new threads, and pictures are freed by others than had asked for
them: a process of 250 MB had 500 MB after 40 sessions (soak, 1080p), nearly all of it free. So there is
one heap for all, whose free memory is given back after each session; a stream costs no more for it, since who
asks for memory holds Python's lock anyway. Must not know what the memory is for.
"""

from __future__ import annotations

import ctypes
import sys

_ARENA_MAX = -8
"""M_ARENA_MAX of malloc.h."""


def share_heap() -> None:
    """One heap for all threads of this process from now on; to be called before there are any.

    Source: mallopt(3). Elsewhere than with the GNU C library heaps are the system's affair.
    """
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(_ARENA_MAX, 1)


def dump_none() -> None:
    """From now on a crash leaves no core dump: raw pictures of a camera are in it, keys and secrets.

    The soft limit alone, which ``prlimit --core=unlimited --pid`` lifts again. Source: setrlimit(2), core(5).
    """
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def give_back() -> None:
    """Gives it back now; takes milliseconds, without the interpreter: for a thread beside the event loop.

    Sources: malloc_trim(3); malloc_zone_pressure_relief in Apple's malloc.h. Windows does it by itself.
    """
    if sys.platform == "win32":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(ctypes.c_size_t(0))
    elif hasattr(library, "malloc_zone_pressure_relief"):
        library.malloc_zone_pressure_relief(None, ctypes.c_size_t(0))
