"""Kernels compiled for a package beside those compiled for this processor: every look at 1080p.

Two processes, one with each; each look is measured in both by turns, so that other work on this machine is in
both. Measures and prints; asserts nothing about speed. CPU time, one thread. OVERPAINT_BENCH_LOOKS=A:B takes
only these of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import numpy as np
import pytest

from overpaint.engine import looks
from overpaint.engine.kernels import shipped_kernels

ROUNDS = 3
_PROGRAM = """
import sys; sys.path.append({tests!r}); sys.path.append({bench!r})
from pathlib import Path
from test_engine_bench import clip, cpu_ms
from overpaint.engine import LookRequest
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.kernels import shipped_kernels
from overpaint.engine.kernels.slim_numba import llvm
if sys.argv[1] == "baseline":
    shipped_kernels.target_baseline()
engine = CpuEngine(1, Path(sys.argv[2]), own_kernels=True)
frames = clip(1920, 1080)
print(llvm.get_host_cpu_name(), flush=True)
for line in sys.stdin:
    print(cpu_ms(engine, LookRequest(line.strip()), frames), flush=True)
"""


class Measured:
    """A process with kernels of one kind."""

    def __init__(self, kind: str, cache: Path) -> None:
        here = Path(__file__).parent
        program = _PROGRAM.format(tests=str(here.parent), bench=str(here))
        self._child = subprocess.Popen(
            [sys.executable, "-c", program, kind, str(cache)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.cpu = self._hear().strip()

    def ms(self, look: str) -> float:
        assert self._child.stdin is not None
        self._child.stdin.write(f"{look}\n")
        self._child.stdin.flush()
        return float(self._hear())

    def close(self) -> None:
        with self._child:
            assert self._child.stdin is not None
            self._child.stdin.close()

    def _hear(self) -> str:
        output: IO[str] | None = self._child.stdout
        assert output is not None
        return output.readline()


def test_every_look_with_shipped_and_with_own_kernels(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    if not shipped_kernels.BASELINES:
        pytest.skip("no baseline here")
    cache = Path(os.environ.get("OVERPAINT_BENCH_CACHE", tmp_path))
    own, shipped = Measured("own", cache / "own"), Measured("baseline", cache / "baseline")
    first, _, end = os.environ.get("OVERPAINT_BENCH_LOOKS", "0:999").partition(":")
    names = [look.name for look in looks() if look.live][int(first) : int(end)]
    rows = []
    for name in names:
        times = [(own.ms(name), shipped.ms(name)) for _ in range(ROUNDS)]
        rows.append((name, *(min(time[at] for time in times) for at in (0, 1))))
    own.close()
    shipped.close()
    with capsys.disabled():
        print(f"\n{'CPU ms a frame, 1080p, 1 thread':44}{own.cpu:>12}{'shipped':>10}{'ratio':>8}")
        for name, ours, theirs in sorted(rows, key=lambda row: row[2] / row[1]):
            print(f"{name:44}{ours:12.1f}{theirs:10.1f}{theirs / ours:8.2f}")
        ratios = [theirs / ours for _, ours, theirs in rows]
        print(f"{'median, least, most':44}{np.median(ratios):22.2f}{min(ratios):6.2f}{max(ratios):6.2f}")
