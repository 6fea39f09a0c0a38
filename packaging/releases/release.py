"""Checks and descriptions of a release; needs nothing but Python, since it runs before and after all builds.

release.py verify v0.2.0                                 does everything in the tree fit the tag?
release.py describe v0.2.0 --page URL --folder dist      SHA256SUMS, notes.md, newest.json, sbom.cdx.json
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST, MOST = 300, 20
"""Of what is new, as installed versions read it (desktop/overpaint/updates/newest_release.py)."""


def version_of(tag: str) -> str:
    """The version that a tag names."""
    found = re.fullmatch(r"v(\d+\.\d+\.\d+)", tag)
    if found is None:
        sys.exit(f"release: {tag} is no tag of a release; it must be like v0.2.0")
    return found[1]


def section(version: str, changelog: str) -> str:
    """The text of a version in the changelog."""
    found = re.search(rf"^## \[{re.escape(version)}\][^\n]*\n(.*?)(?=^## \[|\Z)", changelog, re.M | re.S)
    if found is None or not found[1].strip():
        sys.exit(f"release: CHANGELOG.md says nothing of {version}")
    return found[1].strip()


def faults(version: str, root: Path) -> list[str]:
    """What in the tree does not fit a version."""
    texts = {
        "pyproject.toml": f'version = "{version}"',
        "desktop/overpaint/__init__.py": f'__version__ = "{version}"',
        "CHANGELOG.md": f"## [{version}]",
        "packaging/linux/overpaint.metainfo.xml": f'<release version="{version}"',
    }
    missing = [
        f"{file} has no line with {text}"
        for file, text in texts.items()
        if not any(line.strip().startswith(text) for line in (root / file).read_text("utf-8").splitlines())
    ]
    if not (root / "tests" / "data_folders" / version).is_dir():
        missing.append(f"tests/data_folders/{version} is missing: make data-folder")
    return missing


def news(text: str) -> list[str]:
    """The entries of a section as sentences for a window, without Markdown; too long ones are cut."""
    entries = re.findall(r"^- (.+(?:\n  .+)*)", text, re.M)
    lines = []
    for entry in entries[:MOST]:
        line = " ".join(re.sub(r"[`*]", "", entry).split())
        if len(line) > LONGEST:
            line = f"{line[: LONGEST - 2].rsplit(' ', 1)[0]} …"
        lines.append(line)
    return lines


def describe(version: str, page: str, folder: Path, changelog: str) -> None:
    """Writes beside the packages: checksums, notes, and the document that installed versions ask for."""
    text = section(version, changelog)
    bill = folder / f"overpaint-{version}.cdx.json"
    if bill.exists():
        shutil.copyfile(bill, folder / "sbom.cdx.json")
    document = {"version": version, "page": page, "new": {"en": news(text)}}
    (folder / "newest.json").write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "utf-8")
    (folder / "notes.md").write_text(text + "\n", "utf-8")
    packages = sorted(path for path in folder.iterdir() if path.name not in ("SHA256SUMS", "notes.md"))
    sums = [f"{_digest(path)}  {path.name}\n" for path in packages if path.is_file()]
    (folder / "SHA256SUMS").write_text("".join(sums), "utf-8")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> None:
    """Runs one command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("verify", "describe"))
    parser.add_argument("tag")
    parser.add_argument("--page", default="")
    parser.add_argument("--folder", type=Path, default=ROOT / "dist")
    wishes = parser.parse_args()
    version = version_of(wishes.tag)
    if wishes.command == "describe":
        describe(version, wishes.page, wishes.folder, (ROOT / "CHANGELOG.md").read_text("utf-8"))
        return
    if found := faults(version, ROOT):
        sys.exit("\n".join(f"release: {each}" for each in found))


if __name__ == "__main__":
    main()
