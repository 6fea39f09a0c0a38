"""Uploads: a multipart body with one file, written to disk as it arrives. Must not know what files are for.

Source: RFC 7578 (multipart/form-data); protocol decisions, "local files".
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import Request
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.exceptions import HTTPException

from overpaint.errors import InvalidRequestError

PART = "file"
PACE_BYTES, PACE_SECONDS = 1 << 20, 30.0
"""Minimum pace: this much of a body, or its end, within each such time; about 35 kB a second."""
WHOLE_SECONDS = 4 * 3600.0
"""Time limit of a whole body: a gigabyte at a megabit a second takes two hours and a half."""
_OVERHEAD_BYTES = 64 * 1024
"""Limit of the parts' headers and boundaries."""

_quiet = logging.getLogger(f"{__name__}.parser")
_quiet.setLevel(logging.ERROR)  # a malformed body is reported to its sender, not logged


async def receive_file(request: Request, target: Path, max_bytes: int) -> int:
    """Writes the part named ``file`` of a request's body.

    Args:
        request: A request whose body has not been read.
        target: Path of the file; must not exist. After an error the caller removes what was written.
        max_bytes: Limit of its size.


    Returns:
        Its size in bytes.

    Raises:
        InvalidRequestError: There is not exactly one such part, or the body is malformed.
        HTTPException: 413 too large, 415 not multipart, 400 slower than the pace: closes the connection.
        ClientDisconnect: The caller left.
    """
    parser = _parser(request)
    if declared_bytes(request) > max_bytes + _OVERHEAD_BYTES:
        raise _too_large(max_bytes)
    size = received = 0
    with target.open("xb") as file:
        async for chunk in _hurried(request):
            received += len(chunk)
            data = parser.feed(chunk)
            size += len(data)
            if size > max_bytes or received > max_bytes + _OVERHEAD_BYTES:
                raise _too_large(max_bytes)
            if data:
                await asyncio.to_thread(file.write, data)
    parser.check_complete()
    if size == 0:
        raise InvalidRequestError("upload_is_empty", part=PART)
    return size


def declared_bytes(request: Request) -> int:
    """Returns the declared size of a request's body; 0 without one."""
    declared = request.headers.get("content-length", "")
    return int(declared) if declared.isdecimal() else 0


async def _hurried(request: Request) -> AsyncIterator[bytes]:
    """Yields the pieces of a body, at a minimum pace.

    Raises:
        HTTPException: 400, too slow.
    """
    pieces = aiter(request.stream())
    loop = asyncio.get_running_loop()
    whole = loop.time() + WHOLE_SECONDS
    came, deadline = 0, min(whole, loop.time() + PACE_SECONDS)
    while True:
        try:
            async with asyncio.timeout_at(deadline):
                piece = await anext(pieces, None)
        except TimeoutError as error:
            too_slow = InvalidRequestError(
                "upload_too_slow",
                kilobytes=PACE_BYTES >> 10,
                seconds=PACE_SECONDS,
                hours=WHOLE_SECONDS / 3600,
            )
            raise HTTPException(400, str(too_slow), {"Connection": "close"}) from error
        if piece is None:
            return
        came += len(piece)
        if came >= PACE_BYTES:
            came, deadline = 0, min(whole, loop.time() + PACE_SECONDS)
        yield piece


def _parser(request: Request) -> _OnePart:
    media_type, options = parse_options_header(request.headers.get("content-type", ""))
    if media_type.lower() != b"multipart/form-data":
        raise HTTPException(415, str(InvalidRequestError("body_not_multipart")))
    boundary = options.get(b"boundary", b"")
    if not boundary:
        raise InvalidRequestError("boundary_missing")
    try:
        return _OnePart(boundary)
    except FormParserError as error:
        raise InvalidRequestError("boundary_malformed") from error


class _OnePart:
    """A parser of a body's one part, by the library's parser."""

    def __init__(self, boundary: bytes) -> None:
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._header_name,
                "on_header_value": self._header_value,
                "on_header_end": self._header_end,
                "on_headers_finished": self._headers_finished,
                "on_part_data": self._part_data,
                "on_end": self._end,
            },
        )
        self._parser.logger = _quiet
        self._name, self._value, self._disposition = bytearray(), bytearray(), b""
        self._data = bytearray()
        self._parts = 0
        self._ended = False

    def feed(self, chunk: bytes) -> bytes:
        """Parses a piece of the body; returns the file's bytes in it."""
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise InvalidRequestError("multipart_malformed") from error
        data = bytes(self._data)
        self._data.clear()
        return data

    def check_complete(self) -> None:
        """Raises ``InvalidRequestError`` when the body ended early or had no part."""
        if self._parts == 0:
            raise InvalidRequestError("upload_part_missing", part=PART)
        if not self._ended:
            raise InvalidRequestError("multipart_cut_off")

    def _begin(self) -> None:
        self._parts += 1
        self._disposition = b""
        if self._parts > 1:
            raise InvalidRequestError("upload_has_other_parts", part=PART)

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        if self._name.lower() == b"content-disposition":
            self._disposition = bytes(self._value)
        self._name.clear()
        self._value.clear()

    def _headers_finished(self) -> None:
        _, options = parse_options_header(self._disposition)
        if options.get(b"name") != PART.encode():
            raise InvalidRequestError("upload_has_other_parts", part=PART)

    def _part_data(self, data: bytes, start: int, end: int) -> None:
        self._data += data[start:end]

    def _end(self) -> None:
        self._ended = True


def _too_large(max_bytes: int) -> HTTPException:
    too_large = InvalidRequestError("upload_is_too_large", part=PART, megabytes=max_bytes // (1 << 20))
    return HTTPException(413, str(too_large))
