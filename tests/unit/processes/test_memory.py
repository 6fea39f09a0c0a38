"""What large work leaves behind is the system's again."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process


PROGRAM = """
import threading
import numpy as np, psutil
from overpaint.processes.memory import give_back

kept = []

def work():
    # Pieces of some 100 kB, of which one in sixteen stays: holes between them.
    pieces = [np.ones(100_000, np.uint8) for _ in range(1600)]
    kept.extend(pieces[::16])

for _ in range(2):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
before = psutil.Process().memory_full_info().uss
give_back()
print((before - psutil.Process().memory_full_info().uss) >> 20)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the GNU C library's habit")
def test_what_is_free_is_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 50


SHARING = """
import threading
import numpy as np, psutil
from overpaint.processes.memory import share_heap

share_heap()

def work():
    picture = np.empty(100_000, np.uint8)
    heaps.add(picture.ctypes.data >> 26)  # the C library begins a thread's own heap at a multiple of 64 MiB
    meet.wait()

heaps, meet = set(), threading.Barrier(8)
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(heaps))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the GNU C library's habit")
def test_what_a_thread_has_freed_another_one_can_use() -> None:
    done = subprocess.run([sys.executable, "-c", SHARING], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 2


CRASHING = """
import os, resource, signal, sys
most = resource.getrlimit(resource.RLIMIT_CORE)[1]
resource.setrlimit(resource.RLIMIT_CORE, (most, most))
from overpaint import __main__, cli
cli.run = lambda words: print(resource.getrlimit(resource.RLIMIT_CORE)[0], flush=True) or os.abort()
sys.argv = ["overpaint", "status"]
__main__.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no core dumps there")
def test_a_crash_writes_no_memory_to_the_disk(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CRASHING], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (-signal.SIGABRT, "0\n"), done.stderr
    assert not list(tmp_path.glob("*core*"))
