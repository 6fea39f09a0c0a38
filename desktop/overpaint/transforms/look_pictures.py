"""Look previews: a frame in many looks, or many frames in one, painted in a worker process. Both sides.

The frame travels over a pipe and stays in memory: it is never written to disk. Must not know where frames
come from, nor where previews are shown.
"""

from __future__ import annotations

import asyncio
import base64
import logging

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.interface import CompiledLook, Engine, LookRequest, Quality
from overpaint.errors import InvalidRequestError, MediaError, UpstreamError
from overpaint.media import pictures
from overpaint.media.frames import Picture
from overpaint.media.opener.stills import on_white, read_still
from overpaint.processes.children import command
from overpaint.transforms.process import WorkerProcess
from overpaint.transforms.worker_messages import Done, Moving, Order
from overpaint.transforms.worker_watchdog import Limits
from overpaint.wire.media_limits import Kind

log = logging.getLogger(__name__)

PAINTED = (640, 360)
"""Size at which looks are painted, twice the size of the preview, so that strokes stay visible in it."""
SHOWN = (320, 180)
SIDE_MAX = 2048
"""Largest side of a frame; its preview has to fit into one answer (``process.LONGEST_ANSWER_BYTES``)."""
JPEG_QUALITY = 82
LIMITS = Limits(cpu_s=120, memory_bytes=2 * 1024**3, wall_s=300.0)
IDLE_S = 10.0


class LookPainter:
    """A painter of looks in a worker process of the lowest priority, which ends when idle."""

    def __init__(self) -> None:
        self._worker = WorkerProcess(command("work"), IDLE_S)
        self._moving: tuple[str, bytes | None, int | None] | None = None
        """Prompt and photo of the moving preview that the worker keeps a look for, and the worker's pid."""

    @property
    def pid(self) -> int | None:
        """Process id of the running worker."""
        return self._worker.pid

    async def paint(
        self, prompt: str, image: Picture, photo: bytes | None = None, moving: bool = False
    ) -> bytes:
        """The preview of a frame in the look of a prompt. Cancelling this kills the worker.

        Args:
            prompt: A prompt as for a session, such as a look's title.
            image: I420 uint8 (H * 3 // 2, W), any size.
            photo: Reference photo, a picture file; one that cannot be read is ignored.
            moving: Whether frames that follow each other are painted: the worker keeps the look, which then
                moves as it does in a stream, until another preview is painted.

        Returns:
            A JPEG of size ``SHOWN``.

        Raises:
            UpstreamError: The worker failed or refused.
        """
        begun, self._moving = self._moving, None
        now: Moving = "begins" if moving else ""
        if moving and begun is not None and begun[0] == prompt and begun[1] is photo:
            now = "follows" if begun[2] == self.pid else now
        # In a thread, since a moving preview does this beside a stream.
        order = await asyncio.to_thread(_order, prompt, image, photo, now)
        done = await self._done(order)
        if moving:
            self._moving = prompt, photo, self.pid
        return base64.b64decode(done.picture)

    async def paint_file(
        self, prompt: str, image: Picture, kind: Kind, photo: bytes | None = None
    ) -> tuple[bytes, bool]:
        """The preview of a file in the look of a prompt, in the frame's own size; else as ``paint``.

        Args:
            prompt: A prompt as for a transform.
            image: I420 uint8 (H * 3 // 2, W), sides of 64 to 2048 px: the picture, or a frame of the clip.
            kind: What the frame is of.
            photo: Reference photo, a picture file.

        Returns:
            A JPEG, and whether nothing in the prompt can be done.

        Raises:
            UpstreamError: The worker failed or refused.
        """
        self._moving = None
        size = (image.shape[1], image.shape[0] * 2 // 3)
        order = Order(
            task="look",
            kind=kind,
            prompt=prompt,
            picture=base64.b64encode(image.tobytes()).decode(),
            size=size,
            shown=size,
            photo=base64.b64encode(photo or b"").decode(),
        )
        done = await self._done(order)
        return base64.b64decode(done.picture), done.unchanged

    async def close(self) -> None:
        """Ends the worker; idempotent."""
        await self._worker.end()

    async def _done(self, order: Order) -> Done:
        answer = await self._worker.do(order, LIMITS, lambda _: None)
        if not isinstance(answer, Done):
            raise UpstreamError.of(answer.error())
        return answer


def _order(prompt: str, image: Picture, photo: bytes | None, moving: Moving) -> Order:
    """The order for a frame; what the worker keeps is not sent again."""
    small = pictures.resize(image, *PAINTED)
    kept = moving == "follows"
    return Order(
        task="look",
        prompt="" if kept else prompt,
        picture=base64.b64encode(small.tobytes()).decode(),
        size=PAINTED,
        shown=SHOWN,
        photo="" if kept else base64.b64encode(photo or b"").decode(),
        moving=moving,
    )


def _photo(order: Order) -> NDArray[np.uint8] | None:
    """The reference photo, BGR uint8 (H, W, 3); None where it is missing or unreadable."""
    data = base64.b64decode(order.photo)
    try:
        return on_white(read_still(data)) if data else None
    except MediaError as error:
        log.info("the reference photo cannot be used: %s", error)
        return None


class Easel:
    """The worker's side: paints previews, and keeps the look of a moving one."""

    def __init__(self) -> None:
        self._moving: CompiledLook | None = None

    def painted(self, order: Order, engine: Engine) -> Done:
        """The preview.

        Raises:
            InvalidRequestError: The order's frame has the wrong size, or follows none.
            EngineError: The look cannot be compiled.
        """
        width, height = order.size
        data = np.frombuffer(base64.b64decode(order.picture), np.uint8)
        if max(width, height) > SIDE_MAX or data.size != width * height * 3 // 2:
            raise InvalidRequestError("frame_malformed")
        styled = self._look(order, engine).apply(data.reshape(height * 3 // 2, width))
        shown = pictures.to_bgr(pictures.resize(styled, *order.shown))
        done, jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not done:
            raise InvalidRequestError("frame_not_encoded")
        nothing = not (order.photo or order.moving) and engine.understand(LookRequest(order.prompt)).nothing
        return Done(picture=base64.b64encode(jpeg.tobytes()).decode(), unchanged=nothing)

    def _look(self, order: Order, engine: Engine) -> CompiledLook:
        former, self._moving = self._moving, None
        if order.moving == "follows":
            if former is None:
                raise InvalidRequestError("frame_malformed")
            look = former
        else:
            quality: Quality = "clip" if order.moving or order.kind == "video" else "still"
            look = engine.compile(LookRequest(order.prompt, _photo(order)), *order.size, quality)
        if order.moving:
            self._moving = look
        return look
