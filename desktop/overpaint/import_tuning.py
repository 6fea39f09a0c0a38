"""Imports in part: a library is loaded without the optional ones that it would load.

Must not know which libraries, nor be used around an import whose omitted part somebody needs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def omitting(*modules: str) -> Iterator[None]:
    """Around imports: to them, and to what other threads import meanwhile, these are not installed.

    Args:
        modules: Full names. One that is loaded already stays, and is found.
    """
    absent = [name for name in modules if name not in sys.modules]
    # Python's own way to say that there is no such module (the import system, "The module cache").
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]
