"""The shared-memory link between two processes of one user: no codec, no copy through the kernel.

``SharedMemoryRoom`` is the core's end, ``SharedMemoryLink`` the desktop's. Source: protocol
decisions, "Media room". Must not know sessions or looks.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import LinkError
from overpaint.media.frames import FrameKind, FrameSlot, RawFrame, StyledFrame
from overpaint.media.links import LinkRequest
from overpaint.media.links.frame_ring import RingPort
from overpaint.processes.channel import Channel, ChannelServer, connect

SCHEME = "shm://"


def frame_bytes(width: int, height: int) -> int:
    """Returns the size of an I420 frame in bytes."""
    return width * height * 3 // 2


class SharedMemoryRoom:
    """The core's end of a shared-memory link. A newer desktop replaces the older one.

    Args:
        name: Room name, unique in the core.
        width: Of every frame, in pixels.
        height: Of every frame, in pixels.
    """

    transport = "shared_memory"

    def __init__(self, name: str, width: int, height: int) -> None:
        self.name = name
        self.incoming: FrameSlot[RawFrame] = FrameSlot()
        self._shape = (height * 3 // 2, width)
        self._capacity = frame_bytes(width, height)
        self._guard = threading.Lock()
        self._port: RingPort | None = None
        self._dropped = 0
        self._server = ChannelServer(self._serve, f"room-{name}")
        self.url = SCHEME + quote(self._server.address, safe="")
        self.token = self._server.secret

    @property
    def dropped(self) -> int:
        """Frames lost on the way in either direction, as seen from here."""
        port = self._port
        return self._dropped + self.incoming.dropped + (port.dropped if port else 0)

    def publish(self, frame: StyledFrame) -> None:
        """Sends one styled frame to the desktop; dropped in an empty room."""
        port = self._port
        if port is None:
            self._dropped += 1
            return
        with suppress(LinkError):  # the reading side notices, too, and closes the port
            port.send(frame.image, frame.number, frame.captured_ns, frame.kind)

    async def close(self) -> None:
        """Ends the room; idempotent."""
        self._server.close()
        self.incoming.close()

    def _serve(self, channel: Channel) -> None:
        port = RingPort(channel, self._capacity, self._arrived)
        with self._guard:
            former, self._port = self._port, port
        if former is not None:
            former.close()
        try:
            port.run()
        finally:
            with self._guard:
                if self._port is port:
                    self._port = None

    def _arrived(self, picture: NDArray[np.uint8], number: int, captured_ns: int, _kind: FrameKind) -> None:
        if picture.shape != self._shape:
            raise LinkError("frame_of_another_size")
        self.incoming.put(RawFrame(picture, number, captured_ns))


class SharedMemoryLink:
    """The desktop's end of a shared-memory link.

    Args:
        request: Its url is a ``SharedMemoryRoom``'s.
    """

    name = "shared_memory"

    def __init__(self, request: LinkRequest) -> None:
        self.received: FrameSlot[StyledFrame] = FrameSlot()
        self._request = request
        self._port: RingPort | None = None
        self._lost: Callable[[LinkError], None] | None = None
        self._dropped = 0

    @property
    def dropped(self) -> int:
        """Frames lost on the way in either direction, as seen from here."""
        port = self._port
        return self._dropped + self.received.dropped + (port.dropped if port else 0)

    async def open(self, lost: Callable[[LinkError], None]) -> None:
        """Joins the room. Raises ``LinkError``."""
        address = unquote(self._request.url.removeprefix(SCHEME))
        channel = await asyncio.to_thread(connect, address, self._request.token)
        capacity = frame_bytes(self._request.width, self._request.height)
        self._lost = lost
        self._port = RingPort(channel, capacity, self._arrived)
        threading.Thread(
            target=self._run, args=(self._port,), name=f"link-{secrets.token_hex(2)}", daemon=True
        ).start()

    def send(self, frame: RawFrame) -> None:
        """Sends one frame of exactly the room's size; never blocks."""
        port = self._port
        if port is None:
            self._dropped += 1
            return
        with suppress(LinkError):  # the reading thread notices, too, and reports it
            port.send(frame.image, frame.number, frame.captured_ns, FrameKind.ORIGINAL)

    async def close(self) -> None:
        """Leaves the room; idempotent."""
        self._lost = None
        port, self._port = self._port, None
        if port is not None:
            self._dropped += port.dropped
            await asyncio.to_thread(port.close)
        self.received.close()

    def _run(self, port: RingPort) -> None:
        try:
            port.run()
        except LinkError as error:
            lost = self._lost
            if lost is not None:
                lost(error)

    def _arrived(self, picture: NDArray[np.uint8], number: int, captured_ns: int, _kind: FrameKind) -> None:
        self.received.put(StyledFrame(picture, number, captured_ns, self._request.kind))
