"""HTTP request for the newest release: one small JSON document, without anything that tells who asks.

The document is an object with ``version``, ``page`` and, by language, ``new``; docs/releasing.md says how one
is made. It is read over TLS only, from whoever the address names; redirects are followed, as hosts of
releases have them. No cookie, no key and no version is sent.
"""

from __future__ import annotations

import asyncio
import re
from typing import Annotated
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from overpaint import __version__
from overpaint.client.transport import distrust, trusted
from overpaint.errors import UnreachableError, UsageError
from overpaint.wire.preferences import Release
from overpaint.wire.servers import is_loopback_address

USUAL_ADDRESS = ""
"""Address of the document, written here alone; empty until the project has published one.

``Settings.releases_address`` takes its place.
"""

PATIENCE_S = 10.0
"""Longest time for the whole answer, seconds."""
LARGEST_BYTES = 64 * 1024

_VERSION = re.compile(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})")
_Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class _Document(BaseModel):
    """The document, whose later versions may say more."""

    model_config = ConfigDict(extra="ignore")

    version: Annotated[str, StringConstraints(pattern=rf"^{_VERSION.pattern}$")]
    page: Annotated[str, StringConstraints(pattern=r"^https://[!-~]+$", max_length=500)]
    new: dict[str, Annotated[tuple[_Line, ...], Field(max_length=20)]] = {}


def address_of(chosen: str) -> str:
    """The address to ask: the user's own, else the usual one; empty where there is none."""
    return chosen.strip() or USUAL_ADDRESS


def host_of(address: str) -> str:
    """The name of the computer that an address names; empty for no address."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def is_newer(version: str, than: str = __version__) -> bool:
    """Whether a version is newer than another, by default this one."""
    return _numbers(version) > _numbers(than)


async def newest_release(address: str) -> Release:
    """Asks for the newest release.

    Args:
        address: Address of the document, ``https``.

    Raises:
        UsageError: The address is none, or not encrypted.
        UnreachableError: There is no answer, or none that says a release.
    """
    if urlsplit(address).scheme != "https" or not host_of(address):
        raise UsageError("releases_address_unusable", address=address)
    try:
        document = await _document(address)
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
        raise distrust(address, error) or UnreachableError(
            "releases_unreachable", host=host_of(address)
        ) from error
    try:
        said = _Document.model_validate_json(document)
    except ValidationError as error:
        raise UnreachableError("releases_unreadable", host=host_of(address)) from error
    return Release(version=said.version, page=said.page, new=said.new)


async def _document(address: str) -> bytes:
    """The body of the answer. Raises ``httpx.HTTPError``, ``TimeoutError``, or ``UnreachableError``."""
    client = httpx.AsyncClient(
        timeout=PATIENCE_S,
        headers={"User-Agent": "overpaint", "Accept": "application/json"},
        verify=trusted(address),
        trust_env=not is_loopback_address(address),
        follow_redirects=True,
        event_hooks={"request": [_only_encrypted]},
    )
    body = b""
    async with asyncio.timeout(PATIENCE_S), client, client.stream("GET", address) as answer:
        if not answer.is_success:
            raise UnreachableError("releases_unreadable", host=host_of(address))
        async for piece in answer.aiter_bytes():
            body += piece
            if len(body) > LARGEST_BYTES:
                raise UnreachableError("releases_unreadable", host=host_of(address))
    return body


async def _only_encrypted(request: httpx.Request) -> None:
    """Refuses a redirect to an unencrypted address."""
    if request.url.scheme != "https":
        raise UnreachableError("releases_unreadable", host=request.url.host)


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.match(version)
    return tuple(map(int, found.groups())) if found else ()
