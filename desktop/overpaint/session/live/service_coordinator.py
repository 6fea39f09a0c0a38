"""The service coordinator: choice of service, transform queue and credits, beside the live picture.

Connects these to each other and to the live session. Must not know windows or devices.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from overpaint.client.http import ServiceClient
from overpaint.client.transport import ONCE_MORE
from overpaint.errors import OverpaintError, UsageError
from overpaint.media.opener.picture_conversion import ClipForm, PictureForm, ResultForm
from overpaint.session.backend.local_core import CoreLease
from overpaint.session.backend.service_selection import ServiceSwitch
from overpaint.session.batch.charges import CreditBook
from overpaint.session.batch.item_runner import Saving
from overpaint.session.batch.job_client import Converters
from overpaint.session.batch.kept_photos import KeptPhotos
from overpaint.session.batch.queue_history import TransformHistory
from overpaint.session.batch.transform_queue import TransformQueue
from overpaint.session.live.live_process import Live
from overpaint.session.live.persistence import LiveMemory
from overpaint.session.realtime.purchases import Charged
from overpaint.session.realtime.state import Phase
from overpaint.wire.credits import Charges
from overpaint.wire.preferences import Preferences
from overpaint.wire.servers import Server
from overpaint.wire.transforms import Transforms, TransformsProgress

log = logging.getLogger(__name__)

ASK_EVERY_S = 60.0
"""Interval of requests for the balance (free of charge) while nothing announces a change."""

Publish = Callable[[Transforms | TransformsProgress | Charges | Server], None]


class ServiceCoordinator:
    """The service coordinator, with the live process that it serves.

    Args:
        folder: The data folder.
        memory: Restores and saves the chosen service.
        lease: Makes a lease of the local core, which calls back, from any thread, when the balance may have
            changed.
        results: The usual folder for restyled files.
        converters: Convert results that are saved in another form.
        publish: Receives messages for windows.
        make_live: Makes the live process, with its access to the service and the receiver of its purchases.

    Attributes:
        switch: The choice of service.
        live: The live process.
        book: The history of charges.
        queue: The transform queue.
    """

    def __init__(
        self,
        folder: Path,
        memory: LiveMemory,
        lease: Callable[[Callable[[], None]], CoreLease],
        results: Path,
        converters: Converters,
        publish: Publish,
        make_live: Callable[[ServiceSwitch, Charged], Live],
    ) -> None:
        self._memory = memory
        self._loop = asyncio.get_running_loop()
        self._asking: asyncio.Task[None] | None = None
        wishes = memory.settings
        self.switch = ServiceSwitch(
            wishes.server,
            lambda: lease(self._books_changed),
            self._busy,
            self._taken,
            publish,
            fall_back=wishes.fall_back,
            allowed_http=wishes.allowed_http,
        )
        self.live = make_live(self.switch, lambda session, server: self.book.note_session(session, server))
        self.book = CreditBook(folder, publish, self._refresh)
        history = TransformHistory(folder / "transforms.db")
        photos = KeptPhotos(folder / "transform-photos")
        self.queue = TransformQueue(
            self.switch, history, photos, lambda: self._saving(results), converters, publish, self.book
        )

    async def open(self) -> None:
        """Restores the queue and the history of charges."""
        self._asking = self._loop.create_task(self._ask_now_and_then(), name="balance")
        self.switch.say()
        await asyncio.gather(self.queue.open(), self.book.open())
        self.book.expect_change()  # what was topped up while no app ran

    async def close(self) -> None:
        """Closes the queue and the history of charges; ``switch.close`` gives back the service."""
        if self._asking is not None:
            self._asking.cancel()
        await self.queue.close()
        self.book.close()

    def _saving(self, usual: Path) -> Saving:
        """Where and how results are saved, as the user prefers it."""
        wishes: Preferences = self.live.preferences if self._memory.restored else self._memory.settings
        folder = Path(wishes.results_folder) if wishes.results_folder else usual
        picture = PictureForm(wishes.picture_format, wishes.picture_side)
        return Saving(folder, ResultForm(picture, ClipForm(wishes.clip_format, wishes.clip_side)))

    def _busy(self) -> UsageError | None:
        if self.live.runner.state.phase not in (Phase.STOPPED, Phase.FAILED):
            return UsageError("service_change_while_live")
        return UsageError("service_change_while_restyling") if self.queue.busy else None

    async def _taken(self, address: str, fall_back: bool) -> None:
        await self._memory.keep_server(address, fall_back, self.switch.allowed_http)
        await self.live.runner.change_service()

    def _books_changed(self) -> None:
        """Requests the balance again, because it may have changed. From any thread."""
        self._loop.call_soon_threadsafe(lambda: self.book.expect_change())  # made after the switch

    async def _refresh(self) -> None:
        """Requests the balance, and of this computer's own service what it has topped up."""
        await self.live.runner.refresh_account()
        try:
            endpoint = await self.switch.endpoint()
            if not endpoint.is_free:
                return
            async with ServiceClient(endpoint.url, endpoint.key, retries=ONCE_MORE) as client:
                self.book.note_top_ups(await client.grants())
        except OverpaintError as error:
            log.info("the top-ups are not known: %s", error)

    async def _ask_now_and_then(self) -> None:
        """Requests the balance regularly: a remote service does not announce what others spend."""
        while True:
            await asyncio.sleep(ASK_EVERY_S)
            self.book.expect_change()
