"""The runner of the queue's items: each is bought once, its result named and saved, its outcome recorded.

Must not know the order of items, nor what the user wants with them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from overpaint.client.http import Restyled, Stage
from overpaint.errors import (
    AuthenticationError,
    CredentialError,
    InsufficientCreditsError,
    InvalidRequestError,
    OverpaintError,
    ProcessError,
    RateLimitedError,
    SourceError,
    UnreachableError,
    UpstreamError,
)
from overpaint.session.backend.service_access import ServiceAccess
from overpaint.session.batch.batch_order import Naming
from overpaint.session.batch.charges import CreditBook
from overpaint.session.batch.file_troubles import file_trouble
from overpaint.session.batch.job_client import Journey, Voucher
from overpaint.session.batch.queue_entries import TransformList, change
from overpaint.session.batch.queue_history import Entry

log = logging.getLogger(__name__)

VOUCHER_LIFE = timedelta(hours=20)
"""The service recognises an order, and keeps its upload, for 24 h; the margin is for clocks that differ."""

_OF_THE_SERVICE = (
    UnreachableError,
    AuthenticationError,
    InsufficientCreditsError,
    RateLimitedError,
    CredentialError,
    ProcessError,
)
"""Errors that no file causes: every other item would fail too, so the queue pauses until the user acts."""
_UNPAID = (UpstreamError, InvalidRequestError, SourceError)
"""Errors after which nothing was charged, or it was refunded."""
_NEVER_BOUGHT = (InsufficientCreditsError, AuthenticationError)


class ItemRunner:
    """The runner of items.

    Args:
        access: Finds the service.
        entries: Saves each step.
        results: The folder for results; created when needed.
        book: Records charges.
        show: Receives the progress of an item: its id, the stage, and 0..1 of that.
        halt: Called with an error that every other item would meet, too.
        changed: Called when an item has changed.
    """

    def __init__(
        self,
        access: ServiceAccess,
        entries: TransformList,
        results: Path,
        book: CreditBook,
        show: Callable[[str, Stage, float], None],
        halt: Callable[[OverpaintError], None],
        changed: Callable[[], None],
    ) -> None:
        self._access = access
        self._list = entries
        self._results = results
        self._book = book
        self._show = show
        self._halt = halt
        self._changed = changed

    async def run(self, entry: Entry) -> None:
        """Runs an item to its end. Raises ``SinkError`` when that cannot be saved."""
        voucher, source = entry.voucher, Path(entry.item.source)
        if voucher is not None and not voucher.job_id and datetime.now(UTC) - voucher.at > VOUCHER_LIFE:
            change(entry, state="interrupted", finished_at=datetime.now(UTC))
            await self._list.keep([entry])
            return
        self._changed()
        naming: Naming | None = None
        try:
            naming = await asyncio.to_thread(Naming, self._results, [source])
            await self._list.keep([entry])
            self._finish(entry, await self._journey(entry, source, naming).run())
        except _OF_THE_SERVICE as error:
            log.info("the queue stops: %s", error)
            self._halt(error)
            entry.voucher = None if isinstance(error, _NEVER_BOUGHT) else entry.voucher
            change(entry, state="waiting", result="")
        except OverpaintError as error:
            self._fail(entry, error)
        finally:
            if naming is not None:
                naming.release()
        await self._list.keep([entry])

    def _journey(self, entry: Entry, source: Path, naming: Naming) -> Journey:
        def name(content_type: str) -> Path:
            path = naming.name(source, content_type)
            # Saved, so that after a crash the owner of this name is known.
            change(entry, result=str(path))
            self._list.keep_soon(entry)
            return path

        async def keep(voucher: Voucher | None) -> None:
            entry.voucher = voucher
            await self._list.keep([entry])
            self._book.expect_change()  # with a job id, it was paid for

        return Journey(
            self._access,
            source,
            entry.item.prompt,
            name,
            lambda stage, part: self._show(entry.item.id, stage, part),
            entry.voucher,
            keep,
            entry.item.kind,
        )

    def _finish(self, entry: Entry, done: Restyled) -> None:
        entry.voucher = None
        note_charge(self._book, entry, done.job.credits_charged, done.job.id)
        change(
            entry,
            state="done",
            result=str(done.path),
            charged=done.job.credits_charged,
            finished_at=datetime.now(UTC),
        )

    def _fail(self, entry: Entry, error: OverpaintError) -> None:
        log.info("%s failed: %s", entry.item.source, error)
        charged: int | None = 0
        if isinstance(error, _UNPAID):
            entry.voucher = None
        elif entry.voucher is not None:
            charged = entry.item.price if entry.voucher.job_id else None
        change(
            entry,
            state="failed",
            trouble=file_trouble(error),
            charged=charged,
            result="",
            finished_at=datetime.now(UTC),
        )


def note_charge(book: CreditBook, entry: Entry, credits: int, job: str) -> None:
    """Records a charge for an item; does nothing without a job."""
    if job:
        book.note(entry.item.kind, credits, Path(entry.item.source).name, job)
