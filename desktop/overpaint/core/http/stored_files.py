"""Stored files of the service (uploads, and outputs of jobs), and their routes.

A file's url grants reading it: it contains the id, the expiry, and an HMAC-SHA256 of both under a secret of
the ledger. Anybody with the url can read the file, also as an ``input_url``; it cannot be guessed. Uploads
are free, so an account has limits: on number and size of stored ones, and ``UPLOADS_AT_ONCE`` on those under
way; beyond them uploads are refused with 429. Source: protocol decisions, "local files" and "output_url".
Must not know jobs or codecs.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import logging
import mimetypes
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from fastapi import APIRouter, Depends, Request
from fastapi.responses import FileResponse
from starlette.types import Receive, Scope, Send

from overpaint.core.clock import Clock
from overpaint.core.configuration import ServiceConfig
from overpaint.core.http.callers import ERRORS, Caller, authentication
from overpaint.core.http.rate_limits import Limits
from overpaint.core.http.uploads import PART, declared_bytes, receive_file
from overpaint.core.names import FILE_PREFIX, new_id
from overpaint.errors import InvalidRequestError, NotFoundError, RateLimitedError
from overpaint.ledger import Ledger, Purse, StoredFile, UploadLimit
from overpaint.media.opener.recognition import HEAD_BYTES, recognise
from overpaint.wire.media_limits import VIDEO_MAX_BYTES
from overpaint.wire.service import ErrorBody, File

log = logging.getLogger(__name__)

UPLOAD_DAYS = 1
UPLOAD_MAX_BYTES = VIDEO_MAX_BYTES
UPLOADS_AT_ONCE = 16
_PATH = "/v1/files/"
_SWEEP_EVERY = timedelta(hours=1)
_STRAY_AGE_SECONDS = 24 * 3600
_HEADERS = {
    # Untrusted bytes: no browser may run them, or take them for another type.
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'; img-src 'self'; media-src 'self'",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, max-age=3600",
}


def is_own(url: str, base_url: str) -> bool:
    """Returns whether an address is a file address of this service, whether or not the file exists.

    Args:
        url: As a caller names it.
        base_url: Of the service as that caller reached it.
    """
    try:
        parts, own = urlsplit(url), urlsplit(base_url)
    except ValueError:
        return False
    same = (parts.scheme, parts.netloc.lower()) == (own.scheme, own.netloc.lower())
    return same and parts.path.startswith(_PATH)


class FileStore:
    """The store of files, by id, in one folder.

    Args:
        ledger: Their records, and the secret of their urls.
        folder: Their folder; created when missing.
        clock: The clock of their expiry.
        most: Limits of an account's uploads.
    """

    def __init__(self, ledger: Ledger, folder: Path, clock: Clock, most: UploadLimit) -> None:
        self._ledger = ledger
        self._folder = folder
        self._clock = clock
        self._most = most
        self._arriving: Counter[str] = Counter()
        self._secret = ledger.secret("file urls")
        self._incoming = folder / "incoming"
        self._incoming.mkdir(parents=True, exist_ok=True)

    def path(self, file: StoredFile) -> Path:
        """Returns the path of its bytes."""
        return self._folder / file.id

    def url(self, file: StoredFile, base_url: str) -> str:
        """Makes an address that reads a file, without a key, until it expires.

        Args:
            file: The file.
            base_url: Address of the service, without a trailing slash.
        """
        expires = int(file.expires_at.timestamp())
        return f"{base_url}{_PATH}{file.id}?expires={expires}&signature={self._signature(file.id, expires)}"

    def own(self, url: str, base_url: str) -> StoredFile | None:
        """Finds the file of an address of this service; reads the ledger.

        Args:
            url: As a caller names it.
            base_url: Of the service as that caller reached it.

        Returns:
            None when it is no file address of this service.

        Raises:
            InvalidRequestError: It is one, but forged, expired or deleted.
        """
        if not is_own(url, base_url):
            return None
        parts = urlsplit(url)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        file = self.find(parts.path.removeprefix(_PATH), query)
        if file is None:
            raise InvalidRequestError("address_of_no_file")
        return file

    def find(self, id: str, query: dict[str, str]) -> StoredFile | None:
        """Returns the file that an address's id and query may read; else None. Reads the ledger."""
        signature, expires = query.get("signature", ""), query.get("expires", "")
        if not re.fullmatch(r"[0-9]{1,12}", expires) or not signature.isascii():
            return None
        if not hmac.compare_digest(signature, self._signature(id, int(expires))):
            return None
        if int(expires) <= self._clock.now().timestamp():
            return None
        file = self._ledger.file(id)
        return file if file is not None and self.path(file).is_file() else None

    def adopt(self, path: Path, purse: Purse, content_type: str, days: int) -> StoredFile:
        """Moves a finished file in. The caller writes its record, in a transaction of its own.

        Args:
            path: A file on the same disk as the folder; moved away.
            purse: Its owner.
            content_type: Media type, as recognised.
            days: Days until it expires.
        """
        expires_at = (self._clock.now() + timedelta(days=days)).astimezone(UTC).replace(microsecond=0)
        file = StoredFile(new_id(FILE_PREFIX), purse, content_type, path.stat().st_size, expires_at)
        os.utime(path)  # strays are recognised by age, which begins now
        path.replace(self.path(file))
        return file

    async def upload(self, request: Request, purse: Purse) -> StoredFile:
        """Stores the file of a multipart body for a day.

        Raises:
            InvalidRequestError: The body is malformed, or the file no picture or clip.
            RateLimitedError: The account has reached its limit of uploads.
            HTTPException: 400, 413 or 415, as ``receive_file``.
        """
        arriving = self._incoming / new_id(FILE_PREFIX)
        size = min(declared_bytes(request), UPLOAD_MAX_BYTES)
        with self._place(purse.account):
            # Before the body, so that nobody sends a file in vain; the limit itself is enforced when the file
            # is recorded.
            await asyncio.to_thread(self._ledger.check_upload, purse, size, self._most, self._clock.now())
            try:
                await receive_file(request, arriving, UPLOAD_MAX_BYTES)
                return await asyncio.to_thread(self._keep, arriving, purse)
            finally:
                await asyncio.to_thread(arriving.unlink, missing_ok=True)

    def sweep(self) -> int:
        """Deletes expired files, and strays that a crash left behind.

        Returns:
            Their number.
        """
        removed = 0
        for file in self._ledger.expired_files(self._clock.now()):
            self.path(file).unlink(missing_ok=True)  # first, so that a crash leaves a record, not a stray
            self._ledger.drop_file(file.id)
            removed += 1
        oldest = datetime.now(UTC).timestamp() - _STRAY_AGE_SECONDS
        for path in [*self._folder.iterdir(), *self._incoming.iterdir()]:
            with suppress(FileNotFoundError):  # an upload that ended meanwhile
                aged = path.is_file() and path.stat().st_mtime < oldest
                if aged and (path.parent == self._incoming or self._ledger.file(path.name) is None):
                    path.unlink()
                    removed += 1
        return removed

    async def run(self) -> None:
        """Sweeps now and every hour, until cancelled."""
        while True:
            try:
                removed = await asyncio.to_thread(self.sweep)
                log.info("%d files removed", removed)
            except Exception:  # the root of a task: tried again in an hour
                log.exception("files could not be swept")
            await self._clock.sleep_until(self._clock.now() + _SWEEP_EVERY)

    @contextmanager
    def _place(self, account: str) -> Iterator[None]:
        """Counts an upload while it is under way. Raises ``RateLimitedError``."""
        if self._arriving[account] >= UPLOADS_AT_ONCE:
            raise RateLimitedError("account_uploads_under_way", uploads=UPLOADS_AT_ONCE)
        self._arriving[account] += 1
        try:
            yield
        finally:
            self._arriving[account] -= 1
            if not self._arriving[account]:
                del self._arriving[account]

    def _keep(self, arrived: Path, purse: Purse) -> StoredFile:
        with arrived.open("rb") as opened:
            format_ = recognise(opened.read(HEAD_BYTES))
        if format_ is None:
            raise InvalidRequestError("upload_of_unknown_format", part=PART)
        file = self.adopt(arrived, purse, format_.content_type, UPLOAD_DAYS)
        try:
            self._ledger.add_upload(file, self._most, self._clock.now())
        except RateLimitedError:
            self.path(file).unlink()
            raise
        return file

    def _signature(self, id: str, expires: int) -> str:
        digest = hmac.digest(self._secret, f"{id} {expires}".encode(), "sha256")
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


