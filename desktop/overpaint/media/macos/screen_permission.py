"""Permission of macOS to record the screen (TCC, "Screen & System Audio Recording").

Source: CGWindow.h, ``CGPreflightScreenCaptureAccess`` and ``CGRequestScreenCaptureAccess`` (macOS 10.15).
Without it a capture shows the empty desktop instead of an error, so it is asked for before each capture.
"""

from __future__ import annotations

import ctypes
import logging
import sys

log = logging.getLogger(__name__)

_CORE_GRAPHICS = "/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics"


def may_record_screen() -> bool:
    """Whether this program may record the screen; true on other systems, which have no such permission.

    While the user has not been asked, the system asks in a window of its own, which this call does not wait
    for; it holds from the next start of the program. A user who has refused is not asked again.
    """
    allowed = True
    if sys.platform == "darwin":
        try:
            library = ctypes.CDLL(_CORE_GRAPHICS)
            preflight, request = library.CGPreflightScreenCaptureAccess, library.CGRequestScreenCaptureAccess
        except (OSError, AttributeError) as error:
            log.info("whether the screen may be recorded is not known: %s", error)
            return True
        for function in (preflight, request):
            function.restype = ctypes.c_bool
            function.argtypes = ()
        allowed = bool(preflight()) or bool(request())
    return allowed
