"""The HTTP routes: account, realtime sessions, health.

Source: specification, "Endpoints" and "Authentication"; protocol decisions, "HTTP". Checks come in the
order 401, 400 (with 413 and 415), 404, 402. ``GET /v1/account/grants``, an extension that other services
may lack, lists the newest credits that were granted, so that a top-up can be seen. Must not know how
sessions are restyled.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel

from overpaint.core.clock import Clock
from overpaint.core.configuration import ServiceConfig
from overpaint.core.fetching import check_url
from overpaint.core.http.callers import ERRORS, Caller, authentication, described, idempotency, read_body
from overpaint.core.http.metrics import Metrics
from overpaint.core.http.rate_limits import Limits
from overpaint.core.names import SESSION_PREFIX, new_id, secret_digest, session_secret
from overpaint.core.realtime.session_registry import Sessions
from overpaint.errors import InvalidRequestError
from overpaint.ledger import TOPPED_UP, Ledger
from overpaint.ledger.records import SessionRecord
from overpaint.wire.service import (
    PRICES,
    Account,
    ClientSecret,
    CreateRealtimeSession,
    CreditGrant,
    CreditGrants,
    KeyInfo,
    RealtimeSession,
)

GRANTS = 100
"""The newest grants that are listed."""

_SESSIONS_ROUTE = "POST /v1/realtime/sessions"


class _Sold(BaseModel):
    """The stored answer of a session's sale, without its secret."""

    id: str
    created_at: datetime
    credits_charged: int
    credits_remaining: int


def api_router(
    ledger: Ledger, sessions: Sessions, clock: Clock, config: ServiceConfig, limits: Limits, metrics: Metrics
) -> APIRouter:
    """Makes the routes, on a ledger and a registry of sessions."""
    router = APIRouter()

    authenticated_caller = Depends(authentication(ledger, limits))

    @router.get("/healthz")
    async def health() -> dict[str, str]:
        """Answers while the service runs. Needs no key."""
        return {"status": "ok"}

    @router.get(
        "/v1/account",
        responses={401: ERRORS[401]},
        openapi_extra={"security": [{"apiKey": []}]},
    )
    async def account(caller: Caller = authenticated_caller) -> Account:
        """The balance of the calling key. Free of charge."""
        record = caller.record
        balance = await asyncio.to_thread(ledger.balance, record.purse)
        key = KeyInfo(name=record.name, environment=record.environment, masked=record.masked)
        return Account(credits_remaining=balance, key=key)

    @router.get(
        "/v1/account/grants",
        responses={401: ERRORS[401]},
        openapi_extra={"security": [{"apiKey": []}]},
    )
    async def grants(caller: Caller = authenticated_caller) -> CreditGrants:
        """The newest 100 grants of credits to the calling key's account. Free of charge."""
        found = await asyncio.to_thread(ledger.history, caller.record.purse, GRANTS, grants_only=True)
        return CreditGrants(
            data=[
                CreditGrant(created_at=each.at, credits=each.credits, automatic=each.reason == TOPPED_UP)
                for each in found
            ]
        )

    @router.post(
        "/v1/realtime/sessions",
        status_code=201,
        responses={status: ERRORS[status] for status in (400, 401, 402)},
        openapi_extra=described(CreateRealtimeSession),
    )
    async def create_session(request: Request, caller: Caller = authenticated_caller) -> RealtimeSession:
        """Creates a session secret and charges its price, which is not refunded: only jobs are."""
        order = await read_body(request, CreateRealtimeSession)
        _check_photo_url(order.reference_image_url)
        repeat = idempotency(request, caller, _SESSIONS_ROUTE, order)
        price = PRICES[order.model]
        created_at = clock.now()
        record = _record(caller, new_id(SESSION_PREFIX), order, created_at)

        def answer(remaining: int) -> str:
            sold = _Sold(
                id=record.id,
                created_at=created_at,
                credits_charged=price,
                credits_remaining=remaining,
            )
            return sold.model_dump_json()

        text, first = await asyncio.to_thread(
            ledger.sell_session, caller.record.purse, price, record, answer, repeat
        )
        sold = _Sold.model_validate_json(text)
        if first:
            metrics.charged.labels(order.model).inc(price)
        secret = session_secret(caller.key, sold.id)
        expires_at = sold.created_at.astimezone(UTC) + timedelta(seconds=order.ttl_seconds)
        base_url = config.base_url(request.url.scheme, request.url.netloc)
        if not first:
            # A desktop whose core was restarted has another key, and so another secret for its paid
            # sessions.
            await asyncio.to_thread(ledger.rekey_session, sold.id, caller.record.id, secret_digest(secret))
        elif record.photo_url is not None:
            sessions.add(record, base_url)  # begins to fetch its photo
        return _session_answer(base_url, order, sold, secret, expires_at)

    return router


def _record(caller: Caller, id: str, order: CreateRealtimeSession, created_at: datetime) -> SessionRecord:
    return SessionRecord(
        id=id,
        key_id=caller.record.id,
        secret_digest=secret_digest(session_secret(caller.key, id)),
        model=order.model,
        prompt=order.prompt or "",
        enhance_prompt=order.enhance_prompt,
        photo_url=order.reference_image_url,
        expires_at=created_at.astimezone(UTC) + timedelta(seconds=order.ttl_seconds),
        account=caller.record.account,
    )


def _session_answer(
    base_url: str, order: CreateRealtimeSession, sold: _Sold, secret: str, expires_at: datetime
) -> RealtimeSession:
    return RealtimeSession(
        id=sold.id,
        model=order.model,
        prompt=order.prompt,
        reference_image_url=order.reference_image_url,
        client_secret=ClientSecret(value=secret, expires_at=expires_at),
        websocket_url=f"{base_url.replace('http', 'ws', 1)}/v1/realtime/stream?token={secret}",
        expires_at=expires_at,
        credits_charged=sold.credits_charged,
        credits_remaining=sold.credits_remaining,
    )


def _check_photo_url(url: str | None) -> None:
    if url is not None:
        try:
            check_url(url)
        except InvalidRequestError as error:
            raise InvalidRequestError(
                "field_breaks_rule", field="reference_image_url", sentence=str(error)
            ) from error
