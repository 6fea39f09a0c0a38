"""The cache of an engine (LRU): papers, screens and layouts, which take long to make, shared by its looks.

A look that is chosen again, or built for another level of detail, finds them here. The least recently used
entry is evicted first. Must not know what it keeps.
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable
from threading import RLock
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
T = TypeVar("T")

BYTES_MAX = 64 * 1024 * 1024
"""Size of the cache: the textures of about ten looks at full HD."""


class Shelf:
    """A cache of results by function and arguments (memoisation). Thread-safe.

    Args:
        bytes_max: Most bytes in the cache. A result larger than half of it is not kept.

    Attributes:
        made: Number of results that have been computed so far.
    """

    def __init__(self, bytes_max: int = BYTES_MAX) -> None:
        self.made = 0
        self._bytes_max = bytes_max
        self._kept: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
        self._bytes = 0
        # Reentrant, since ``make`` may ask this shelf for other results.
        self._lock = RLock()

    def get(self, make: Callable[P, T], *arguments: P.args, **more: P.kwargs) -> T:
        """The result of ``make(*arguments, **more)``, computed now or before. Callers must not write to it.

        Args:
            make: A pure function; this shelf may be one of its arguments.
            arguments: Hashable.
            more: Hashable.
        """
        key = (make, arguments, tuple(sorted(more.items())))
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]  # type: ignore[no-any-return]  # the key holds the function that made it
            value = make(*arguments, **more)
            self.made += 1
            self._keep(key, value)
            return value

    def _keep(self, key: tuple[Any, ...], value: object) -> None:
        size = size_bytes(value)
        if size > self._bytes_max // 2:
            return
        self._kept[key] = value
        self._bytes += size
        while self._bytes > self._bytes_max:
            _, given_up = self._kept.popitem(last=False)
            self._bytes -= size_bytes(given_up)


def size_bytes(value: object) -> int:
    """Memory of arrays, also of those inside tuples and data classes, bytes."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, tuple):
        return sum(size_bytes(part) for part in value)
    if dataclasses.is_dataclass(value):
        return sum(size_bytes(getattr(value, part.name)) for part in dataclasses.fields(value))
    return 0
