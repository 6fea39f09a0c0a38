"""Memory of a process: free memory is returned to the system, and no core dump is written.

The GNU C library has a heap for each thread, up to eight for each processor, and keeps freed memory there.
Each stream runs in new threads, and pictures are freed by other threads than allocated them: a process of
250 MB had 500 MB after 40 sessions (soak, 1080p), nearly all of it free. So all threads share one heap, whose
free memory is returned after each session; that does not slow a stream down, since threads that allocate
hold Python's lock anyway. Must not know what the memory is for.
"""

from __future__ import annotations

import ctypes
import sys

_ARENA_MAX = -8
"""M_ARENA_MAX of malloc.h."""


def share_heap() -> None:
    """Makes all threads of this process share one heap; to be called before there are any.

    Source: mallopt(3). Does nothing without the GNU C library.
    """
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(_ARENA_MAX, 1)


def dump_none() -> None:
    """Disables core dumps, which would contain raw pictures of a camera, keys and secrets.

    Only the soft limit, which ``prlimit --core=unlimited --pid`` lifts. Source: setrlimit(2), core(5).
    """
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def give_back() -> None:
    """Returns free memory to the system; takes milliseconds without Python's lock, so call it in a thread.

    Sources: malloc_trim(3); malloc_zone_pressure_relief in Apple's malloc.h. Not needed on Windows.
    """
    if sys.platform == "win32":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(ctypes.c_size_t(0))
    elif hasattr(library, "malloc_zone_pressure_relief"):
        library.malloc_zone_pressure_relief(None, ctypes.c_size_t(0))
