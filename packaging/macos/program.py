"""Entry of the frozen program: what multiprocessing starts runs its own code, everything else Overpaint."""

import multiprocessing

multiprocessing.freeze_support()

from overpaint.__main__ import main  # noqa: E402

main()
