"""STUN and TURN servers, as users and ``Link`` headers write them; none by default.

Not needed on one host or one network. Only parses text; must not know aiortc.
Source: RFC 7064 and 7065 (the URIs); RFC 9725, section 4.6 (the header).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import unquote

from overpaint.errors import UsageError

MAX_PORT = 65535
_PLACE = r"(?P<host>[A-Za-z0-9.-]+)(?P<port>:\d{1,5})?(?P<transport>\?transport=(?:udp|tcp))?"
"""Without IPv6 addresses, which aiortc cannot parse here."""
_WRITTEN = re.compile(
    r"(?:(?P<stun>stun):|(?P<turn>turns?):(?P<user>[^:@/?\s]+):(?P<password>[^:@/?\s]+)@)" + _PLACE
)
_URI = re.compile(r"(?:(?P<stun>stun)|(?P<turn>turns?)):" + _PLACE)
_QUOTED = r'"((?:[^"\\]|\\.)*)"'
_LINK = re.compile(r'<([^<>]*)>((?:"(?:[^"\\]|\\.)*"|[^",<>])*)')
_PARAMETER = re.compile(rf';\s*([\w-]+)\s*=\s*(?:{_QUOTED}|([^\s;,"]+))')


@dataclass(frozen=True, slots=True)
class IceServer:
    """A STUN or TURN server.

    Attributes:
        url: Its URI, without credentials.
        username: User name for TURN; empty for STUN.
        credential: Password for TURN.
    """

    url: str
    username: str = ""
    credential: str = field(default="", repr=False)

    @property
    def relays(self) -> bool:
        """Whether it is a TURN server."""
        return self.url.startswith("turn")

    @property
    def host(self) -> str:
        """Its host name or address."""
        return self.url.partition(":")[2].partition("?")[0].partition(":")[0]

    @classmethod
    def parse(cls, text: str) -> IceServer:
        """Reads ``stun:HOST[:PORT]`` or ``turn:USER:PASSWORD@HOST[:PORT][?transport=tcp]`` (or ``turns:``).

        Delimiters in user or password are percent-encoded (``%40`` for ``@``).

        Raises:
            UsageError: It is neither.
        """
        match = _WRITTEN.fullmatch(text.strip())
        if match is None or not _is_possible(match):
            raise UsageError("ice_server_unreadable")
        scheme = match["stun"] or match["turn"]
        url = f"{scheme}:{match['host']}{match['port'] or ''}{match['transport'] or ''}"
        return cls(url, unquote(match["user"] or ""), unquote(match["password"] or ""))

    def link(self) -> str:
        """Returns the value of a ``Link`` header for it."""
        words = [f"<{self.url}>", 'rel="ice-server"']
        if self.username:
            words += [f"username={_quoted(self.username)}", f"credential={_quoted(self.credential)}"]
            words += ['credential-type="password"']
        return "; ".join(words)


def named(headers: Iterable[str]) -> tuple[IceServer, ...]:
    """Returns the servers in ``Link`` headers (RFC 8288); skips other links and unusable servers.

    Args:
        headers: Their values, each with one or more links.
    """
    return tuple(
        server
        for header in headers
        for target, parameters in _LINK.findall(header)
        if (server := _linked(target, parameters)) is not None
    )


def _linked(target: str, parameters: str) -> IceServer | None:
    said: dict[str, str] = {}
    for name, quoted, token in _PARAMETER.findall(parameters):
        said.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted) or token)
    uri = _URI.fullmatch(target.strip())
    if uri is None or not _is_possible(uri) or "ice-server" not in said.get("rel", "").lower().split():
        return None
    if uri["turn"] is None:
        return IceServer(uri[0])
    user, password = said.get("username", ""), said.get("credential", "")
    fits = user and password and said.get("credential-type", "password") == "password"
    return IceServer(uri[0], user, password) if fits else None


def _is_possible(match: re.Match[str]) -> bool:
    port = int((match["port"] or ":0")[1:])
    return port <= MAX_PORT and not (match["stun"] and match["transport"])


def _quoted(text: str) -> str:
    """Makes a quoted string (RFC 9110, section 5.6.4) of the characters that a header can carry."""
    plain = text.encode("ascii", "ignore").decode()
    return '"' + re.sub(r'(["\\])', r"\\\1", re.sub(r"[\x00-\x1f\x7f]", "", plain)) + '"'
