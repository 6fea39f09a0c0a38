"""The base of both ends of a WebRTC link: outgoing track, codec preference, bounded close.

Must not know rooms, requests or who is at the other end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Generic

import av
from aiortc import (
    MediaStreamTrack,
    RTCConfiguration,
    RTCIceServer,
    RTCPeerConnection,
    RTCRtpSender,
    RTCRtpTransceiver,
)
from aiortc.mediastreams import MediaStreamError

from overpaint.media.frames import FrameSlot, FrameT
from overpaint.media.links.ice_servers import IceServer
from overpaint.media.webrtc.av_frames import to_video_frame

CODECS = ("video/H264", "video/VP8", "video/rtx")
"""In order of preference; rtx is how lost packets are sent again (RFC 4588)."""
CLOSE_SECONDS = 3.0
"""aiortc waits for tasks of its own when it closes, and has been seen to wait for ever."""

log = logging.getLogger(__name__)


class SlotTrack(MediaStreamTrack, Generic[FrameT]):
    """Sends the newest frame of a slot. Encoding the last one decides the pace; nothing queues.

    To be made on the event loop that sends; ``slot.put`` may be called from any thread.

    Args:
        stamp: A frame's 90 kHz timestamp; None when it has none and must not be sent.
    """

    kind = "video"

    def __init__(self, stamp: Callable[[FrameT], int | None]) -> None:
        super().__init__()
        self.slot: FrameSlot[FrameT] = FrameSlot()
        self._stamp = stamp
        self._sending_loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self.slot.on_put(self._notify)

    async def recv(self) -> av.VideoFrame:
        """The next frame to encode."""
        while self.readyState == "live":
            # Cleared before looking: a frame put meanwhile sets it again.
            self._wake.clear()
            frame = self.slot.take(0)
            stamp = None if frame is None else self._stamp(frame)
            if frame is not None and stamp is not None:
                return to_video_frame(frame.image, stamp)
            if frame is None:
                await self._wake.wait()
        raise MediaStreamError

    def stop(self) -> None:
        """Ends the track; frames put later are ignored."""
        super().stop()
        self.slot.close()
        self._wake.set()

    def _notify(self) -> None:
        try:
            self._sending_loop.call_soon_threadsafe(self._wake.set)
        except RuntimeError:
            # The loop ended between a put and this: nobody is left to send to.
            log.debug("A frame came after the event loop had ended")


def new_connection(ice_servers: Sequence[IceServer] = ()) -> RTCPeerConnection:
    """A peer connection that asks no server but these: aiortc's default would ask a public STUN server."""
    asked = [RTCIceServer(each.url, each.username or None, each.credential or None) for each in ice_servers]
    return RTCPeerConnection(RTCConfiguration(iceServers=asked))


def prefer_codecs(transceiver: RTCRtpTransceiver) -> None:
    """H.264 before VP8. Counts in an answer only when set before the offer is applied."""
    known = RTCRtpSender.getCapabilities("video").codecs
    transceiver.setCodecPreferences([codec for name in CODECS for codec in known if codec.mimeType == name])


async def close_connection(connection: RTCPeerConnection) -> None:
    """Closes a peer connection, or gives up waiting for it."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await connection.close()
    except TimeoutError:
        log.warning("A peer connection did not close within %.0f s and was left", CLOSE_SECONDS)
