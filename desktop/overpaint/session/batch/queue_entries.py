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
"""Finished ones that are remembered."""

Result = TypeVar("Result")


def change(entry: Entry, **fields: object) -> None:
    """Gives an entry's item other values."""
    entry.item = entry.item.model_copy(update=fields)


def restore(entry: Entry) -> None:
    """Puts an item back that was under way when the process ended."""
    item = entry.item
    if item.result:
        path = Path(item.result)
        whole = path.is_file() and path.stat().st_size > 0
        if whole:  # it was saved, and only that was not kept any more
            entry.voucher = None
            change(entry, state="done", charged=item.price, finished_at=datetime.now(UTC))
            return
        path.unlink(missing_ok=True)  # a name that no result came to
    change(entry, state="waiting", result="")


class TransformList:
    """The entries; ``open`` it first. Changes are kept in the order in which they were made.

    Args:
        history: Keeps them.
    """

    def __init__(self, history: TransformHistory) -> None:
        self._history = history
        self._disk = ThreadPoolExecutor(1, "transform-history")
        self._entries: dict[str, Entry] = {}
        self._last_place = 0

    async def open(self) -> None:
        """Reads what was kept. Raises ``SinkError`` when there is no place for it."""
        for entry in await self._on_disk(self._history.load):
            self._entries[entry.item.id] = entry
            self._last_place = entry.place

    async def close(self) -> None:
        """Ends the keeping; nothing that was handed over is lost."""
        await self._on_disk(self._history.close)
        self._disk.shutdown()

    @property
    def items(self) -> list[TransformItem]:
        """All, in the order in which they are worked on."""
        return [entry.item for entry in sorted(self._entries.values(), key=lambda each: each.place)]

    @property
    def length(self) -> int:
        """How many there are."""
        return len(self._entries)

    @property
    def unfinished(self) -> int:
        """How many are not finished."""
        return sum(each.item.state not in FINISHED for each in self._entries.values())

    def having(self, state: TransformState) -> list[Entry]:
        """Those in a state, in their order."""
        found = [each for each in self._entries.values() if each.item.state == state]
        return sorted(found, key=lambda each: each.place)

    def named(self, ids: Sequence[str]) -> list[Entry]:
        """Those with one of the ids, as far as they are there."""
        return [self._entries[id] for id in ids if id in self._entries]

    def add(self, item: TransformItem) -> Entry:
        """Adds an item at the end; not kept yet."""
        entry = self._entries[item.id] = Entry(0, item)
        self.put_last(entry)
        return entry

    def put_last(self, entry: Entry) -> None:
        """Moves an entry to the end; not kept yet."""
        self._last_place += 1
        entry.place = self._last_place

    async def remove(self, ids: Sequence[str]) -> None:
        """Forgets entries."""
        for id in ids:
            self._entries.pop(id, None)
        await self.keep((), ids)

    async def keep(self, entries: Sequence[Entry], forget: Sequence[str] = ()) -> None:
        """Writes entries, and forgets the finished ones that are too old. Raises ``SinkError``."""
        forget = [*forget, *self._outlived()]
        if entries or forget:
            await self._on_disk(self._history.keep, entries, forget)

    def keep_soon(self, entry: Entry) -> None:
        """Writes an entry without being waited for."""
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
