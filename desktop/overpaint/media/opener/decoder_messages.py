"""Messages between a decoder process and its owner, as bytes. Must not know processes or codecs.

A message is its length and that of its payload (two big-endian uint32), a JSON object, the payload. The
decoder is not trusted: its answers are taken apart here, and only a picture that fits what was asked for, or
one of the sentences about files, comes out.
"""

from __future__ import annotations

import json
import struct
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import MediaError
from overpaint.sentences import media_files

Pixels = NDArray[np.uint8]
Way = Literal["cover", "inside"]

LENGTHS = struct.Struct(">II")
HEAD_MAX = 4096
SIDE_MAX = 65_535
ANSWER_MAX = 4 * 64 * 1024 * 1024
"""Size of the largest decoded picture with transparency, bytes."""
_LINE_MAX = 600


@dataclass(frozen=True, slots=True)
class Request:
    """A request for one picture, or for the first one of a clip.

    The file is the payload, a descriptor sent with the message, or a path (Windows).

    Attributes:
        width: Target width, pixels.
        height: Target height, pixels.
        way: Whether it is shrunk until it just covers the room, or until it fits inside.
        clips: Whether clips are accepted, too.
        path: Path of the file where no descriptor can be passed.
    """

    width: int
    height: int
    way: Way = "cover"
    clips: bool = False
    path: str = ""

    def fits(self, width: int, height: int) -> bool:
        """Returns whether a picture of this size can be the answer."""
        if self.way == "inside":
            return width <= self.width and height <= self.height
        # Covering: one side is that of the room (rounded), unless the picture was smaller.
        return width <= self.width + 1 or height <= self.height + 1

    def packed(self, payload_bytes: int) -> bytes:
        """Returns the message without its payload."""
        return packed(asdict(self), payload_bytes)


def read_request(head: bytes) -> Request:
    """Parses a request. Raises ``ValueError`` or ``TypeError``."""
    return Request(**json.loads(head))


def packed(head: object, payload_bytes: int = 0) -> bytes:
    """Makes a message without its payload."""
    words = json.dumps(head).encode()
    return LENGTHS.pack(len(words), payload_bytes) + words


def refusal(error: MediaError) -> bytes:
    """Makes a message that refuses with a reason."""
    return packed({"code": error.code, "params": dict(error.params)})


def read_picture(request: Request, head: bytes, payload: bytearray) -> Pixels:
    """Reads the picture of an answer: uint8 (H, W, 3) BGR, or (H, W, 4) BGRA.

    Raises:
        MediaError: The decoder's refusal.
        ValueError: It is no answer to this request.
    """
    try:
        said = json.loads(head)
    except RecursionError as error:
        raise ValueError("too deep") from error
    if not isinstance(said, dict):
        raise ValueError("no object")
    if "code" in said:
        raise _refused(said)
    shape = said.get("shape")
    if not isinstance(shape, list) or len(shape) != 3 or not all(type(side) is int for side in shape):
        raise ValueError("no shape")
    height, width, channels = shape
    if not (1 <= height <= SIDE_MAX and 1 <= width <= SIDE_MAX and channels in (3, 4)):
        raise ValueError("no picture")
    if height * width * channels != len(payload) or not request.fits(width, height):
        raise ValueError("another size")
    return np.frombuffer(payload, np.uint8).reshape(height, width, channels)


def _refused(said: dict[str, object]) -> MediaError:
    """Raises ``ValueError`` where it is no error about a file, or where its words are none to be shown."""
    code, params = said.get("code"), said.get("params")
    if not isinstance(code, str) or code not in media_files.SENTENCES or not isinstance(params, dict):
        raise ValueError("no refusal")
    error = MediaError.received(code, params)
    words = f"{error}{error.mend}"  # as they are: ``line`` would hide breaks of lines
    if not words.isprintable() or len(words) > _LINE_MAX:
        raise ValueError("words that a terminal or a log would act on")
    return error
