"""Charges noted by a command line, and the running app told of them, since it shows what its user spends.

Must not know what was ordered.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from overpaint.errors import LinkError
from overpaint.processes import roles
from overpaint.session.batch.charges import CreditBook
from overpaint.wire.credits import ChargesNoted
from overpaint.wire.live import Hello


@asynccontextmanager
async def charge_notes(folder: Path) -> AsyncIterator[CreditBook]:
    """The history of charges of a data folder, for one command to note its own.

    Args:
        folder: The data folder, in which the app may be running.
    """
    book = CreditBook(folder, lambda _: None, lambda: asyncio.to_thread(_tell_app, folder))
    try:
        yield book
    finally:
        if book.close():
            await asyncio.to_thread(_tell_app, folder)


def _tell_app(folder: Path) -> None:
    live = roles.call(folder, "live")
    if live is not None:
        with suppress(LinkError):
            for message in (Hello(role="watcher"), ChargesNoted()):
                live.send(message.model_dump_json().encode())
        live.close()
