"""The transform queue: items ready, waiting, running and done, kept over restarts.

It is saved before anything is bought, with the voucher of each order: an item that was running when the
process ended is requested again, not bought again. Runs on one event loop. Must not know windows, codecs
or how the service is found.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from overpaint.client.http import ServiceClient
from overpaint.errors import (
    InsufficientCreditsError,
    OverpaintError,
    ProcessError,
)
from overpaint.session.backend.service_access import ServiceAccess
from overpaint.session.batch.batch_order import AT_ONCE
from overpaint.session.batch.cancellation import given_back
from overpaint.session.batch.charges import CreditBook
from overpaint.session.batch.file_troubles import file_trouble
from overpaint.session.batch.item_runner import ItemRunner, Saving, note_charge
from overpaint.session.batch.job_client import Converters
from overpaint.session.batch.kept_photos import KeptPhotos
from overpaint.session.batch.media_files import gather, kind_of
from overpaint.session.batch.queue_entries import TransformList, change, restore
from overpaint.session.batch.queue_history import TransformHistory
from overpaint.session.batch.transform_progress import ProgressBoard
from overpaint.wire import transforms as wire
from overpaint.wire.media_limits import Kind
from overpaint.wire.service import KINDS, PRICES

log = logging.getLogger(__name__)

OPEN_MAX = 1000
"""Limit of unfinished items; the user is told how many more were left out."""
ANNOUNCE_S, ITEMS_A_SECOND = 0.1, 2000
"""The whole list is published with each change; a long list less often, to limit the load."""

News = wire.Transforms | wire.TransformsProgress


class TransformQueue:
    """The transform queue. Call ``open`` once, ``close`` at the end.

    Args:
        access: Finds the service.
        history: Saves the list.
        photos: Saves reference photos.
        saving: Says where and how results are saved by now.
        converters: Convert what is saved in another form.
        tell: Receives messages for windows.
        book: Records charges.
    """

    def __init__(
        self,
        access: ServiceAccess,
        history: TransformHistory,
        photos: KeptPhotos,
        saving: Callable[[], Saving],
        converters: Converters,
        tell: Callable[[News], None],
        book: CreditBook,
    ) -> None:
        self._access = access
        self._list = TransformList(history)
        self._photos = photos
        self._saving = saving
        self._tell = tell
        self._book = book
        self._loop = asyncio.get_running_loop()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._opened = asyncio.Event()
        self._turn = asyncio.Lock()
        self._closing = False
        self._announcement: asyncio.TimerHandle | None = None
        self._halted: OverpaintError | None = None
        self._skipped: wire.Skipped | None = None
        self._went_on = ""
        self._folder = saving().folder
        self._progress = ProgressBoard(self._tell)
        self._runner = ItemRunner(
            access, self._list, saving, converters, book, self._progress.show, self._halt, self._changed
        )

    @property
    def busy(self) -> bool:
        """Whether an item is running or waiting."""
        return bool(self._tasks) or (self._halted is None and bool(self._list.having("waiting")))

    async def open(self) -> None:
        """Reads the saved list, and resumes it."""
        try:
            await self._list.open()
            changed = self._list.having("working")
            for entry in changed:
                await asyncio.to_thread(restore, entry)
                if entry.item.state == "done":
                    note_charge(self._book, entry, self._access.server)
                    entry.voucher = None
                    change(entry, charged=entry.item.price if self._access.server else 0)
            await self._list.keep(changed)
            used = {item.photo for item in self._list.items}
            await asyncio.to_thread(self._photos.sweep, used)
        except OverpaintError as error:
            log.error("the queue cannot be kept: %s", error)
            self._halted = error
        self._opened.set()
        self._pump()
        self._changed()

    async def close(self) -> None:
        """Stops running items; the next ``open`` resumes them."""
        self._closing = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        if self._announcement is not None:
            self._announcement.cancel()
        self._progress.close()
        await self._list.close()

    def state(self) -> wire.Transforms:
        """Returns the whole list, for a window."""
        self._folder = self._saving().folder
        return wire.Transforms(
            items=self._list.items,
            folder=str(self._folder),
            halted=None if self._halted is None else file_trouble(self._halted, free=not self._access.server),
            skipped=self._skipped,
            went_on=self._went_on,
        )

    def follow(self) -> None:
        """Notices that the user has chosen another folder for results."""
        if self._saving().folder != self._folder:
            self._changed()

    # ---- what the user wants ---------------------------------------------------------------------

    @asynccontextmanager
    async def _in_turn(self, wish: str) -> AsyncIterator[None]:
        """Runs requests in order; publishes a failure."""
        await self._opened.wait()
        async with self._turn:
            try:
                yield
            except OverpaintError as error:
                log.info("%s failed: %s", wish, error)
                self._halted = error
        self._pump()
        self._changed()

    async def add(self, paths: Sequence[Path]) -> None:
        """See ``AddTransforms``."""
        async with self._in_turn("bringing files"):
            known = {each.item.source for each in self._list.having("ready")}
            room = max(0, OPEN_MAX - self._list.unfinished)
            results = self._saving().folder
            found = await asyncio.to_thread(
                gather,
                paths,
                room + len(known),
                lambda folder: folder == results,
            )
            fresh = [path for path in found.files if str(path) not in known]
            added = []
            for path in fresh[:room]:
                kind: Kind = kind_of(path) or "image"
                item = wire.TransformItem(
                    id=uuid.uuid4().hex,
                    source=str(path),
                    kind=kind,
                    state="ready",
                    price=_price(kind),
                    added_at=datetime.now(UTC),
                )
                added.append(self._list.add(item))
            self._skipped = found.skipped(len(found.files) - len(fresh), max(0, len(fresh) - room), OPEN_MAX)
            await self._list.keep(added)

    async def start(self, prompt: str, ids: Sequence[str] | None = None, photo: bytes | None = None) -> None:
        """See ``StartTransforms``; ``photo`` is a picture file."""
        async with self._in_turn("ordering"):
            ready = [each for each in self._list.having("ready") if ids is None or each.item.id in ids]
            if not ready:
                return
            kept = "" if photo is None else str(await asyncio.to_thread(self._photos.keep, photo))
            self._skipped = None
            await self._check_balance(sum(each.item.price for each in ready))
            self._halted = None
            for entry in ready:
                self._list.put_last(entry)
                change(entry, state="waiting", prompt=prompt, photo=kept)
            await self._list.keep(ready)

    async def cancel(self, ids: Sequence[str], *, begun_too: bool = True) -> None:
        """See ``CancelTransforms``."""
        async with self._in_turn("cancelling"):
            self._went_on = ""
            entries = [each for each in self._list.named(ids) if each.item.state in ("waiting", "working")]
            tasks = [self._tasks[each.item.id] for each in entries if each.item.id in self._tasks]
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)
            # An item may have finished just now: then it stays finished.
            entries = [each for each in entries if each.item.state in ("waiting", "working")]
            returned = await asyncio.gather(*(given_back(self._access, each.voucher) for each in entries))
            for entry, free in zip(entries, returned, strict=True):
                if not free and not begun_too:
                    self._went_on = self._went_on or Path(entry.item.source).name
                    change(entry, state="waiting")  # it is requested again, not bought again
                    continue
                server = self._access.server
                note_charge(self._book, entry, server, "refunded" if free else "cancelled")
                if free:
                    entry.voucher = None
                charged = 0 if free or not server else entry.item.price
                change(entry, state="cancelled", charged=charged, result="", finished_at=datetime.now(UTC))
            self._book.expect_change()
            await self._list.keep(entries)

    async def retry(self, ids: Sequence[str]) -> None:
        """See ``RetryTransforms``."""
        async with self._in_turn("ordering once more"):
            entries = [
                each
                for each in self._list.named(ids)
                if each.item.state in wire.FINISHED and each.item.state != "done"
            ]
            if not entries:
                return
            for entry in entries:
                if entry.item.state == "interrupted":
                    entry.voucher = None  # the user chose to buy again
            await self._check_balance(sum(each.item.price for each in entries if each.voucher is None))
            self._halted = None
            for entry in entries:
                self._list.put_last(entry)
                change(entry, state="waiting", trouble=None, charged=None, finished_at=None)
            await self._list.keep(entries)

    async def move(self, id: str, before: str | None) -> None:
        """See ``MoveTransform``."""
        async with self._in_turn("moving"):
            waiting = self._list.having("waiting")
            moved = next((each for each in waiting if each.item.id == id), None)
            if moved is None or before == id:
                return
            places = [each.place for each in waiting]
            waiting.remove(moved)
            ids = [each.item.id for each in waiting]
            waiting.insert(ids.index(before) if before in ids else len(waiting), moved)
            for entry, place in zip(waiting, places, strict=True):
                entry.place = place
            await self._list.keep(waiting)

    async def remove(self, ids: Sequence[str]) -> None:
        """See ``RemoveTransforms``."""
        async with self._in_turn("removing"):
            gone = [
                each.item.id
                for each in self._list.named(ids)
                if each.item.state not in ("waiting", "working")
            ]
            await self._list.remove(gone)

    async def resume(self) -> None:
        """See ``ResumeTransforms``."""
        async with self._in_turn("going on"):
            self._halted = self._skipped = None
            self._went_on = ""

    async def _check_balance(self, price: int) -> None:
        """Checks, before anything is sent, that the credits suffice. On this computer nothing is paid for.

        Raises:
            InsufficientCreditsError: They do not suffice.
            OverpaintError: The balance cannot be requested.
        """
        if not self._access.server:
            return
        endpoint = await self._access.endpoint()
        async with ServiceClient(endpoint.url, endpoint.key) as client:
            account = await client.account()
        owed = sum(each.item.price for each in self._list.having("waiting") if each.voucher is None)
        left = account.credits_remaining - owed
        if price > left:
            raise InsufficientCreditsError("order_too_dear", price=price, left=max(0, left))

    # ---- running items ---------------------------------------------------------------------------

    def _pump(self) -> None:
        """Starts waiting items, up to the limit of concurrent ones."""
        while self._halted is None and not self._closing and len(self._tasks) < AT_ONCE:
            entry = next(iter(self._list.having("waiting")), None)
            if entry is None:
                return
            change(entry, state="working")
            task = self._loop.create_task(self._runner.run(entry), name=f"transform-{entry.item.id}")
            self._tasks[entry.item.id] = task
            task.add_done_callback(lambda task, id=entry.item.id: self._ended(id, task))  # type: ignore[misc]

    def _ended(self, id: str, task: asyncio.Task[None]) -> None:
        del self._tasks[id]
        self._progress.forget(id)
        self._book.expect_change()
        if not task.cancelled() and task.exception() is not None:
            log.error("a transform ended for an unknown reason", exc_info=task.exception())
            self._halted = ProcessError("transform_failed_unforeseen")
        self._pump()
        self._changed()

    def _halt(self, error: OverpaintError) -> None:
        self._halted = error

    def _changed(self) -> None:
        if self._announcement is None and not self._closing:
            delay_s = ANNOUNCE_S + self._list.length / ITEMS_A_SECOND
            self._announcement = self._loop.call_later(delay_s, self._announce)

    def _announce(self) -> None:
        self._announcement = None
        self._tell(self.state())


def _price(kind: Kind) -> int:
    return next(PRICES[model] for model, each in KINDS.items() if each == kind)
