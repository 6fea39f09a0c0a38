"""Safe requests to addresses that callers name: downloads and webhook calls, guarded against SSRF.

A name is resolved once a connection, every address of it is checked, and the connection is made to an
address that was checked, so that a name whose answer changes gains nothing. Each redirect starts over.
No proxy, cookie or credential of this machine is ever used. Sentences of errors begin in lower case and
go behind the field's name; they are the same for an address that is forbidden, closed or unknown, so
that nobody can map a network from outside.

Source: protocol decisions, "Fetching what a caller names". Must not know jobs, sessions or formats.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import cached_property
from ipaddress import IPv6Address
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote, urljoin, urlsplit

import httpcore

import overpaint
from overpaint.core.name_resolver import Resolve, SystemResolver, asking_tenant
from overpaint.core.public_addresses import may_reach
from overpaint.errors import InvalidRequestError, UnreachableError

REDIRECTS_MAX = 3
STALL_SECONDS = 15.0
POST_SECONDS = 10.0
HEAD_SECONDS = 20.0
"""From the begin of a connection to the whole head of its answer."""
PACE_BYTES, PACE_SECONDS = 64 * 1024, 10.0
"""So much of a file, or its end, has to come within so long, again and again."""
_CONNECT_SECONDS = 5.0
_ADDRESSES_TRIED = 4
_BUFFER_BYTES = 1 << 20
_REDIRECTS = {301, 302, 303, 307, 308}
_TIMEOUTS = {"connect": _CONNECT_SECONDS, "read": STALL_SECONDS, "write": STALL_SECONDS}


def check_url(url: str) -> None:
    """Checks the form of an address; nothing is looked up.

    Raises:
        InvalidRequestError: It is no http(s) address with a host, or carries a user name or a port
            that cannot be.
    """
    _parse(url)


class Fetcher:
    """Reads from and posts to addresses that callers name. One for the whole service.

    Args:
        allow_private_urls: Private and loopback addresses are good too (closed networks).
        resolve: Name → addresses; the system's resolver when left out.
        network: Connects to a checked address; asyncio's sockets when left out.
        tls: Whose certificates are believed; the public authorities when left out.
    """

    def __init__(
        self,
        allow_private_urls: bool = False,
        resolve: Resolve | None = None,
        network: httpcore.AsyncNetworkBackend | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._network = _CheckedNetwork(
            allow_private_urls, resolve or SystemResolver().resolve, network or httpcore.AnyIOBackend()
        )
        self._given_tls = tls

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Made for the first call: reading the authorities takes a thirtieth of a core's start."""
        return self._given_tls or httpcore.default_ssl_context()

    def check_literal(self, url: str) -> None:
        """Checks the form of an address, and the address itself where it is a number; nothing is looked up.

        Raises:
            InvalidRequestError: It has no such form, or may not be reached.
        """
        literal = _literal(_parse(url).host.decode())
        if literal is not None and not may_reach(literal, self._network.allow_private):
            raise InvalidRequestError("address_unreachable")

    async def check_reachable(self, url: str, *, tenant: str = "") -> None:
        """Checks whether an address may be called for a tenant, as a call would; nobody is connected to.

        A name that cannot be looked up at the moment (RFC 1034, 5.2.3: temporary failure) passes: it is
        checked again by each call. One that does not exist does not: it sounds like a forbidden one.

        Raises:
            InvalidRequestError: It may not be reached.
        """
        asking_tenant.set(tenant)
        parsed = _parse(url)
        port = parsed.port or (443 if parsed.scheme == b"https" else 80)
        try:
            await self._network.addresses(parsed.host.decode(), port, _CONNECT_SECONDS)
        except TimeoutError:
            return
        except (OSError, UnicodeError) as error:
            if not (isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN):
                raise InvalidRequestError("address_unreachable") from error

    async def download(
        self, url: str, target: Path, max_bytes: int, *, seconds: float, tenant: str = ""
    ) -> None:
        """Reads a file; whole or not at all.

        Args:
            url: Where it is.
            target: Where it goes; must not exist.
            max_bytes: Limit of its size.
            seconds: Limit of the whole time, redirects included.
            tenant: For whom; names are looked up in turns.

        Raises:
            InvalidRequestError: The sentence, without the field's name, says what was wrong.
        """
        asking_tenant.set(tenant)
        try:
            async with asyncio.timeout(seconds):
                await self._follow(url, target, max_bytes)
        except TimeoutError as error:
            raise InvalidRequestError("address_takes_too_long", seconds=seconds) from error
        except _FAULTS as error:
            raise _fault(error) from error

    async def post(self, url: str, body: bytes, headers: Mapping[str, str], *, tenant: str = "") -> int:
        """Makes one call for a tenant, follows no redirect, reads nothing of the answer's body.

        Returns:
            The answer's status.

        Raises:
            UnreachableError: Nobody answered within 10 s.
            InvalidRequestError: It is no address that may be called.
        """
        asking_tenant.set(tenant)
        try:
            async with (
                asyncio.timeout(POST_SECONDS),
                self._exchange("POST", _parse(url), headers, body) as answer,
            ):
                return answer.status
        except TimeoutError as error:
            raise UnreachableError("address_does_not_answer", seconds=POST_SECONDS) from error
        except _FAULTS as error:
            raise UnreachableError.of(_fault(error)) from error

    async def _follow(self, url: str, target: Path, max_bytes: int) -> None:
        for _ in range(REDIRECTS_MAX + 1):
            parsed = _parse(url)
            async with _hurried() as pace, self._exchange("GET", parsed, {"accept": "*/*"}) as answer:
                if answer.status not in _REDIRECTS:
                    _check_answer(answer, max_bytes)
                    await _store(answer, target, max_bytes, pace)
                    return
                url = _redirected(url, answer)
        raise InvalidRequestError("address_redirects_too_often", redirects=REDIRECTS_MAX)

    @asynccontextmanager
    async def _exchange(
        self, method: str, url: httpcore.URL, headers: Mapping[str, str], body: bytes | None = None
    ) -> AsyncIterator[httpcore.Response]:
        """One request on a connection of its own, up to the head of its answer."""
        fields = {
            "host": _authority(url),
            "user-agent": f"Overpaint/{overpaint.__version__}",
            "accept-encoding": "identity",
        }
        sent = [(name.encode(), value.encode()) for name, value in {**fields, **headers}.items()]
        async with (
            httpcore.AsyncConnectionPool(
                ssl_context=self._tls, max_connections=1, network_backend=self._network
            ) as pool,
            pool.stream(method, url, headers=sent, content=body, extensions={"timeout": _TIMEOUTS}) as answer,
        ):
            yield answer


