"""The bundle's entry point: the program itself, or a child process of multiprocessing."""

from __future__ import annotations

import multiprocessing
import os

# The bundle's libraries are for this process, which has read the variable, not for programs that it starts.
if (usual := os.environ.pop("LD_LIBRARY_PATH_ORIG", None)) is not None:
    os.environ["LD_LIBRARY_PATH"] = usual
else:
    os.environ.pop("LD_LIBRARY_PATH", None)
# Child processes of this program find theirs anew, by PyInstaller's word for that.
os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"

# The tracker of shared memory is this program, started with arguments that only this understands.
multiprocessing.freeze_support()

from overpaint.__main__ import main  # noqa: E402

main()
