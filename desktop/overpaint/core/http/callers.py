"""Authentication and request bodies: the bearer key, a JSON body, the Idempotency-Key.

Source: specification, "Authentication"; protocol decisions, "validation" and "retries". Must not know the
routes.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException

from overpaint.core.http.error_answers import validation_sentence
from overpaint.core.http.rate_limits import Limits
from overpaint.errors import AuthenticationError, InsufficientCreditsError, InvalidRequestError
from overpaint.ledger import Idempotency, KeyRecord, Ledger
from overpaint.web.bodies import read_bytes
from overpaint.wire.service import ErrorBody

BODY_MAX_BYTES = 64 * 1024
_IDEMPOTENCY_MAX_CHARACTERS = 255
_KEYED = re.compile(
    r"GET /v1/(account|account/grants|transforms/[^/]+)"
    r"|POST /v1/(files|realtime/sessions|transforms|transforms/[^/]+/cancel)"
)
ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorBody, "description": "Missing or malformed parameters"},
    401: {"model": ErrorBody, "description": "Missing, unknown or revoked API key"},
    402: {"model": ErrorBody, "description": "The balance is too low"},
    404: {"model": ErrorBody, "description": "There is no such thing, or it belongs to another account"},
    413: {"model": ErrorBody, "description": "The body is too large"},
    415: {"model": ErrorBody, "description": "The body is of another media type"},
    429: {
        "model": ErrorBody,
        "description": "Too many requests",
        "headers": {
            "Retry-After": {
                "required": True,
                "description": "Seconds until it is worth another try",
                "schema": {"type": "integer", "minimum": 1},
            }
        },
    },
    500: {"model": ErrorBody, "description": "A fault of the service"},
    502: {"model": ErrorBody, "description": "The backend failed; credits are given back"},
}
"""Refusals in the OpenAPI document."""

BodyT = TypeVar("BodyT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a request: the key itself (never shown) and its record."""

    key: str = field(repr=False)
    record: KeyRecord


def checks_key(method: str, path: str) -> bool:
    """Returns whether the route of a request depends on ``authentication``."""
    return _KEYED.fullmatch(f"{method} {path}") is not None


def authentication(ledger: Ledger, limits: Limits) -> Callable[[Request], AsyncIterator[Caller]]:
    """Makes the dependency that checks the key of a request.

    Args:
        ledger: The ledger of keys.
        limits: Counts requests for their key, or with an unknown key for their address.

    Returns:
        A FastAPI dependency that returns the caller, or raises ``AuthenticationError`` or
        ``RateLimitedError``.
    """

    async def authenticated(request: Request) -> AsyncIterator[Caller]:
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        key = key.strip()
        if scheme.lower() != "bearer" or not key:
            raise AuthenticationError("api_key_missing")
        limits.refuse_early(key)
        record = await asyncio.to_thread(ledger.find_key, key)
        if record is None:
            limits.count_address(request.client.host if request.client else None)
            raise AuthenticationError("api_key_unknown")
        limits.count_key(record.id, key)
        try:
            yield Caller(key, record)
        except InsufficientCreditsError:
            limits.count_unpaid(record.id)
            raise

    return authenticated


async def read_body(request: Request, model: type[BodyT]) -> BodyT:
    """Reads a JSON body.

    Not done by the framework, which would validate the body before the key, and answer 422.

    Raises:
        InvalidRequestError: The sentence names fields and rules.
        HTTPException: 413 too large, 415 not JSON.
    """
    media_type = request.headers.get("content-type", "application/json").partition(";")[0]
    if media_type.strip().lower() != "application/json":
        raise HTTPException(415, str(InvalidRequestError("body_not_json")))
    body = await read_bytes(request, BODY_MAX_BYTES)
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise InvalidRequestError("body_breaks_rules", sentence=validation_sentence(error)) from error


def idempotency(request: Request, caller: Caller, route: str, order: BaseModel) -> Idempotency | None:
    """Returns the key by which a repeated request is recognised; None without an Idempotency-Key.

    Args:
        request: The request with the header.
        caller: The caller; two API keys never share an Idempotency-Key.
        route: Method and path.
        order: The body; compared by meaning, not by spelling.

    Raises:
        InvalidRequestError: The header is empty, too long or not ASCII.
    """
    value = request.headers.get("idempotency-key")
    if value is None:
        return None
    if not 0 < len(value) <= _IDEMPOTENCY_MAX_CHARACTERS or not value.isascii():
        raise InvalidRequestError("idempotency_key_malformed", most=_IDEMPOTENCY_MAX_CHARACTERS)
    meaning = json.dumps(order.model_dump(mode="json"), sort_keys=True)
    digest = hashlib.sha256(meaning.encode()).hexdigest()
    return Idempotency(caller.record.id, route, value, digest)


def described(model: type[BaseModel]) -> dict[str, Any]:
    """Describes, for OpenAPI, the body and headers that ``read_body`` and ``idempotency`` read."""
    return {
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": model.model_json_schema()}},
        },
        "parameters": [
            {
                "in": "header",
                "name": "Idempotency-Key",
                "description": "1 to 255 ASCII characters of the caller's choice. The same key and body give "
                "the first answer again and charge once, for 24 hours; with another body: 400.",
                "schema": {"type": "string", "format": "idempotency-key"},
            }
        ],
        "security": [{"apiKey": []}],
    }
