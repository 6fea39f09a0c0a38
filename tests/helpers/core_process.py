"""``run_core`` as a process with the scripted engine and little patience: arguments FOLDER AFTER FIRST.

Billed seconds are kept every second one, so that a test sees them kept without waiting for the fifth.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from helpers.running_service import ScriptedEngine
from overpaint.core.core_process import Patience, run_core
from overpaint.core.realtime import billing_meter

if __name__ == "__main__":
    logging.basicConfig(level=logging.DEBUG)
    billing_meter.KEEP_EVERY_SECONDS = 2
    run_core(
        Path(sys.argv[1]),
        embedded=True,
        engine=ScriptedEngine(),
        started=lambda url: print(url, flush=True),
        patience=Patience(float(sys.argv[2]), float(sys.argv[3])),
    )
