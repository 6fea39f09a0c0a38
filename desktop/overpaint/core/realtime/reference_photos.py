"""Reference photos of sessions: fetched or received, decoded by a worker, kept while needed.

Untrusted pictures are decoded only in a worker process; here only its plain array is read. A session's photo
is in a file named by its id, so that it survives a crash. Must not know sockets or looks.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import logging
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from overpaint.core.fetching import Fetcher
from overpaint.core.http.stored_files import FileStore
from overpaint.engine.interface import Picture
from overpaint.errors import InternalError, InvalidRequestError, ServiceError, UpstreamError
from overpaint.transforms.fair_queue import FairQueue
from overpaint.transforms.photo_files import read_photo
from overpaint.transforms.task import Transformer
from overpaint.wire.media_limits import REFERENCE_MAX_BYTES
from overpaint.wire.service import TTL_MAX_SECONDS

log = logging.getLogger(__name__)

PHOTOS = "photos"
"""Folder in the data folder."""
FETCH_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Draft:
    """A decoded photo that is not yet a session's.

    Attributes:
        picture: BGR uint8 (H, W, 3).
        path: Its file.
    """

    picture: Picture
    path: Path


class Photos:
    """The reference photos of one service.

    Args:
        folder: Their folder; created when missing.
        transformer: Decodes them.
        fetcher: Downloads from callers' URLs.
        files: Store of uploads.
        fetches: Fair queue of downloads.
    """

    def __init__(
        self, folder: Path, transformer: Transformer, fetcher: Fetcher, files: FileStore, fetches: FairQueue
    ) -> None:
        self._folder = folder
        self._transformer = transformer
        self._fetcher = fetcher
        self._files = files
        self._fetches = fetches
        folder.mkdir(parents=True, exist_ok=True)

    def has(self, session: str) -> bool:
        """Returns whether a session's photo is stored."""
        return self._path(session).exists()

    async def bring(self, session: str, url: str | None, base_url: str, account: str) -> ServiceError | None:
        """Makes the photo of a session lie here. A task's root: it raises nothing.

        Args:
            session: Id of the session.
            url: ``reference_image_url``; not fetched when the photo is stored already.
            base_url: This service's address as the caller reached it; urls below it are its own files.
            account: Account of the session.

        Returns:
            Why there is none; None when it is there.
        """
        if url is None or self.has(session):
            return None
        source = self._path(session).with_suffix(".fetched")
        try:
            async with self._fetches.place(account):
                await self._fetch(url, base_url, source, account)
            path = await self._transformer.photo(source, tenant=account)
            path.replace(self._path(session))
        except InvalidRequestError as error:
            return error
        except UpstreamError as error:
            log.error("a reference photo cannot be decoded: %s", error)
            return UpstreamError("photo_not_decoded")
        except Exception:  # a task's root
            log.exception("a reference photo cannot be fetched")
            return InternalError("photo_failed")
        finally:
            source.unlink(missing_ok=True)
        return None

    async def read(self, session: str) -> Picture:
        """Reads the photo of a session, BGR uint8 (H, W, 3). Raises ``InvalidRequestError``."""
        return await asyncio.to_thread(read_photo, self._path(session))

    @asynccontextmanager
    async def draft(self, session: str, image_data: str, account: str) -> AsyncIterator[Draft]:
        """Decodes a received photo; deletes it afterwards unless ``keep`` was called.

        Args:
            session: Id of the session.
            image_data: Base64 of a picture file of at most 8 MB.
            account: Account of the session.

        Raises:
            InvalidRequestError: It is no usable picture; the sentence says why.
            UpstreamError: No worker is available.
        """
        source = self._folder / f"{session}.{secrets.token_hex(4)}.sent"
        decoded: Path | None = None
        writing = asyncio.ensure_future(asyncio.to_thread(_write, source, image_data))
        try:
            await asyncio.shield(writing)
            decoded = await self._transformer.photo(source, tenant=account)
            yield Draft(await asyncio.to_thread(read_photo, decoded), decoded)
        finally:
            await asyncio.wait([writing])  # a thread cannot be interrupted, and would leave the file
            source.unlink(missing_ok=True)
            if decoded is not None:
                decoded.unlink(missing_ok=True)

    def keep(self, session: str, draft: Draft) -> None:
        """Makes a draft the photo of a session."""
        draft.path.replace(self._path(session))

    def drop(self, session: str) -> None:
        """Deletes the photo of a session."""
        self._path(session).unlink(missing_ok=True)

    def sweep(self) -> None:
        """Deletes photos that a crash left behind: those older than the longest lifetime of a session."""
        oldest = time.time() - 2 * TTL_MAX_SECONDS
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):  # a draft that was used meanwhile
                if path.stat().st_mtime < oldest:
                    path.unlink()

    async def _fetch(self, url: str, base_url: str, source: Path, account: str) -> None:
        """Downloads. Raises ``InvalidRequestError``."""
        try:
            own = await asyncio.to_thread(self._files.own, url, base_url)
            if own is None:
                await self._fetcher.download(
                    url, source, REFERENCE_MAX_BYTES, seconds=FETCH_SECONDS, tenant=account
                )
            elif own.size > REFERENCE_MAX_BYTES:
                raise InvalidRequestError("address_file_too_large", megabytes=REFERENCE_MAX_BYTES >> 20)
            else:
                await asyncio.to_thread(_copy, self._files.path(own), source)
        except InvalidRequestError as error:
            raise InvalidRequestError("photo_address_breaks_rule", sentence=str(error)) from error

    def _path(self, session: str) -> Path:
        return self._folder / f"{session}.npy"


def _copy(file: Path, target: Path) -> None:
    try:
        target.write_bytes(file.read_bytes())
    except FileNotFoundError as error:  # it expired between the two
        raise InvalidRequestError("photo_file_expired") from error


def _write(path: Path, image_data: str) -> None:
    if len(image_data) > (REFERENCE_MAX_BYTES + 2) // 3 * 4:
        raise InvalidRequestError("photo_too_large")
    try:
        data = base64.b64decode(image_data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidRequestError("photo_not_base64") from error
    if len(data) > REFERENCE_MAX_BYTES:
        raise InvalidRequestError("photo_too_large")
    path.write_bytes(data)
