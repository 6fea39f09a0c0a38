"""HTTP to the service: account, sessions, WHIP/WHEP signalling. The only importer of httpx.

Every failure is a ``ServiceError`` with a sentence. Keys and tokens are in no ``repr`` and no log.
"""

from __future__ import annotations

import uuid
from http import HTTPStatus
from types import TracebackType
from typing import TypeVar
from urllib.parse import urljoin

import httpx
from pydantic import BaseModel, ValidationError

import overpaint
from overpaint.client.addresses import is_loopback_address, service_address
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
from overpaint.wire.service import (
    TTL_DEFAULT_SECONDS,
    Account,
    CreateRealtimeSession,
    ErrorBody,
    RealtimeModel,
    RealtimeSession,
)

_ERRORS: dict[int, type[ServiceError]] = {
    each.status: each
    for each in (
        InvalidRequestError,
        AuthenticationError,
        InsufficientCreditsError,
        NotFoundError,
        RateLimitedError,
        UpstreamError,
    )
}
_MENDS: dict[type[ServiceError], str] = {
    AuthenticationError: "Check the API key.",
    InsufficientCreditsError: "Add credits to the account.",
    RateLimitedError: "Wait a moment.",
    UnreachableError: "Check the address, and that the service runs.",
}
ResourceT = TypeVar("ResourceT", bound=BaseModel)
_TIMEOUT = httpx.Timeout(10.0, connect=5.0)


class ServiceClient:
    """A client of one service with one key. Use as ``async with``, or ``close`` it.

    Args:
        base_url: Address of the service, with or without ``/v1``.
        key: API key.
        transport: Where requests go instead of the network (tests).

    Raises:
        UsageError: The address is none.
    """

    def __init__(self, base_url: str, key: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.base_url = service_address(base_url)
        self._key = key
        self._http = httpx.AsyncClient(
            timeout=_TIMEOUT,
            transport=transport,
            headers={"User-Agent": f"overpaint/{overpaint.__version__}"},
            # A proxy from the environment cannot reach this machine's own loopback.
            trust_env=not is_loopback_address(self.base_url),
        )

    def __repr__(self) -> str:
        return f"ServiceClient({self.base_url!r})"

    async def __aenter__(self) -> ServiceClient:
        """Opens nothing; connections come with the first request."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Closes the connections."""
        await self.close()

    async def close(self) -> None:
        """Closes the connections; idempotent."""
        await self._http.aclose()

    async def account(self) -> Account:
        """The balance of the key. Raises ``ServiceError``."""
        answer = await self._send("GET", f"{self.base_url}/v1/account", self._key)
        return _resource(Account, answer)

    async def create_session(
        self,
        model: RealtimeModel,
        prompt: str | None = None,
        reference_image_url: str | None = None,
        enhance_prompt: bool = True,
        ttl_seconds: int = TTL_DEFAULT_SECONDS,
        idempotency_key: str | None = None,
    ) -> RealtimeSession:
        """Buys a realtime session, or gets the one again that was bought under the same key and order.

        A connection that breaks before the answer is tried once more under the same
        ``Idempotency-Key``, so that a session is never paid for twice.

        Raises:
            ServiceError: The service said no, or nobody answers.
        """
        # Not validated here: it is the service that says what is wrong, in its own words.
        order = CreateRealtimeSession.model_construct(
            model=model,
            prompt=prompt,
            reference_image_url=reference_image_url,
            enhance_prompt=enhance_prompt,
            ttl_seconds=ttl_seconds,
        )
        body = order.model_dump_json(exclude_none=True).encode()
        url = f"{self.base_url}/v1/realtime/sessions"
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": idempotency_key or str(uuid.uuid4()),
        }
        try:
            answer = await self._send("POST", url, self._key, body, headers)
        except UnreachableError:
            answer = await self._send("POST", url, self._key, body, headers)
        return _resource(RealtimeSession, answer)

    async def post_sdp(self, url: str, sdp: str, token: str) -> tuple[str, str]:
        """Sends an SDP offer to a WHIP or WHEP endpoint.

        Args:
            url: Of the endpoint.
            sdp: The offer.
            token: Of the room.

        Returns:
            The answer, and the address of the resource that was made.

        Raises:
            ServiceError: It was refused, or nobody answers.
        """
        headers = {"Content-Type": "application/sdp"}
        answer = await self._send("POST", url, token, sdp.encode(), headers)
        if answer.status_code != HTTPStatus.CREATED or "location" not in answer.headers:
            raise InternalError("The service's answer to the offer is not WHIP or WHEP.")
        return answer.text, urljoin(url, answer.headers["location"])

    async def delete_resource(self, url: str, token: str) -> None:
        """Ends a WHIP or WHEP resource; one that is gone already is fine. Raises ``ServiceError``."""
        try:
            await self._send("DELETE", url, token)
        except NotFoundError:
            pass

    async def _send(
        self,
        method: str,
        url: str,
        bearer: str,
        content: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        try:
            answer = await self._http.request(
                method, url, content=content, headers={**(headers or {}), **_authorization(bearer)}
            )
        except httpx.TimeoutException as error:
            raise _unreachable(f"{self.base_url} does not answer in time.") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _unreachable(f"Nobody answers at {self.base_url}.") from error
        if answer.is_success:
            return answer
        raise _refusal(answer)


def _authorization(bearer: str) -> dict[str, str]:
    if not bearer.isascii() or not bearer.isprintable():
        raise AuthenticationError("The API key has characters that no key has.", mend="Check the API key.")
    return {"Authorization": f"Bearer {bearer}"}


def _resource(model: type[ResourceT], answer: httpx.Response) -> ResourceT:
    try:
        return model.model_validate_json(answer.content)
    except ValidationError as error:
        raise _unreachable(f"What answers at {answer.url.host} is not an Overpaint service.") from error


def _refusal(answer: httpx.Response) -> ServiceError:
    """The error of an answer: by its status, with the service's own type and sentence."""
    kind: str | None
    try:
        detail = ErrorBody.model_validate_json(answer.content).error
        kind, sentence = detail.type, detail.message
    except ValidationError:
        kind, sentence = None, f"{answer.url.host} answered with status {answer.status_code}."
    status = answer.status_code
    fallback = InvalidRequestError if 400 <= status < 500 else InternalError
    error = _ERRORS.get(status, fallback)
    return error(sentence, kind=kind, mend=_MENDS.get(error, ""))


def _unreachable(sentence: str) -> UnreachableError:
    return UnreachableError(sentence, mend=_MENDS[UnreachableError])
