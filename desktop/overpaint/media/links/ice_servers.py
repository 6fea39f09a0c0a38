"""STUN and TURN servers as users and ``Link`` headers write them; none unless somebody names one.

On one host or one network nothing of it is needed. Knows texts only; must not know aiortc.
Source: RFC 7064 and 7065 (the URIs); RFC 9725, section 4.6 (the header).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import unquote

from overpaint.errors import UsageError

log = logging.getLogger(__name__)
_WRITTEN = re.compile(
    r"(?:(?P<stun>stun):|(?P<turn>turns?):(?P<user>[^:@/?\s]+):(?P<password>[^:@/?\s]+)@)"
    r"(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?P<port>:\d{1,5})?(?P<transport>\?transport=(?:udp|tcp))?"
)


@dataclass(frozen=True, slots=True)
class IceServer:
    """One server.

    Attributes:
        url: Its URI, without credentials.
        username: For TURN; empty for STUN.
        credential: Its password.
    """

    url: str
    username: str = ""
    credential: str = field(default="", repr=False)

    @classmethod
    def parse(cls, text: str) -> IceServer:
        """Reads ``stun:HOST[:PORT]`` or ``turn:USER:PASSWORD@HOST[:PORT][?transport=tcp]`` (or ``turns:``).

        Signs that would end user or password are written in percent (``%40`` for ``@``).

        Raises:
            UsageError: It is neither.
        """
        match = _WRITTEN.fullmatch(text.strip())
        if match is None or (match["stun"] and match["transport"]):
            raise UsageError(
                "A STUN or TURN server cannot be read.",
                mend="Write stun:HOST:PORT, or turn:USER:PASSWORD@HOST:PORT.",
            )
        scheme = match["stun"] or match["turn"]
        url = f"{scheme}:{match['host']}{match['port'] or ''}{match['transport'] or ''}"
        return cls(url, unquote(match["user"] or ""), unquote(match["password"] or ""))

    def link(self) -> str:
        """The value of a ``Link`` header that names it."""
        words = [f"<{self.url}>", 'rel="ice-server"']
        if self.username:
            words += [f"username={_quoted(self.username)}", f"credential={_quoted(self.credential)}"]
            words += ['credential-type="password"']
        return "; ".join(words)


def readable(texts: Iterable[str]) -> tuple[IceServer, ...]:
    """Those that can be read; one that cannot is logged, without what may be its password."""
    servers = []
    for text in texts:
        try:
            servers.append(IceServer.parse(text))
        except UsageError as error:
            log.warning("%s It is left out. %s", error, error.mend)
    return tuple(servers)


def _quoted(text: str) -> str:
    """A quoted string (RFC 9110, section 5.6.4) of what a header can carry."""
    plain = text.encode("ascii", "ignore").decode()
    return '"' + re.sub(r'(["\\])', r"\\\1", re.sub(r"[\x00-\x1f\x7f]", "", plain)) + '"'
