"""HTTP requests to a service, retried with exponential backoff. With ``http`` the only importer of httpx.

Only requests that are safe to repeat are retried: those that only read, and those with an
``Idempotency-Key``. They are retried after a lost connection, after 429 (with its ``Retry-After``), and
after a 502, 503 or 504 of a gateway, recognised by the missing error object. The service's own 502 is
final: the job has failed and was refunded. Must not know what the requests mean.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import logging
import os
import random
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, ValidationError

import overpaint
from overpaint.client.file_transfers import IncomingFile, OutgoingFile, Progress
from overpaint.errors import (
    AuthenticationError,
    InsufficientCreditsError,
    InternalError,
    InvalidRequestError,
    NotFoundError,
    RateLimitedError,
    ServiceError,
    UnreachableError,
    UpstreamError,
)
from overpaint.wire.servers import is_loopback_address
from overpaint.wire.service import ErrorBody, ErrorDetail

log = logging.getLogger(__name__)

QUICK = httpx.Timeout(10.0, connect=5.0)
"""Timeouts of requests that the service answers from its database."""
PATIENT = httpx.Timeout(60.0, connect=5.0, read=330.0)
"""Timeouts of requests that take work before the answer (fetching, restyling), and of file transfers, where
they apply to each chunk."""

_CHUNK_BYTES = 256 * 1024
_GATEWAY = (HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT)

ResultT = TypeVar("ResultT")
ResourceT = TypeVar("ResourceT", bound=BaseModel)
Target = Path | Callable[[str], Path]
"""Destination of a download: a path, or a function from the content type to one (called once)."""


@dataclass(frozen=True, slots=True)
class Retries:
    """The retry policy: exponential backoff with jitter.

    Attributes:
        attempts: Most attempts, the first one included.
        first_s: Longest pause after the first failure, seconds; it doubles with each failure.
        longest_s: Upper bound of a pause, seconds; a longer ``Retry-After`` ends the attempts.
    """

    attempts: int = 4
    first_s: float = 0.5
    longest_s: float = 30.0

    def pause_s(self, failures: int, asked_s: float | None = None) -> float | None:
        """The pause before the next attempt; None to give up.

        Args:
            failures: Number of failures so far, at least 1.
            asked_s: ``Retry-After`` of the service.
        """
        if failures >= self.attempts or (asked_s is not None and asked_s > self.longest_s):
            return None
        if asked_s is not None:
            return asked_s
        longest = min(self.longest_s, self.first_s * 2.0 ** (failures - 1))
        # Jitter, so that clients that lost their connection together do not return together.
        return longest * random.uniform(0.5, 1.0)


ONCE_MORE = Retries(attempts=2, first_s=0.0, longest_s=1.0)
"""Policy for a caller that retries by itself."""


class Transport:
    """The transport of requests to one service.

    Args:
        base_url: Address of the service, for error messages.
        retries: Retry policy.
        transport: Replaces the network (tests).
    """

    def __init__(
        self, base_url: str, retries: Retries, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._base_url = base_url
        self._retries = retries
        near = is_loopback_address(base_url) and base_url.startswith("http:")
        self._http = httpx.AsyncClient(
            timeout=QUICK,
            transport=transport,
            headers={"User-Agent": f"overpaint/{overpaint.__version__}"},
            # The local service uses no TLS, and the first picture waits for its answer: load no authorities.
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if near else trusted(base_url),
            mounts={"https://": _WhenAsked()} if near and transport is None else None,
            # A proxy from the environment cannot reach this machine's loopback.
            trust_env=not is_loopback_address(base_url),
        )

    async def close(self) -> None:
        """Closes the connections; idempotent."""
        await self._http.aclose()

    async def send(
        self,
        method: str,
        url: str,
        bearer: str,
        content: bytes | None = None,
        headers: dict[str, str] | None = None,
        *,
        timeout: httpx.Timeout = QUICK,
        repeatable: bool,
    ) -> httpx.Response:
        """Makes one request.

        Args:
            method: HTTP method.
            url: URL.
            bearer: Key or token.
            content: Body.
            headers: Headers in addition to ``Authorization``.
            timeout: Timeouts of connecting, sending and reading.
            repeatable: Whether it is idempotent, so that it may be retried.

        Raises:
            ServiceError: The service refused, or there is no answer.
        """
        named = {**(headers or {}), **_authorization(bearer)}

        async def attempt() -> httpx.Response:
            return self._accepted(
                await self._http.request(method, url, content=content, headers=named, timeout=timeout)
            )

        return await self._insist(attempt, self._retries if repeatable else Retries(attempts=1))

    async def put_up(self, url: str, bearer: str, path: Path, progress: Progress | None) -> httpx.Response:
        """Uploads a file as the part ``file`` of a multipart body, in chunks.

        The file's name is not sent, for privacy: the service does not need it.

        Raises:
            ServiceError: The service refused, or there is no answer.
            SourceError: The file cannot be read.
        """
        named = _authorization(bearer)

        async def attempt() -> httpx.Response:
            with OutgoingFile(path, progress) as file:
                part = {"file": ("file", file, "application/octet-stream")}
                return self._accepted(await self._http.post(url, files=part, headers=named, timeout=PATIENT))

        return await self._insist(attempt, self._retries)

    async def take_down(self, url: str, target: Target, progress: Progress | None) -> Path:
        """Downloads from a signed URL into a file, atomically.

        The API key is not sent: the signature authorises the request.

        Raises:
            ServiceError: The service refused, or there is no answer.
            SinkError: The file cannot be written.
        """
        named: Path | None = target if isinstance(target, Path) else None

        async def attempt() -> Path:
            nonlocal named
            async with self._http.stream("GET", url, timeout=PATIENT) as answer:
                if not answer.is_success:
                    await answer.aread()
                self._accepted(answer)
                if named is None:
                    assert not isinstance(target, Path)
                    named = target(answer.headers.get("content-type", "").partition(";")[0].strip())
                await _save(answer, named, progress)
                return named

        return await self._insist(attempt, self._retries)

    async def _insist(self, attempt: Callable[[], Awaitable[ResultT]], retries: Retries) -> ResultT:
        for failures in itertools.count(1):
            asked_s = None
            try:
                return await attempt()
            except _NotYetError as refusal:
                failure, asked_s = refusal.error, refusal.asked_s
            except httpx.TimeoutException as error:
                failure = UnreachableError("service_too_slow", address=self._base_url)
                failure.__cause__ = error
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                failure = distrust(self._base_url, error) or UnreachableError(
                    "service_unreachable", address=self._base_url
                )
                failure.__cause__ = error
            pause_s = retries.pause_s(failures, asked_s)
            if pause_s is None:
                raise failure
            log.info("tried again in %.1f s: %s", pause_s, failure)
            await asyncio.sleep(pause_s)
        raise AssertionError("the attempts are counted without end")

    def _accepted(self, answer: httpx.Response) -> httpx.Response:
        """A successful response. Raises ``ServiceError``, or ``_NotYetError`` where a retry may succeed."""
        if answer.is_success:
            return answer
        told = _error_object(answer)
        status = answer.status_code
        error = _refusal(status, told.error) if told else _wordless_refusal(status, answer.url.host)
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            raise _NotYetError(error, _retry_after_s(answer))
        if status in _GATEWAY and told is None:
            raise _NotYetError(error, _retry_after_s(answer))
        raise error


def trusted(url: str) -> ssl.SSLContext | bool:
    """The trusted certificate authorities for a URL: the system's, and those of certifi.

    So a private authority is trusted once it is installed in the system (or named in ``SSL_CERT_FILE``),
    and public ones are trusted also where Python finds no system store.
    """
    return _authorities(os.environ.get("SSL_CERT_FILE", "")) if url.startswith(("https:", "wss:")) else True


@functools.lru_cache(maxsize=1)
def _authorities(named: str) -> ssl.SSLContext:
    context = httpx.create_ssl_context()
    if not named:
        context.load_default_certs()
    return context


class _WhenAsked(httpx.AsyncBaseTransport):
    """A transport with TLS that loads the certificate authorities (40 ms) with its first request."""

    def __init__(self) -> None:
        self._secure: httpx.AsyncHTTPTransport | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self._secure is None:
            self._secure = httpx.AsyncHTTPTransport(verify=trusted(str(request.url)))
        return await self._secure.handle_async_request(request)

    async def aclose(self) -> None:
        if self._secure is not None:
            await self._secure.aclose()


class _NotYetError(Exception):
    """A temporary refusal, which is worth a retry."""

    def __init__(self, error: ServiceError, asked_s: float | None) -> None:
        super().__init__(str(error))
        self.error = error
        self.asked_s = asked_s


async def _save(answer: httpx.Response, target: Path, progress: Progress | None) -> None:
    length = int(answer.headers.get("content-length", 0))
    with IncomingFile(target) as file:
        done = 0
        async for piece in answer.aiter_bytes(_CHUNK_BYTES):
            file.write(piece)
            done += len(piece)
            if progress is not None and length:
                progress(min(1.0, done / length))
        file.keep()


def resource(model: type[ResourceT], answer: httpx.Response) -> ResourceT:
    """The resource in a response. Raises ``UnreachableError`` if it does not fit the API's schema."""
    try:
        return model.model_validate_json(answer.content)
    except ValidationError as error:
        raise UnreachableError("service_is_another", host=answer.url.host) from error


