"""Transports of frames between the desktop and the service core.

Two ways behind one interface: ``shared_memory`` for two processes of one host, ``webrtc`` for the
rest. The desktop holds a ``FrameLink``, the core a ``Room``; which of them is chosen is settled on
the control socket (``rtc_join`` offers, ``rtc_room_info`` answers).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from overpaint.errors import LinkError
from overpaint.media.frames import FrameKind, FrameSlot, RawFrame, StyledFrame
from overpaint.media.links.ice_servers import IceServer


@dataclass(frozen=True, slots=True)
class LinkRequest:
    """What a desktop end needs to join a room.

    Attributes:
        url: ``rtc_url`` of ``rtc_room_info``.
        token: Its room token; never logged.
        room: Its room name.
        width: Output width in pixels; frames sent have it too.
        height: Output height in pixels.
        fps: Frames a second that will be sent.
        kind: What comes back: styled frames, or originals where ``rtc_join`` asked for ``passthrough``.
        ice_servers: That may help two ends of a WebRTC link to meet.
    """

    url: str
    token: str
    room: str
    width: int
    height: int
    fps: float
    kind: FrameKind
    ice_servers: tuple[IceServer, ...] = ()


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asked for a place in a room.

    Attributes:
        token: With which; changes to the place need it again.
        address: Where the request came from; empty where a proxy hides that.
    """

    token: str = field(repr=False)
    address: str = ""


class FrameLink(Protocol):
    """The desktop's end: raw frames out, styled frames back.

    ``send`` may be called from any thread and never blocks; what the link cannot carry it drops and
    counts. What it receives is of its request's kind. ``lost`` is called once, from any thread, with the
    reason, when the link is gone.
    """

    name: str
    received: FrameSlot[StyledFrame]

    @property
    def dropped(self) -> int:
        """Frames lost on the way in either direction, as seen from this end."""

    async def open(self, lost: Callable[[LinkError], None]) -> None:
        """Joins the room. Raises ``LinkError``."""

    def send(self, frame: RawFrame) -> None:
        """Sends one frame of exactly the room's size."""

    async def close(self) -> None:
        """Leaves the room and frees everything; may be called twice."""


class Room(Protocol):
    """The core's end: raw frames in, styled frames out to whoever is in the room.

    ``incoming`` holds frames of exactly the room's size, whatever the publisher sent.
    ``publish`` may be called from the engine's thread and never blocks.
    """

    url: str
    token: str
    name: str
    transport: str
    incoming: FrameSlot[RawFrame]

    @property
    def dropped(self) -> int:
        """Frames lost on the way in either direction, as seen from this end."""

    def publish(self, frame: StyledFrame) -> None:
        """Sends one styled frame to the room."""

    async def close(self) -> None:
        """Ends the room for everybody; may be called twice."""
