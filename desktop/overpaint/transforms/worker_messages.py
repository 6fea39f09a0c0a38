"""Messages between pool and worker: one JSON object per line. Must not know processes or codecs.

The answers to an order are one ``Begun`` (clips only), any number of ``Advanced``, and one ``Done`` or
``Refused``. A worker has one order at a time, so answers carry no number.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from overpaint.errors import InvalidRequestError, OverpaintError, Param, UpstreamError
from overpaint.wire.media_limits import Kind


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Moving = Literal["", "begins", "follows"]
"""Whether a ``look`` is one still, or frames that follow each other: the first, or one in the same look."""


class Order(_Message):
    """The order for one task. ``prompt``, ``target`` and optionally ``reference`` belong to a ``transform``.
    A ``look`` has a frame in ``picture``, and optionally a ``photo``, in place of files; it is painted as a
    transform of its ``kind`` would be. A ``convert`` writes a clip in another container or size.
    """

    task: Literal["inspect", "transform", "photo", "look", "convert"]
    source: str = ""
    kind: Kind = "image"
    prompt: str = ""
    target: str = ""
    reference: str = ""
    """Path of the reference photo's array (the result of a ``photo``); empty for none."""
    picture: str = ""
    """Base64 of an I420 frame."""
    size: tuple[int, int] = (0, 0)
    """Width and height of the frame, pixels."""
    shown: tuple[int, int] = (0, 0)
    """Width and height of the preview, pixels."""
    photo: str = ""
    """Base64 of a picture file."""
    moving: Moving = ""
    content_type: str = ""
    """Of the output of a ``convert``."""
    side: int = 0
    """Longest side of that, pixels; 0 for no limit."""


class Advanced(_Message):
    """Progress, 0..1."""

    answer: Literal["advanced"] = "advanced"
    share: float


class Begun(_Message):
    """The amount of work of a clip: pixels of all frames. Sent once, before progress."""

    answer: Literal["begun"] = "begun"
    pixels: int


class Done(_Message):
    """The result; fields of other tasks keep their defaults."""

    answer: Literal["done"] = "done"
    path: str = ""
    content_type: str = ""
    size: int = 0
    width: int = 0
    height: int = 0
    seconds: float = 0.0
    frames: int = 0
    picture: str = ""
    """Base64 of a JPEG."""
    unchanged: bool = False
    """Nothing in the prompt of a ``look`` or ``transform`` can be done."""


class Refused(_Message):
    """An error, caused by the input or not. ``detail`` is for the log.

    A worker is not trusted: an answer is invalid unless ``code`` and ``params`` are those of a known error.
    """

    answer: Literal["refused"] = "refused"
    input_is_wrong: bool
    code: str
    params: dict[str, Param]
    detail: str = ""

    @model_validator(mode="after")
    def _has_a_sentence(self) -> Self:
        self.error()
        return self

    @classmethod
    def of(cls, error: OverpaintError, detail: str = "") -> Self:
        """The answer for an error; the input is the cause of an ``InvalidRequestError``."""
        return cls(
            input_is_wrong=isinstance(error, InvalidRequestError),
            code=error.code,
            params=dict(error.params),
            detail=detail,
        )

    def error(self) -> InvalidRequestError | UpstreamError:
        """The error again. Raises ``ValueError`` where the code is unknown."""
        made = InvalidRequestError if self.input_is_wrong else UpstreamError
        return made.of(OverpaintError.received(self.code, self.params))


AnyAnswer = Begun | Advanced | Done | Refused
Answer = Annotated[AnyAnswer, Field(discriminator="answer")]
_answers: TypeAdapter[AnyAnswer] = TypeAdapter(Answer)


def line(message: _Message) -> bytes:
    """A message as one line of JSON."""
    return message.model_dump_json().encode() + b"\n"


def read_order(words: bytes) -> Order:
    """Parses an order. Raises ``ValueError``."""
    return Order.model_validate_json(words)


def read_answer(words: bytes) -> AnyAnswer:
    """Parses an answer. Raises ``ValueError``."""
    return _answers.validate_json(words)
