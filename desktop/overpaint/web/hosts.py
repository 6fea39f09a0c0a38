"""Hosts of a request: who asked, from where, for which name.

Against DNS rebinding: a page on the internet can make its own name resolve to 127.0.0.1, and so let its
reader's browser ask servers of that computer. Its requests still name the page's host: what comes over
loopback has to name loopback, or a name that the server was told of. Must not know routes.
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
"""``uri-host [ ":" port ]`` (RFC 9110, 7.2): nothing else may stand before, between or behind them."""
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "via")


def host_of(header: str) -> str:
    """The host of a ``Host`` header, in lower case, without port and brackets; empty for what is none."""
    found = _HOST.fullmatch(header.strip())
    return "" if found is None else (found["address"] or found["name"]).rstrip(".").lower()


def is_loopback_name(host: str) -> bool:
    """Returns whether a host stands for this computer whatever a name server says (RFC 6761, section 6.3)."""
    return host == "localhost" or host.endswith(".localhost") or is_loopback(host)


def is_loopback(address: str) -> bool:
    """Returns whether an address is this very host's loopback."""
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


def is_address(host: str) -> bool:
    """Returns whether a host is an address and no name: no name server was asked for it."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class HostGuard:
    """Middleware that refuses requests over loopback under an unknown host name (DNS rebinding).

    Args:
        app: What answers.
        names: Further names, in lower case; ``*.example.org`` stands for every name below that one.
        everywhere: Requests that came over a network have to name one of them (or an address), too.
        own_pages: WebSockets are opened by pages of this computer alone (and programs, which name no origin).
        allows_more: Whether whoever runs the server can make names known, which a refusal says.
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
    """Returns whether a request comes from a page of this computer, or from no page at all."""
    if origin is None:
        return True
    scheme, _, rest = origin.partition("://")
    return scheme in ("http", "https") and is_loopback_name(host_of(rest))
