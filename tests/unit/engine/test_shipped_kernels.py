"""Kernels of a package: found wherever it is installed, on processors that can run them, and only there."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from overpaint.engine.kernels import shipped_kernels
from overpaint.engine.kernels.slim_numba import llvm

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[3]
V3 = shipped_kernels.BASELINES["x86_64"]
COMPILE = (
    "import sys; from pathlib import Path; from overpaint.engine import LookRequest\n"
    "from overpaint.engine.cpu import CpuEngine, kernels_of\n"
    "from overpaint.engine.kernels import shipped_kernels\n"
    "cache, package = map(Path, sys.argv[1:])\n"
    "shipped_kernels.target_baseline()\n"
    "engine = CpuEngine(1, cache, own_kernels=True)\n"
    "engine.compile(LookRequest('pixel art'), 64, 64)\n"
    "shipped_kernels.pack(kernels_of(cache), package)\n"
)
USE = (
    "import sys; from pathlib import Path; from overpaint.engine import LookRequest\n"
    "from overpaint.engine.cpu import CpuEngine\n"
    "CpuEngine(1, Path(sys.argv[1])).compile(LookRequest('pixel art'), 64, 64)\n"
    "made = [v for n, m in sys.modules.items() if n.startswith('overpaint.') for v in vars(m).values()]\n"
    "stats = {id(v): v.stats for v in made if hasattr(v, 'signatures')}.values()\n"
    "print(*(sum(sum(s[at].values()) for s in stats) for at in (1, 2)))  # hits, misses\n"
)


def run(program: str, library: Path, *arguments: Path) -> str:
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(library)!r})\n{program}"]
    done = subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, timeout=80, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.full  # compiles from nothing
@pytest.mark.skipif(platform.machine().lower() not in shipped_kernels.BASELINES, reason="no baseline for it")
def test_a_package_that_is_installed_elsewhere_compiles_nothing(tmp_path: Path) -> None:
    resources = tmp_path / "elsewhere" / "resources"
    resources.mkdir(parents=True)
    for asset in (ROOT / "resources").iterdir():
        (resources / asset.name).symlink_to(asset)
    run(COMPILE, ROOT / "desktop", tmp_path / "cache", resources / "kernels")
    library = tmp_path / "elsewhere" / "library"
    shutil.copytree(ROOT / "desktop" / "overpaint", library / "overpaint")
    hits, misses = map(int, run(USE, library, tmp_path / "user").split())
    assert hits > 3
    assert misses == 0
    assert list((tmp_path / "user").rglob(shipped_kernels.NOTE))


@pytest.mark.parametrize(
    ("machine", "features", "fit"),
    [
        ("x86_64", V3.features, "whole"),
        ("AMD64", V3.features | V3.more, "surpassed"),
        ("x86_64", V3.features - {"avx2"}, "none"),
        ("aarch64", V3.features, "none"),
    ],
)
def test_a_processor_gets_what_it_can_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, machine: str, features: frozenset[str], fit: str
) -> None:
    monkeypatch.setattr(shipped_kernels, "shipped_dir", lambda: tmp_path)
    monkeypatch.setattr(shipped_kernels.platform, "machine", lambda: machine)
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: dict.fromkeys(features, True) | {"amx": False})
    assert shipped_kernels.fit() == fit


def test_an_installation_without_them_is_unchanged(tmp_path: Path) -> None:
    assert shipped_kernels.shipped_dir() is None, "the repository has none"
    cache = tmp_path / "cache"
    cache.mkdir()
    assert not shipped_kernels.take(cache)
    assert not list(cache.iterdir())


def test_kernels_are_taken_once_and_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Own kernels, which a process adds beside them later, are not overwritten by the next start."""
    monkeypatch.setattr(shipped_kernels, "shipped_dir", lambda: tmp_path / "shipped")
    monkeypatch.setattr(shipped_kernels, "fit", lambda: "whole")
    monkeypatch.setattr(shipped_kernels, "target_baseline", lambda: True)
    source = tmp_path / "shipped" / "engine" / "passes"
    source.mkdir(parents=True)
    (source / "a.nbi").write_bytes(b"index")
    cache = tmp_path / "cache"
    cache.mkdir()
    assert shipped_kernels.take(cache)
    (index,) = cache.rglob("a.nbi")
    index.write_bytes(b"index of own ones, too")
    assert shipped_kernels.take(cache)
    assert index.read_bytes() == b"index of own ones, too"
