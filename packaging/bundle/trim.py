"""Trimming of a collected bundle (Linux): one FFmpeg, no unused encoders, no symbols of debuggers.

OpenCV's wheel has an FFmpeg of the same version as PyAV's, and with it an OpenSSL whose licence no bundle may
have (docs/licences.md). Its files become links to PyAV's. Decoders are linked to encoders of HEVC and AV1: a
library of functions that refuse takes the place of each. Qt's FFmpeg is another version, so it stays.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

FFMPEG = ("libavcodec", "libavformat", "libavutil", "libswscale", "libswresample")

UNUSED_ENCODERS = {
    "libx265": "x265_.*",
    "libSvtAv1Enc": "svt_.*",
}
"""Libraries of encoders, and the functions that others call of them."""

SHARED = {"opencv_python_headless.libs/libavif": "pillow.libs/libavif"}
"""Libraries that another one of the same version replaces."""


def main(root: Path) -> None:
    """Trims the bundle below ``root``, and removes what nothing links to any more."""
    for name in FFMPEG:
        _share(_one(root, "opencv_python_headless.libs", name), _one(root, "av.libs", name))
    for replaced, by in SHARED.items():
        folder, name = replaced.split("/")
        _share(_one(root, folder, name), _one(root, *by.split("/")))
    for name, functions in UNUSED_ENCODERS.items():
        for library in sorted(root.glob(f"*.libs/{name}-*")):
            _replace_by_refusals(root, library, functions)
    _strip(root)
    while unneeded := list(_unneeded(root)):
        for library in unneeded:
            library.unlink()
    _remove_dangling_links(root)


def _strip(root: Path) -> None:
    """Removes the symbols of debuggers, except where that breaks a library (wheels' builders move parts)."""
    for library in sorted(root.rglob("*.so*")):
        if library.is_symlink() or not library.is_file():
            continue
        whole = library.read_bytes()
        subprocess.run(["strip", "--strip-unneeded", str(library)], check=True)
        said = subprocess.run(["ldd", str(library)], capture_output=True, text=True, check=False)
        if "ELF load command" in said.stdout + said.stderr or said.returncode:
            library.write_bytes(whole)


def _one(root: Path, folder: str, name: str) -> Path:
    (found,) = root.glob(f"{folder}/{name}-*")
    return found


def _share(replaced: Path, kept: Path) -> None:
    """Makes a library a link to another of the same interface: the version up to the second number."""
    versions = [re.findall(r"\.so\.(\d+\.\d+)", path.name) for path in (replaced, kept)]
    if versions[0] != versions[1]:
        sys.exit(f"trim: {replaced.name} and {kept.name} are different versions; keep both, or lock others")
    replaced.unlink()
    replaced.symlink_to(Path("..") / kept.parent.name / kept.name)


def _replace_by_refusals(root: Path, library: Path, functions: str) -> None:
    """Replaces a library by functions that return 0, which callers read as "not there"."""
    wanted = re.compile(functions)
    called = {
        name
        for other in library.parent.parent.rglob("*.so*")
        if other.is_file() and library.name in _needs(other)
        for name in _symbols(other, "--undefined-only")
    }
    offered = _symbols(library, "--defined-only")
    names = sorted(called & offered)
    # Some of GCC's C++ library was linked into it; what the system's own has is found there.
    lines = [f"long {name}(void) {{ return 0; }}" for name in names if wanted.fullmatch(name)]
    lines += [f"void {name}(void) {{}}" for name in names if name.endswith("ios_base_library_initv")]
    with tempfile.NamedTemporaryFile("w", suffix=".c") as source:
        source.write("\n".join(lines) + "\n")
        source.flush()
        options = ["-shared", "-fPIC", "-O2", "-s", f"-Wl,-soname,{library.name}"]
        subprocess.run(["gcc", *options, "-o", str(library), source.name], check=True)


def _unneeded(root: Path) -> Iterator[Path]:
    """The libraries in folders of wheels' own that no other file of the bundle links to."""
    needed = {name for file in root.rglob("*.so*") if file.is_file() for name in _needs(file)}
    for library in root.glob("*.libs/*.so*"):
        target = library.resolve().name
        links = library.parent.parent.glob("*.libs/*")
        linked = {link.name for link in links if link.resolve().name == target}
        if not (linked | {library.name}) & needed:
            yield library


def _remove_dangling_links(root: Path) -> None:
    for link in root.rglob("*"):
        if link.is_symlink() and not link.exists():
            link.unlink()


@cache
def _needs(file: Path) -> set[str]:
    """The names of the shared libraries that a file is linked to."""
    said = subprocess.run(["readelf", "-d", str(file)], capture_output=True, text=True, check=False).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.+?)\]", said))


def _symbols(file: Path, which: str) -> set[str]:
    said = subprocess.run(["nm", "-D", which, str(file)], capture_output=True, text=True, check=False).stdout
    return {line.split()[-1].partition("@")[0] for line in said.splitlines() if line.strip()}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