class _Pace:
    """What a server that is fetched from has to keep to: a deadline, moved by what comes.

    Args:
        deadline: Of the head, at first.
    """

    def __init__(self, deadline: asyncio.Timeout) -> None:
        self._deadline, self._bytes = deadline, 0
        self._begun = False

    def too_slow(self) -> InvalidRequestError:
        """What a server is told to have done that did not keep to it."""
        if self._begun:
            return InvalidRequestError("address_too_slow", kilobytes=PACE_BYTES >> 10, seconds=PACE_SECONDS)
        return InvalidRequestError("address_head_too_slow", seconds=HEAD_SECONDS)

    def begin(self) -> None:
        """The head is here."""
        self._begun = True
        self._deadline.reschedule(asyncio.get_running_loop().time() + PACE_SECONDS)

    def came(self, size: int) -> None:
        """So many bytes more are here."""
        self._bytes += size
        if self._bytes >= PACE_BYTES:
            self._bytes = 0
            self.begin()


@asynccontextmanager
async def _hurried() -> AsyncIterator[_Pace]:
    """A deadline for one exchange. Raises ``InvalidRequestError`` when it has passed."""
    try:
        async with asyncio.timeout(HEAD_SECONDS) as deadline:
            pace = _Pace(deadline)
            yield pace
    except TimeoutError as error:
        if not deadline.expired():
            raise
        raise pace.too_slow() from error


class _CheckedNetwork(httpcore.AsyncNetworkBackend):
    """Connects to names whose every address may be reached, at the addresses that were checked."""

    def __init__(self, allow_private: bool, resolve: Resolve, network: httpcore.AsyncNetworkBackend) -> None:
        self.allow_private = allow_private
        self._resolve = resolve
        self._network = network

    async def addresses(self, host: str, port: int, timeout: float | None) -> list[str]:
        """Addresses of a name, each of which may be reached.

        Raises:
            InvalidRequestError: One of them may not.
            OSError, UnicodeError: The name has none.
        """
        async with asyncio.timeout(timeout):
            addresses = await self._resolve(host, port)
        if not all(may_reach(address, self.allow_private) for address in addresses):
            raise InvalidRequestError("address_unreachable")
        return addresses

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Called by httpcore for each connection, with the url's host."""
        try:
            addresses = await self.addresses(host, port, timeout)
        except (OSError, UnicodeError) as error:  # TimeoutError is an OSError
            raise httpcore.ConnectError(str(error)) from error
        failure: Exception = httpcore.ConnectError("no address")
        for address in addresses[:_ADDRESSES_TRIED]:
            try:
                return await self._network.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure


_FAULTS = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException)


