"""The sandbox of processes that open untrusted files: pictures, clips, nets.

Such a process is started only for this (``children.command``, with ``environment``), loads its libraries,
opens its channel and its shared memory, and calls ``enter`` before it opens anything untrusted. From then on,
as far as the system can enforce it:

- **files**: it reads only the program's own folders and named files, and writes only named files;
- **network**: it opens no socket of any family, Unix sockets included;
- **programs**: it starts no program, forks no process (threads are allowed), and sends no signals;
- **memory**: an allocation beyond the bound fails, as ``MemoryError`` in Python;
- **cpu time**: beyond the bound the system ends it.

Linux: Landlock, a seccomp filter, resource limits. macOS: its sandbox and resource limits. Windows: a job
object, low integrity; reading files and the network stay open there. ``enter`` returns what is enforced, as a
``Confinement``. Quick to import. Must not know what its processes do.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Bound = Literal["files", "network", "programs", "memory", "cpu time"]

BOUNDS: tuple[Bound, ...] = ("files", "network", "programs", "memory", "cpu time")
"""The bounds that a sandbox can enforce."""

DESCRIPTORS = 256
"""Limit of open files of any kind."""
_ADDRESS_SLACK_BYTES = 2 * 1024**3
"""Address space beyond the memory in use: reserved by heaps and thread stacks, and never touched."""

_SYSTEM_FILES = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache"),
    *("/etc/localtime", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm"),
    *("/sys/devices/system/cpu", "/sys/devices/system/node", "/dev/urandom", "/dev/random", "/dev/zero"),
)
"""Files that libraries read on Linux: shared libraries, and the numbers of processors and memory."""

_PASSED_ON = frozenset(
    {
        *("PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "VIRTUAL_ENV"),
        *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "COMSPEC"),
        *("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "OVERPAINT_DATA_DIR"),
        *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR"),
    }
)
_PASSED_ON_PREFIXES = ("LC_", "PYTHON")


@dataclass(frozen=True, slots=True)
class Confinement:
    """The bounds enforced for a process.

    Attributes:
        enforced: The enforced bounds.
        lacking: A sentence for each mechanism that is missing here.
    """

    enforced: frozenset[Bound]
    lacking: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether everything requested is enforced."""
        return not self.lacking

    @property
    def line(self) -> str:
        """The enforced bounds in words, in the order of ``BOUNDS``."""
        return ", ".join(bound for bound in BOUNDS if bound in self.enforced) or "nothing"


def environment(**more: str) -> dict[str, str]:
    """Returns the environment for a confined process: no secrets, one thread for numeric libraries.

    Threads that a library starts on loading, before ``enter``, would keep their rights.

    Args:
        more: Additional or replaced variables.
    """
    passed = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _PASSED_ON or name.upper().startswith(_PASSED_ON_PREFIXES)
    }
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    return passed | single | {"PYTHONUNBUFFERED": "1"} | more


def enter(
    readable: Sequence[Path] = (),
    writable: Sequence[Path] = (),
    *,
    memory_bytes: int | None = None,
    cpu_seconds: float | None = None,
) -> Confinement:
    """Confines this process for good. To be called in the only thread.

    Raises nothing where the system cannot enforce a bound: the returned value says so.

    Args:
        readable: Files and folders in addition to the program's own; missing ones are skipped. Open files
        stay open.
        writable: Files and folders that can be read and written; in folders, files can be created and
            removed.
        memory_bytes: Limit of the process's private memory, at least its present size. None for no bound.
        cpu_seconds: Limit of processor time from now on, of all threads together. None for no bound.
    """
    if sys.platform == "linux":
        steps = _on_linux(readable, writable, memory_bytes, cpu_seconds)
    elif sys.platform == "darwin":
        steps = _on_macos(readable, writable, memory_bytes, cpu_seconds)
    else:
        steps = _on_windows(writable, memory_bytes, cpu_seconds)
    return _taken(steps)


def available() -> Confinement:
    """Returns what ``enter`` could enforce on this machine, without entering."""
    if sys.platform == "linux":
        found = _available_on_linux()
    elif sys.platform == "darwin":
        found = _available_on_macos()
    else:
        found = Confinement(frozenset({"programs", "memory", "cpu time"}), (_OPEN_ON_WINDOWS,))
    return found


