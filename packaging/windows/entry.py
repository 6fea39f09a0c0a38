"""Entry of the frozen programs: what multiprocessing starts runs its own code, everything else Overpaint."""

import multiprocessing
import sys

multiprocessing.freeze_support()
# The bundle brings its modules compiled; what it has not brought, its uninstaller does not remove.
sys.dont_write_bytecode = True

from overpaint.__main__ import main  # noqa: E402

main()
