"""Messages between window and live process about which service is used."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field

from overpaint.wire.messages import LiveMessage, Trouble
from overpaint.wire.service import URL_MAX_CHARACTERS

KEY_MAX_CHARACTERS = 1000


class UseServer(LiveMessage):
    """Uses another service from now on, once it has answered with this key."""

    type: Literal["use_server"] = "use_server"
    address: Annotated[str, Field(max_length=URL_MAX_CHARACTERS)]
    """As the user typed it; empty for this computer's own."""
    key: Annotated[str, Field(max_length=KEY_MAX_CHARACTERS, repr=False)] = ""
    """Empty: the one that the keyring has for that address."""
    fall_back: bool = False
    """Whether this computer's own service takes its place while it is away."""
    allow_http: bool = False
    """The user has read that the way there is not encrypted, and wants it all the same."""


class Server(LiveMessage):
    """The service in use, and the outcome of the last request for another one."""

    type: Literal["server"] = "server"
    address: str
    """Of the one that is used; empty for this computer's own."""
    fall_back: bool = False
    """Whether this computer's own service takes its place while it is away."""
    testing: bool = False
    wish: int = 0
    """Counts the wishes that were answered, so that a window knows its own answer."""
    trouble: Trouble | None = None
    """Why the last wish was refused; the service of before goes on."""
    key_forgotten: bool = False
    """There is no keyring: the key is known until Overpaint ends."""


def is_unencrypted(address: str) -> bool:
    """Whether what is sent to a service can be read on the way: ``http``, and not on this very computer."""
    address = address.strip()
    return address.lower().startswith("http://") and not is_loopback_address(address)


def as_encrypted(server: str, url: str) -> str:
    """An address that a service names, for those who reached the service itself by ``https``.

    A service behind a proxy that ends TLS may not know of it, and name ``ws`` and ``http`` addresses of its
    own; secrets go to none of them unencrypted.

    Args:
        server: Address of the service.
        url: What it names: its control socket, its room.
    """
    scheme, separator, rest = url.partition("://")
    better = {"ws": "wss", "http": "https"}.get(scheme.lower())
    if better is None or not server.lower().startswith("https://") or is_loopback_address(url):
        return url
    return f"{better}{separator}{rest}"


def is_loopback_address(url: str) -> bool:
    """Returns whether a URL's host is this very machine (no proxy must stand between)."""
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
