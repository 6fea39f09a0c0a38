"""The file source: a video or picture file, looped at its own rate. The demo is such a file.

Its process is ``file_player``. Must not know codecs.
"""

from __future__ import annotations

from pathlib import Path

from overpaint.errors import MediaError, SourceError
from overpaint.media.file_player import COMMAND, REASONS, PlayOrder
from overpaint.media.opener.bounded_reader import open_file
from overpaint.media.sources.played_source import PlayedSource


class FileSource(PlayedSource):
    """A file played in a loop at its own rate.

    Args:
        path: Video or picture.
        title: Its name for the user; the file's name by default.
    """

    def __init__(self, path: Path, title: str | None = None) -> None:
        super().__init__(PlayedFile(path), title or path.name)


class PlayedFile:
    """A file as it is played; see ``Played``.

    Args:
        path: The file.
    """

    command = COMMAND
    reasons = REASONS

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = path.name

    def check(self) -> None:
        """See ``Played``."""
        try:
            open_file(self._path).close()
        except MediaError as error:
            raise self.refusal(error.kind) from None

    def order(self, address: str, secret: str, size: tuple[int, int], memory: str) -> bytes:
        """See ``Played``."""
        return PlayOrder(address, secret, str(self._path.resolve()), *size, memory).line()

    def refusal(self, reason: str) -> SourceError:
        """See ``Played``."""
        if reason == "missing":
            return SourceError("played_file_missing", path=str(self._path))
        if reason == "denied":
            return SourceError("played_file_denied", file=self.name)
        if reason == "memory":
            return SourceError("played_file_takes_memory", file=self.name)
        if reason == "too_large":
            return SourceError("played_file_too_large", file=self.name)
        if reason == "slow":
            return SourceError("played_file_slow_to_open", file=self.name)
        if reason == "waits":
            return SourceError("played_file_disk_slow", file=self.name)
        if reason == "crash":
            return SourceError("played_file_crashes_decoder", file=self.name)
        return SourceError("played_file_unreadable", file=self.name)
