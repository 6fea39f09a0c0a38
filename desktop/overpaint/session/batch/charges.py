"""The charges of this computer and their reasons, over restarts; credits added on its own service.

The service itself tells the balance alone. A line is appended for each charge, so that nothing but the
last line can be lost. Must not know sessions or transforms.
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
"""Charges that are listed; of a longer file the older ones are dropped."""

ASK_AFTER_S = 0.5

Grant = Callable[[int], Awaitable[None]]


class CreditBook:
    """The book. ``open`` it first.

    Args:
        path: Of its file; made when absent.
        tell: Takes what a window should know.
        grant: Adds credits; raises ``OverpaintError`` where that cannot be.
        refresh: Asks for the balance.
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
        """Reads what was noted."""
        loop = asyncio.get_running_loop()
        noted = await loop.run_in_executor(self._disk, _read, self._path)
        self._charges = [*noted, *self._charges]
        self._say()

    def close(self) -> None:
        """Ends it; everything is noted then."""
        if self._asking is not None:
            self._asking.cancel()
        self._disk.shutdown()

    def expect_change(self) -> None:
        """Credits are being spent, or came back: the balance is asked for in a moment, once for all."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.get_running_loop().create_task(self._ask())

    async def _ask(self) -> None:
        await asyncio.sleep(ASK_AFTER_S)
        self._asking = None  # what is spent from now on is asked for again
        await self._refresh()

    def note(self, reason: ChargeReason, credits: int, what: str, id: str) -> None:
        """Notes a charge, once for each id; never blocks."""
        if credits <= 0 or any(each.id == id for each in self._charges):
            return
        charge = Charge(id=id, at=datetime.now(UTC), reason=reason, credits=credits, what=what)
        self._charges.append(charge)
        self._disk.submit(_append, self._path, charge)
        self._say()

    async def add(self, credits: int) -> None:
        """Adds credits to this computer's own service; a failure becomes state."""
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

    A process of its own: the ledger's library is no part of the live process.

    Raises:
        ProcessError: It failed; the sentence has its last words.
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
            log.info("a line of the credit book is left out")  # the last one, cut off
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
