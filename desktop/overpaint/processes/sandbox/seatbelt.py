"""The sandbox of macOS, by ``sandbox_init``: deprecated since 10.8, and still used by browsers.

Sources: sandbox_init(3) for the call; the profile language is undocumented, and known from the profiles in
``/System/Library/Sandbox/Profiles`` and of WebKit: the last rule that matches decides. macOS alone; written
from these and not run yet. Must not know what is confined, nor why.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterable
from pathlib import Path


def profile(home: Path, readable: Iterable[Path], writable: Iterable[Path]) -> str:
    """Returns the rules: no network, programs or writing; below the home folder only named files are read.

    Args:
        home: The user's home folder.
        readable: Files and folders that can be read nevertheless.
        writable: Files and folders that can be read and written nevertheless.
    """
    rules = [
        "(version 1)",
        "(allow default)",
        "(deny network*)",
        "(deny process-exec*)",
        "(deny process-fork)",
        "(deny signal (target others))",
        "(deny mach-lookup)",
        "(deny file-write*)",
        '(allow file-write* (literal "/dev/null"))',
        f"(deny file-read-data {_subpath(home)})",
        '(deny file-read-data (subpath "/Volumes"))',
    ]
    changed = list(writable)
    seen = [f"(allow file-read* {_subpath(path)})" for path in (*readable, *changed)]
    return "\n".join([*rules, *seen, *(f"(allow file-write* {_subpath(path)})" for path in changed)])


def restrict(readable: Iterable[Path], writable: Iterable[Path]) -> None:
    """Applies the profile to this process for good.

    Raises:
        OSError: The system refuses, or no longer has this call.
    """
    library = ctypes.CDLL("/usr/lib/libSystem.dylib", use_errno=True)
    if not hasattr(library, "sandbox_init"):
        raise OSError("sandbox_init is not there")
    said = ctypes.c_char_p()
    rules = profile(Path.home(), list(readable), list(writable)).encode()
    library.sandbox_init.argtypes = (ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_char_p))
    if library.sandbox_init(rules, 0, ctypes.byref(said)) != 0:
        raise OSError((said.value or b"refused").decode("utf-8", "replace"))


def _subpath(path: Path) -> str:
    # The rules see real paths only: /tmp is /private/tmp there.
    return f"(subpath {json.dumps(str(path.resolve()), ensure_ascii=False)})"
