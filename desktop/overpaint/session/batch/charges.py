"""The history of charges with their reasons, kept over restarts, shared by the processes of a data folder.

A service need report no more than the balance. Each charge is appended as a line, also by a command line,
so that a crash can cost only the last line. Must not know sessions or transforms.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from overpaint.private_folder import write_private
from overpaint.wire.credits import Charge, ChargeOutcome, ChargeReason, Charges
from overpaint.wire.service import CreditGrant, RealtimeSession

log = logging.getLogger(__name__)

REMEMBERED = 300
"""Charges that are listed; the file is cut to them when it has grown to more than twice as many."""

ASK_AFTER_S = 0.5


class CreditBook:
    """The history of charges. A process that shows it calls ``open`` first; one that only notes does not.

    Args:
        folder: The data folder.
        tell: Receives messages for windows.
        refresh: Requests the balance; in a process without a window, tells the one that has it.
    """

    def __init__(
        self, folder: Path, tell: Callable[[Charges], None], refresh: Callable[[], Awaitable[None]]
    ) -> None:
        self._path = folder / "charges.jsonl"
        self._tell = tell
        self._refresh = refresh
        self._asking: asyncio.Task[None] | None = None
        self._disk = ThreadPoolExecutor(1, "credit-book")
        self._charges: dict[str, Charge] = {}
        self._bytes: int | None = None

    async def open(self) -> None:
        """Reads the file, and from now on whenever another process has added to it."""
        self._bytes = 0
        await asyncio.get_running_loop().run_in_executor(self._disk, _shorten, self._path)
        await self._read_on()
        self._say()

    def close(self) -> bool:
        """Closes it; everything is written by then. Returns whether a request for the balance was due."""
        due = self._asking is not None and not self._asking.done()
        if self._asking is not None:
            self._asking.cancel()
        self._disk.shutdown()
        return due

    def expect_change(self) -> None:
        """Schedules one request for the balance, because credits are being spent or refunded."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.get_running_loop().create_task(self._ask())

    async def _ask(self) -> None:
        await asyncio.sleep(ASK_AFTER_S)
        self._asking = None  # later charges schedule another request
        if self._bytes is not None and await self._read_on():
            self._say()
        await self._refresh()

    def note(
        self,
        reason: ChargeReason,
        credits: int,
        what: str,
        id: str,
        *,
        server: str = "",
        outcome: ChargeOutcome = "",
    ) -> None:
        """Records a charge, once for each id, or that something else came of it; never blocks."""
        former = self._charges.get(id)
        if credits <= 0 or (former is not None and former.outcome == outcome):
            return
        at = datetime.now(UTC) if former is None else former.at
        charge = Charge(
            id=id, at=at, reason=reason, credits=credits, what=what, server=server, outcome=outcome
        )
        self._charges[id] = charge
        self._disk.submit(_append, self._path, charge)
        self._say()
        self.expect_change()

    def note_session(self, session: RealtimeSession, server: str) -> None:
        """Records the purchase of a session, once."""
        self.note("session", session.credits_charged, "", session.id, server=server)

    def note_top_ups(self, grants: Iterable[CreditGrant]) -> None:
        """Records, once each, what this computer's own service has added to its free account."""
        before = len(self._charges)
        for grant in grants:
            id = f"top-up {grant.created_at.isoformat()}"
            if grant.automatic and id not in self._charges:
                at, credits = grant.created_at, grant.credits
                self._charges[id] = charge = Charge(id=id, at=at, reason="topped_up", credits=credits)
                self._disk.submit(_append, self._path, charge)
        if len(self._charges) > before:
            self._say()

    def _say(self) -> None:
        newest = sorted(self._charges.values(), key=lambda charge: charge.at, reverse=True)[:REMEMBERED]
        self._tell(Charges(entries=newest))

    async def _read_on(self) -> bool:
        """Reads what was added to the file; whether there was anything."""
        loop = asyncio.get_running_loop()
        fresh, end = await loop.run_in_executor(self._disk, _read, self._path, self._bytes or 0)
        before = dict(self._charges)
        self._bytes = end
        self._charges |= {charge.id: charge for charge in fresh}
        return self._charges != before


def _read(path: Path, start: int) -> tuple[list[Charge], int]:
    """The charges from a byte of the file on, and where the last whole line ends."""
    try:
        with path.open("rb") as file:
            file.seek(start)
            lines, cut_off, _ = file.read().rpartition(b"\n")
    except OSError:
        return [], start
    charges = []
    for line in lines.splitlines():
        try:
            charge = Charge.model_validate_json(line)
        except ValidationError:
            log.info("a line of the credit book is left out")  # cut off by a crash
            continue
        if charge.reason == "session" and charge.what:  # as an earlier version noted the service
            charge = charge.model_copy(update={"what": "", "server": charge.what})
        charges.append(charge)
    return charges, start + len(lines) + len(cut_off)


def _shorten(path: Path) -> None:
    """Drops the oldest lines of a long file."""
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except OSError:
        return
    if len(lines) > 2 * REMEMBERED:
        write_private(path, b"".join(lines[-REMEMBERED:]))


def _append(path: Path, charge: Charge) -> None:
    line = f"{charge.model_dump_json()}\n".encode()
    try:
        with path.open("ab") as file:
            if file.tell() and not _ends_a_line(path):
                line = b"\n" + line  # a crash has cut off the last one
            file.write(line)
    except OSError as error:
        log.warning("a charge cannot be noted: %s", error.strerror)


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"