def _authorization(bearer: str) -> dict[str, str]:
    if not bearer.isascii() or not bearer.isprintable():
        raise AuthenticationError("api_key_malformed")
    return {"Authorization": f"Bearer {bearer}"}


def _error_object(answer: httpx.Response) -> ErrorBody | None:
    try:
        return ErrorBody.model_validate_json(answer.content)
    except ValidationError:
        return None


def _refusal(status: int, told: ErrorDetail) -> ServiceError:
    """The error of a response with an error object: class by status, type and sentence by the service."""
    kind, sentence = told.type, told.message
    match status:
        case HTTPStatus.UNAUTHORIZED:
            return AuthenticationError("service_refuses_key", kind=kind, sentence=sentence)
        case HTTPStatus.PAYMENT_REQUIRED:
            return InsufficientCreditsError("service_wants_credits", kind=kind, sentence=sentence)
        case HTTPStatus.NOT_FOUND:
            return NotFoundError("service_refuses", kind=kind, sentence=sentence)
        case HTTPStatus.TOO_MANY_REQUESTS:
            return RateLimitedError("service_is_busy", kind=kind, sentence=sentence)
        case HTTPStatus.BAD_GATEWAY:
            return UpstreamError("service_backend_failed", kind=kind, sentence=sentence)
        case _ if 400 <= status < 500:
            return InvalidRequestError("service_refuses", kind=kind, sentence=sentence)
        case _:
            return InternalError("service_refuses", kind=kind, sentence=sentence)


