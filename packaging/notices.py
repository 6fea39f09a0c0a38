"""Generator of resources/notices/THIRD_PARTY_NOTICES.txt: the parts of an installation, and their licences.

It lists every distribution in requirements.lock for Linux, Windows or macOS, with the licence of its metadata
and its licence texts. Distributions for other systems are fetched by uv into a temporary folder. For a
distribution without a text, the licence's standard text is used (packaging/licence_texts). A part whose
licence is unknown, or incompatible with GPL-3.0-or-later, is an error.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.markers import Marker
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
TARGET = ROOT / "resources" / "notices" / "THIRD_PARTY_NOTICES.txt"
TEXTS = Path(__file__).parent / "licence_texts"

COMPATIBLE = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "GPL-3.0-only",
    "ISC",
    "LGPL-2.1-or-later",
    "LGPL-3.0-only",
    "MIT",
    "MIT-0",
    "MIT-CMU",
    "MPL-2.0",
    "PSF-2.0",
    "Zlib",
}
"""SPDX identifiers compatible with GPL-3.0-or-later (gnu.org, "Various licenses and comments")."""

SAID_OTHERWISE = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "ISC License": "ISC",
    "LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only": "LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only",
    "LGPLv2+": "LGPL-2.1-or-later",
    "LGPLv3": "LGPL-3.0-only",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""SPDX expressions for metadata that has another form."""

READ = {
    "numba": ("BSD-2-Clause", "its LICENSE"),
    "python-xlib": ("LGPL-2.1-or-later", "its LICENSE"),
    "tzdata": ("Apache-2.0", "its LICENSE"),
}
"""Licences that are clearer in the files than in the metadata, with the place of each."""

_ENVIRONMENTS = [
    {
        "sys_platform": platform,
        "platform_system": {"linux": "Linux", "win32": "Windows", "darwin": "Darwin"}[platform],
        "os_name": "nt" if platform == "win32" else "posix",
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    for platform in ("linux", "win32", "darwin")
    for python in ("3.11", "3.12", "3.13")
]
_PLATFORMS = {
    "linux": "x86_64-unknown-linux-gnu",
    "win32": "x86_64-pc-windows-msvc",
    "darwin": "aarch64-apple-darwin",
}
_TEXT_NAMES = re.compile(r"(licen[cs]e|copying|notice|authors|thirdparty|third.party)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """One distribution of the lock, for the first environment that gets it."""

    name: str
    version: str
    environment: dict[str, str]


def locked() -> list[Part]:
    """The parts that the lock has for any system, sorted; a name occurs twice where versions differ."""
    found = []
    for line in re.findall(r"^[a-z0-9._-]+==[^\\\n]+", LOCK.read_text("utf-8"), re.MULTILINE):
        pin, _, condition = line.partition(";")
        name, _, version = pin.strip().partition("==")
        for environment in _ENVIRONMENTS:
            if not condition.strip() or Marker(condition.strip()).evaluate(environment):
                found.append(Part(str(canonicalize_name(name)), version, environment))
                break
    return sorted(found, key=lambda part: (part.name, part.version))


def distribution(part: Part, folder: Path) -> metadata.Distribution:
    """A part's installed files; fetched into ``folder`` where this environment lacks that version."""
    try:
        here = metadata.distribution(part.name)
        if here.version == part.version:
            return here
    except metadata.PackageNotFoundError:
        pass
    place = folder / f"{part.name}-{part.version}"
    platform = _PLATFORMS[part.environment["sys_platform"]]
    words = ["uv", "pip", "install", "-q", "--no-deps", "--only-binary", ":all:", "--target", str(place)]
    words += ["--python-platform", platform, "--python-version", part.environment["python_version"]]
    subprocess.run([*words, f"{part.name}=={part.version}"], check=True)
    return next(iter(metadata.distributions(path=[str(place)])))


def expression(name: str, found: metadata.Message | metadata.PackageMetadata) -> str:
    """The SPDX expression of a distribution; "" where it is unknown."""
    if name in READ:
        return READ[name][0]
    said = str(found.get("License-Expression") or "").strip()
    if said:
        return said
    short = str(found.get("License") or "").strip()
    if short in COMPATIBLE or short in SAID_OTHERWISE:
        return SAID_OTHERWISE.get(short, short)
    for classifier in found.get_all("Classifier") or ():
        last = classifier.rpartition(" :: ")[2]
        if classifier.startswith("License ::") and last in SAID_OTHERWISE:
            return SAID_OTHERWISE[last]
    return ""


def compatible(said: str) -> bool:
    """Whether a part under this expression may go into a bundle under GPL-3.0-or-later."""
    choices = said.replace("(", "").replace(")", "").split(" OR ")
    return any(all(part.strip() in COMPATIBLE for part in choice.split(" AND ")) for choice in choices)


def texts(found: metadata.Distribution, said: str) -> Iterator[tuple[str, str]]:
    """Names and texts of a distribution's licences; the licence's own where it brings none."""
    own = [
        file
        for file in found.files or ()
        if _TEXT_NAMES.search(file.name)
        and (".dist-info" in str(file) or len(file.parts) == 2)
        and file.suffix.lower() not in (".py", ".pyc", ".pyi")
    ]
    count = 0
    for file in sorted(own, key=str):
        text = Path(str(file.locate())).read_text("utf-8", "replace").strip()
        if text:
            count += 1
            yield str(file).partition(".dist-info/")[2] or str(file), text
    if count:
        return
    author = found.metadata.get("Author") or found.metadata.get("Author-email") or "its authors"
    yield (
        "this licence's own text",
        f"Copyright (c) {author}\n\n"
        + "\n\n".join((TEXTS / name).read_text("utf-8").strip() for name in _standard(said)),
    )


def _standard(said: str) -> list[str]:
    if said.startswith("LGPL-3.0-only"):
        return ["LGPL-3.0.txt", "GPL-3.0.txt"]
    return [f"{said}.txt"]


def main() -> None:
    """Writes the file."""
    lines = [
        "# Third-party notices",
        "",
        "Overpaint is made with the parts below, each under its own licence. Generated by `make notices`",
        "from requirements.lock; what that means for source and bundles: docs/licences.md of the source.",
        "",
        "| part | version | licence |",
        "| --- | --- | --- |",
    ]
    numbers: dict[str, int] = {}
    bodies: list[str] = []
    sections: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for part in locked():
            found = distribution(part, Path(folder))
            said = expression(part.name, found.metadata)
            if not said or not compatible(said):
                sys.exit(f"notices: {part.name} {part.version} is under “{said or 'an unknown licence'}”")
            lines.append(f"| {part.name} | {part.version} | {said} |")
            of_part = []
            for name, text in texts(found, said):
                if text not in numbers:
                    numbers[text] = len(numbers) + 1
                    fence = "`" * 4
                    bodies.append(f"## Text {numbers[text]}\n\n{fence}text\n{text}\n{fence}\n")
                of_part.append(f"{name}: text {numbers[text]}")
            sections.append(f"- {part.name} {part.version}: {'; '.join(of_part)}")
    TARGET.parent.mkdir(exist_ok=True)
    whole = [*lines, "", "# Which text belongs to which part", "", *sections, "", "# Texts", "", *bodies]
    clean = "\n".join(line.rstrip() for line in "\n".join(whole).splitlines())
    TARGET.write_text(clean + "\n", "utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {len(sections)} parts, {len(bodies)} texts")


if __name__ == "__main__":
    main()
