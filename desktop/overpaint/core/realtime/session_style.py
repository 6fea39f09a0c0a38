"""The style of a live session: its prompt and photo, which outlive sockets, streams and a crash.

The prompt is saved in the ledger, the photo in its file. While the session has no stream, the photo is only
in that file. Runs on the event loop. Must not know streams or who may change the style.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from overpaint.core.hosts.engine_host import Restyled
from overpaint.core.realtime.reference_photos import Draft, Photos
from overpaint.engine.interface import LookRequest
from overpaint.errors import InvalidRequestError, ServiceError, SessionClosedError
from overpaint.ledger import Ledger, SessionRecord
from overpaint.wire import control
from overpaint.wire.looks import PromptReading, PromptSuggestion

log = logging.getLogger(__name__)


class SessionStyle:
    """The style of one session.

    Args:
        record: The session's record.
        ledger: Stores the prompt.
        photos: The reference photos.

    Attributes:
        present: The present style, without its photo while that rests.
        fetching: Loads the photo set at creation; None without one, or once it is the style's or outdated.
    """

    def __init__(self, record: SessionRecord, ledger: Ledger, photos: Photos) -> None:
        self.present = LookRequest(prompt=record.prompt, enhance_prompt=record.enhance_prompt)
        self.fetching: asyncio.Task[ServiceError | None] | None = None
        self._record = record
        self._ledger = ledger
        self._photos = photos
        self._photo_rests = False
        self._decoding: set[asyncio.Timeout] = set()  # photos being decoded

    def expect_photo(self, base_url: str) -> None:
        """Begins to load the photo set at creation, or kept over a crash."""
        record = self._record
        if record.photo_url is not None or self._photos.has(record.id):
            bring = self._photos.bring(record.id, record.photo_url, base_url, record.account)
            self.fetching = asyncio.create_task(bring)

    def forget_fetched(self) -> None:
        """Stops loading that photo, because another style is newer."""
        fetching, self.fetching = self.fetching, None
        if fetching is not None:
            fetching.cancel()

    async def with_stored_photo(self) -> LookRequest:
        """Returns the present style with the photo of the file. Raises ``InvalidRequestError``."""
        return replace(self.present, reference=await self._photos.read(self._record.id))

    def rest(self) -> None:
        """Frees the photo's megabytes, where its file has it."""
        if self.present.reference is not None and self._photos.has(self._record.id):
            self.present, self._photo_rests = replace(self.present, reference=None), True

    async def wake(self) -> None:
        """Reads a photo that rests."""
        if self._photo_rests:
            self._photo_rests = False
            try:
                self.present = await self.with_stored_photo()
            except InvalidRequestError as error:
                log.warning("the photo of session %s is gone: %s", self._record.id, error)

    async def change(self, style: LookRequest) -> None:
        """Makes a style the present one, and saves its prompt against a crash.

        A failure of the ledger does not change the look.
        """
        former, self.present = self.present, style
        if (style.prompt, style.enhance_prompt) == (former.prompt, former.enhance_prompt):
            return
        try:
            await asyncio.to_thread(
                self._ledger.keep_style, self._record.id, style.prompt, style.enhance_prompt
            )
        except Exception:  # such as a full disk: the look is shown already
            log.exception("the style of session %s cannot be kept", self._record.id)

    @asynccontextmanager
    async def draft(self, image_data: str) -> AsyncIterator[Draft]:
        """Decodes a received photo, see ``Photos.draft``.

        Raises:
            InvalidRequestError, UpstreamError: As ``Photos.draft``.
            SessionClosedError: ``break_off`` was called meanwhile.
        """
        decoding = asyncio.timeout(None)
        self._decoding.add(decoding)
        async with AsyncExitStack() as stack:
            try:
                async with decoding:
                    drafted = self._photos.draft(self._record.id, image_data, self._record.account)
                    draft = await stack.enter_async_context(drafted)
            except TimeoutError as error:
                if not decoding.expired():
                    raise
                raise SessionClosedError("socket_replaced") from error
            finally:
                self._decoding.discard(decoding)
            yield draft

    def break_off(self) -> None:
        """Ends the decoding of photos, because their socket is no longer the session's.

        Without it, a session could have one photo in memory for each of its sockets.
        """
        for decoding in self._decoding:
            decoding.reschedule(asyncio.get_running_loop().time())

    def keep_photo(self, draft: Draft) -> None:
        """Makes a decoded photo the one in the session's file."""
        self._photos.keep(self._record.id, draft)

    def drop_photo(self) -> None:
        """Deletes the photo's file."""
        self._photos.drop(self._record.id)


def confirmed(style: LookRequest, restyled: Restyled) -> control.PromptAck:
    """The confirmation of a style's prompt: expanded by the engine, or word for word where it may not be.

    What nothing can be done with is told beside it, where there is something to tell.
    """
    understood = restyled.understood
    reading = PromptReading(
        prompt=style.prompt,
        not_understood=understood.not_understood,
        suggestions=tuple(
            PromptSuggestion(kind=each.kind, words=each.words) for each in understood.suggestions
        ),
        unchanged=restyled.kept,
    )
    return control.PromptAck(
        prompt=understood.effective if style.enhance_prompt else style.prompt,
        success=True,
        reading=reading if reading.not_understood else None,
    )


def same(one: LookRequest, other: LookRequest) -> bool:
    """Returns whether two styles give the same look."""
    return one.reference is other.reference and replace(one, reference=None) == replace(other, reference=None)