def _wordless_refusal(status: int, host: str) -> ServiceError:
    """The error of a response without an error object, as gateways send it: by its status."""
    match status:
        case HTTPStatus.UNAUTHORIZED:
            return AuthenticationError("status_refuses_key", host=host, status=status)
        case HTTPStatus.PAYMENT_REQUIRED:
            return InsufficientCreditsError("status_wants_credits", host=host, status=status)
        case HTTPStatus.NOT_FOUND:
            return NotFoundError("status_refuses", host=host, status=status)
        case HTTPStatus.TOO_MANY_REQUESTS:
            return RateLimitedError("status_is_busy", host=host, status=status)
        case HTTPStatus.BAD_GATEWAY:
            return UpstreamError("status_backend_failed", host=host, status=status)
        case _ if 400 <= status < 500:
            return InvalidRequestError("status_refuses", host=host, status=status)
        case _:
            return InternalError("status_refuses", host=host, status=status)


def _retry_after_s(answer: httpx.Response) -> float | None:
    """Seconds of ``Retry-After`` (RFC 9110, 10.2.3); None for its other form, a date."""
    try:
        return max(0.0, float(answer.headers.get("retry-after", "")))
    except ValueError:
        return None


def distrust(url: str, error: BaseException) -> UnreachableError | None:
    """The error for a certificate that is not trusted; None for any other failure."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLCertVerificationError):
        cause = cause.__cause__ or cause.__context__
    if cause is None:
        return None
    host = urlsplit(url).hostname
    return UnreachableError("service_certificate_untrusted", host=str(host), reason=cause.verify_message)
