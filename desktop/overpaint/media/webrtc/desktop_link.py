"""The desktop's end of a WebRTC link: raw frames to a service anywhere, styled frames back.

Two peer connections, one publishing (WHIP, RFC 9725) and one watching (WHEP). A ``Signalling`` makes the HTTP
requests. The core's end is ``media_room``. Must not know sessions, sources or sinks.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Protocol

import av
from aiortc import RTCPeerConnection, RTCRtpTransceiver, RTCSessionDescription
from aiortc.exceptions import InternalError, InvalidAccessError, InvalidStateError, OperationError

from overpaint.errors import LinkError, OverpaintError
from overpaint.media import pictures
from overpaint.media.access_units import AccessUnit
from overpaint.media.frames import FrameSlot, RawFrame, StyledFrame, now_ns
from overpaint.media.links import LinkRequest
from overpaint.media.links.ice_servers import named
from overpaint.media.webrtc import aiortc_tuning
from overpaint.media.webrtc.av_frames import StampBook, is_plain, to_picture
from overpaint.media.webrtc.media_room import WebRtcRoom
from overpaint.media.webrtc.peer import SlotTrack, close_connection, new_connection, prefer_codecs

__all__ = ["Signalling", "WebRtcLink", "WebRtcRoom"]

CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 3.0
"""Time without a returned frame after which the link counts as lost; aiortc itself needs 30 s."""
FIRST_FRAME_SECONDS = 15.0
"""The same before the first styled frame, while the service may be preparing a look."""
PAUSE_NS = 1_000_000_000
"""Silence of the source after which earlier frames need no answer any more."""
DELETE_SECONDS = 2.0

log = logging.getLogger(__name__)
_AIORTC_ERRORS = (ValueError, InternalError, InvalidAccessError, InvalidStateError, OperationError)


class Signalling(Protocol):
    """The HTTP part of WHIP and WHEP. Both methods raise ``OverpaintError``."""

    async def post_sdp(self, url: str, sdp: str, token: str) -> tuple[str, str, list[str]]:
        """Posts an offer as ``application/sdp`` with the bearer token.

        Returns:
            The answer, the absolute URL of the resource (``Location``), the values of ``Link`` headers.
        """

    async def delete_resource(self, url: str, token: str) -> None:
        """Deletes a resource."""


class WebRtcLink:
    """The desktop's end of a WebRTC link: raw frames out, styled frames back.

    A frame's RTP timestamp is its capture time, which the room returns with the styled frame; a frame with an
    unknown, repeated or too old timestamp is dropped and counted.

    STUN and TURN servers are those of the request, and those named in the service's first answer: with the
    latter the offer is made once more, since aiortc accepts none later.

    Attributes:
        received: Styled frames of exactly the room's size, with the number and ``captured_ns`` of their
            raw frames.
    """

    name = "webrtc"

    def __init__(self, request: LinkRequest, signalling: Signalling) -> None:
        aiortc_tuning.apply()
        self.received: FrameSlot[StyledFrame] = FrameSlot()
        self._request = request
        self._signalling = signalling
        self._book = StampBook()
        self._lock = threading.Lock()
        self._track: SlotTrack[RawFrame] | None = None
        self._connections: list[RTCPeerConnection] = []
        self._resources: list[str] = []
        self._ice_servers = request.ice_servers
        self._was_named = False
        self._lost: Callable[[LinkError], None] | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._dropped = 0
        self._newest = -1
        self._sent_ns = 0
        self._unanswered_ns: int | None = None

    @property
    def dropped(self) -> int:
        """Number of frames lost in either direction."""
        track = self._track
        return self._dropped + self.received.dropped + (track.slot.dropped if track else 0)

    async def open(self, lost: Callable[[LinkError], None]) -> None:
        """Joins the room; returns when both connections are up.

        Raises:
            LinkError: The service refuses (kind refused), or no packet gets through (kind lost).
        """
        self._loop = asyncio.get_running_loop()
        try:
            publishing, watching = await self._join_both()
        except BaseException:
            await self.close()
            raise
        self._lost = lost
        for connection in (publishing, watching):
            connection.on("connectionstatechange", self._state_changed)
        self._state_changed()
        self._watch = self._loop.call_later(SILENCE_SECONDS, self._look)

    def send(self, frame: RawFrame) -> None:
        """Sends one frame of the room's size; replaces an unsent one."""
        track = self._track
        if track is None or track.slot.closed:
            with self._lock:
                self._dropped += 1
            return
        now = now_ns()
        with self._lock:
            if self._unanswered_ns is None or now - self._sent_ns > PAUSE_NS:
                self._unanswered_ns = now
            self._sent_ns = now
        track.slot.put(frame)

    async def close(self) -> None:
        """Leaves the room and frees everything; may be called twice."""
        self._lost = None
        if self._watch:
            self._watch.cancel()
        if self._track:
            self._track.stop()
        self.received.close()
        resources, self._resources = self._resources, []
        connections, self._connections = self._connections, []
        # First, since the core removes a peer that has closed its connection.
        await asyncio.gather(*(self._delete(each) for each in resources))
        await asyncio.gather(*(close_connection(each) for each in connections))

    async def _join_both(self) -> tuple[RTCPeerConnection, RTCPeerConnection]:
        self._track = SlotTrack(self._book.enter)
        try:
            publishing = await self._join("whip", self._track)
            watching = await self._join("whep", None)
            async with asyncio.timeout(CONNECT_SECONDS):
                await asyncio.gather(_connected(publishing), _connected(watching))
        except TimeoutError as error:
            raise LinkError("webrtc_blocked") from error
        except _AIORTC_ERRORS as error:
            raise LinkError("webrtc_answer_unusable", reason=str(error)) from error
        except LinkError:
            raise
        except OverpaintError as error:
            raise LinkError("webrtc_refused", sentence=str(error), mend=error.mend) from error
        return publishing, watching

    async def _join(self, part: str, track: SlotTrack[RawFrame] | None) -> RTCPeerConnection:
        """Publishes ``track``, or watches without one."""
        connection, transceiver, answer = await self._offer(part, track)
        await connection.setRemoteDescription(RTCSessionDescription(answer, "answer"))
        if track is None:
            if transceiver.receiver.track is None:
                raise LinkError("webrtc_without_picture")
            sink = aiortc_tuning.DecodedFrameSink(self._arrived, self._ended)
            aiortc_tuning.attach_sink(transceiver.receiver.track, sink)
        return connection

    async def _offer(
        self, part: str, track: SlotTrack[RawFrame] | None
    ) -> tuple[RTCPeerConnection, RTCRtpTransceiver, str]:
        """Makes a connection and its offer; returns it with the answer."""
        while True:
            connection = new_connection(self._ice_servers)
            self._connections.append(connection)
            transceiver = connection.addTransceiver(
                track or "video", direction="sendonly" if track else "recvonly"
            )
            prefer_codecs(transceiver)
            await connection.setLocalDescription(await connection.createOffer())
            answer, resource, links = await self._signalling.post_sdp(
                f"{self._request.url}/{part}", connection.localDescription.sdp, self._request.token
            )
            self._resources.append(resource)
            new = tuple(each for each in named(links) if each not in self._ice_servers)
            if not new or self._was_named:
                return connection, transceiver, answer
            self._was_named = True
            self._ice_servers += new
            self._resources.remove(resource)
            self._connections.remove(connection)
            await self._delete(resource)
            await close_connection(connection)

    async def _delete(self, resource: str) -> None:
        try:
            async with asyncio.timeout(DELETE_SECONDS):
                await self._signalling.delete_resource(resource, self._request.token)
        except (OverpaintError, TimeoutError) as error:
            # Optional: the core also notices the closed connection.
            log.info("A media resource could not be ended: %s", error)

    def _arrived(self, frame: av.VideoFrame, unit: AccessUnit | None) -> None:
        """In the decoder's thread."""
        known = self._book.take((frame.pts or 0) % (1 << 32))
        with self._lock:
            if known is None or known[0] <= self._newest:
                self._dropped += 1
                return
            number, captured_ns = known
            self._newest = number
            self._unanswered_ns = None
        width, height = self._request.width, self._request.height
        if (frame.width, frame.height) != (width, height) or not is_plain(frame):
            unit = None  # what is shown is not what was received
        image = pictures.fit(to_picture(frame), width, height)
        self.received.put(StyledFrame(image, number, captured_ns, self._request.kind, unit))

    def _ended(self) -> None:
        """In the decoder's thread."""
        if self._loop and self._lost:
            self._loop.call_soon_threadsafe(self._lose, LinkError("webrtc_picture_ended"))

    def _state_changed(self) -> None:
        states = {connection.connectionState for connection in self._connections}
        if states & {"failed", "closed"}:
            self._lose(LinkError("webrtc_broke"))

    def _look(self) -> None:
        """Checks by a timer that frames return, since silence is no event."""
        with self._lock:
            since, sent = self._unanswered_ns, self._sent_ns
            limit = SILENCE_SECONDS if self._newest >= 0 else FIRST_FRAME_SECONDS
        now = now_ns()
        if since is not None and now - sent < PAUSE_NS and now - since > limit * 1e9:
            self._lose(LinkError("webrtc_silent", seconds=round(limit)))
        elif self._loop and self._lost:
            self._watch = self._loop.call_later(SILENCE_SECONDS / 6, self._look)

    def _lose(self, error: LinkError) -> None:
        lost, self._lost = self._lost, None
        if lost and self._loop:
            # In its own task: an error must not happen inside aiortc, whose close would never end.
            self._loop.call_soon(lost, error)


async def _connected(connection: RTCPeerConnection) -> None:
    """Waits until a connection is up.

    Raises:
        LinkError: It failed.
    """
    settled = asyncio.Event()

    def changed() -> None:
        if connection.connectionState in ("connected", "failed", "closed"):
            settled.set()

    connection.on("connectionstatechange", changed)
    changed()
    await settled.wait()
    if connection.connectionState != "connected":
        raise LinkError("webrtc_blocked")
