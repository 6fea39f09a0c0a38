"""The just-in-time compilation of kernels by numba: one decorator with the same options for all.

Kernels release the GIL, use no numba threads (see ``bands``), and are cached on disk between starts.
Importing this module imports numba (about half a second): only passes do so, never the library.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from overpaint.engine.kernels.slim_numba import numba

KernelT = TypeVar("KernelT", bound=Callable[..., Any])

f32 = np.float32

_compile: Any = numba.njit(nogil=True, fastmath=True, cache=True, error_model="numpy")


def kernel(function: KernelT) -> KernelT:
    """Decorator that compiles a kernel ``f(first_row, end_row, ...)``, which writes only these rows."""
    return cast("KernelT", _compile(function))
