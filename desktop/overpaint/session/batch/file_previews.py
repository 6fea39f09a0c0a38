"""Previews of files before they are ordered: a picture, or a frame of a clip, painted on this computer.

Nothing is bought and no service is asked, so a remote one may paint it otherwise: a window has to say so.
Must not know the queue, nor how looks are painted.
"""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from overpaint.errors import OverpaintError
from overpaint.media import pictures
from overpaint.media.frames import Picture
from overpaint.media.opener.decoder import opaque
from overpaint.media.opener.decoder_messages import Pixels, Way
from overpaint.wire.media_limits import Kind
from overpaint.wire.messages import Trouble
from overpaint.wire.transforms import TransformPreview, WantTransformPreview

log = logging.getLogger(__name__)

SIDE = 960
"""Longest side of a preview, pixels."""
_SMALLEST = 64
"""Smallest side that an engine takes."""


class FilePainter(Protocol):
    """A painter of files in looks."""

    async def paint_file(
        self, prompt: str, image: Picture, kind: Kind, photo: bytes | None = None
    ) -> tuple[bytes, bool]:
        """Paints, see ``transforms.look_pictures.LookPainter``. Raises ``OverpaintError``."""

    async def close(self) -> None:
        """Ends its worker."""


class Decoder(Protocol):
    """The sandboxed decoder of pictures, and of clips' first pictures."""

    def file(self, path: Path, room: tuple[int, int], way: Way = "cover", *, clips: bool = False) -> Pixels:
        """See ``media.opener.decoder.PictureDecoder``."""

    def close(self) -> None:
        """Ends its process."""


class FilePreviews:
    """The previews, one at a time; of those asked for meanwhile only the newest is painted.

    Args:
        painter: Paints; closed at the end.
        decoder: Decodes; closed at the end.
        tell: Receives each preview.
    """

    def __init__(
        self, painter: FilePainter, decoder: Decoder, tell: Callable[[TransformPreview], None]
    ) -> None:
        self._painter = painter
        self._decoder = decoder
        self._tell = tell
        self._wanted: tuple[WantTransformPreview, bytes | None] | None = None
        self._work: asyncio.Task[None] | None = None
        self._decoded: tuple[str, Picture] | None = None

    def want(self, wish: WantTransformPreview, photo: bytes | None) -> None:
        """See ``WantTransformPreview``; ``photo`` is a picture file."""
        if not wish.source:
            self.follow(False)
            return
        self._wanted = wish, photo
        if self._work is None:
            self._work = asyncio.get_running_loop().create_task(self._run(), name="file preview")
            self._work.add_done_callback(self._ended)

    def refuse(self, wish: WantTransformPreview, error: OverpaintError) -> None:
        """Answers a wish that cannot be met."""
        self._tell(TransformPreview(serial=wish.serial, trouble=Trouble.of(error)))

    def follow(self, watched: bool) -> None:
        """Stops where no window is left, and gives back what is kept for the next one."""
        if not watched:
            self._wanted = self._decoded = None
            if self._work is not None:
                self._work.cancel()

    async def close(self) -> None:
        """Stops it, the painter and the decoder."""
        work = self._work
        self.follow(False)
        if work is not None:
            await asyncio.wait([work])
        await self._painter.close()
        await asyncio.to_thread(self._decoder.close)

    def _ended(self, work: asyncio.Task[None]) -> None:
        self._work = None
        if not work.cancelled() and work.exception() is not None:
            log.error("a preview ended for an unknown reason", exc_info=work.exception())
        if self._wanted is not None:  # asked for after a cancellation that was not through yet
            wish, photo = self._wanted
            self.want(wish, photo)

    async def _run(self) -> None:
        while self._wanted is not None:
            (wish, photo), self._wanted = self._wanted, None
            self._tell(await self._painted(wish, photo))

    async def _painted(self, wish: WantTransformPreview, photo: bytes | None) -> TransformPreview:
        try:
            frame = await self._frame(wish.source)
            jpeg, unchanged = await self._painter.paint_file(wish.prompt, frame, wish.kind, photo)
        except OverpaintError as error:
            return TransformPreview(serial=wish.serial, trouble=Trouble.of(error))
        picture = base64.b64encode(jpeg).decode()
        return TransformPreview(serial=wish.serial, picture=picture, unchanged=unchanged)

    async def _frame(self, source: str) -> Picture:
        """The picture, decoded once for all looks that are tried on it. Raises ``MediaError``."""
        if self._decoded is None or self._decoded[0] != source:
            pixels = await asyncio.to_thread(
                self._decoder.file, Path(source), (SIDE, SIDE), "inside", clips=True
            )
            self._decoded = source, await asyncio.to_thread(_as_frame, pixels)
        return self._decoded[1]


def _as_frame(pixels: Pixels) -> Picture:
    """I420 of a decoded picture: on white where it is transparent, even sides, none too small."""
    bgr = opaque(pixels)
    height, width = bgr.shape[:2]
    wide, high = max(_SMALLEST, width), max(_SMALLEST, height)
    if (wide, high) != (width, height):
        bgr = np.asarray(cv2.resize(bgr, (wide, high), interpolation=cv2.INTER_LINEAR), np.uint8)
    return pictures.from_bgr(np.ascontiguousarray(pictures.even(bgr)))
