"""The daily update check (opt-in): asks for the newest release, and tells windows of one that is newer.

At most once a day where there is an answer, and once an hour where there is none, also over restarts. A
failure is logged, and told to nobody. Must not know how a window looks.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from overpaint.errors import OverpaintError
from overpaint.private_folder import write_private
from overpaint.updates.newest_release import host_of, is_newer, newest_release
from overpaint.wire.preferences import Release, Updates

log = logging.getLogger(__name__)

DAY_S, HOUR_S = 86_400.0, 3_600.0
FILE = "updates.json"


class _Kept(BaseModel):
    """The state of the check between two starts.

    Attributes:
        ask_at: When the next question is due, seconds since 1970.
        newest: The last answer.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    ask_at: float = 0.0
    newest: Release | None = None


class UpdateCheck:
    """The update check of a live process, on its event loop.

    Args:
        folder: The data folder, in which the time of the next question is kept.
        address: Address to ask; nobody is asked where it is empty.
        publish: Receives what is known, for windows.
        ask: Asks for the newest release.
        now_s: Seconds since 1970.
    """

    def __init__(
        self,
        folder: Path,
        address: str,
        publish: Callable[[Updates], None],
        ask: Callable[[str], Awaitable[Release]] = newest_release,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._file = folder / FILE
        self._address = address
        self._publish, self._ask, self._now_s = publish, ask, now_s
        self._kept = _read(self._file)
        self._asking: asyncio.Task[None] | None = None
        self._wanted: bool | None = None

    def follow(self, wanted: bool) -> None:
        """Begins or ends the check, as the user wants it. Idempotent."""
        if wanted == self._wanted:
            return
        self._wanted = wanted
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None
        if wanted and self._address:
            self._asking = asyncio.get_running_loop().create_task(self._ask_daily(), name="updates")
        self._tell()

    async def close(self) -> None:
        """Ends the check."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait([self._asking])

    async def _ask_daily(self) -> None:
        while True:
            now_s = self._now_s()
            # A due time of more than a day hence is one of a clock that was set back.
            if self._kept.ask_at <= now_s or self._kept.ask_at > now_s + DAY_S:
                await self._ask_once()
            # In steps, because the event loop's clock stands still while the computer sleeps.
            await asyncio.sleep(min(HOUR_S, max(1.0, self._kept.ask_at - self._now_s())))

    async def _ask_once(self) -> None:
        newest, wait_s = self._kept.newest, DAY_S
        try:
            newest = await self._ask(self._address)
        except OverpaintError as error:
            log.info("the newest version is not known: %s", error)
            if error.code == "releases_unreachable":
                wait_s = HOUR_S
        self._kept = _Kept(ask_at=self._now_s() + wait_s, newest=newest)
        try:
            await asyncio.to_thread(write_private, self._file, self._kept.model_dump_json().encode())
        except OSError as error:
            log.info("the time of the next question cannot be kept: %s", error)
        self._tell()

    def _tell(self) -> None:
        newest = self._kept.newest if self._wanted and self._address else None
        newer = newest if newest is not None and is_newer(newest.version) else None
        self._publish(Updates(host=host_of(self._address), newer=newer))


def _read(file: Path) -> _Kept:
    """Reads the state; a file that cannot be read counts as none."""
    try:
        return _Kept.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return _Kept()
