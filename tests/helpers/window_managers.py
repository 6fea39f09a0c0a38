"""A window manager on the tests' display: without one a system has no list of windows."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.error import BadWindow

PATIENCE_S = 15.0


@contextmanager
def window_manager() -> Iterator[None]:
    """openbox, from the moment at which it manages; begun again where a former one had not left yet."""
    ends = time.monotonic() + PATIENCE_S
    display = Display()
    try:
        while True:
            process = subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
            while process.poll() is None and not _manages(display):
                assert time.monotonic() < ends, "openbox does not manage this display"
                time.sleep(0.02)
            if process.poll() is None:
                break
            assert time.monotonic() < ends, "openbox does not stay"
    finally:
        display.close()
    try:
        yield
    finally:
        process.terminate()
        process.wait(10)


def _manages(display: Any) -> bool:
    """Whether the window that a manager leaves at the root is there (EWMH, ``_NET_SUPPORTING_WM_CHECK``)."""
    check = display.intern_atom("_NET_SUPPORTING_WM_CHECK")
    named = display.screen().root.get_full_property(check, Xatom.WINDOW)
    if named is None or not named.value or named.value[0] == X.NONE:
        return False
    window = display.create_resource_object("window", named.value[0])
    try:
        own = window.get_full_property(check, Xatom.WINDOW)
    except BadWindow:
        return False
    return own is not None and own.value[0] == named.value[0]
