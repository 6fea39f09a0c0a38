"""Reference photos of the queue's items: kept in files of their own, as long as an item may need them.

Must not know what an item does with its photo.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path

from overpaint.client.file_transfers import unwritable
from overpaint.private_folder import write_private


class KeptPhotos:
    """The photos, each once, named by its content. Blocks; call it in a thread.

    Args:
        folder: Their folder; made with the first of them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, photo: bytes) -> Path:
        """Keeps a picture file, and returns its path. Raises ``SinkError``."""
        path = self._folder / hashlib.sha256(photo).hexdigest()
        try:
            if not path.is_file():
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_private(path, photo)
        except OSError as error:
            raise unwritable(path, error) from error
        return path

    def sweep(self, used: Collection[str]) -> None:
        """Deletes all photos but those at the paths that are used."""
        for path in self._folder.iterdir() if self._folder.is_dir() else ():
            if str(path) not in used:
                path.unlink(missing_ok=True)
