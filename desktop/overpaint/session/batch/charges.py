"""The history of charges with their reasons, kept over restarts; adding credits on the local core.

The service reports only the balance. Each charge is appended as a line, so that a crash can cost only the
last line. Must not know sessions or transforms.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from overpaint.errors import OverpaintError, ProcessError
from overpaint.private_folder import write_private
from overpaint.processes import children
from overpaint.wire.credits import Charge, ChargeReason, Charges
from overpaint.wire.messages import Trouble

log = logging.getLogger(__name__)

REMEMBERED = 300
"""Charges that are kept; older ones are dropped when the file is read."""

ASK_AFTER_S = 0.5

Grant = Callable[[int], Awaitable[None]]


class CreditBook:
    """The history of charges. Call ``open`` first.

    Args:
        path: Its file; created when absent.
        tell: Receives messages for windows.
        grant: Adds credits; raises ``OverpaintError`` where that is not possible.
        refresh: Requests the balance.
    """

    def __init__(
        self,
        path: Path,
        tell: Callable[[Charges], None],
        grant: Grant,
        refresh: Callable[[], Awaitable[None]],
    ) -> None:
        self._path = path
        self._tell = tell
        self._grant = grant
        self._refresh = refresh
        self._asking: asyncio.Task[None] | None = None
        self._disk = ThreadPoolExecutor(1, "credit-book")
        self._charges: list[Charge] = []
        self._trouble: Trouble | None = None

    async def open(self) -> None:
        """Reads the file."""
        loop = asyncio.get_running_loop()
        noted = await loop.run_in_executor(self._disk, _read, self._path)
        self._charges = [*noted, *self._charges]
        self._say()

    def close(self) -> None:
        """Closes it; everything is written by then."""
        if self._asking is not None:
            self._asking.cancel()
        self._disk.shutdown()

    def expect_change(self) -> None:
        """Schedules one request for the balance, because credits are being spent or refunded."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.get_running_loop().create_task(self._ask())

    async def _ask(self) -> None:
        await asyncio.sleep(ASK_AFTER_S)
        self._asking = None  # later charges schedule another request
        await self._refresh()

    def note(self, reason: ChargeReason, credits: int, what: str, id: str) -> None:
        """Records a charge, once for each id; never blocks."""
        if credits <= 0 or any(each.id == id for each in self._charges):
            return
        charge = Charge(id=id, at=datetime.now(UTC), reason=reason, credits=credits, what=what)
        self._charges.append(charge)
        self._disk.submit(_append, self._path, charge)
        self._say()

    async def add(self, credits: int) -> None:
        """Adds credits on the local core; a failure is published."""
        self._trouble = None
        try:
            await self._grant(credits)
        except OverpaintError as error:
            self._trouble = Trouble.of(error)
            self._say()
        else:
            self.note("added", credits, "", uuid.uuid4().hex)
            self.expect_change()

    def _say(self) -> None:
        newest = sorted(self._charges, key=lambda charge: charge.at, reverse=True)[:REMEMBERED]
        self._tell(Charges(entries=newest, trouble=self._trouble))


async def grant_locally(folder: Path, key_name: str, credits: int) -> None:
    """Adds credits to a key's account on this computer, as ``overpaint credits add`` does.

    In a separate process: the live process does not load the ledger's library.

    Raises:
        ProcessError: It failed; the sentence contains its last message.
    """
    arguments = ("credits", "add", str(credits), "--key-name", key_name, "--data-dir", str(folder))
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *children.command(*arguments), stdout=asyncio.subprocess.DEVNULL, stderr=pipe
    )
    _, words = await process.communicate()
    if process.returncode != 0:
        last = words.decode("utf-8", "replace").strip().splitlines() or ["no word"]
        raise ProcessError("credits_not_added", sentence=last[-1])


def _read(path: Path) -> list[Charge]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError:
        return []
    charges = []
    for line in lines:
        try:
            charges.append(Charge.model_validate_json(line))
        except ValidationError:
            log.info("a line of the credit book is left out")  # the last line, cut off by a crash
    if len(lines) > 2 * REMEMBERED:
        kept = "".join(f"{each.model_dump_json()}\n" for each in charges[-REMEMBERED:])
        write_private(path, kept.encode())
    return charges


def _append(path: Path, charge: Charge) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{charge.model_dump_json()}\n")
    except OSError as error:
        log.warning("a charge cannot be noted: %s", error.strerror)
