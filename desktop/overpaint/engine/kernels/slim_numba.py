"""The import of numba without the optional libraries that it loads and no kernel needs.

That is scipy (for linear algebra), cffi (for functions of C) and yaml (for a file of settings): an eighth of
a core's start where they are installed, as for Overpaint's own developers they are. Takes half a second
without them. Must not know kernels.
"""

from __future__ import annotations

import importlib
from contextlib import suppress

from overpaint.import_tuning import omitting

_LATE = ("numba.np.arraymath", "numba.core.typing.cffi_utils")
"""Would come with the first kernel, and ask for them."""

with omitting("scipy", "cffi", "yaml"):
    import numba

    for _name in _LATE:
        with suppress(ImportError):  # only sooner or later
            importlib.import_module(_name)

__all__ = ["numba"]
