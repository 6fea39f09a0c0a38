"""The runner of the queue's items: each is bought once, its result named and saved, its outcome recorded.

Must not know the order of items, nor what the user wants with them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from overpaint.client.http import Restyled, Stage
from overpaint.errors import (
    AuthenticationError,
    CredentialError,
    InsufficientCreditsError,
    OverpaintError,
    ProcessError,
    RateLimitedError,
    UnreachableError,
)
from overpaint.media.opener.picture_conversion import ResultForm
from overpaint.session.backend.service_access import ServiceAccess
from overpaint.session.batch.batch_order import Naming, charge_of, is_unpaid, what_came
from overpaint.session.batch.charges import CreditBook
from overpaint.session.batch.file_troubles import file_trouble
from overpaint.session.batch.job_client import AS_SENT, Converters, Journey, Voucher
from overpaint.session.batch.photo_uploads import PhotoUploads
from overpaint.session.batch.queue_entries import TransformList, change
from overpaint.session.batch.queue_history import Entry
from overpaint.wire.credits import ChargeOutcome

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
_NEVER_BOUGHT = (InsufficientCreditsError, AuthenticationError)


@dataclass(frozen=True, slots=True)
class Saving:
    """Place and form of results.

    Attributes:
        folder: The folder for results; created when needed.
        form: Their form.
    """

    folder: Path
    form: ResultForm = AS_SENT


class ItemRunner:
    """The runner of items.

    Args:
        access: Finds the service.
        entries: Saves each step.
        saving: Says where and how results are saved by now.
        converters: Convert what is saved in another form.
        book: Records charges.
        show: Receives the progress of an item: its id, the stage, and 0..1 of that.
        halt: Called with an error that every other item would meet, too.
        changed: Called when an item has changed.
    """

    def __init__(
        self,
        access: ServiceAccess,
        entries: TransformList,
        saving: Callable[[], Saving],
        converters: Converters,
        book: CreditBook,
        show: Callable[[str, Stage, float], None],
        halt: Callable[[OverpaintError], None],
        changed: Callable[[], None],
    ) -> None:
        self._access = access
        self._list = entries
        self._saving = saving
        self._converters = converters
        self._book = book
        self._show = show
        self._halt = halt
        self._changed = changed
        self._photos = PhotoUploads()

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
            saving = self._saving()
            naming = await asyncio.to_thread(Naming, saving.folder, [source])
            await self._list.keep([entry])
            self._finish(entry, await self._journey(entry, source, naming, saving.form).run())
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

    def _journey(self, entry: Entry, source: Path, naming: Naming, form: ResultForm) -> Journey:
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
            Path(entry.item.photo) if entry.item.photo else None,
            self._photos,
            self._converters,
            form,
        )

    def _finish(self, entry: Entry, done: Restyled) -> None:
        server = self._access.server
        if entry.voucher is not None:
            credits, outcome = charge_of(entry.voucher, done)
            note_charge(self._book, entry, server, outcome, credits)
        entry.voucher = None
        change(
            entry,
            state="done",
            result=str(done.path),
            charged=done.job.credits_charged if server else 0,
            finished_at=datetime.now(UTC),
        )

    def _fail(self, entry: Entry, error: OverpaintError) -> None:
        log.info("%s failed: %s", entry.item.source, error)
        charged: int | None = 0
        server = self._access.server
        voucher = entry.voucher
        if voucher is not None and (came := what_came(voucher, error)) is not None:
            note_charge(self._book, entry, server, came)
        if is_unpaid(error):
            entry.voucher = None
        elif voucher is not None and server:
            charged = entry.item.price if voucher.job_id else None
        change(
            entry,
            state="failed",
            trouble=file_trouble(error, free=not server),
            charged=charged,
            result="",
            finished_at=datetime.now(UTC),
        )


def note_charge(
    book: CreditBook, entry: Entry, server: str, outcome: ChargeOutcome = "", credits: int | None = None
) -> None:
    """Records what an item's order was charged, and what came of it; does nothing without an order.

    Args:
        book: The history of charges.
        entry: The item.
        server: Address of the service; empty for the local core.
        outcome: What came of the charge.
        credits: As the service said; the price where it did not.
    """
    if entry.voucher is not None:
        price = entry.item.price if credits is None else credits
        name = Path(entry.item.source).name
        book.note(entry.item.kind, price, name, entry.voucher.order_key, server=server, outcome=outcome)
