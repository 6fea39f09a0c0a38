"""A room without a publisher: one styled picture of this process, watched by WHEP.

Peers, offers and answers are handled by ``media_room``. Must not know who makes the picture.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Literal

from overpaint.errors import NotFoundError
from overpaint.media.frames import StyledFrame, now_ns
from overpaint.media.links import Caller
from overpaint.media.webrtc.av_frames import ticks
from overpaint.media.webrtc.media_room import WebRtcRoom, _Member


class WebRtcBroadcast(WebRtcRoom):
    """A room that sends every published frame to all viewers.

    A frame published again (a standing picture) is a new one to a viewer: its timestamp is the time of
    publication, not of capture.

    Args:
        name: Part of the room's address.
        width: Width of every frame, pixels, even.
        height: Height of every frame, pixels, even.
        fps: Nominal frames a second.
        base_url: Address of the room's server.
        check: Raises ``AuthenticationError`` for a token that does not allow watching.
        counted: Called on the event loop when the number of viewers changes.

    Raises:
        LinkError: The installed aiortc is not the one that is needed.
    """

    def __init__(
        self,
        name: str,
        width: int,
        height: int,
        fps: float,
        base_url: str,
        check: Callable[[str], None],
        counted: Callable[[], None],
    ) -> None:
        super().__init__(name, width, height, fps, base_url)
        self._check = check
        self._counted = counted
        self._numbers = itertools.count()

    @property
    def viewers(self) -> int:
        """The number of viewers."""
        return len(self._viewers)

    def role_of(self, token: str) -> Literal["viewer"]:
        """Returns "viewer" for a token that allows watching, or that a viewer has. Raises as its base."""
        if not self._is_members(token):
            self._check(token)
        return "viewer"

    def publish(self, frame: StyledFrame) -> None:
        """Sends one styled frame to every viewer; from one thread, never blocks."""
        for track in self._viewers:
            track.slot.put(StyledFrame(frame.image, next(self._numbers), now_ns(), frame.kind))

    async def answer_publisher(self, sdp: str, caller: Caller) -> tuple[str, str]:
        """Refuses publishers. Raises ``NotFoundError``."""
        raise NotFoundError("room_for_watching_only")

    async def answer_viewer(self, sdp: str, caller: Caller) -> tuple[str, str]:
        """Answers a WHEP offer. Returns and raises as its base."""
        answer = await super().answer_viewer(sdp, caller)
        self._counted()
        return answer

    def _forget(self, member: _Member) -> None:
        super()._forget(member)
        self._counted()

    def _stamp(self, frame: StyledFrame) -> int | None:
        return ticks(frame.captured_ns)
