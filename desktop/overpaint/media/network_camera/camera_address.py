"""Addresses of network cameras (IP cameras, phones with a camera app), with and without their secrets.

A user name, a password and a token may stand in an address. Its public form has none of them: only that is
shown, logged and saved in a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, unquote, urlsplit

PORTS: Final = {"rtsp": 554, "rtsps": 322, "http": 80, "https": 443}
"""Ports by scheme. Sources: RFC 7826, section 21; RFC 9110, section 4.2."""
LONGEST = 2000
"""Limit of an address, characters."""

_NAMES = (
    "user(?:name)?|usr|login|pass(?:word|wd|phrase)?|pwd|pw|token|auth|api_?key|key|secret|session"
    "|sig(?:nature)?"
)
_IN_QUERY = re.compile(rf"(?i)(?<![a-z])((?:[a-z]+_)?(?:{_NAMES})=)[^&;]*")
_IN_PATH = re.compile(rf"(?i)(?<![a-z])((?:{_NAMES})=)[^_/&;]*")
HIDDEN = "***"


@dataclass(frozen=True, slots=True)
class NetworkAddress:
    """The address of a network camera.

    Attributes:
        scheme: One of ``PORTS``.
        host: Name or IP address, without brackets.
        port: Its port.
        target: Path and query, from the first "/".
        user: User name; empty for none.
        password: Password; empty for none.
    """

    scheme: str
    host: str
    port: int
    target: str = field(repr=False)
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    @property
    def place(self) -> str:
        """Host, and port where it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def bare(self) -> str:
        """The address without user name and password, as it is requested from the camera."""
        return f"{self.scheme}://{self.place}{self.target}"

    @property
    def public(self) -> str:
        """The address without any secret; names the camera."""
        path, mark, query = self.target.partition("?")
        shown = _IN_PATH.sub(rf"\1{HIDDEN}", path) + mark + _IN_QUERY.sub(rf"\1{HIDDEN}", query)
        return f"{self.scheme}://{self.place}{shown}"

    @property
    def whole(self) -> str:
        """The address with all secrets; never shown or logged."""
        login = f"{quote(self.user, '')}:{quote(self.password, '')}@" if self.user or self.password else ""
        return f"{self.scheme}://{login}{self.place}{self.target}"


def is_network_address(text: str) -> bool:
    """Returns whether a text begins like the address of a network camera."""
    return text.partition("://")[0].lower() in PORTS and "://" in text


def parse_network_address(text: str) -> NetworkAddress | None:
    """Parses the address of a network camera; None where it is not valid."""
    text = text.strip()
    if len(text) > LONGEST or not text.isprintable() or " " in text:
        return None
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not parts.hostname or port == 0:
        return None
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return NetworkAddress(parts.scheme, parts.hostname, port or PORTS[parts.scheme], target, user, password)
