"""The OpenAPI document of the service, and a page that shows it.

FastAPI derives paths, schemas and parameters from the routes; what all requests share is added here: the
bearer scheme, common answers, headers of every answer. The page is plain HTML made here, since the usual
viewers are loaded from other servers. Must not know what the routes do.
"""

from __future__ import annotations

import html
import json
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.responses import HTMLResponse

from overpaint.wire.service import ErrorBody

KEY_SCHEME, ROOM_SCHEME = "apiKey", "roomToken"
_SCHEMES = {
    KEY_SCHEME: {"type": "http", "scheme": "bearer", "description": "An API key: `Bearer ovp_live_…`."},
    ROOM_SCHEME: {"type": "http", "scheme": "bearer", "description": "The token of `rtc_room_info`."},
}
_REFUSALS: dict[str, tuple[str, str, str]] = {
    "400": ("Missing or malformed parameters", "invalid_request_error", "prompt: is required."),
    "401": (
        "Missing, unknown or revoked key",
        "authentication_error",
        "The API key is unknown or revoked.",
    ),
    "402": ("The balance is too low", "insufficient_credits", "The balance is too low for this model."),
    "404": ("There is no such thing, or it is another account's", "not_found", "There is no such thing."),
    "413": ("The body is too large", "invalid_request_error", "The body is larger than 64 KB."),
    "415": (
        "The body is of another media type",
        "invalid_request_error",
        "The body must be application/json.",
    ),
    "412": (
        "Meant for another ICE session",
        "invalid_request_error",
        "This is not the ETag of the present ICE session.",
    ),
    "422": (
        "An ICE restart",
        "invalid_request_error",
        "ICE restarts are not supported; make a new offer.",
    ),
    "428": (
        "Not said which ICE session is meant",
        "invalid_request_error",
        "Say which ICE session is meant: If-Match with its ETag.",
    ),
    "429": ("Too many requests", "rate_limited", "Too many requests: at most 100 a second, 300 at once."),
    "500": ("A fault of the service", "internal_error", "The service failed on request req_0123."),
    "502": (
        "The backend failed; credits are given back",
        "upstream_error",
        "The engine failed. The credits were given back.",
    ),
}
_REQUEST_ID = {
    "description": "Names this request in the service's log",
    "required": True,
    "schema": {"type": "string", "pattern": "^req_[0-9a-f]{32}$"},
}
_RETRY_AFTER = {
    "description": "Seconds until it is worth another try",
    "required": True,
    "schema": {"type": "integer", "minimum": 1},
}
_METHODS = ("get", "post", "patch", "delete")


def install_openapi(app: FastAPI) -> None:
    """Completes an application's OpenAPI document, and serves it at ``/docs``."""
    plain = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _completed(plain())
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]
    router = APIRouter()

    @router.get("/docs", include_in_schema=False)
    async def documentation() -> HTMLResponse:
        return HTMLResponse(_page(app.openapi()))

    app.include_router(router)


def _completed(document: dict[str, Any]) -> dict[str, Any]:
    components = document.setdefault("components", {})
    components["securitySchemes"] = _SCHEMES
    schemas = components.setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    error = ErrorBody.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(error.pop("$defs"))
    schemas["ErrorBody"] = error
    for methods in document["paths"].values():
        for method in _METHODS:
            if method in methods:
                _complete(methods[method])
    return document


def _complete(operation: dict[str, Any]) -> None:
    answers: dict[str, Any] = operation["responses"]
    if "HTTPValidationError" in str(answers.get("422")):
        del answers["422"]  # FastAPI's own; a malformed request is always 400
    also = {"429", "500"}
    if "security" in operation:
        also.add("401")
    if "requestBody" in operation:
        also |= {"400", "413", "415"}
    for status in sorted(also | (answers.keys() & _REFUSALS.keys())):
        answers[status] = {**_refusal(status), **_kept(answers.get(status, {}))}
    for answer in answers.values():
        answer.setdefault("headers", {})["X-Request-Id"] = _REQUEST_ID
    if "429" in answers:
        answers["429"]["headers"]["Retry-After"] = _RETRY_AFTER
    operation["responses"] = dict(sorted(answers.items()))


def _kept(answer: dict[str, Any]) -> dict[str, Any]:
    """Returns a route's own description of a refusal, beyond the common one."""
    return {name: answer[name] for name in ("description", "headers") if name in answer}


def _refusal(status: str) -> dict[str, Any]:
    description, kind, message = _REFUSALS[status]
    example = {"error": {"type": kind, "message": message}}
    schema = {"$ref": "#/components/schemas/ErrorBody"}
    return {
        "description": description,
        "content": {"application/json": {"schema": schema, "example": example}},
    }


def _page(document: dict[str, Any]) -> str:
    """Renders the document as one HTML page, without scripts or external resources."""
    info = document["info"]
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>{html.escape(info['title'])}</title><style>{_STYLE}</style>",
        f"<h1>{html.escape(info['title'])} {html.escape(info['version'])}</h1>",
        f"<p>{html.escape(info.get('summary', ''))} The same for programs: "
        "<a href=openapi.json>openapi.json</a>.</p>",
    ]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            parts.append(_operation(method, path, operation))
    parts.append("<h2>Schemas</h2>")
    for name, schema in document["components"]["schemas"].items():
        parts.append(
            f"<details id='{html.escape(name)}'><summary>{html.escape(name)}</summary>{_pre(schema)}"
        )
        parts.append("</details>")
    return "".join(parts)


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    parts = [f"<h2><code>{method.upper()} {html.escape(path)}</code></h2>"]
    parts.append(f"<p>{html.escape(operation.get('description', ''))}</p>")
    schemes = [name for each in operation.get("security", []) for name in each]
    parts += [f"<p>Needs {html.escape(_SCHEMES[scheme]['description'])}</p>" for scheme in schemes]
    for title, key in (("Parameters", "parameters"), ("Body", "requestBody")):
        if operation.get(key):
            parts.append(f"<details><summary>{title}</summary>{_pre(operation[key])}</details>")
    for status, answer in operation["responses"].items():
        words = f"<code>{status}</code> {html.escape(answer['description'])}"
        parts.append(f"<details><summary>{words}</summary>{_pre(answer.get('content', {}))}</details>")
    return "".join(parts)


def _pre(value: object) -> str:
    return f"<pre>{html.escape(json.dumps(value, indent=1, ensure_ascii=False))}</pre>"


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}"
    "h2{font-size:1.1rem;margin-top:2rem}pre{overflow:auto;background:#8881;padding:.5rem}"
    ":root{color-scheme:light dark}"
)
