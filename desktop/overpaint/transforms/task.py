"""The interface of transforms (``Transformer``) and its results. Must not know processes or codecs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from overpaint.errors import InvalidRequestError, MediaError
from overpaint.wire.media_limits import Kind

PHOTO_MAX_SIDE = 2048
"""Pixels; larger reference photos are scaled down."""

Progress = Callable[[float], None]
"""Callback with the share that is done, 0..1, never decreasing."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """The result of a file's validation.

    Attributes:
        kind: Picture or clip.
        content_type: Media type.
        width: Upright, pixels.
        height: Upright, pixels.
        seconds: Duration of a clip; 0 for a picture.
        frames: Number of a clip's frames, counted; 1 for a picture.
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
        path: Path of the file.
        content_type: Media type.
        size: Bytes.
        unchanged: Whether nothing of the prompt could be done, so that it shows the input as it was.
    """

    path: Path
    content_type: str
    size: int
    unchanged: bool = False


class Transformer(Protocol):
    """The interface of transforms; the implementation is a pool of worker processes (``pool``).

    Cancelling a call stops its work. ``tenant`` is the account that it is for; tenants get fair shares.
    """

    async def inspect(self, source: Path, kind: Kind, *, tenant: str = "") -> Inspection:
        """Validates a file by its content, against the limits of its kind.

        Raises:
            InvalidRequestError: It is not of this kind, damaged, or over a limit; the sentence says which,
                without naming the request's field.
            UpstreamError: There is no worker.
        """

    async def transform(
        self,
        source: Path,
        kind: Kind,
        prompt: str,
        target: Path,
        progress: Progress,
        *,
        photo: Path | None = None,
        tenant: str = "",
    ) -> Transformed:
        """Restyles a file into ``target`` (a path without suffix), atomically.

        Args:
            source: The file.
            kind: Picture or clip.
            prompt: What it should look like.
            target: Path of the output.
            progress: Receives the progress.
            photo: Reference photo, as an array file of ``photo``; None for none.
            tenant: The account that it is for.

        Raises:
            InvalidRequestError: The file is damaged.
            UpstreamError: The engine or the worker failed.
        """

    async def photo(self, source: Path, *, tenant: str = "") -> Path:
        """Decodes a reference photo into an array, upright, at most 2048 px a side.

        Returns:
            Path of a file in NumPy's format: uint8 (H, W, 3), BGR.

        Raises:
            InvalidRequestError: It is not a picture, damaged, or over a limit.
            UpstreamError: There is no worker.
        """

    async def close(self) -> None:
        """Stops all work; idempotent."""


@contextmanager
def input_blamed() -> Iterator[None]:
    """Turns the opener's errors about a file into ``InvalidRequestError``."""
    try:
        yield
    except MediaError as error:
        raise InvalidRequestError.of(error) from error