def program_folders() -> list[Path]:
    """Returns the folders of the interpreter, its libraries and this package, which every process reads."""
    from overpaint.assets import asset_dir

    if getattr(sys, "frozen", False):
        bundle = Path(str(getattr(sys, "_MEIPASS", Path(sys.executable).parent)))
        return [bundle, Path(sys.executable).parent]
    # Not ``sysconfig``, which takes 40 ms; and not all of ``sys.path``: the current folder can stand in it.
    libraries = [Path(entry) for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages")]
    # The interpreter's shared library is beside its standard library, or in lib of its prefix.
    own = [Path(__file__).parents[2], asset_dir("looks").parent]  # the package and its resources
    return [Path(os.__file__).parent, *libraries, Path(sys.base_prefix) / "lib", *own]


# ---- how ---------------------------------------------------------------------------------------------------

_Steps = list[tuple[str, tuple[Bound, ...], Callable[[], None]]]
"""Steps in order: name, enforced bounds, and the call, which raises where the system refuses."""

_NO_MEMORY_BOUND = "macOS does not bound a process's memory."
_OPEN_ON_WINDOWS = "On Windows decoders can read files and reach the network; they cannot write."


def _available_on_linux() -> Confinement:
    from overpaint.processes.sandbox import landlock, seccomp

    enforced: set[Bound] = {"memory", "cpu time"}
    lacking = []
    if landlock.version():
        enforced.add("files")
    else:
        lacking.append("The kernel has no Landlock: what decoders can read is not limited.")
    if seccomp.available():
        enforced |= {"network", "programs"}
    else:
        lacking.append("The kernel takes no seccomp filter: decoders can reach the network.")
    return Confinement(frozenset(enforced), tuple(lacking))


def _available_on_macos() -> Confinement:
    if hasattr(ctypes.CDLL("/usr/lib/libSystem.dylib"), "sandbox_init"):
        return Confinement(frozenset({"files", "network", "programs", "cpu time"}), (_NO_MEMORY_BOUND,))
    return Confinement(frozenset({"cpu time"}), ("sandbox_init is not there.", _NO_MEMORY_BOUND))


def _taken(steps: _Steps) -> Confinement:
    enforced: set[Bound] = set()
    lacking = []
    for name, bounds, step in steps:
        try:
            step()
        except (OSError, ValueError) as error:
            lacking.append(f"{name}: {error}")
        else:
            enforced |= set(bounds)
    return Confinement(frozenset(enforced), tuple(lacking))


def _on_linux(
    readable: Sequence[Path],
    writable: Sequence[Path],
    memory_bytes: int | None,
    cpu_seconds: float | None,
) -> _Steps:
    from overpaint.processes.sandbox import landlock, seccomp

    def files() -> None:
        if not landlock.version():
            raise OSError("the kernel has none")
        # Other threads keep their rights, and an attacker in this one could use them.
        if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208 - names, not paths
            raise OSError("threads run already, which it would not confine")
        shared = [*map(Path, _SYSTEM_FILES), *program_folders()]
        landlock.restrict([*shared, *readable], [Path("/dev/null"), *writable])

    steps: _Steps = [*_resource_limits(writable, memory_bytes, cpu_seconds)]
    steps.append(("no new privileges", (), landlock.forbid_new_privileges))
    steps.append(("Landlock", ("files",), files))
    steps.append(("seccomp", ("network", "programs"), seccomp.restrict))
    return steps


def _on_macos(
    readable: Sequence[Path],
    writable: Sequence[Path],
    memory_bytes: int | None,
    cpu_seconds: float | None,
) -> _Steps:
    from overpaint.processes.sandbox import seatbelt

    def refused() -> None:
        raise OSError(_NO_MEMORY_BOUND)

    steps: _Steps = [*_resource_limits(writable, None, cpu_seconds)]
    if memory_bytes is not None:
        steps.append(("memory", (), refused))
    folders = [*program_folders(), *readable]
    steps.append(
        ("sandbox_init", ("files", "network", "programs"), lambda: seatbelt.restrict(folders, writable))
    )
    return steps


def _on_windows(writable: Sequence[Path], memory_bytes: int | None, cpu_seconds: float | None) -> _Steps:
    from overpaint.processes.sandbox import job_object

    def refused() -> None:
        raise OSError(_OPEN_ON_WINDOWS)

    bounds: tuple[Bound, ...] = ("programs",)
    if memory_bytes is not None:
        bounds = (*bounds, "memory")
    if cpu_seconds is not None:
        bounds = (*bounds, "cpu time")
    until = None if cpu_seconds is None else time.process_time() + cpu_seconds
    steps: _Steps = [("job object", bounds, lambda: job_object.limit(memory_bytes, until))]
    if not writable:  # a process of low integrity could not write there either
        steps.append(("low integrity", (), job_object.lower_integrity))
    steps.append(("files and network", (), refused))
    return steps


def _resource_limits(writable: Sequence[Path], memory_bytes: int | None, cpu_seconds: float | None) -> _Steps:
    """Returns the steps for the limits of setrlimit(2)."""
    if sys.platform == "win32":
        return []
    import resource

    def lower(kind: int, most: int) -> None:
        hard = resource.getrlimit(kind)[1]
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (value, value))

    def small_things() -> None:
        # A core dump must not write untrusted data to the disk.
        lower(resource.RLIMIT_CORE, 0)
        lower(resource.RLIMIT_NOFILE, DESCRIPTORS)

    def files() -> None:
        # Open files could grow: shared memory without end, which no other limit counts.
        lower(resource.RLIMIT_FSIZE, 0)

    def memory(most: int) -> None:
        lower(resource.RLIMIT_DATA, most)
        lower(resource.RLIMIT_AS, _address_space() + most + _ADDRESS_SLACK_BYTES)

    steps: _Steps = [("small limits", (), small_things)]
    if not writable:
        steps.append(("file size limit", (), files))
    if memory_bytes is not None:
        steps.append(("memory limit", ("memory",), lambda: memory(memory_bytes)))
    if cpu_seconds is not None:
        until = int(time.process_time() + cpu_seconds) + 1
        steps.append(("time limit", ("cpu time",), lambda: lower(resource.RLIMIT_CPU, until)))
    return steps


def _address_space() -> int:
    """Returns the address space in use, bytes. Source: proc(5), ``statm``."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * mmap.PAGESIZE
