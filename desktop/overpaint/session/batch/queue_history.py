"""The transform queue on disk, which survives a crash of the process.

A small SQLite file: every change is a transaction. Blocks; call it from one thread. Must not know what the
entries mean.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from overpaint.errors import SinkError
from overpaint.session.batch.job_client import Voucher
from overpaint.wire.transforms import TransformItem

log = logging.getLogger(__name__)

_SCHEMA = """CREATE TABLE IF NOT EXISTS transforms
    (id TEXT PRIMARY KEY, place INTEGER NOT NULL, item TEXT NOT NULL, voucher TEXT)"""


@dataclass(slots=True)
class Entry:
    """One picture or clip of the queue.

    Attributes:
        place: Sort key: the order of work.
        item: The entry as a window sees it.
        voucher: State of its purchase.
    """

    place: int
    item: TransformItem
    voucher: Voucher | None = None


class TransformHistory:
    """The queue's file; opened by ``load``.

    Args:
        path: Path of the file; created when absent.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def load(self) -> list[Entry]:
        """Reads all entries in order. A file that cannot be read is put aside.

        Raises:
            SinkError: The file cannot be created.
        """
        try:
            self._connection = self._open()
            return self._read(self._connection)
        except sqlite3.DatabaseError as error:
            log.warning("the history of transforms is damaged and put aside: %s", error)
            self.close()
        try:
            self._path.replace(self._path.with_suffix(".damaged"))
            self._connection = self._open()
        except (OSError, sqlite3.Error) as error:
            raise SinkError("transforms_list_not_kept", path=str(self._path), reason=str(error)) from error
        return []

    def keep(self, entries: Sequence[Entry], forget: Sequence[str] = ()) -> None:
        """Saves entries and deletes others, all or nothing. Raises ``SinkError``."""
        if self._connection is None:
            return
        rows = [
            (
                each.item.id,
                each.place,
                each.item.model_dump_json(),
                each.voucher and each.voucher.model_dump_json(),
            )
            for each in entries
        ]
        try:
            with self._connection:
                self._connection.executemany("REPLACE INTO transforms VALUES (?, ?, ?, ?)", rows)
                self._connection.executemany("DELETE FROM transforms WHERE id = ?", [(id,) for id in forget])
        except sqlite3.Error as error:
            raise SinkError("transforms_list_not_kept", path=str(self._path), reason=str(error)) from error

    def close(self) -> None:
        """Closes the file; idempotent."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, check_same_thread=False)
        try:
            # A commit need not wait for the disk: it has to survive a kill, not a power failure.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_SCHEMA)
        except sqlite3.DatabaseError:
            connection.close()
            raise
        return connection

    @staticmethod
    def _read(connection: sqlite3.Connection) -> list[Entry]:
        entries = []
        with closing(
            connection.execute("SELECT place, item, voucher FROM transforms ORDER BY place")
        ) as rows:
            for place, item, voucher in rows:
                try:
                    entries.append(
                        Entry(
                            place,
                            TransformItem.model_validate_json(item),
                            voucher and Voucher.model_validate_json(voucher),
                        )
                    )
                except ValidationError as error:
                    log.info("a transform of another version is left out: %s", error)
        return entries
