"""The HTTP routes: account, realtime sessions, health.

Source: specification, "Endpoints" and "Authentication"; protocol decisions, "HTTP". Checks come in the
order 401, 400 (with 413 and 415), 404, 402. Must not know how sessions are restyled.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException

from overpaint.core.clock import Clock
from overpaint.core.faults import validation_sentence
from overpaint.core.names import SESSION_PREFIX, new_id, session_secret
from overpaint.core.sessions import Sessions, SessionTerms
from overpaint.engine.engine import LookRequest
from overpaint.errors import AuthenticationError, InvalidRequestError
from overpaint.ledger import Idempotency, KeyRecord, Ledger
from overpaint.wire.service import (
    PRICES,
    Account,
    ClientSecret,
    CreateRealtimeSession,
    ErrorBody,
    KeyInfo,
    RealtimeSession,
)

BODY_MAX_BYTES = 64 * 1024
_IDEMPOTENCY_MAX_CHARACTERS = 255
_SESSIONS_ROUTE = "POST /v1/realtime/sessions"
_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorBody, "description": "Missing or malformed parameters"},
    401: {"model": ErrorBody, "description": "Missing, unknown or revoked API key"},
}

BodyT = TypeVar("BodyT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the key itself (never shown) and its record."""

    key: str = field(repr=False)
    record: KeyRecord


class _Sold(BaseModel):
    """What the ledger remembers of a sold session: the answer without its secret."""

    id: str
    created_at: datetime
    credits_charged: int
    credits_remaining: int


def api_router(ledger: Ledger, sessions: Sessions, clock: Clock) -> APIRouter:
    """The routes, on a ledger and a registry of sessions."""
    router = APIRouter()

    async def authenticated(request: Request) -> Caller:
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        key = key.strip()
        if scheme.lower() != "bearer" or not key:
            raise AuthenticationError("The API key is missing: send Authorization: Bearer <API_KEY>.")
        record = await asyncio.to_thread(ledger.find_key, key)
        if record is None:
            raise AuthenticationError("The API key is unknown or revoked.")
        return Caller(key, record)

    authenticated_caller = Depends(authenticated)

    @router.get("/healthz")
    async def health() -> dict[str, str]:
        """Answers while the service runs. Needs no key."""
        return {"status": "ok"}

    @router.get("/v1/account", responses={401: _ERRORS[401]})
    async def account(caller: Caller = authenticated_caller) -> Account:
        """The balance of the calling key. Free of charge."""
        record = caller.record
        balance = await asyncio.to_thread(ledger.balance, record.purse)
        key = KeyInfo(name=record.name, environment=record.environment, masked=record.masked)
        return Account(credits_remaining=balance, key=key)

    @router.post(
        "/v1/realtime/sessions",
        status_code=201,
        responses={**_ERRORS, 402: {"model": ErrorBody, "description": "The balance is too low"}},
        openapi_extra=_described(CreateRealtimeSession),
    )
    async def create_session(request: Request, caller: Caller = authenticated_caller) -> RealtimeSession:
        """Creates a session secret and charges its price."""
        order = await read_body(request, CreateRealtimeSession)
        _check_photo_url(order.reference_image_url)
        repeat = _idempotency(request, caller.record, order)
        price = PRICES[order.model]
        sold_id = new_id(SESSION_PREFIX)

        def answer(remaining: int) -> str:
            sold = _Sold(
                id=sold_id,
                created_at=clock.now(),
                credits_charged=price,
                credits_remaining=remaining,
            )
            return sold.model_dump_json()

        text, _ = await asyncio.to_thread(
            ledger.sell, caller.record.purse, price, order.model, sold_id, answer, repeat
        )
        sold = _Sold.model_validate_json(text)
        secret = session_secret(caller.key, sold.id)
        expires_at = sold.created_at.astimezone(UTC) + timedelta(seconds=order.ttl_seconds)
        if expires_at > clock.now():
            # Also for a repeated request: after a crash between charge and answer, or of the whole
            # core, the retry gets the session that was paid for. One that is known stays as it is.
            sessions.add(
                secret,
                SessionTerms(sold.id, order.model, expires_at, order.reference_image_url),
                LookRequest(prompt=order.prompt or "", enhance_prompt=order.enhance_prompt),
            )
        return _session_answer(request, order, sold, secret, expires_at)

    return router


def _session_answer(
    request: Request, order: CreateRealtimeSession, sold: _Sold, secret: str, expires_at: datetime
) -> RealtimeSession:
    scheme = "wss" if request.url.scheme == "https" else "ws"
    return RealtimeSession(
        id=sold.id,
        model=order.model,
        prompt=order.prompt,
        reference_image_url=order.reference_image_url,
        client_secret=ClientSecret(value=secret, expires_at=expires_at),
        websocket_url=f"{scheme}://{request.url.netloc}/v1/realtime/stream?token={secret}",
        expires_at=expires_at,
        credits_charged=sold.credits_charged,
        credits_remaining=sold.credits_remaining,
    )


async def read_body(request: Request, model: type[BodyT]) -> BodyT:
    """Reads a JSON body.

    Done here and not by the framework, which would look at the body before the key, and answer 422.

    Raises:
        InvalidRequestError: The sentence names fields and rules.
        HTTPException: 413 too large, 415 not JSON.
    """
    media_type = request.headers.get("content-type", "application/json").partition(";")[0]
    if media_type.strip().lower() != "application/json":
        raise HTTPException(415, "The body must be application/json.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_MAX_BYTES:
            raise HTTPException(413, f"The body is larger than {BODY_MAX_BYTES // 1024} KB.")
    try:
        return model.model_validate_json(bytes(body))
    except ValidationError as error:
        raise InvalidRequestError(validation_sentence(error)) from error


def _check_photo_url(url: str | None) -> None:
    if url is None:
        return
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        fits = False
    if not fits:
        raise InvalidRequestError("reference_image_url: must be an http or https address.")


def _idempotency(request: Request, record: KeyRecord, order: BaseModel) -> Idempotency | None:
    value = request.headers.get("idempotency-key")
    if value is None:
        return None
    if not 0 < len(value) <= _IDEMPOTENCY_MAX_CHARACTERS or not value.isascii():
        raise InvalidRequestError(
            f"Idempotency-Key: must be 1 to {_IDEMPOTENCY_MAX_CHARACTERS} ASCII characters."
        )
    meaning = json.dumps(order.model_dump(mode="json"), sort_keys=True)
    digest = hashlib.sha256(meaning.encode()).hexdigest()
    return Idempotency(record.id, _SESSIONS_ROUTE, value, digest)


def _described(model: type[BaseModel]) -> dict[str, Any]:
    """What the OpenAPI page says of a body and headers that ``read_body`` and its callers read."""
    return {
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": model.model_json_schema()}},
        },
        "parameters": [
            {"in": "header", "name": "Idempotency-Key", "schema": {"type": "string", "maxLength": 255}}
        ],
        "security": [{"apiKey": []}],
    }
