"""Schemas of the published HTTP API (in OpenAPI with these docstrings): requests, resources, prices, limits.

Source: the interface specification ("Resources and their fields", "Endpoints", "Limits") and the
protocol decisions where it says "not shown". Unknown fields are refused in requests.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from overpaint.wire.media_limits import Kind

RealtimeModel = Literal["service-realtime-720p", "service-realtime-1080p"]
TransformModel = Literal["service-video-v1", "service-image-v1"]
Environment = Literal["live", "test"]
JobStatus = Literal["processing", "succeeded", "failed"]

PRICES: dict[str, int] = {
    "service-realtime-720p": 25,
    "service-realtime-1080p": 25,
    "service-image-v1": 2,
    "service-video-v1": 20,
}
"""Price of a call in credits, by model."""

KINDS: dict[TransformModel, Kind] = {"service-image-v1": "image", "service-video-v1": "video"}
"""Kind of input and output of each transform model."""

OUTPUT_SIZES: dict[str, tuple[int, int]] = {
    "service-realtime-720p": (1280, 720),
    "service-realtime-1080p": (1920, 1080),
}
"""Exact output (width, height) of each realtime model, whatever the input."""

PROMPT_MAX_CHARACTERS = 2000
URL_MAX_CHARACTERS = 2048
TTL_MIN_SECONDS, TTL_DEFAULT_SECONDS, TTL_MAX_SECONDS = 60, 600, 1800

_NO_NUL = r"^[^\x00]*$"
"""Pattern without NUL, the one character that PostgreSQL's text cannot hold."""
Prompt = Annotated[str, Field(max_length=PROMPT_MAX_CHARACTERS, pattern=_NO_NUL)]
Url = Annotated[
    str,
    Field(
        max_length=URL_MAX_CHARACTERS,
        description="An http or https address without user name or password",
        json_schema_extra={"format": "uri", "examples": ["https://example.org/room.jpg"]},
    ),
]


def _whole(value: object) -> object:
    """An integral float as an integer, since 600.0 is an integer in JSON Schema (6.1.1)."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Request(BaseModel):
    """Base of request bodies: strict types, unknown fields refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Resource(BaseModel):
    """Base of responses."""

    model_config = ConfigDict(frozen=True)


class CreateRealtimeSession(Request):
    """Body of ``POST /v1/realtime/sessions``."""

    model: RealtimeModel
    prompt: Prompt | None = None
    reference_image_url: Url | None = None
    enhance_prompt: bool = True
    ttl_seconds: Annotated[int, Field(ge=TTL_MIN_SECONDS, le=TTL_MAX_SECONDS), BeforeValidator(_whole)] = (
        TTL_DEFAULT_SECONDS
    )


class ClientSecret(Resource):
    """The short-lived secret that an untrusted client gets instead of the API key."""

    value: str
    expires_at: datetime


class RealtimeSession(Resource):
    """Answer of ``POST /v1/realtime/sessions`` (object "realtime.session")."""

    id: str
    object: Literal["realtime.session"] = "realtime.session"
    model: RealtimeModel
    prompt: str | None
    reference_image_url: str | None
    client_secret: ClientSecret
    websocket_url: str
    expires_at: datetime
    credits_charged: int
    credits_remaining: int


class CreateTransform(Request):
    """Body of ``POST /v1/transforms``. ``reference_image_url`` is an extension: a photo as for a session."""

    model: TransformModel
    prompt: Annotated[str, Field(min_length=1, max_length=PROMPT_MAX_CHARACTERS, pattern=_NO_NUL)]
    input_url: Url
    reference_image_url: Url | None = None
    webhook_url: Url | None = None

    @model_serializer(mode="wrap")
    def _without_missing_photo(self, standard: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leaves out a photo that is not given.

        A request with an Idempotency-Key is recognised by its body, also by a service that was updated
        between the first request and its repetition.
        """
        fields: dict[str, Any] = standard(self)
        if self.reference_image_url is None:
            fields.pop("reference_image_url", None)
        return fields


class TransformJob(Resource):
    """A transform job (object "transform.job"): answer of ``POST`` and ``GET``, data of its webhook.

    A failed job has ``credits_charged`` 0, since they were given back, and the balance after that.
    """

    id: str
    object: Literal["transform.job"] = "transform.job"
    model: TransformModel
    kind: Kind
    status: JobStatus
    output_url: str | None
    credits_charged: int
    credits_remaining: int


class File(Resource):
    """Answer of ``POST /v1/files`` (object "file"); ``url`` is a valid input until ``expires_at``."""

    id: str
    object: Literal["file"] = "file"
    url: str
    bytes: int
    content_type: str
    expires_at: datetime


class WebhookEvent(Resource):
    """Body of a webhook call (Standard Webhooks)."""

    type: Literal["transform.succeeded", "transform.failed"]
    timestamp: datetime
    data: TransformJob


class KeyInfo(Resource):
    """The calling key as ``GET /v1/account`` shows it."""

    name: str
    environment: Environment
    masked: str


class Account(Resource):
    """Answer of ``GET /v1/account`` (object "account")."""

    object: Literal["account"] = "account"
    credits_remaining: int
    key: KeyInfo


class CreditGrant(Resource):
    """Credits that were granted to the calling account (object "credit.grant"), an extension.

    ``automatic`` says that the service did so by itself, because the account is free.
    """

    object: Literal["credit.grant"] = "credit.grant"
    created_at: datetime
    credits: int
    automatic: bool


class CreditGrants(Resource):
    """Answer of ``GET /v1/account/grants`` (object "list"): the newest ones, newest first."""

    object: Literal["list"] = "list"
    data: list[CreditGrant]


class ErrorDetail(Resource):
    """Type and message of an error."""

    type: str
    message: str


class ErrorBody(Resource):
    """The error object of every refused request."""

    error: ErrorDetail
