"""Bands of rows (data parallelism): a kernel run over a picture on a fixed number of threads.

The only module of the engine that knows the threads of kernels. Kernels are compiled without numba's own
parallel layer, because it aborts the process when two Python threads enter it at once. One band of rows for
each thread does the same work and is safe. Must not know what a kernel computes.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

Kernel = Callable[..., Any]
"""A function ``(first_row, end_row, *arguments)`` that writes only these rows and does not hold the GIL."""


class Bands:
    """A small pool of threads shared by all looks of one engine.

    Args:
        threads: Threads that may work on one picture at once, the caller's own included; at least 1.
    """

    def __init__(self, threads: int) -> None:
        self.threads = max(1, threads)
        self._pool: ThreadPoolExecutor | None = None
        if self.threads > 1:
            self._pool = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="overpaint-band")

    def run(self, kernel: Kernel, rows: int, *arguments: object) -> None:
        """Calls ``kernel(first_row, end_row, *arguments)`` until all rows are done.

        Args:
            kernel: The kernel to run.
            rows: Rows of the picture; bands begin at multiples of 16.
            arguments: Passed to the kernel unchanged.
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

    def at_once(self, first: Callable[[], None], second: Callable[[], None]) -> None:
        """Calls two functions that do not wait for each other, at the same time where there are two threads.

        Args:
            first: Called by the caller's thread; only this one may use ``run``.
            second: Called by another thread, or after the first.
        """
        if self._pool is None:
            first()
            second()
            return
        other = self._pool.submit(second)
        first()
        other.result()
