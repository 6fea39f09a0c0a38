"""Configuration of a service: the settings of ``overpaint serve``.

A value, validated once at its creation. Must not know command lines, files' contents or the network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from overpaint.errors import UsageError
from overpaint.media.links.ice_servers import IceServer
from overpaint.web.hosts import is_loopback_name

_ADDRESS_CONNECTIONS_LEAST = 32
"""A browser opens some six connections to one host, and an office may share one address."""

LogFormat = Literal["text", "json"]
_HOST = re.compile(r"(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """The configuration of a service.

    Attributes:
        database: SQLAlchemy url of the ledger; the data folder's SQLite file when empty. May hold a
            password, so it is kept out of ``repr``.
        host: Name or address to listen on.
        port: 0 lets the system choose.
        public_url: Address at which clients reach the service where requests show another one (behind a
        proxy that rewrites ``Host``), as ``https://api.example.org`` without a path; empty: the
        request's own.
        tls_certificate: PEM file of the certificate chain; None: plain HTTP.
        tls_key: PEM file of its private key; given exactly when the certificate is.
        allowed_hosts: Further names of the service, as ``gpu-box`` or ``*.example.org``. Where there are any,
        requests for other names are refused; without, names are checked only on loopback.
        allow_private_urls: Whether callers may name addresses of private networks.
        rate_per_second: Requests a second of one key.
        rate_burst: Number of requests that may come at once.
        video_workers: Number of clips of one account transformed at the same time; one more for others.
        streams: Number of sessions restyled at the same time; None: the host's default.
        connections: Open connections, of all callers together.
        connections_per_address: Connections of one address (or one /64 of IPv6); a quarter of all by default.
        Behind a proxy, which has one address for everybody, set it to the number of all.
        upload_files: Uploads that one account may have at a time, until they expire.
        upload_gigabytes: Total size of an account's uploads.
        log_format: ``text`` lines, or ``json`` objects.
        ice_servers: STUN and TURN servers, as ``IceServer.parse`` reads them.
        metrics_token: Bearer token for ``GET /metrics``; empty: the one in the data folder.

    Raises:
        UsageError: A value is out of range, or two contradict each other.
    """

    database: str = field(default="", repr=False)
    host: str = "127.0.0.1"
    port: int = 0
    public_url: str = ""
    allowed_hosts: tuple[str, ...] = ()
    tls_certificate: Path | None = None
    tls_key: Path | None = None
    allow_private_urls: bool = False
    rate_per_second: float = 100.0
    rate_burst: int = 300
    video_workers: int = 1
    streams: int | None = None
    connections: int = 2000
    connections_per_address: int | None = None
    upload_files: int = 10_000
    upload_gigabytes: int = 50
    log_format: LogFormat = "text"
    ice_servers: tuple[str, ...] = field(default=(), repr=False)
    metrics_token: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise UsageError("tls_half_given")
        if self.rate_per_second <= 0 or self.rate_burst < 1:
            raise UsageError("rate_not_positive")
        counts: tuple[int, ...] = (
            self.video_workers,
            self.connections,
            self.upload_files,
            self.upload_gigabytes,
        )
        counts += tuple(each for each in (self.streams, self.connections_per_address) if each is not None)
        if min(counts) < 1:
            raise UsageError("count_below_one")
        for server in self.ice_servers:
            IceServer.parse(server)
        for name in self.allowed_hosts:
            if not _HOST.fullmatch(name):
                raise UsageError("allowed_host_malformed", name=name)
        if self.public_url and not _is_origin(self.public_url):
            raise UsageError("public_url_malformed")

    @property
    def address_connections(self) -> int:
        """Limit of connections of one address."""
        share = max(_ADDRESS_CONNECTIONS_LEAST, self.connections // 4)
        chosen = self.connections_per_address
        return min(self.connections, share if chosen is None else chosen)

    @property
    def host_names(self) -> frozenset[str]:
        """The configured names of the service, beside those of loopback."""
        public = urlsplit(self.public_url).hostname or ""
        return frozenset(name.lower() for name in (self.host, public, *self.allowed_hosts) if name)

    @property
    def is_for_this_computer(self) -> bool:
        """Whether it is only for this computer: no other host, nor a page of one, is meant to use it."""
        named = bool(self.public_url or self.allowed_hosts or self.secure)
        return is_loopback_name(self.host) and not named

    @property
    def secure(self) -> bool:
        """Whether the public port uses TLS."""
        return self.tls_certificate is not None

    def base_url(self, scheme: str, netloc: str) -> str:
        """Returns the address at which clients reach the service, without a trailing slash.

        Args:
            scheme: Scheme of the request, ``http``, ``https``, ``ws`` or ``wss``.
            netloc: Host and port of the request.

        Returns:
            ``public_url`` where one is set; else the request's own, as http or https.
        """
        if self.public_url:
            return self.public_url.rstrip("/")
        return f"{'https' if scheme in ('https', 'wss') else 'http'}://{netloc}"


def _is_origin(url: str) -> bool:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises for an invalid port
    except ValueError:
        return False
    bare = not (parts.query or parts.fragment or parts.username or parts.path.strip("/"))
    return parts.scheme in ("http", "https") and bool(parts.hostname) and bare
