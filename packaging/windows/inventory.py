"""Inventory of the Windows bundle: checks what must and must not be in it, lists its files to uninstall.

Use: inventory.py FOLDER WINDOWS reads FOLDER/overpaint and FOLDER/imports.txt (what each of its files is
linked to, as ``FILE: LIBRARY``), and writes FOLDER/uninstall.nsh. The folder WINDOWS has a library of each
name that Windows itself has: Wine's own, or C:\\Windows\\System32.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

NEEDED = (
    "overpaint.exe",
    "overpaint-window.exe",
    "_internal/msvcp140.dll",
    "_internal/PySide6/plugins/imageformats/qwebp.dll",
    "_internal/numba/_devicearray.cp313-win_amd64.pyd",
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

OF_WINDOWS = re.compile(r"(api|ext)-ms-.*|icuuc\.dll|dcomp\.dll|dxcore\.dll")
"""Libraries of Windows that Wine may lack."""
NOT_OF_WINDOWS = re.compile(r"(msvcp|vcruntime|concrt|vcomp|mfc)\d.*")
"""Libraries that Wine has and a fresh Windows has not."""


def unresolved(imports: list[str], own: set[str], system: set[str]) -> list[str]:
    """The lines of ``FILE: LIBRARY`` whose library neither the bundle nor Windows has."""
    known = own | {name for name in system if not NOT_OF_WINDOWS.fullmatch(name)}
    wanted = {line: line.rpartition(": ")[2].lower() for line in imports}
    return [line for line, name in wanted.items() if name not in known and not OF_WINDOWS.fullmatch(name)]


def uninstallation(files: list[str]) -> str:
    """NSIS's commands that delete these files and the folders that they leave empty."""
    parents = {parent for name in files for parent in Path(name).parents if parent != Path()}
    folders = sorted(parents, key=lambda path: -len(path.parts))
    lines = [f'Delete "$INSTDIR\\{name}"' for name in files]
    # Numba keeps what it compiles before the engine has named its cache beside the sources.
    whole = ["/r " if folder.name == "__pycache__" else "" for folder in folders]
    lines += [
        f'RMDir {how}"$INSTDIR\\{folder.as_posix()}"' for how, folder in zip(whole, folders, strict=True)
    ]
    return "\n".join(line.replace("/", "\\").replace("RMDir \\r", "RMDir /r") for line in [*lines, ""])


def main(folder: Path, windows: Path) -> None:
    bundle = folder / "overpaint"
    files = sorted(path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file())
    present = {name.lower() for name in files}
    missing = [name for name in NEEDED if name.lower() not in present]
    wrong = [name for name in files if FORBIDDEN.search(name)]
    long = [name for name in files if len(name) > LONGEST]
    imports = (folder / "imports.txt").read_text("utf-8").splitlines()
    own = {name.rpartition("/")[2] for name in present}
    unfound = unresolved(imports, own, {path.name.lower() for path in windows.iterdir()})
    if missing or wrong or long or unfound:
        sys.exit(f"inventory: missing {missing}, forbidden {wrong}, too long {long}, unresolved {unfound}")
    (folder / "uninstall.nsh").write_text(uninstallation(files), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
