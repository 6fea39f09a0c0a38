"""How well prompts are read, on the set tuned on, the one set aside and a fresh one; misses; time.

Measures and prints; asserts nothing.
"""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest

from helpers.labelled_prompts import measure, prompts
from overpaint.engine.prompt.reader import read_prompt

COLD = (
    "import time; from overpaint.engine.prompt.reader import read_prompt; start = time.process_time(); "
    "read_prompt('watercolur, warm'); print((time.process_time() - start) * 1000)"
)


def test_how_well_prompts_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        for name in ("tuning", "set_aside", "fresh"):
            found = measure(name)
            print(f"\n{name}: {found}", *found.misses, sep="\n    ")


def test_milliseconds_a_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    read_prompt("everything is loaded now")
    spent = []
    for prompt in prompts("tuning"):
        start = time.process_time()
        read_prompt(prompt.text)
        spent.append((time.process_time() - start) * 1000)
    cold = subprocess.run([sys.executable, "-c", COLD], capture_output=True, text=True, check=True)
    with capsys.disabled():
        print(f"\nCPU ms a prompt: mean {np.mean(spent):.2f}, worst {max(spent):.2f}")
        print(f"the first of a process, which reads looks and languages: {float(cold.stdout):.0f}")
