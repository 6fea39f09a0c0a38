"""Look previews: a frame in many looks, painted in a worker process. Both sides: client and worker.

The frame travels over a pipe and stays in memory: it is never written to disk. Must not know where frames
come from, nor where previews are shown.
"""

from __future__ import annotations

import base64
import logging

import cv2
import numpy as np
from numpy.typing import NDArray

from overpaint.engine.interface import Engine, LookRequest
from overpaint.errors import InvalidRequestError, MediaError, UpstreamError
from overpaint.media import pictures
from overpaint.media.frames import Picture
from overpaint.media.opener.stills import on_white, read_still
from overpaint.processes.children import command
from overpaint.transforms.process import WorkerProcess
from overpaint.transforms.worker_messages import Done, Order
from overpaint.transforms.worker_watchdog import Limits

log = logging.getLogger(__name__)

PAINTED = (640, 360)
"""Size at which looks are painted, twice the size of the preview, so that strokes stay visible in it."""
SHOWN = (320, 180)
JPEG_QUALITY = 82
LIMITS = Limits(cpu_s=120, memory_bytes=2 * 1024**3, wall_s=300.0)
IDLE_S = 10.0


class LookPainter:
    """A painter of looks in a worker process of the lowest priority, which ends when idle."""

    def __init__(self) -> None:
        self._worker = WorkerProcess(command("work"), IDLE_S)

    @property
    def pid(self) -> int | None:
        """Process id of the running worker."""
        return self._worker.pid

    async def paint(self, prompt: str, image: Picture, photo: bytes | None = None) -> bytes:
        """The preview of a frame in the look of a prompt. Cancelling this kills the worker.

        Args:
            prompt: A prompt as for a session, such as a look's title.
            image: I420 uint8 (H * 3 // 2, W), any size.
            photo: Reference photo, a picture file; one that cannot be read is ignored.

        Returns:
            A JPEG of size ``SHOWN``.

        Raises:
            UpstreamError: The worker failed or refused.
        """
        small = pictures.resize(image, *PAINTED)
        order = Order(
            task="look",
            prompt=prompt,
            picture=base64.b64encode(small.tobytes()).decode(),
            photo=base64.b64encode(photo or b"").decode(),
        )
        answer = await self._worker.do(order, LIMITS, lambda _: None)
        if not isinstance(answer, Done):
            raise UpstreamError.of(answer.error())
        return base64.b64decode(answer.picture)

    async def close(self) -> None:
        """Ends the worker; idempotent."""
        await self._worker.end()


def _photo(order: Order) -> NDArray[np.uint8] | None:
    """The reference photo, BGR uint8 (H, W, 3); None where it is missing or unreadable."""
    data = base64.b64decode(order.photo)
    try:
        return on_white(read_still(data)) if data else None
    except MediaError as error:
        log.info("the reference photo cannot be used: %s", error)
        return None


def painted(order: Order, engine: Engine) -> str:
    """The preview as base64 of a JPEG, painted on the worker's side.

    Raises:
        InvalidRequestError: The order's frame has the wrong size.
        EngineError: The look cannot be compiled.
    """
    width, height = PAINTED
    data = np.frombuffer(base64.b64decode(order.picture), np.uint8)
    if data.size != width * height * 3 // 2:
        raise InvalidRequestError("frame_malformed")
    look = engine.compile(LookRequest(order.prompt, _photo(order)), width, height, "still")
    styled = pictures.resize(look.apply(data.reshape(height * 3 // 2, width)), *SHOWN)
    done, jpeg = cv2.imencode(".jpg", pictures.to_bgr(styled), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise InvalidRequestError("frame_not_encoded")
    return base64.b64encode(jpeg.tobytes()).decode()
