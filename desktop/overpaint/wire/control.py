"""Messages of the control socket (the WebSocket of a realtime session).

Source: specification, "WebSocket …/realtime/stream", and protocol decisions, "Control socket".

JSON objects with ``type`` beside the payload's fields. ``parse_client`` and ``parse_server`` are the
only readers; both raise ``pydantic.ValidationError`` for anything else.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from overpaint.wire.looks import PromptReading
from overpaint.wire.service import Prompt

CLOSE_AUTHENTICATION = 4001
CLOSE_SESSION = 4003
CLOSE_UPSTREAM = 4011

Transport = Literal["webrtc", "shared_memory"]
EndReason = Literal["client_left", "session_expired", "session_closed", "upstream_error"]


class ClientMessage(BaseModel):
    """Base of messages from the client: strict types, unknown fields refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ServerMessage(BaseModel):
    """Base of messages from the server; a client ignores unknown fields."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class RtcJoin(ClientMessage):
    """The request to join the media room. ``passthrough`` asks for the unstyled picture ("Original")."""

    type: Literal["rtc_join"] = "rtc_join"
    transports: Annotated[list[Transport], Field(min_length=1)] = ["webrtc"]
    width: Annotated[int, Field(ge=16, le=7680)] | None = None
    height: Annotated[int, Field(ge=16, le=4320)] | None = None
    fps: Annotated[float, Field(gt=0, le=240)] | None = None
    passthrough: bool = False


class SetPrompt(ClientMessage):
    """A new prompt for the running stream."""

    type: Literal["prompt"] = "prompt"
    prompt: Prompt
    enhance_prompt: bool = True


class SetImage(ClientMessage):
    """A new reference photo; ``image_data`` is base64, at most 8 MB decoded.

    An empty one removes the photo. The specification has no message for that.
    """

    type: Literal["set_image"] = "set_image"
    image_data: str
    prompt: Prompt | None = None
    enhance_prompt: bool = True


class RtcRoomInfo(ServerMessage):
    """The media room's address and credentials: a WHIP/WHEP base, or ``shm://…`` on one host."""

    type: Literal["rtc_room_info"] = "rtc_room_info"
    rtc_url: str
    token: str
    room_name: str


class PromptAck(ServerMessage):
    """The confirmation of a prompt; ``prompt`` is the effective one, expanded unless that was declined.

    ``reading`` is an extension of the specification: it comes only where some of the prompt cannot be done.
    """

    type: Literal["prompt_ack"] = "prompt_ack"
    prompt: str
    success: bool
    error: str | None = None
    reading: PromptReading | None = None


class SetImageAck(ServerMessage):
    """The confirmation of a reference photo."""

    type: Literal["set_image_ack"] = "set_image_ack"
    success: bool
    error: str | None = None


class GenerationStarted(ServerMessage):
    """The event that the first styled frame has left the engine."""

    type: Literal["generation_started"] = "generation_started"
    session_id: str
    model: str
    width: int
    height: int
    fps: float
    engine: str


class GenerationTick(ServerMessage):
    """The billing event of each second in which frames flow; ``seconds`` is the billed time."""

    type: Literal["generation_tick"] = "generation_tick"
    seconds: int
    frames: int
    fps: float


class GenerationEnded(ServerMessage):
    """The end of the stream, with the reason."""

    type: Literal["generation_ended"] = "generation_ended"
    seconds: int
    reason: EndReason


class QueuePosition(ServerMessage):
    """The position in the queue while the engine is busy with other sessions."""

    type: Literal["queue_position"] = "queue_position"
    position: int
    queue_size: int


class ReferenceImageError(ServerMessage):
    """The error that the reference photo cannot be downloaded; the stream goes on with the prompt only."""

    type: Literal["reference_image_error"] = "reference_image_error"
    error: str


class SocketError(ServerMessage):
    """An error; ``code`` is a type of the specification. After a fatal one the socket closes with a code."""

    type: Literal["error"] = "error"
    code: str
    error: str


AnyClientMessage = Annotated[RtcJoin | SetPrompt | SetImage, Field(discriminator="type")]
AnyServerMessage = Annotated[
    RtcRoomInfo
    | PromptAck
    | SetImageAck
    | GenerationStarted
    | GenerationTick
    | GenerationEnded
    | QueuePosition
    | ReferenceImageError
    | SocketError,
    Field(discriminator="type"),
]

_client = TypeAdapter[AnyClientMessage](AnyClientMessage)
_server = TypeAdapter[AnyServerMessage](AnyServerMessage)


def parse_client(text: str | bytes) -> AnyClientMessage:
    """Parses a message of the client. Raises ``pydantic.ValidationError``."""
    return _client.validate_json(text)


def parse_server(text: str | bytes) -> AnyServerMessage:
    """Parses a message of the server. Raises ``pydantic.ValidationError``."""
    return _server.validate_json(text)
