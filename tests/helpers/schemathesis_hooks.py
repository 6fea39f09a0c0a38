"""What a schema cannot say: an address that leads to a file, a file that is a picture, a fresh key.

Loaded by schemathesis itself (SCHEMATHESIS_HOOKS), in its own process.
"""

from __future__ import annotations

import io
import os
import uuid

import schemathesis
from hypothesis import strategies as st
from PIL import Image


def _picture() -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (96, 64), (90, 140, 30)).save(target, "PNG")
    return target.getvalue()


PICTURE = _picture()
URL = os.environ.get("OVERPAINT_EXAMPLE_URL", "https://example.org/a.png")

schemathesis.openapi.format("uri", st.just(URL))
schemathesis.openapi.format("binary", st.just(PICTURE))
# Never the same twice: a key that comes again with another body is refused, as it should be.
schemathesis.openapi.format("idempotency-key", st.builds(lambda: uuid.uuid4().hex))


@schemathesis.serializer("application/sdp", "application/trickle-ice-sdpfrag")
def as_it_is(context: object, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.hook
def before_load_schema(context: object, raw_schema: dict[str, object]) -> None:
    """The addresses of the document's examples lead to a file that is there."""

    def real(value: object) -> object:
        if isinstance(value, dict):
            return {name: real(item) for name, item in value.items()}
        if isinstance(value, list):
            return [real(item) for item in value]
        return URL if isinstance(value, str) and value.startswith("https://example.org/") else value

    raw_schema.update({name: real(item) for name, item in raw_schema.items()})


@schemathesis.hook
def map_body(context: schemathesis.HookContext, body: object) -> object:
    """A form that breaks the schema breaks it on its way, too.

    In a form an empty list is sent as nothing at all, and a list of one thing as that thing: what was made
    to be refused ({file: a picture, another: []}, {file: [a picture]}) would arrive as one part named
    ``file``, which is right. schemathesis knows that, but cannot tell where a part is binary (its validator
    knows no bytes). So such lists get one thing more.
    """
    operation = context.operation
    if operation is None or operation.path != "/v1/files" or not isinstance(body, dict):
        return body
    return {
        name: [*value, "more"] if isinstance(value, list) and len(value) < 2 else value
        for name, value in body.items()
    }


@schemathesis.hook
def before_call(context: object, case: schemathesis.Case, kwargs: object) -> None:
    """A valid request has a new key of its own; what is made to be refused stays as it is."""
    valid = case.meta is not None and case.meta.generation.mode.is_positive
    if valid and "Idempotency-Key" in (case.headers or {}):
        case.headers["Idempotency-Key"] = uuid.uuid4().hex
