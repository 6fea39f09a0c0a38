"""Small request bodies, read within a time limit. Must not know what is in them."""

from __future__ import annotations

import asyncio

from fastapi import Request
from starlette.exceptions import HTTPException

from overpaint.errors import InvalidRequestError

BODY_SECONDS = 10.0
_CLOSE = {"Connection": "close"}


async def read_bytes(request: Request, max_bytes: int) -> bytes:
    """Reads a small body within a deadline.

    Raises:
        HTTPException: 413 too large; 400 incomplete after ``BODY_SECONDS``. Both close the connection.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > max_bytes:
                    too_large = InvalidRequestError("body_too_large", kilobytes=max_bytes // 1024)
                    raise HTTPException(413, str(too_large), _CLOSE)
    except TimeoutError as error:
        too_slow = InvalidRequestError("body_not_whole_in_time", seconds=BODY_SECONDS)
        raise HTTPException(400, str(too_slow), _CLOSE) from error
    return bytes(body)
