"""Messages between a decoder process and its owner, as bytes. Must not know processes or codecs.

A message is its length and that of its payload (two big-endian uint32), a JSON object, the payload. The
decoder is not trusted: its answers are taken apart here, and only a picture that fits what was asked for, or
a sentence of limited length, comes out.
"""

from __future__ import annotations

import json
import struct
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import MediaError

Pixels = NDArray[np.uint8]
Way = Literal["cover", "inside"]

LENGTHS = struct.Struct(">II")
HEAD_MAX = 4096
SIDE_MAX = 65_535
ANSWER_MAX = 4 * 64 * 1024 * 1024
"""Bytes of the largest picture that is decoded, with transparency."""
_SENTENCE_MAX = 300
_KINDS = frozenset({"missing", "denied", "unknown", "too_large", "damaged", "too_costly", "unavailable"})


@dataclass(frozen=True, slots=True)
class Request:
    """One picture, or the first one of a clip, wanted as an array.

    The file comes as the payload, as a descriptor beside the message, or by its path (Windows).

    Attributes:
        width: Of the room for it, pixels.
        height: Of the room for it, pixels.
        way: Whether it is shrunk until it just covers the room, or until it fits inside.
        clips: Whether clips are taken, too.
        path: Of the file, where no descriptor can be handed over.
    """

    width: int
    height: int
    way: Way = "cover"
    clips: bool = False
    path: str = ""

    def fits(self, width: int, height: int) -> bool:
        """Whether a picture of this size can be the answer."""
        if self.way == "inside":
            return width <= self.width and height <= self.height
        # Covering: one side is that of the room (rounded), unless the picture was smaller already.
        return width <= self.width + 1 or height <= self.height + 1

    def packed(self, payload_bytes: int) -> bytes:
        """The message without its payload."""
        return packed(asdict(self), payload_bytes)


def read_request(head: bytes) -> Request:
    """A request from its JSON; raises ``ValueError`` or ``TypeError`` for anything else."""
    return Request(**json.loads(head))


def packed(head: object, payload_bytes: int = 0) -> bytes:
    """A message without its payload."""
    words = json.dumps(head).encode()
    return LENGTHS.pack(len(words), payload_bytes) + words


def refusal(error: MediaError) -> bytes:
    """A message that says why there is no picture."""
    return packed(
        {"kind": error.kind, "sentence": str(error)[:_SENTENCE_MAX], "mend": error.mend[:_SENTENCE_MAX]}
    )


def read_picture(request: Request, head: bytes, payload: bytearray) -> Pixels:
    """The picture of an answer: uint8 (H, W, 3) BGR, or (H, W, 4) BGRA.

    Raises:
        MediaError: As the decoder says it.
        ValueError: It is no answer to this request.
    """
    try:
        said = json.loads(head)
    except RecursionError as error:
        raise ValueError("too deep") from error
    if not isinstance(said, dict):
        raise ValueError("no object")
    if "kind" in said:
        kind, sentence, mend = (said.get(name) for name in ("kind", "sentence", "mend"))
        if kind not in _KINDS or not isinstance(sentence, str) or not isinstance(mend, str):
            raise ValueError("no refusal")
        if not f"{sentence}{mend}".isprintable():
            raise ValueError("words that a terminal or a log would act on")
        raise MediaError(sentence[:_SENTENCE_MAX], kind=str(kind), mend=mend[:_SENTENCE_MAX])
    shape = said.get("shape")
    if not isinstance(shape, list) or len(shape) != 3 or not all(type(side) is int for side in shape):
        raise ValueError("no shape")
    height, width, channels = shape
    if not (1 <= height <= SIDE_MAX and 1 <= width <= SIDE_MAX and channels in (3, 4)):
        raise ValueError("no picture")
    if height * width * channels != len(payload) or not request.fits(width, height):
        raise ValueError("another size")
    return np.frombuffer(payload, np.uint8).reshape(height, width, channels)
