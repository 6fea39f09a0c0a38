"""Error answers of the service: one error object, one sentence, a request id on every answer.

Source: specification, "Errors"; protocol decisions, "validation" and "other statuses". Must not know the
routes.
"""

from __future__ import annotations

import logging
import time
from http import HTTPMethod, HTTPStatus

from fastapi import FastAPI
from pydantic import ValidationError
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from overpaint.core.http import request_logs
from overpaint.core.http.metrics import Metrics
from overpaint.errors import (
    AuthenticationError,
    InsufficientCreditsError,
    InternalError,
    NotFoundError,
    RateLimitedError,
    UpstreamError,
)
from overpaint.web.refusals import install_refusals, new_request_id, refusal

log = logging.getLogger(__name__)

_RULES = {
    "missing": "is required",
    "extra_forbidden": "is not a known field",
    "json_invalid": "is not valid JSON",
}
_KINDS = {
    each.status: each.default_kind
    for each in (
        AuthenticationError,
        InsufficientCreditsError,
        NotFoundError,
        RateLimitedError,
        InternalError,
        UpstreamError,
    )
}
_DESCRIBED_MAX = 50
_PATH_MAX = 256
"""Limit of a path's length in the log: requests must not fill the disk."""
_METHODS = frozenset(method.value for method in HTTPMethod)


def validation_sentence(error: ValidationError, tags: frozenset[str] = frozenset()) -> str:
    """Names the invalid fields and the rules that they break; never repeats input.

    Args:
        error: The model's error.
        tags: Names of message types, which pydantic puts in front of field names.
    """
    if error.error_count() > _DESCRIBED_MAX:  # pydantic describes either all errors or none
        return f"body: {error.error_count()} of its fields are unknown, missing or malformed."
    sentences = []
    for detail in error.errors(include_url=False, include_context=True, include_input=False)[:5]:
        place = [str(step) for step in detail["loc"]]
        if place and place[0] in tags:
            del place[0]
        rule = _RULES.get(detail["type"])
        if detail["type"].startswith("union_tag"):
            place, rule = ["type"], f"must be one of {', '.join(sorted(tags))}"
        if rule is None:
            rule = detail["msg"][:1].lower() + detail["msg"][1:]
        sentences.append(f"{'.'.join(place)[:100] or 'body'}: {rule}.")
    return " ".join(sentences)


def install_faults(app: FastAPI, metrics: Metrics) -> None:
    """Makes every refusal of an application the specification's error object.

    Args:
        app: The application; its requests also get ids, log lines and counters.
        metrics: Counts refusals.
    """
    install_refusals(app)
    app.add_middleware(RequestIds, metrics=metrics)


class RequestIds:
    """Middleware that gives each request an id, a log line and metrics, and hides details of our own faults.

    The log line has the path without its query: that of the control socket contains a secret.

    Args:
        app: The wrapped application.
        metrics: Counts requests, their time and refusals.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        name = new_request_id()
        request_logs.request_id.set(name)
        began = time.perf_counter()
        status = 0

        async def send_named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), (b"x-request-id", name.encode())]
            await send(message)

        try:
            await self._app(scope, receive, send_named)
        except ClientDisconnect:
            log.info("%s %s: the client left", name, _path(scope))
        except Exception:  # the root of a request: answered without detail, logged in full
            log.exception("%s %s %s failed", name, scope["method"], _path(scope))
            if status == 0:
                answer = refusal(InternalError("request_failed", request=name))
                await answer(scope, receive, send_named)
        self._note(scope, name, status, time.perf_counter() - began)

    def _note(self, scope: Scope, name: str, status: int, seconds: float) -> None:
        took_ms, path = round(seconds * 1000, 1), _path(scope)
        fields = {
            "method": scope["method"],
            "path": path,
            "status": status,
            "milliseconds": took_ms,
        }
        log.info("%s %s %s %d %.1f ms", name, scope["method"], path, status, took_ms, extra=fields)
        # Labels are routes, not paths, and known methods: requests must not fill the memory.
        route = getattr(scope.get("route"), "path", "none")
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._metrics.requests.labels(method, route, str(status or "none")).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        if status >= HTTPStatus.BAD_REQUEST:
            self._metrics.errors.labels(_KINDS.get(status, "invalid_request_error")).inc()


def _path(scope: Scope) -> str:
    """Returns the path of a request for the log."""
    path = str(scope["path"])
    return path if len(path) <= _PATH_MAX else f"{path[:_PATH_MAX]}… ({len(path)} characters)"
