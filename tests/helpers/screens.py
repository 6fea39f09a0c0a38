"""A screen for each worker of a parallel run, so that windows of two tests never cover each other."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

SIZE = "1920x1080x24"


class Screen:
    """A virtual X11 screen for this process and all that it starts; it ends with this process.

    Args:
        size: Width, height and depth.

    Attributes:
        display: Its name.
    """

    def __init__(self, size: str = SIZE) -> None:
        server = f"Xvfb -displayfd 1 -screen 0 {size} -nolisten tcp -noreset 2>/dev/null"
        # Ends with whoever holds the other end of its input, however that ends.
        self._shell = subprocess.Popen(
            ["sh", "-c", f"{server} & read -r _; kill $!"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._shell.stdout is not None
        number = self._shell.stdout.readline().strip()
        assert number, "Xvfb does not start"
        self.display = os.environ["DISPLAY"] = f":{number}"
        os.environ.pop("XAUTHORITY", None)

    def close(self) -> None:
        """Ends the screen."""
        self._shell.communicate()


def can_be_made() -> bool:
    """Whether this system has virtual screens."""
    return sys.platform == "linux" and shutil.which("Xvfb") is not None
