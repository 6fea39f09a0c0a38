"""The media rooms of this core, and the transport of each. Must not know sessions or looks.

Shared memory is for two processes of one host: a client gets it when it offers it from a loopback address
without a proxy or tunnel (``web.hosts.client_address``). All others get WebRTC.
"""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING

from overpaint.core.names import ROOM_PREFIX, new_id
from overpaint.core.public_addresses import may_reach
from overpaint.errors import InvalidRequestError
from overpaint.media.links import Room
from overpaint.media.links.ice_servers import IceServer
from overpaint.media.links.shared_memory import SharedMemoryRoom
from overpaint.web.hosts import is_loopback
from overpaint.wire.control import RtcJoin

if TYPE_CHECKING:
    from overpaint.media.webrtc.media_room import WebRtcRoom

DEFAULT_FPS = 30.0


class Rooms:
    """The media rooms of a core.

    Args:
        ice_servers: STUN and TURN servers for WebRTC rooms.
    """

    def __init__(self, ice_servers: tuple[IceServer, ...] = ()) -> None:
        self._ice_servers = ice_servers
        self._rooms: dict[str, Room] = {}
        self._webrtc: dict[str, WebRtcRoom] = {}

    async def open(self, join: RtcJoin, size: tuple[int, int], peer: str, base_url: str) -> Room:
        """Opens a room for a join.

        Args:
            join: What the client offers.
            size: (width, height) of every frame, pixels.
            peer: The client's address.
            base_url: The service's address as the client reached it.

        Raises:
            InvalidRequestError: Only shared memory was offered, from another host.
            LinkError: The fitting transport does not work on this machine.
        """
        name = new_id(ROOM_PREFIX)
        room: Room
        if "shared_memory" in join.transports and is_loopback(peer):
            room = await asyncio.to_thread(SharedMemoryRoom, name, *size)
        elif "webrtc" in join.transports:
            # aiortc takes 0.2 s to load: only when used, and not on the event loop.
            module = await asyncio.to_thread(importlib.import_module, "overpaint.media.webrtc.media_room")
            room = self._webrtc[name] = module.WebRtcRoom(
                name, *size, join.fps or DEFAULT_FPS, base_url, self._ice_servers, may_reach
            )
        else:
            raise InvalidRequestError("shared_memory_from_elsewhere")
        self._rooms[name] = room
        return room

    def find(self, name: str) -> WebRtcRoom | None:
        """Returns the open WebRTC room of that name, or None."""
        return self._webrtc.get(name)

    async def close(self, room: Room) -> None:
        """Closes a room for all peers; idempotent."""
        self._rooms.pop(room.name, None)
        self._webrtc.pop(room.name, None)
        await room.close()
