"""Inventory of the Windows bundle: checks what must and must not be in it, lists its files to uninstall.

Use: inventory.py FOLDER reads FOLDER/overpaint and writes FOLDER/uninstall.nsh.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

NEEDED = (
    "overpaint.exe",
    "overpaint-window.exe",
    "_internal/overpaint/resources/slate/slate.png",
    "_internal/overpaint/resources/notices/THIRD_PARTY_NOTICES.txt",
    "_internal/overpaint/resources/translations/overpaint_de.qm",
    "_internal/overpaint/engine/kernels/bands.py",
)
FORBIDDEN = re.compile(
    r"(?i)(^|/)(ucrtbase|wucrtbase|icuuc|api-ms-win-.*)\.dll$|opencv_videoio_ffmpeg|pyvirtualcam|psycopg"
)
"""Libraries of Windows itself (a build under Wine finds Wine's), and parts whose licences do not fit."""
LONGEST = 140
"""Characters of a path in the bundle; Windows allows 259 with the folder that the user chooses."""


def main(folder: Path) -> None:
    bundle = folder / "overpaint"
    files = sorted(path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file())
    missing = [name for name in NEEDED if name not in files]
    wrong = [name for name in files if FORBIDDEN.search(name)]
    long = [name for name in files if len(name) > LONGEST]
    if missing or wrong or long:
        sys.exit(f"inventory: missing {missing}, forbidden {wrong}, too long {long}")
    folders = sorted(
        {parent for name in files for parent in Path(name).parents}, key=lambda path: -len(path.parts)
    )
    lines = [f'Delete "$INSTDIR\\{name}"' for name in (each.replace("/", "\\") for each in files)]
    lines += [
        f'RMDir "$INSTDIR\\{name}"'
        for name in (str(each).replace("/", "\\") for each in folders)
        if name != "."
    ]
    (folder / "uninstall.nsh").write_text("\n".join([*lines, ""]), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
