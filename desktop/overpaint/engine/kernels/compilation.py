"""The just-in-time compilation of kernels by numba: one decorator with the same options for all.

Kernels release the GIL, use no numba threads (see ``bands``), and are cached on disk between starts.
Importing this module imports numba (about half a second): only passes do so, never the library.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from overpaint.engine.kernels.slim_numba import numba

log = logging.getLogger(__name__)

KernelT = TypeVar("KernelT", bound=Callable[..., Any])

f32 = np.float32

_compile: Any = numba.njit(nogil=True, fastmath=True, cache=True, error_model="numpy")


def kernel(function: KernelT) -> KernelT:
    """Decorator that compiles a kernel ``f(first_row, end_row, ...)``, which writes only these rows."""
    made = _compile(function)
    save = made._cache.save_overload

    def save_where_allowed(signature: Any, data: Any) -> None:
        try:
            save(signature, data)
        except OSError as error:  # a sandboxed process may not write: the kernel works, and is lost with it
            log.info("kernel %s is not kept: %s", function.__name__, error)

    made._cache.save_overload = save_where_allowed
    return cast("KernelT", made)