def _fault(error: BaseException) -> InvalidRequestError:
    if isinstance(error.__context__, ssl.SSLError):  # httpcore's pool drops the cause
        return InvalidRequestError("address_distrusted")
    if isinstance(error, (httpcore.ConnectError, httpcore.ConnectTimeout)):
        return InvalidRequestError("address_unreachable")
    if isinstance(error, httpcore.TimeoutException):
        return InvalidRequestError("address_silent", seconds=STALL_SECONDS)
    if isinstance(error, httpcore.ProtocolError):
        return InvalidRequestError("address_speaks_no_http")
    return InvalidRequestError("address_broke_off")


def _parse(url: str) -> httpcore.URL:
    """An address, taken apart so that nobody after us can read it differently."""
    # urlsplit drops tabs and newlines, browsers read a backslash as a slash: neither gets that far.
    if re.search(r"[\x00-\x20\x7f\\]", url):
        raise InvalidRequestError("address_malformed")
    try:
        parts = urlsplit(url)
        port, host = parts.port, _ascii_host(parts.hostname or "")
    except (ValueError, UnicodeError) as error:
        raise InvalidRequestError("address_malformed") from error
    if parts.scheme not in ("http", "https") or not host or port == 0:
        raise InvalidRequestError("address_malformed")
    if "[" in parts.netloc and not re.fullmatch(r"(.*@)?\[[0-9A-Fa-f:.]+\](:\d*)?", parts.netloc):
        raise InvalidRequestError("address_malformed")  # urlsplit passes over what follows the bracket
    if "@" in parts.netloc:
        raise InvalidRequestError("address_has_credentials")
    target = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")
    if parts.query:
        target += "?" + quote(parts.query, safe="/%:@!$&'()*+,;=~?")
    return httpcore.URL(scheme=parts.scheme, host=host, port=port, target=target)


def _ascii_host(host: str) -> str:
    """Host as it goes over the wire; an IPv6 address without its brackets. Raises ``ValueError``."""
    if ":" in host:
        return "" if "%" in host else str(IPv6Address(host))  # a zone is this machine's own matter
    plain = host.encode("idna").decode().removesuffix(".")
    if not re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", plain):
        raise ValueError(host)
    return plain


def _literal(host: str) -> str | None:
    """The address of a host that is a number, in whichever base (POSIX ``inet_addr``); None for a name."""
    if ":" in host:
        return host
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return None


def _authority(url: httpcore.URL) -> str:
    """The Host field (RFC 9110, 7.2); httpcore's own lacks the brackets of an IPv6 address."""
    host = url.host.decode()
    host = f"[{host}]" if ":" in host else host
    return host if url.port is None else f"{host}:{url.port}"


def _redirected(url: str, answer: httpcore.Response) -> str:
    """Where a redirect leads; checked when it is followed."""
    try:
        further = urljoin(url, _header(answer, b"location"))
    except ValueError as error:
        raise InvalidRequestError("address_malformed") from error
    if urlsplit(url).scheme == "https" and not further.lower().startswith("https:"):
        raise InvalidRequestError("address_redirects_to_http")
    return further


def _check_answer(answer: httpcore.Response, max_bytes: int) -> None:
    if answer.status != 200:
        raise InvalidRequestError("address_answers_status", status=answer.status)
    if _header(answer, b"content-encoding").strip().lower() not in ("", "identity"):
        # A few bytes of it may stand for any number; and nobody asked for it.
        raise InvalidRequestError("address_sends_compressed")
    length = _header(answer, b"content-length")
    if length.isdecimal() and int(length) > max_bytes:
        raise _too_large(max_bytes)


async def _store(answer: httpcore.Response, target: Path, max_bytes: int, pace: _Pace) -> None:
    """Writes a body of at most ``max_bytes``, whatever its header claimed; whole or not at all."""
    with target.open("xb") as file:
        try:
            await _copy(answer, file, max_bytes, pace)
        except BaseException:
            file.close()  # Windows removes no open file
            target.unlink()
            raise


async def _copy(answer: httpcore.Response, file: BinaryIO, max_bytes: int, pace: _Pace) -> None:
    size, buffer = 0, bytearray()
    pace.begin()
    async for chunk in answer.aiter_stream():
        size += len(chunk)
        pace.came(len(chunk))
        if size > max_bytes:
            raise _too_large(max_bytes)
        buffer += chunk
        if len(buffer) >= _BUFFER_BYTES:
            await asyncio.to_thread(file.write, bytes(buffer))
            buffer.clear()
    await asyncio.to_thread(file.write, bytes(buffer))


def _header(answer: httpcore.Response, name: bytes) -> str:
    return next((value.decode(errors="replace") for key, value in answer.headers if key.lower() == name), "")


def _too_large(max_bytes: int) -> InvalidRequestError:
    return InvalidRequestError("address_file_too_large", megabytes=max_bytes // (1 << 20))
