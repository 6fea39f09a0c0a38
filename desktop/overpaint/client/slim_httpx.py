"""A faster import of httpx: without its command line, as if its extra "cli" were not installed.

The command line imports rich and click, a third of the loading time. The modules that httpx would import
with its first request are imported here instead, because the first picture waits for that request. Must not
know requests.
"""

from __future__ import annotations

import importlib
import sys
from contextlib import suppress

from overpaint.import_tuning import omitting

_COMMAND_LINE = "httpx._main"
_LATE = ("httpcore", "anyio", "anyio._backends._asyncio")


def load() -> None:
    """Imports httpx, unless it is imported already."""
    if "httpx" in sys.modules:
        return
    with omitting(_COMMAND_LINE):
        importlib.import_module("httpx")
    for name in _LATE:
        with suppress(ImportError):  # only a matter of speed: httpx imports what it needs itself
            importlib.import_module(name)


load()
