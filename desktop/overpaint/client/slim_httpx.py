"""The import of httpx without its command line, which takes long to load.

That brings rich and click and a third of the loading time; without it httpx is as where its extra "cli" was
not installed. What it loads with its first request is loaded here instead: the desktop makes that one when
its core has come, and the first picture waits for it. Must not know requests.
"""

from __future__ import annotations

import importlib
import sys
from contextlib import suppress

from overpaint.import_tuning import omitting

_COMMAND_LINE = "httpx._main"
_LATE = ("httpcore", "anyio", "anyio._backends._asyncio")


def load() -> None:
    """Loads it, unless it is loaded already."""
    if "httpx" in sys.modules:
        return
    with omitting(_COMMAND_LINE):
        importlib.import_module("httpx")
    for name in _LATE:
        with suppress(ImportError):  # only sooner or later
            importlib.import_module(name)


load()
