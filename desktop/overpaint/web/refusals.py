"""Error responses: one JSON error object with type and message.

Source: specification, "Errors"; protocol decisions, "validation" and "other statuses". Must not know
what the requests are about.
"""

from __future__ import annotations

import secrets
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from overpaint.errors import InvalidRequestError, NotFoundError, RateLimitedError, ServiceError
from overpaint.wire.service import ErrorBody, ErrorDetail


def new_request_id() -> str:
    """A new ``X-Request-Id``: 128 random bits (protocol decisions, "ids")."""
    return "req_" + secrets.token_hex(16)


def error_answer(status: int, kind: str, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """A response with the error object of the specification."""
    body = ErrorBody(error=ErrorDetail(type=kind, message=message))
    return JSONResponse(body.model_dump(), status, headers)


def refusal(
    error: ServiceError, status: int | None = None, headers: dict[str, str] | None = None
) -> JSONResponse:
    """The response for an error, by default with the error's own status."""
    return error_answer(status or error.status, error.kind, str(error), headers)


def install_refusals(app: FastAPI) -> None:
    """Installs exception handlers, so that every refusal of an application is an error object."""

    @app.exception_handler(ServiceError)
    async def refused(request: Request, error: ServiceError) -> JSONResponse:
        headers = {}
        if error.status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        if isinstance(error, RateLimitedError):
            headers["Retry-After"] = str(error.retry_after_s)
        return refusal(error, headers=headers)

    @app.exception_handler(HTTPException)
    async def unrouted(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == HTTPStatus.NOT_FOUND:
            return refusal(NotFoundError("path_unknown"))
        headers = dict(error.headers) if error.headers else None
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            method = InvalidRequestError("method_not_allowed", method=request.method)
            return refusal(method, error.status_code, headers)
        return error_answer(error.status_code, InvalidRequestError.default_kind, str(error.detail), headers)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        places = ", ".join(".".join(str(step) for step in item["loc"]) for item in error.errors())
        return refusal(InvalidRequestError("fields_malformed", fields=places))
