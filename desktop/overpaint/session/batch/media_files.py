"""Media files, recognised by suffix, and the search for them in folders.

The service checks the real content. Must not know how they are used.
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
"""Content type → suffixes, the usual one first."""

DEPTH_MAX = 12
"""Depth of nested folders; deeper ones are not searched."""


def kind_of(path: Path) -> Kind | None:
    """Returns whether a name is that of a picture or of a clip; None for neither."""
    for content_type, suffixes in SUFFIXES.items():
        if path.suffix.lower() in suffixes:
            return "image" if content_type.startswith("image/") else "video"
    return None


def expand(inputs: Sequence[Path], skip: Path | None = None) -> dict[Path, Path]:
    """Lists the files of an order, each once; the contents of folders are sorted by name.

    Args:
        inputs: Files and folders, as the user named them.
        skip: A folder not to search: that of the results.

    Returns:
        Each file with its folder relative to the named folder; ``.`` for a named file.

    Raises:
        UsageError: There are no media files.
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
        for file in sorted([*within.files, *within.empty]):  # an empty file is reported as a failure
            files.setdefault(file, file.parent.relative_to(path))
    if not files:
        raise UsageError("nothing_to_restyle")
    return files


@dataclass(slots=True)
class Gathering:
    """The media files found, and the files left out.

    Attributes:
        files: Pictures and clips, each once; the contents of folders are sorted by name.
        unfit: Files of other types.
        empty: Files without a byte.
        unreadable: Folders that cannot be read.
        beyond: Files over the limit.
    """

    files: list[Path] = field(default_factory=list)
    unfit: list[Path] = field(default_factory=list)
    empty: list[Path] = field(default_factory=list)
    unreadable: int = 0
    beyond: int = 0

    def skipped(self, known: int, beyond: int, limit: int) -> Skipped | None:
        """Sums up what was left out; None when nothing was.

        Args:
            known: Files that were in the queue already.
            beyond: Files for which the queue had no room.
            limit: Limit of unfinished files in the queue.
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
    except OSError:  # reported when the file is opened
        return False


def gather(inputs: Sequence[Path], most: int, skip: Callable[[Path], bool]) -> Gathering:
    """Finds pictures and clips among files and in nested folders; skips links to folders, and hidden
    entries of folders.

    Args:
        inputs: Files and folders, as the user chose them.
        most: Limit of the number of files.
        skip: Says which folders not to search.
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
