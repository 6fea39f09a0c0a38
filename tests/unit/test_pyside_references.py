"""PySide6 6.12.0 drops a reference to True with every emit, and to None with every painted widget, on
Python 3.10 and 3.11: some hundred signals later the interpreter dies. The pinned one must not."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process


SCRIPT = """
import sys
from PySide6.QtCore import QObject, Signal
class Source(QObject):
    told = Signal(bool)
source = Source()
source.told.connect(lambda on: None)
before = sys.getrefcount(True), sys.getrefcount(None)
for _ in range(5000):
    source.told.emit(True)
lost = before[0] - sys.getrefcount(True), before[1] - sys.getrefcount(None)
assert max(lost) < 1000, lost
"""


def test_signals_keep_their_references() -> None:
    result = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
