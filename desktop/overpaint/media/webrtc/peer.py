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
"""Codecs in order of preference; rtx carries retransmitted packets (RFC 4588)."""
CLOSE_SECONDS = 3.0
"""Time limit for aiortc's close, which waits for its own tasks, sometimes forever."""

log = logging.getLogger(__name__)


class SlotTrack(MediaStreamTrack, Generic[FrameT]):
    """A track of the newest frames of a slot, at the pace of encoding; nothing queues.

    To be created on the sending event loop; ``slot.put`` may be called from any thread.

    Args:
        stamp: Returns a frame's 90 kHz timestamp; None where the frame must not be sent.
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
        """Returns the next frame to encode."""
        while self.readyState == "live":
            # Cleared before taking: a frame put meanwhile sets it again.
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
            # The loop ended between a put and this: there is no peer left.
            log.debug("A frame came after the event loop had ended")


def new_connection(ice_servers: Sequence[IceServer] = ()) -> RTCPeerConnection:
    """Makes a peer connection that uses only these servers; aiortc's default is a public STUN server."""
    asked = [RTCIceServer(each.url, each.username or None, each.credential or None) for each in ice_servers]
    return RTCPeerConnection(RTCConfiguration(iceServers=asked))


def prefer_codecs(transceiver: RTCRtpTransceiver) -> None:
    """Prefers H.264 to VP8. In an answer it only has effect before the offer is applied."""
    known = RTCRtpSender.getCapabilities("video").codecs
    transceiver.setCodecPreferences([codec for name in CODECS for codec in known if codec.mimeType == name])


async def close_connection(connection: RTCPeerConnection) -> None:
    """Closes a peer connection, with a time limit."""
    try:
        async with asyncio.timeout(CLOSE_SECONDS):
            await connection.close()
    except TimeoutError:
        log.warning("A peer connection did not close within %.0f s and was left", CLOSE_SECONDS)
