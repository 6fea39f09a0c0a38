"""Bands of rows: a kernel run over a picture on a fixed number of threads.

The one place that knows threads in the engine. Kernels are compiled without numba's own parallel
layer, because that aborts the process when two Python threads enter it at once; a band of rows a
thread does the same work and is safe. Must not know what a kernel computes.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

Kernel = Callable[..., Any]
"""Takes ``(first_row, end_row, *arguments)``, writes only these rows, and holds no Python lock."""


class Bands:
    """A small pool of threads shared by all looks of one engine.

    Args:
        threads: How many threads may work at once on one picture, the caller's own included; at least 1.
    """

    def __init__(self, threads: int) -> None:
        self.threads = max(1, threads)
        self._pool: ThreadPoolExecutor | None = None
        if self.threads > 1:
            self._pool = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="overpaint-band")

    def run(self, kernel: Kernel, rows: int, *arguments: object) -> None:
        """Calls ``kernel(first_row, end_row, *arguments)`` until all rows are done.

        Args:
            kernel: What to run.
            rows: Rows of the picture; bands begin at multiples of 16.
            arguments: Passed on as they are.
        """
        if self._pool is None:
            kernel(0, rows, *arguments)
            return
        step = max(16, -(-rows // (16 * self.threads)) * 16)
        starts = list(range(0, rows, step))
        others = [
            self._pool.submit(kernel, start, min(start + step, rows), *arguments) for start in starts[1:]
        ]
        kernel(0, min(step, rows), *arguments)
        for other in others:
            other.result()
