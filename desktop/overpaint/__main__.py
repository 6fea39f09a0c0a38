"""``python -m overpaint`` and the ``overpaint`` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line. Exit codes: 0 done, 1 it failed, 2 usage."""
    from overpaint.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
