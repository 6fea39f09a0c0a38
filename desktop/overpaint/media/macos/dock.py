"""Activation policy of a process without windows (macOS): no symbol in the Dock, no menu bar.

Every process of the application bundle that has Qt's loop would get one beside the window's.
Source: NSApplication.h, ``setActivationPolicy:``; objc/message.h.
"""

from __future__ import annotations

import ctypes
import logging
import sys

log = logging.getLogger(__name__)

_OBJECTIVE_C = "/usr/lib/libobjc.dylib"
_ACCESSORY = 1
"""``NSApplicationActivationPolicyAccessory``."""


def stay_out_of_dock() -> None:
    """Takes this process out of the Dock, after its application object was made; elsewhere does nothing."""
    if sys.platform == "darwin":
        try:
            _set_policy(_ACCESSORY)
        except (OSError, AttributeError) as error:
            log.info("the Dock may show this process: %s", error)


def _set_policy(policy: int) -> None:
    objc = ctypes.CDLL(_OBJECTIVE_C)
    objc.objc_getClass.restype = objc.sel_registerName.restype = ctypes.c_void_p
    objc.objc_getClass.argtypes = objc.sel_registerName.argtypes = (ctypes.c_char_p,)
    # A prototype for each signature: objc_msgSend is called as the method itself would be.
    pointer = ctypes.c_void_p
    get = ctypes.CFUNCTYPE(pointer, pointer, pointer)(("objc_msgSend", objc))
    set_ = ctypes.CFUNCTYPE(ctypes.c_bool, pointer, pointer, ctypes.c_long)(("objc_msgSend", objc))
    application = get(objc.objc_getClass(b"NSApplication"), objc.sel_registerName(b"sharedApplication"))
    set_(application, objc.sel_registerName(b"setActivationPolicy:"), policy)
