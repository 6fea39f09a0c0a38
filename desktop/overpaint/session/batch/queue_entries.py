"""Entries of the transform queue in memory, saved to disk beside the event loop.

Must not know the service.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from overpaint.session.batch.queue_history import Entry, TransformHistory
from overpaint.wire.transforms import FINISHED, TransformItem, TransformState

FINISHED_MAX = 1000
"""Finished entries that are kept."""

Result = TypeVar("Result")


def change(entry: Entry, **fields: object) -> None:
    """Changes fields of an entry's item."""
    entry.item = entry.item.model_copy(update=fields)


def restore(entry: Entry) -> None:
    """Resets an item that was under way as the process ended: done if its result was saved, else waiting."""
    item = entry.item
    if item.result:
        path = Path(item.result)
        whole = path.is_file() and path.stat().st_size > 0
        if whole:  # only its entry was not updated any more
            change(entry, state="done", finished_at=datetime.now(UTC))
            return
        path.unlink(missing_ok=True)  # a reserved name without a result
    change(entry, state="waiting", result="")


class TransformList:
    """The list of entries; call ``open`` first. Changes are saved in order.

    Args:
        history: Saves them.
    """

    def __init__(self, history: TransformHistory) -> None:
        self._history = history
        self._disk = ThreadPoolExecutor(1, "transform-history")
        self._entries: dict[str, Entry] = {}
        self._last_place = 0

    async def open(self) -> None:
        """Reads the saved entries. Raises ``SinkError`` when the file cannot be created."""
        for entry in await self._on_disk(self._history.load):
            self._entries[entry.item.id] = entry
            self._last_place = entry.place

    async def close(self) -> None:
        """Writes all pending changes, and closes the file."""
        await self._on_disk(self._history.close)
        self._disk.shutdown()

    @property
    def items(self) -> list[TransformItem]:
        """All items, in the order of work."""
        return [entry.item for entry in sorted(self._entries.values(), key=lambda each: each.place)]

    @property
    def length(self) -> int:
        """The number of entries."""
        return len(self._entries)

    @property
    def unfinished(self) -> int:
        """The number of unfinished entries."""
        return sum(each.item.state not in FINISHED for each in self._entries.values())

    def having(self, state: TransformState) -> list[Entry]:
        """Returns the entries in a state, in their order."""
        found = [each for each in self._entries.values() if each.item.state == state]
        return sorted(found, key=lambda each: each.place)

    def named(self, ids: Sequence[str]) -> list[Entry]:
        """Returns the entries with these ids, as far as they exist."""
        return [self._entries[id] for id in ids if id in self._entries]

    def add(self, item: TransformItem) -> Entry:
        """Adds an item at the end; does not save it."""
        entry = self._entries[item.id] = Entry(0, item)
        self.put_last(entry)
        return entry

    def put_last(self, entry: Entry) -> None:
        """Moves an entry to the end; does not save it."""
        self._last_place += 1
        entry.place = self._last_place

    async def remove(self, ids: Sequence[str]) -> None:
        """Deletes entries."""
        for id in ids:
            self._entries.pop(id, None)
        await self.keep((), ids)

    async def keep(self, entries: Sequence[Entry], forget: Sequence[str] = ()) -> None:
        """Saves entries, and deletes the oldest finished ones over the limit. Raises ``SinkError``."""
        forget = [*forget, *self._outlived()]
        if entries or forget:
            await self._on_disk(self._history.keep, entries, forget)

    def keep_soon(self, entry: Entry) -> None:
        """Saves an entry in the background."""
        self._disk.submit(self._history.keep, [entry])

    def _outlived(self) -> list[str]:
        finished = [each.item for each in self._entries.values() if each.item.state in FINISHED]
        if len(finished) <= FINISHED_MAX:
            return []
        finished.sort(key=lambda item: item.finished_at or item.added_at, reverse=True)
        outlived = [item.id for item in finished[FINISHED_MAX:]]
        for id in outlived:
            del self._entries[id]
        return outlived

    async def _on_disk(self, deed: Callable[..., Result], *arguments: object) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._disk, deed, *arguments)
