"""Imports without optional dependencies: a library is loaded as if they were not installed.

Must not know which libraries. Not for dependencies that another part of the program needs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def omitting(*modules: str) -> Iterator[None]:
    """Makes modules appear not installed while the block runs, in every thread.

    Args:
        modules: Full names. A module that is loaded already is still found.
    """
    absent = [name for name in modules if name not in sys.modules]
    # None in sys.modules makes an import fail (Python's import system, "The module cache").
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]
