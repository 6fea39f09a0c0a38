"""Transports of frames between the desktop and the service core.

Two transports behind one interface: ``shared_memory`` for two processes of one host, ``webrtc`` for the rest.
The desktop has a ``FrameLink``, the core a ``Room``; the transport is negotiated on the control socket
(``rtc_join`` offers, ``rtc_room_info`` answers).
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
    """The parameters for joining a room.

    Attributes:
        url: ``rtc_url`` of ``rtc_room_info``.
        token: Its room token; never logged.
        room: Its room name.
        width: Output width in pixels, also that of sent frames.
        height: Output height in pixels.
        fps: Frames a second to be sent.
        kind: Kind of the returned frames: styled, or originals where ``rtc_join`` requested ``passthrough``.
        ice_servers: STUN and TURN servers for a WebRTC link.
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
    """The caller of a request for a place in a room.

    Attributes:
        token: The token shown; changes to the place need it again.
        address: Address of the request; empty where a proxy hides it.
    """

    token: str = field(repr=False)
    address: str = ""


class FrameLink(Protocol):
    """The desktop's end of a link: raw frames out, styled frames back.

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
    """The core's end of a link: raw frames in, styled frames out to all peers in the room.

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
