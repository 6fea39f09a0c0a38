"""An end that C code asks for, as Qt does when the screen goes away, is one."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process


PROGRAM = """
import ctypes, sys, threading, time
from PySide6.QtGui import QImage
from overpaint.processes.program import end_at_once

picture = bytes(640 * 360 * 4)

def receive():
    while True:
        QImage(picture, 640, 360, QImage.Format.Format_RGB32).copy()

end_at_once()
for _ in range(4):
    threading.Thread(target=receive, daemon=True).start()
time.sleep(0.3)
ctypes.CDLL(None).exit(7)  # ctypes lets go of the interpreter for it, as Qt's loop does
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no program outlives its screen")
def test_threads_of_python_do_not_hold_it_up() -> None:
    assert subprocess.run([sys.executable, "-c", PROGRAM], timeout=30, check=False).returncode == 7
