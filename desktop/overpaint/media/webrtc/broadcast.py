"""A room without a publisher: one styled picture of this process, watched by WHEP.

The members, their offers and answers are ``media_room``'s. Must not know what decides the picture.
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
    """Sends every frame that is published to all who watch.

    A frame that is published again (a picture that stands) is a new one to a viewer: its timestamp is when
    it was published, not when it was captured.

    Args:
        name: Part of the room's address.
        width: Of every frame, pixels, even.
        height: The same.
        fps: Frames a second to expect.
        base_url: Of the server that carries the room.
        check: Raises ``AuthenticationError`` for a token with which one may not watch.
        counted: Called on the event loop when somebody has come or gone.

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
        """How many watch."""
        return len(self._viewers)

    def role_of(self, token: str) -> Literal["viewer"]:
        """Whoever may watch may do nothing else; who watches already may leave. Raises as its base."""
        if not self._is_members(token):
            self._check(token)
        return "viewer"

    def publish(self, frame: StyledFrame) -> None:
        """Sends one styled frame to every viewer; from one thread, never blocks."""
        for track in self._viewers:
            track.slot.put(StyledFrame(frame.image, next(self._numbers), now_ns(), frame.kind))

    async def answer_publisher(self, sdp: str, caller: Caller) -> tuple[str, str]:
        """Refuses whoever would publish. Raises ``NotFoundError``."""
        raise NotFoundError("room_for_watching_only")

    async def answer_viewer(self, sdp: str, caller: Caller) -> tuple[str, str]:
        """Takes a WHEP offer. Returns and raises as its base."""
        answer = await super().answer_viewer(sdp, caller)
        self._counted()
        return answer

    def _forget(self, member: _Member) -> None:
        super()._forget(member)
        self._counted()

    def _stamp(self, frame: StyledFrame) -> int | None:
        return ticks(frame.captured_ns)
