"""Media files, recognised by name, and those of whole folders.

What a file really is, the service says. Must not know what becomes of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from overpaint.client.file_transfers import unreadable
from overpaint.errors import UsageError
from overpaint.wire.media_limits import Kind
from overpaint.wire.transforms import Skipped

SUFFIXES: dict[str, tuple[str, ...]] = {
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/webp": (".webp",),
    "image/avif": (".avif",),
    "image/heic": (".heic", ".heif"),
    "image/gif": (".gif",),
    "image/tiff": (".tif", ".tiff"),
    "image/bmp": (".bmp",),
    "video/mp4": (".mp4", ".m4v"),
    "video/quicktime": (".mov",),
    "video/x-matroska": (".mkv",),
    "video/webm": (".webm",),
    "video/x-msvideo": (".avi",),
}
"""Content type → suffixes, its usual one first."""

DEPTH_MAX = 12
"""Folders in folders; deeper ones are not looked into."""


def kind_of(path: Path) -> Kind | None:
    """Whether a name is one of a picture or of a clip; None for neither."""
    for content_type, suffixes in SUFFIXES.items():
        if path.suffix.lower() in suffixes:
            return "image" if content_type.startswith("image/") else "video"
    return None


def expand(inputs: Sequence[Path], skip: Path | None = None) -> dict[Path, Path]:
    """The files of an order, each once, those of a folder and of folders in it sorted by name.

    Args:
        inputs: Files and folders, as the user named them.
        skip: A folder not to look into: the results' own.

    Returns:
        Each file with the folder in which it lies below the one that was named; ``.`` for a file.

    Raises:
        UsageError: There is none.
        SourceError: A folder cannot be read.
    """
    files: dict[Path, Path] = {}
    results = None if skip is None else skip.resolve()
    for path in inputs:
        if not path.is_dir():
            files.setdefault(path, Path())
            continue
        try:
            next(path.iterdir(), None)
        except OSError as error:
            raise unreadable(path, error) from error
        within = gather([path], sys.maxsize, lambda folder: folder.resolve() == results)
        for file in sorted([*within.files, *within.empty]):  # an empty one is told as a failure
            files.setdefault(file, file.parent.relative_to(path))
    if not files:
        raise UsageError("nothing_to_restyle")
    return files


@dataclass(slots=True)
class Gathering:
    """What was found, and what was left out.

    Attributes:
        files: Pictures and clips, each once, folders in their place and sorted by name.
        unfit: What is neither.
        empty: Files without a byte.
        unreadable: Folders that may not be read.
        beyond: More than were wanted.
    """

    files: list[Path] = field(default_factory=list)
    unfit: list[Path] = field(default_factory=list)
    empty: list[Path] = field(default_factory=list)
    unreadable: int = 0
    beyond: int = 0

    def skipped(self, known: int, beyond: int, limit: int) -> Skipped | None:
        """What was left out, in all; None when nothing was.

        Args:
            known: Files that were there already.
            beyond: Files that there was no room for after all.
            limit: How many there is room for.
        """
        beyond += self.beyond
        if not (self.unfit or self.empty or known or beyond or self.unreadable):
            return None
        example = self.unfit[0].name if self.unfit else ""
        return Skipped(
            unfit=len(self.unfit),
            example=example,
            empty=len(self.empty),
            empty_example=self.empty[0].name if self.empty else "",
            known=known,
            beyond=beyond,
            limit=limit,
            unreadable=self.unreadable,
        )


def _is_empty(file: Path) -> bool:
    try:
        return file.stat().st_size == 0
    except OSError:  # whoever opens it says what is wrong
        return False


def gather(inputs: Sequence[Path], most: int, skip: Callable[[Path], bool]) -> Gathering:
    """Pictures and clips among files and in folders, whatever is deep inside them; links to folders and
    hidden things in folders are passed over.

    Args:
        inputs: As a person chose them.
        most: How many are wanted.
        skip: Folders not to look into.
    """
    found = Gathering()
    seen: set[Path] = set()

    def take(file: Path) -> None:
        if kind_of(file) is None or not file.is_file():
            found.unfit.append(file)
        elif _is_empty(file):
            found.empty.append(file)
        elif file not in seen:
            seen.add(file)
            if len(found.files) < most:
                found.files.append(file)
            else:
                found.beyond += 1

    def failed(_: OSError) -> None:
        found.unreadable += 1

    for path in inputs:
        if not path.is_dir():
            take(path)
            continue
        depth = len(path.parts)
        for place, folders, files in os.walk(path, onerror=failed):
            inside = Path(place)
            deep = len(inside.parts) - depth >= DEPTH_MAX
            folders[:] = [
                name for name in sorted(folders) if not deep and name[0] != "." and not skip(inside / name)
            ]
            for name in sorted(files):
                if not name.startswith("."):
                    take(inside / name)
    return found
