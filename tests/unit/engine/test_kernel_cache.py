"""The cache of kernels: filled before the stream needs them, known by its sources, removed when unused."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from overpaint.engine import cpu

pytestmark = pytest.mark.process


@pytest.mark.full
def test_the_stream_never_waits_for_a_kernel() -> None:
    """Whoever compiles a look loads its kernels too, or compiles them: its frames find them all there."""
    code = (
        "import sys, numpy as np; from overpaint.engine import LookRequest, looks\n"
        "from overpaint.engine.cpu import CpuEngine\n"
        "def count():\n"
        "    modules = [m for name, m in sys.modules.items() if name.startswith('overpaint.engine.')]\n"
        "    found = {id(v): v for m in modules for v in vars(m).values() if hasattr(v, 'signatures')}\n"
        "    return sum(len(kernel.signatures) for kernel in found.values())\n"
        "engine = CpuEngine(1)\n"
        "picture = np.random.default_rng(1).integers(16, 235, (144 * 3 // 2, 256)).astype(np.uint8)\n"
        "for look in looks():\n"
        "    made = engine.compile(LookRequest(look.name), 256, 144)\n"
        "    before = count()\n"
        "    made.apply(picture); made.apply(picture)\n"
        "    assert count() == before > 0, look.name\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=200)


@pytest.mark.full
def test_the_stream_never_waits_for_a_kernel_of_an_edit(tmp_path: Path) -> None:
    """Nor where somebody comes into the picture later: nobody is in the one that kernels are loaded with."""
    code = (
        "import sys, cv2, numpy as np; sys.path.append('tests')\n"
        "from pathlib import Path; from helpers.clips import portrait\n"
        "from overpaint.engine import LookRequest; from overpaint.engine.cpu import CpuEngine\n"
        "def count():\n"
        "    modules = [m for name, m in sys.modules.items() if name.startswith('overpaint.engine.')]\n"
        "    found = {id(v): v for m in modules for v in vars(m).values() if hasattr(v, 'signatures')}\n"
        "    return {v.py_func.__module__ + '.' + v.__name__: len(v.signatures) for v in found.values()}\n"
        "engine = CpuEngine(1, Path(sys.argv[1]))\n"
        "frame = portrait(640, 360)\n"
        "frames = [cv2.cvtColor(np.roll(frame, s, 1), cv2.COLOR_BGR2YUV_I420) for s in range(0, 40, 2)]\n"
        "empty = np.full_like(frames[0], 120)\n"
        "for prompt in ('red jacket', 'tartan shirt, pink hair', 'marble statue', 'glass',\n"
        "               'everything made of ice', 'office', 'on a beach at sunset', 'green screen',\n"
        "               'in space, in leather, chrome robot'):\n"
        "    made = engine.compile(LookRequest(prompt), 640, 360)\n"
        "    before = count()\n"
        "    for picture in (empty, *frames, empty, frames[0]): made.apply(picture)\n"
        "    late = {k: (before.get(k), n) for k, n in count().items() if n != before.get(k)}\n"
        "    assert not late, (prompt, late)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "kernels")], check=True, timeout=400)


@pytest.mark.full
def test_warming_fills_the_given_cache(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from overpaint.engine.cpu import CpuEngine; "
        "from overpaint.engine import LookRequest; "
        "e = CpuEngine(1, Path(sys.argv[1])); "
        "import numpy as np; look = e.compile(LookRequest('pixel art'), 64, 64); "
        "look.apply(np.full((96, 64), 90, np.uint8))"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "kernels")], check=True, timeout=80)
    assert list((tmp_path / "kernels").rglob("*.nbc"))


@pytest.mark.full  # compiles from nothing; one that is compiled for no look is known, too
def test_a_warmed_cache_is_known_until_kernels_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not cpu.is_warm(tmp_path)
    script = (
        # One look's kernels stand for all: compiling every one from nothing takes a minute.
        "from pathlib import Path; from overpaint.engine import cpu; first = cpu.looks()[:1]; "
        "cpu.looks = lambda: first; cpu._edit_prompts = lambda: (); "
        f"cpu.CpuEngine(1, Path({str(tmp_path)!r})).warm()"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=80)
    assert cpu.is_warm(tmp_path)
    filled = cpu.kernels_of(tmp_path)
    monkeypatch.setattr(cpu.importlib.metadata, "version", lambda _: "another numba")
    assert not cpu.is_warm(tmp_path)
    assert cpu.kernels_of(tmp_path) != filled, "two versions write into one folder"
    assert list(filled.rglob("*.nbc"))


def test_no_kernel_is_loaded_before_the_engine_has_named_its_cache() -> None:
    """It would be cached elsewhere: beside sources that nobody may write, in an installed package."""
    code = "import sys, overpaint.engine.cpu; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_cache_knows_every_source_that_has_kernels() -> None:
    engine = Path(cpu.__file__).parent
    found = {path for path in engine.rglob("*.py") if "\n@kernel" in path.read_text("utf-8")}
    assert len(found) > 30
    assert found <= set(cpu.sources_of_kernels()), "changing it would not make kernels anew"


def test_kernels_that_nobody_asks_for_any_more_are_removed(tmp_path: Path) -> None:
    long_ago = time.time() - cpu.FORGOTTEN_S - 60
    for name, used in (("forgotten", long_ago), ("at work", time.time())):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (used, used))
    script = (
        "from pathlib import Path; from overpaint.engine import cpu; "
        "cpu.looks = cpu._edit_prompts = lambda: (); "  # what there is to compile is not asked here
        f"cpu.CpuEngine(1, Path({str(tmp_path)!r})).warm()"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=80)
    assert not (tmp_path / "forgotten").exists()
    assert (tmp_path / "at work").exists()
    assert cpu.is_warm(tmp_path)
