"""Names and addresses of the two ends of a request: who asked, from where, for which host.

Against DNS rebinding: a page on the internet can make its own name resolve to 127.0.0.1, and so let its
reader's browser ask servers of that computer. Its requests still name the page's host: what comes over
loopback has to name loopback, or a name that the server was told of. Must not know routes.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "via")


def host_of(header: str) -> str:
    """The host of a ``Host`` header, in lower case, without port and brackets; empty for what is none."""
    if set(header) & set("@/\\?#"):
        return ""
    try:
        return (urlsplit(f"//{header.strip()}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_loopback_name(host: str) -> bool:
    """Whether a host stands for this computer whatever a name server says (RFC 6761, section 6.3)."""
    return host == "localhost" or host.endswith(".localhost") or is_loopback(host)


def is_loopback(address: str) -> bool:
    """Whether an address is this very host's loopback."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(parsed, "ipv4_mapped", None)
    return (mapped or parsed).is_loopback


def client_address(request: HTTPConnection) -> str:
    """Where a request came from; empty where a proxy on this host hides it.

    The server takes the client's address out of ``X-Forwarded-For`` where a proxy on this host sets it.
    A connection from loopback is a client of this host itself only if it asked for this host by a
    loopback name and nothing says that it was handed on; else it is a proxy's or a tunnel's, whose client
    may be anywhere.
    """
    address = request.client.host if request.client else ""
    if not is_loopback(address):
        return address
    handed_on = any(name in request.headers for name in _FORWARDED)
    return "" if handed_on or not is_loopback_name(host_of(request.headers.get("host", ""))) else address
