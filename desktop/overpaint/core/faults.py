"""How the service says no: one error object, one sentence, a request id on every answer.

Source: specification, "Errors"; protocol decisions, "validation" and "other statuses". Must not know
what the requests are about.
"""

from __future__ import annotations

import logging
import time
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from overpaint.core.names import REQUEST_PREFIX, new_id
from overpaint.errors import ServiceError
from overpaint.wire.service import ErrorBody, ErrorDetail

log = logging.getLogger(__name__)

_RULES = {
    "missing": "is required",
    "extra_forbidden": "is not a known field",
    "json_invalid": "is not valid JSON",
}


def error_answer(status: int, kind: str, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """The error object of the specification."""
    body = ErrorBody(error=ErrorDetail(type=kind, message=message))
    return JSONResponse(body.model_dump(), status, headers)


def validation_sentence(error: ValidationError, tags: frozenset[str] = frozenset()) -> str:
    """Names the fields and the rules that they break; never repeats what was sent.

    Args:
        error: What the model said.
        tags: Names of message types, which pydantic puts in front of a field's name.
    """
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


def install_faults(app: FastAPI) -> None:
    """Makes every refusal of an application the specification's error object."""

    @app.exception_handler(ServiceError)
    async def refused(request: Request, error: ServiceError) -> JSONResponse:
        headers = {"WWW-Authenticate": "Bearer"} if error.status == HTTPStatus.UNAUTHORIZED else None
        return error_answer(error.status, error.kind, str(error), headers)

    @app.exception_handler(HTTPException)
    async def unrouted(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == HTTPStatus.NOT_FOUND:
            return error_answer(404, "not_found", "There is nothing at this path.")
        message = (
            f"{request.method} is not allowed at this path."
            if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED
            else str(error.detail)
        )
        headers = dict(error.headers) if error.headers else None
        return error_answer(error.status_code, "invalid_request_error", message, headers)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        places = ", ".join(".".join(str(step) for step in item["loc"]) for item in error.errors())
        return error_answer(400, "invalid_request_error", f"{places}: is missing or malformed.")

    app.add_middleware(RequestIds)


class RequestIds:
    """Gives each request an id and a line in the log, and hides the detail of our own faults.

    The line has the path without its query: the query of the control socket carries a secret.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = new_id(REQUEST_PREFIX)
        began = time.perf_counter()
        status = 0

        async def send_named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [
                    *message.get("headers", []),
                    (b"x-request-id", request_id.encode()),
                ]
            await send(message)

        try:
            await self._app(scope, receive, send_named)
        except ClientDisconnect:
            log.info("%s %s: the client left", request_id, scope["path"])
        except Exception:  # the root of a request: told without detail, logged with all of it
            log.exception("%s %s %s failed", request_id, scope["method"], scope["path"])
            if status == 0:
                answer = error_answer(500, "internal_error", f"The service failed on request {request_id}.")
                await answer(scope, receive, send_named)
        took_ms = (time.perf_counter() - began) * 1000
        log.info("%s %s %s %d %.1f ms", request_id, scope["method"], scope["path"], status, took_ms)
