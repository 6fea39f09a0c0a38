"""Messages between window and live process about the choice of service, and checks of its address."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field

from overpaint.wire.messages import LiveMessage, Trouble
from overpaint.wire.service import URL_MAX_CHARACTERS

KEY_MAX_CHARACTERS = 1000


class UseServer(LiveMessage):
    """The intent to use another service, which first must accept this key."""

    type: Literal["use_server"] = "use_server"
    address: Annotated[str, Field(max_length=URL_MAX_CHARACTERS)]
    """Address as the user typed it; empty for the local service."""
    key: Annotated[str, Field(max_length=KEY_MAX_CHARACTERS, repr=False)] = ""
    """API key; empty for the one that the keyring has for that address."""
    fall_back: bool = False
    """Whether this computer's own service takes its place while it is away."""
    allow_http: bool = False
    """Whether the user accepted an unencrypted connection after a warning."""


class Server(LiveMessage):
    """The service in use, and the outcome of the last request for another one."""

    type: Literal["server"] = "server"
    address: str
    """Address of the service in use; empty for the local service."""
    fall_back: bool = False
    """Whether this computer's own service takes its place while it is away."""
    testing: bool = False
    wish: int = 0
    """Number of requests answered so far, by which a window recognises the answer to its own."""
    trouble: Trouble | None = None
    """Why the last request was refused; the former service stays in use."""
    key_forgotten: bool = False
    """There is no keyring, so the key is lost when Overpaint ends."""


def is_unencrypted(address: str) -> bool:
    """Whether the connection to a service is unencrypted: ``http`` to another computer."""
    address = address.strip()
    return address.lower().startswith("http://") and not is_loopback_address(address)


def as_encrypted(server: str, url: str) -> str:
    """A URL in a service's answer, upgraded to TLS where the service itself is reached by ``https``.

    A service behind a TLS-terminating reverse proxy may answer with ``ws`` and ``http`` URLs. Secrets are
    never sent to those unencrypted.

    Args:
        server: Address of the service.
        url: URL of its control socket or room.
    """
    scheme, separator, rest = url.partition("://")
    better = {"ws": "wss", "http": "https"}.get(scheme.lower())
    if better is None or not server.lower().startswith("https://") or is_loopback_address(url):
        return url
    return f"{better}{separator}{rest}"


def is_loopback_address(url: str) -> bool:
    """Whether a URL's host is this machine, so that no HTTP proxy may be used."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
