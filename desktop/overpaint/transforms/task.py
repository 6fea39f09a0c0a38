"""Tasks of transform workers and their results. Must not know processes or codecs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from overpaint.errors import InvalidRequestError, MediaError
from overpaint.wire.media_limits import Kind

PHOTO_MAX_SIDE = 2048
"""Pixels; larger reference photos are shrunk."""

Progress = Callable[[float], None]
"""Called with 0..1, in growing order."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """The result of examining a file's content.

    Attributes:
        kind: Picture or clip.
        content_type: Media type.
        width: Upright, pixels.
        height: Upright, pixels.
        seconds: Length of a clip; 0 for a picture.
        frames: Of a clip, counted; 1 for a picture.
    """

    kind: Kind
    content_type: str
    width: int
    height: int
    seconds: float
    frames: int


@dataclass(frozen=True, slots=True)
class Transformed:
    """A finished output.

    Attributes:
        path: Where it lies.
        content_type: Media type.
        size: Bytes.
    """

    path: Path
    content_type: str
    size: int


class Transformer(Protocol):
    """A runner of transforms; the local one is a pool of worker processes (``pool``).

    A call that is cancelled ends the work that it asked for. ``tenant`` is for whom: tenants are served
    in turns.
    """

    async def inspect(self, source: Path, kind: Kind, *, tenant: str = "") -> Inspection:
        """Recognises and checks a file within the limits of its kind.

        Raises:
            InvalidRequestError: It is no file of this kind, damaged, or over a limit; the sentence
                says which, without naming the request's field.
            UpstreamError: No worker can be had.
        """

    async def transform(
        self, source: Path, kind: Kind, prompt: str, target: Path, progress: Progress, *, tenant: str = ""
    ) -> Transformed:
        """Restyles a file into ``target`` (without suffix; whole or not at all).

        Raises:
            InvalidRequestError: The file turned out to be damaged.
            UpstreamError: The engine or the worker failed.
        """

    async def photo(self, source: Path, *, tenant: str = "") -> Path:
        """Decodes a reference photo into a plain array, upright, at most 2048 px a side.

        It is a file in NumPy's format: uint8 (H, W, 3), BGR.

        Raises:
            InvalidRequestError: It is no picture, damaged, or over a limit.
            UpstreamError: No worker can be had.
        """

    async def close(self) -> None:
        """Ends every worker; idempotent."""


@contextmanager
def input_blamed() -> Iterator[None]:
    """What the opener says of a file, as what the service says of a request (``InvalidRequestError``)."""
    try:
        yield
    except MediaError as error:
        raise InvalidRequestError.of(error) from error
