"""The import of numba without optional libraries that no kernel needs.

These are scipy (for linear algebra), cffi (for C functions) and yaml (for a settings file). Where they are
installed, as on developers' machines, they take an eighth of a core's start. Numba without them takes half a
second. Must not know kernels.
"""

from __future__ import annotations

import importlib
from contextlib import suppress

from overpaint.import_tuning import omitting

_LATE = ("numba.np.arraymath", "numba.core.typing.cffi_utils")
"""Modules that the first kernel would import otherwise, and which import those libraries."""

with omitting("scipy", "cffi", "yaml"):
    import numba

    llvm = importlib.import_module("llvmlite.binding")  # a part of numba
    for _name in _LATE:
        with suppress(ImportError):  # imported early only to save time
            importlib.import_module(_name)

__all__ = ["llvm", "numba"]