class _StoredFileResponse(FileResponse):
    """A file answer of one range or all: other ``Range`` fields are ignored, as RFC 9110 (14.2) allows."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        size = Path(self.path).stat().st_size
        kept = [
            (name, value)
            for name, value in scope["headers"]
            if name != b"range" or _is_one_range(value.decode("latin-1"), size)
        ]
        await super().__call__({**scope, "headers": kept}, receive, send)


def _is_one_range(value: str, size: int) -> bool:
    match = re.fullmatch(r"bytes=([0-9]{0,15})-([0-9]{0,15})", value.strip())
    if match is None or size == 0:
        return False
    first, last = match.groups()
    if first:
        return int(first) < size and (not last or int(last) >= int(first))
    return bool(last) and int(last) > 0


def files_router(ledger: Ledger, files: FileStore, config: ServiceConfig, limits: Limits) -> APIRouter:
    """Makes the routes of files.

    Args:
        ledger: The ledger of keys.
        files: The store of files.
        config: The service's configuration.
        limits: The rate limits.
    """
    router = APIRouter()
    authenticated_caller = Depends(authentication(ledger, limits))
    refusals: dict[int | str, dict[str, Any]] = {
        400: ERRORS[400],
        401: ERRORS[401],
        413: {"model": ErrorBody, "description": "Larger than 1 GB"},
        415: {"model": ErrorBody, "description": "The body is not multipart/form-data"},
    }

    @router.post(
        "/v1/files",
        responses=refusals,
        openapi_extra=_upload_described(),
    )
    async def upload_file(request: Request, caller: Caller = authenticated_caller) -> File:
        """Keeps a picture or clip for 24 hours; its url is a valid input. Free of charge.

        An account may have 10,000 files and 50 GB of them at a time, unless the service is set otherwise.
        """
        file = await files.upload(request, caller.record.purse)
        url = files.url(file, config.base_url(request.url.scheme, request.url.netloc))
        return File(
            id=file.id,
            url=url,
            bytes=file.size,
            content_type=file.content_type,
            expires_at=file.expires_at,
        )

    @router.get(
        "/v1/files/{id}",
        response_class=FileResponse,
        responses={
            200: {"description": "The file", "content": {"image/*": {}, "video/*": {}}},
            206: {"description": "The range of it that was asked for"},
            404: {"model": ErrorBody, "description": "There is no such file, or its url has expired"},
        },
        openapi_extra={"parameters": [_query("expires", "integer"), _query("signature", "string")]},
    )
    async def read_file(request: Request, id: str) -> FileResponse:
        """Reads a file by the url that the service gave for it. Needs no key."""
        file = await asyncio.to_thread(files.find, id, dict(request.query_params))
        if file is None:
            raise NotFoundError("file_unknown")
        name = file.id + (mimetypes.guess_extension(file.content_type) or "")
        return _StoredFileResponse(
            files.path(file),
            media_type=file.content_type,
            headers=_HEADERS,
            filename=name,
            content_disposition_type="inline",
        )

    return router


def _query(name: str, kind: str) -> dict[str, Any]:
    return {"in": "query", "name": name, "required": True, "schema": {"type": kind}}


def _upload_described() -> dict[str, Any]:
    """Describes, for OpenAPI, the body that ``receive_file`` reads."""
    schema = {
        "type": "object",
        "required": [PART],
        "additionalProperties": False,
        "properties": {PART: {"type": "string", "format": "binary", "description": "A picture or a clip"}},
    }
    return {
        "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}},
        "security": [{"apiKey": []}],
    }
