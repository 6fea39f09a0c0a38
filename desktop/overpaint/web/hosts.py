"""Host header checks (against DNS rebinding), and the client address of a request.

DNS rebinding: a web page can make its own host name resolve to 127.0.0.1, so that its reader's browser
sends requests to servers on that computer. Those requests still have the page's name as ``Host``. So a
request over loopback must name loopback, this computer, or a configured name. Must not know routes.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from overpaint.errors import InvalidRequestError
from overpaint.web.refusals import error_answer

_HOST = re.compile(r"(\[(?P<address>[^\[\]@/\\?#]+)\]|(?P<name>[^\[\]:@/\\?#]*))(:[0-9]*)?")
"""``uri-host [ ":" port ]`` (RFC 9110, 7.2), and nothing else."""
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "via")


def host_of(header: str) -> str:
    """The host of a ``Host`` header, in lower case, without port and brackets; empty if it is malformed."""
    found = _HOST.fullmatch(header.strip())
    return "" if found is None else (found["address"] or found["name"]).rstrip(".").lower()


def is_loopback_name(host: str) -> bool:
    """Whether a host name means this computer, whatever DNS says (RFC 6761, section 6.3)."""
    return host == "localhost" or host.endswith(".localhost") or is_loopback(host)


def is_loopback(address: str) -> bool:
    """Whether an address is a loopback address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(parsed, "ipv4_mapped", None)
    return (mapped or parsed).is_loopback


def client_address(request: HTTPConnection) -> str:
    """The client's address; empty where a reverse proxy on this host hides it.

    The server takes it from ``X-Forwarded-For`` where a proxy on this host sets that header. A connection
    from loopback counts as a local client only if it names a loopback host and has no header of a proxy;
    otherwise it comes through a proxy or tunnel, and its client is unknown.
    """
    address = request.client.host if request.client else ""
    if not is_loopback(address):
        return address
    handed_on = any(name in request.headers for name in _FORWARDED)
    return "" if handed_on or not is_loopback_name(host_of(request.headers.get("host", ""))) else address


def is_address(host: str) -> bool:
    """Whether a host is an IP address, which DNS rebinding cannot use."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class HostGuard:
    """Middleware that refuses requests over loopback under an unknown host name (DNS rebinding).

    Args:
        app: The application.
        names: Further allowed names, in lower case; ``*.example.org`` allows every subdomain.
        everywhere: Check requests over a network too, which may also name an address.
        own_pages: Allow WebSockets only to pages of this computer, and to programs (without an origin).
        allows_more: Whether the operator can configure names, which the error message then mentions.
    """

    def __init__(
        self,
        app: ASGIApp,
        names: Iterable[str] = (),
        *,
        everywhere: bool = False,
        own_pages: bool = False,
        allows_more: bool = False,
    ) -> None:
        self._app = app
        self._names = frozenset(names) | {socket.gethostname().lower()}
        self._everywhere = everywhere
        self._own_pages = own_pages
        self._allows_more = allows_more

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        host = asked.headers.get("host")
        by_loopback = is_loopback(str((scope.get("server") or ["127.0.0.1"])[0]))
        is_checked = host is not None and (by_loopback or self._everywhere)
        by_another_name = is_checked and not self._knows(host_of(host or ""))
        is_socket = scope["type"] == "websocket"
        by_another_page = is_socket and self._own_pages and not _is_own(asked.headers.get("origin"))
        if by_another_name or by_another_page:
            await self._refuse(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _knows(self, host: str) -> bool:
        if is_loopback_name(host) or is_address(host) or host in self._names:
            return True
        return any(name[0] == "*" and host.endswith(name[1:]) for name in self._names if name)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: 403
            return
        error = InvalidRequestError("host_not_allowed" if self._allows_more else "host_of_other_server")
        await error_answer(error.status, error.kind, error.line)(scope, receive, send)


def _is_own(origin: str | None) -> bool:
    """Whether an ``Origin`` is a page of this computer, or missing (not a browser)."""
    if origin is None:
        return True
    scheme, _, rest = origin.partition("://")
    return scheme in ("http", "https") and is_loopback_name(host_of(rest))
