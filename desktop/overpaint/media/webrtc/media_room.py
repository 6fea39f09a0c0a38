"""The media room, the core's end of a WebRTC link: one publisher, some viewers, offers and answers.

Any WHIP client may publish and any WHEP client watch; HTTP itself is ``web/whip.py``. Must not know
sessions, prompts or engines.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Literal

import av
from aiortc import RTCPeerConnection, RTCSessionDescription
from aiortc.exceptions import InternalError, InvalidAccessError, InvalidStateError, OperationError

from overpaint.errors import AuthenticationError, InvalidRequestError, NotFoundError, RateLimitedError
from overpaint.media import pictures
from overpaint.media.frames import FrameSlot, RawFrame, StyledFrame, now_ns
from overpaint.media.links import Caller
from overpaint.media.links.ice_servers import IceServer
from overpaint.media.webrtc import aiortc_tuning, sdp_text
from overpaint.media.webrtc.av_frames import REMEMBERED, to_picture
from overpaint.media.webrtc.candidate_filter import CandidateFilter
from overpaint.media.webrtc.peer import SlotTrack, close_connection, new_connection, prefer_codecs

MAX_VIEWERS = 8
"""Limit of viewers: each has its own encoder, about a fifth of a core at 1080p30."""
MAX_FRAGMENTS = 64
"""Limit of PATCHes per peer: a browser sends one for each of its candidates, and one more."""
CONNECT_SECONDS = 20.0

log = logging.getLogger(__name__)
_REFUSALS = (ValueError, InternalError, InvalidAccessError, InvalidStateError, OperationError)


@dataclass(slots=True, eq=False)
class _Member:
    """A peer in the room, from its offer on; ``track`` is sent to a viewer."""

    role: Literal["publisher", "viewer"]
    connection: RTCPeerConnection
    caller: Caller
    track: SlotTrack[StyledFrame] | None = None
    candidates: CandidateFilter | None = None
    fragments: int = 0
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))


class WebRtcRoom:
    """A room that peers join by WHIP and WHEP. Created and closed on the core's event loop.

    Frames are numbered in this room, and ``captured_ns`` is the time of decoding here (the sender's clock is
    unknown). The publisher's RTP timestamp is kept, and sent again with the styled frame of the same number:
    so a desktop recognises its frames.

    Args:
        name: The room's name, part of its address.
        width: Width of every frame in ``incoming``, pixels, even.
        height: Height of every frame in ``incoming``, pixels, even.
        fps: Nominal frames a second; the encoder follows the rate of published frames.
        base_url: Address of the service, for example ``http://127.0.0.1:8000``.
        ice_servers: STUN and TURN servers, also named to peers.
        is_public: Returns whether a candidate's address is a permitted public one; without it, only addresses
        near the peer's own are accepted.

    Attributes:
        token: Token for publishing, watching, and removing peers.
        viewer_token: Token for watching only.

    Raises:
        LinkError: The installed aiortc is not the one that is needed.
    """

    transport = "webrtc"

    def __init__(
        self,
        name: str,
        width: int,
        height: int,
        fps: float,
        base_url: str,
        ice_servers: tuple[IceServer, ...] = (),
        is_public: Callable[[str], bool] = lambda _: False,
    ) -> None:
        aiortc_tuning.apply()
        self._is_public = is_public
        self._relays: frozenset[str] | None = None
        self._publishing = asyncio.Lock()
        self.ice_servers = ice_servers
        self.name = name
        self.width, self.height, self.fps = width, height, fps
        self.url = f"{base_url.rstrip('/')}/v1/rtc/{name}"
        self.token = secrets.token_urlsafe(32)
        self.viewer_token = secrets.token_urlsafe(32)
        self.incoming: FrameSlot[RawFrame] = FrameSlot()
        self._lock = threading.Lock()
        self._members: dict[str, _Member] = {}
        self._publisher: _Member | None = None
        self._viewers: tuple[SlotTrack[StyledFrame], ...] = ()
        self._stamps: OrderedDict[int, int] = OrderedDict()
        self._count = 0
        self._dropped = 0
        self._left_behind = 0
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}

    @property
    def dropped(self) -> int:
        """Number of frames not taken in time, or published with an unknown number."""
        sending = sum(track.slot.dropped for track in self._viewers)
        return self._dropped + self._left_behind + self.incoming.dropped + sending

    def publish(self, frame: StyledFrame) -> None:
        """Sends one styled frame to every viewer; from any thread, never blocks.

        The frame must have the number of its raw frame; one with an unknown number is dropped, since nobody
        could tell what it shows.
        """
        with self._lock:
            known = frame.number in self._stamps
            self._dropped += not known
        if known:
            for track in self._viewers:
                track.slot.put(frame)

    async def answer_publisher(self, sdp: str, caller: Caller) -> tuple[str, str]:
        """Answers a WHIP offer; replaces the former publisher.

        Args:
            sdp: The offer.
            caller: The caller.

        Returns:
            The resource's id and the answer.

        Raises:
            InvalidRequestError: The offer is not one.
            NotFoundError: The room was closed.
        """
        offer = sdp_text.check_offer(sdp, "publisher")
        async with self._publishing:
            return await self._replace_publisher(offer, caller)

    async def _replace_publisher(self, offer: str, caller: Caller) -> tuple[str, str]:
        connection = self._connection()
        transceiver = connection.addTransceiver("video", direction="recvonly")
        prefer_codecs(transceiver)
        member = _Member("publisher", connection, caller)

        def attach() -> None:
            track = transceiver.receiver.track
            sink = aiortc_tuning.DecodedFrameSink(
                lambda picture, _: self._arrived(member, picture), lambda: None
            )
            aiortc_tuning.attach_sink(track, sink)

        answer = await self._answer(member, offer, attach)
        before, self._publisher = self._publisher, member
        if before is not None:
            self._leave(before)
        return member.id, sdp_text.with_bitrate_hints(answer)

    async def answer_viewer(self, sdp: str, caller: Caller) -> tuple[str, str]:
        """Answers a WHEP offer. Arguments, result and errors as for ``answer_publisher``.

        Raises:
            RateLimitedError: There are ``MAX_VIEWERS`` already.
        """
        offer = sdp_text.check_offer(sdp, "viewer")
        if sum(each.role == "viewer" for each in self._members.values()) >= MAX_VIEWERS:
            raise RateLimitedError("room_full", viewers=MAX_VIEWERS)
        connection = self._connection()
        track: SlotTrack[StyledFrame] = SlotTrack(self._stamp)
        prefer_codecs(connection.addTransceiver(track, direction="sendonly"))
        member = _Member("viewer", connection, caller, track)
        answer = await self._answer(member, offer, lambda: None)
        return member.id, answer

    def role_of(self, token: str) -> Literal["publisher", "viewer"]:
        """Returns the role of a token.

        Raises:
            AuthenticationError: It has none.
        """
        if secrets.compare_digest(token.encode(), self.token.encode()):
            return "publisher"
        if secrets.compare_digest(token.encode(), self.viewer_token.encode()):
            return "viewer"
        raise AuthenticationError("room_token_wrong")

    def _is_members(self, token: str) -> bool:
        """Returns whether a peer joined with this token."""
        shown = token.encode()
        return any(
            secrets.compare_digest(member.caller.token.encode(), shown) for member in self._members.values()
        )

    def check_member(self, resource_id: str, token: str, *, ends: bool = False) -> None:
        """Checks that ``token`` may change a peer's resource: it must be the peer's own.

        Args:
            resource_id: Id of the resource.
            token: A token of this room.
            ends: Whether the peer is to be removed, which the room's token allows for every peer.

        Raises:
            AuthenticationError: The peer joined with another token.
            NotFoundError: There is no such peer (any more).
        """
        same = secrets.compare_digest(self._member(resource_id).caller.token.encode(), token.encode())
        if not same and not (ends and secrets.compare_digest(token.encode(), self.token.encode())):
            raise AuthenticationError("room_resource_of_another_token")

    async def add_candidates(self, resource_id: str, fragment: str) -> None:
        """Adds a peer's candidates found after its offer (trickle ICE).

        Raises:
            InvalidRequestError: They cannot be read.
            NotFoundError: There is no such peer (any more).
            RateLimitedError: It has sent ``MAX_FRAGMENTS`` already.
        """
        member = self._member(resource_id)
        if member.fragments >= MAX_FRAGMENTS:
            raise RateLimitedError("room_fragments_exhausted", fragments=MAX_FRAGMENTS)
        member.fragments += 1
        for candidate in sdp_text.trickled(fragment):
            if member.candidates is not None and member.candidates.admit(candidate):
                await member.connection.addIceCandidate(candidate)

    async def close_resource(self, resource_id: str) -> None:
        """Removes a peer.

        Raises:
            NotFoundError: There is no such peer (any more).
        """
        member = self._member(resource_id)
        self._forget(member)
        await close_connection(member.connection)

    def _member(self, resource_id: str) -> _Member:
        member = self._members.get(resource_id)
        if member is None:
            raise NotFoundError("room_resource_unknown")
        return member

    async def close(self) -> None:
        """Ends the room for everybody; may be called twice."""
        self._closed = True
        self.incoming.close()
        for member in tuple(self._members.values()):
            self._leave(member)
        await asyncio.gather(*self._tasks)

    def _connection(self) -> RTCPeerConnection:
        if self._closed:
            raise NotFoundError("room_ended")
        return new_connection(self.ice_servers)

    async def _answer(self, member: _Member, offer: str, attach: Callable[[], None]) -> str:
        """Adds the peer and applies its offer; the connection is established afterwards."""
        # Before any await: simultaneous offers must not all see the same free place.
        self._members[member.id] = member
        try:
            member.candidates = CandidateFilter(
                member.caller.address, self._is_public, await self._relay_addresses()
            )
            offer = sdp_text.with_candidates(offer, member.candidates.admit)
            await self._negotiate(member.connection, offer, attach)
            if self._closed:
                raise NotFoundError("room_ended")
        except BaseException:
            self._forget(member)
            await close_connection(member.connection)
            raise
        member.connection.on("connectionstatechange", lambda: self._changed(member))
        loop = asyncio.get_running_loop()
        self._timers[member.id] = loop.call_later(CONNECT_SECONDS, self._never_came, member)
        if member.track is not None:
            self._viewers = (*self._viewers, member.track)
        return str(member.connection.localDescription.sdp)

    async def _negotiate(self, connection: RTCPeerConnection, offer: str, attach: Callable[[], None]) -> None:
        ours = connection.getTransceivers()[0]
        try:
            await connection.setRemoteDescription(RTCSessionDescription(offer, "offer"))
            # Offered sound is declined, or it would queue up unread.
            for transceiver in connection.getTransceivers():
                if transceiver is not ours:
                    transceiver.direction = "inactive"
            attach()
            await connection.setLocalDescription(await connection.createAnswer())
        except _REFUSALS as error:
            raise InvalidRequestError("sdp_offer_unanswerable", reason=str(error)) from error

    async def _relay_addresses(self) -> frozenset[str]:
        """Returns the addresses of the TURN servers named to peers; resolves them once."""
        if self._relays is None:
            hosts = {server.host for server in self.ice_servers if server.relays}
            found = await asyncio.gather(*map(_resolved, hosts))
            self._relays = frozenset(address for addresses in found for address in addresses)
        return self._relays

    def _changed(self, member: _Member) -> None:
        state = member.connection.connectionState
        if state == "connected" and (timer := self._timers.pop(member.id, None)):
            timer.cancel()
        if state in ("failed", "closed") and member.id in self._members:
            log.info("A %s of room %s is gone (%s)", member.role, self.name, state)
            self._leave(member)

    def _never_came(self, member: _Member) -> None:
        log.info("A %s of room %s did not connect", member.role, self.name)
        self._leave(member)

    def _leave(self, member: _Member) -> None:
        self._forget(member)
        self._spawn(close_connection(member.connection))

    def _forget(self, member: _Member) -> None:
        self._members.pop(member.id, None)
        if timer := self._timers.pop(member.id, None):
            timer.cancel()
        if self._publisher is member:
            self._publisher = None
        if member.track is not None:
            self._viewers = tuple(track for track in self._viewers if track is not member.track)
            self._left_behind += member.track.slot.dropped
            member.track.slot.close()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _arrived(self, member: _Member, frame: av.VideoFrame) -> None:
        """In the decoder's thread."""
        if self._publisher is not member:
            return
        image = pictures.fit(to_picture(frame), self.width, self.height)
        with self._lock:
            number, self._count = self._count, self._count + 1
            self._stamps[number] = frame.pts or 0
            if len(self._stamps) > REMEMBERED:
                self._stamps.popitem(last=False)
        self.incoming.put(RawFrame(image, number, now_ns()))

    def _stamp(self, frame: StyledFrame) -> int | None:
        with self._lock:
            return self._stamps.get(frame.number)


async def _resolved(host: str) -> set[str]:
    """Resolves a name; returns no addresses for an unknown one."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None)
    except OSError:
        return set()
    return {str(address[0]) for *_, address in found}
