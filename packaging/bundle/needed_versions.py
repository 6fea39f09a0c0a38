"""The versions of the C and C++ library that a bundle needs (Linux), as Debian's dependencies.

Read from the version needs of every ELF file (System V ABI, "Symbol Versioning" as GNU has it).
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

GCC_OF = {30: "12", 31: "13", 32: "13", 33: "14", 34: "15"}
"""The first GCC whose C++ library has GLIBCXX_3.4.N; every system with this C library has older ones."""


def needed(bundle: Path) -> tuple[str, str]:
    """The versions of libc and libstdc++ that the files of a bundle need; the second is a GCC's."""
    files = [path for path in bundle.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    said = subprocess.run(
        ["readelf", "-V", "-W", *map(str, files)], capture_output=True, text=True, check=False
    ).stdout
    libc = max(_numbers(version) for version in re.findall(r"Name: GLIBC_(\d[\d.]*)", said))
    libcxx = max(_numbers(version) for version in re.findall(r"Name: GLIBCXX_(\d[\d.]*)", said))
    return ".".join(map(str, libc)), GCC_OF.get(libcxx[-1], "12")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


if __name__ == "__main__":
    found_libc, found_gcc = needed(Path(sys.argv[1]))
    print(f"libc6 (>= {found_libc}), libstdc++6 (>= {found_gcc})")
