"""``python -m overpaint`` and the ``overpaint`` command."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Runs the command line. Exit codes: 0 done, 1 it failed, 2 usage."""
    # Compiled kernels belong to the user's cache, not beside the code; numba reads this on import.
    if "NUMBA_CACHE_DIR" not in os.environ:
        from overpaint.settings import cache_dir

        os.environ["NUMBA_CACHE_DIR"] = str(cache_dir() / "kernels")
    from overpaint.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
