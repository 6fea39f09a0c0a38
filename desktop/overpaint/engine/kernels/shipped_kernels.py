"""Kernels compiled ahead of time (AOT) for a baseline processor, as packages ship them.

Compiling all kernels takes minutes, which nobody should wait for after an installation. A package has them
in ``resources/kernels``, compiled for a processor that nearly every computer has. They are copied into the
user's cache, where numba finds them while its target is that processor. A computer whose own processor can do
more compiles its own beside the first stream, for the next start.

Numba names the folder of a kernel's cache after the path of its source; in a package it is named by its place
in Overpaint, so that the package can be installed anywhere. Must not know looks.

Sources: numba's ``NUMBA_CPU_NAME`` and ``NUMBA_CPU_FEATURES``; x86-64 psABI, "Micro-Architecture Levels".
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from overpaint.assets import asset_dir
from overpaint.errors import OverpaintError

NOTE = "shipped.txt"
"""File in a cache folder into which the shipped kernels have been copied."""

_PACKAGE = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Baseline:
    """A processor that kernels are compiled for, by LLVM's names.

    Attributes:
        cpu: Name of the processor.
        features: Features that the running processor needs for them.
        more: Features with which the running processor's own kernels are faster.
    """

    cpu: str
    features: frozenset[str]
    more: frozenset[str]


_X86_64_V3 = Baseline(
    "x86-64-v3",
    frozenset({"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2"}),
    frozenset({"avx512f"}),
)
BASELINES = {"x86_64": _X86_64_V3, "amd64": _X86_64_V3}
"""Baselines by ``platform.machine()``, in lower case; none for other machines, which compile their own."""

Fit = Literal["none", "whole", "surpassed"]
"""none: there are none that run here. whole: they are as good as own ones. surpassed: own ones are faster."""


def shipped_dir() -> Path | None:
    """Returns the folder of shipped kernels; None for an installation without them."""
    try:
        return asset_dir("kernels")
    except OverpaintError:
        return None


def fit() -> Fit:
    """Returns how the shipped kernels fit this processor; loads LLVM where there are any."""
    baseline = BASELINES.get(platform.machine().lower())
    if baseline is None or shipped_dir() is None:
        return "none"
    from overpaint.engine.kernels.slim_numba import llvm

    have = {name for name, there in llvm.get_host_cpu_features().items() if there}
    if not baseline.features <= have:
        return "none"
    return "surpassed" if baseline.more <= have else "whole"


def take(cache: Path) -> bool:
    """Copies the shipped kernels into a cache folder and makes their processor numba's target.

    To be called before the first kernel is loaded.

    Args:
        cache: Folder of kernels of the present sources (``cpu.kernels_of``).

    Returns:
        False where there are none that run here; nothing has changed then.
    """
    shipped = shipped_dir()
    if shipped is None or fit() == "none":
        return False
    if not (cache / NOTE).exists():
        _unpack(shipped, cache)
        (cache / NOTE).touch()
    return target_baseline()


def target_baseline() -> bool:
    """Makes this machine's baseline numba's target; to be called before the first kernel is loaded.

    Returns:
        False where this kind of machine has none.
    """
    baseline = BASELINES.get(platform.machine().lower())
    if baseline is None:
        return False
    from overpaint.engine.kernels.slim_numba import numba

    # Numba defines these attributes at run time, so the type checker does not know them.
    setattr(numba.config, "CPU_NAME", baseline.cpu)  # noqa: B010
    setattr(numba.config, "CPU_FEATURES", "")  # noqa: B010
    return True


def pack(cache: Path, package: Path) -> None:
    """Copies the kernels of a cache folder into a package's folder.

    Args:
        cache: Folder of kernels of the present sources.
        package: Becomes the package's ``resources/kernels``; created when absent.
    """
    for source in _source_folders():
        compiled = cache / _cache_name(source)
        if compiled.is_dir():
            place = package / source.relative_to(_PACKAGE)
            shutil.copytree(compiled, place, dirs_exist_ok=True)


def _unpack(shipped: Path, cache: Path) -> None:
    """Copies file by file, each whole: another process may be reading, or unpacking too."""
    for source in _source_folders():
        compiled, place = shipped / source.relative_to(_PACKAGE), cache / _cache_name(source)
        if not compiled.is_dir():
            continue
        place.mkdir(parents=True, exist_ok=True)
        for file in compiled.glob("*.nb[ci]"):
            with tempfile.NamedTemporaryFile(dir=place, delete=False) as copy:
                copy.write(file.read_bytes())
            Path(copy.name).replace(place / file.name)


def _source_folders() -> list[Path]:
    engine = _PACKAGE / "engine"
    return sorted({engine, *(path.parent for path in engine.rglob("*.py"))})


def _cache_name(source: Path) -> str:
    """Numba's name for the cache folder of the kernels in a folder of sources."""
    return f"{source.name}_{hashlib.sha1(str(source).encode(), usedforsecurity=False).hexdigest()}"
