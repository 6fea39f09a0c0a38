"""Small request bodies, read within a time limit. Must not know what is in them."""

from __future__ import annotations

import asyncio

from fastapi import Request
from starlette.exceptions import HTTPException

BODY_SECONDS = 10.0
_CLOSE = {"Connection": "close"}


async def read_bytes(request: Request, max_bytes: int) -> bytes:
    """Reads a small body, from a caller who has to hurry.

    Raises:
        HTTPException: 413 too large; 400 not whole within ``BODY_SECONDS``. Both close the connection.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > max_bytes:
                    sentence = f"The body is larger than {max_bytes // 1024} KB."
                    raise HTTPException(413, sentence, _CLOSE)
    except TimeoutError as error:
        raise HTTPException(400, f"The body was not whole within {BODY_SECONDS:.0f} s.", _CLOSE) from error
    return bytes(body)
