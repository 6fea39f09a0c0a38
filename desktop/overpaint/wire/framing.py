"""Framing of a source's picture in the frame that is restyled: mirrored, turned, filled, enlarged."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from overpaint.wire.messages import LiveMessage

ZOOM_MAX = 4.0


class Framing(LiveMessage):
    """The framing of a source, for others; the window's own mirror is separate.

    Attributes:
        mirror: Left and right are exchanged.
        quarter_turns: Turned clockwise so often.
        fill: The picture fills the frame and its edges are cut; else all of it is seen, with bars.
        zoom: Enlarged so many times.
        pan_x: Which part of what is too wide is seen, -1 (its left) to 1.
        pan_y: Which part of what is too high is seen, -1 (its top) to 1.
    """

    mirror: bool = False
    quarter_turns: Annotated[int, Field(ge=0, le=3)] = 0
    fill: bool = False
    zoom: Annotated[float, Field(ge=1.0, le=ZOOM_MAX)] = 1.0
    pan_x: Annotated[float, Field(ge=-1.0, le=1.0)] = 0.0
    pan_y: Annotated[float, Field(ge=-1.0, le=1.0)] = 0.0

    @property
    def plain(self) -> bool:
        """Whether it leaves the picture as the source gives it."""
        return not (self.mirror or self.quarter_turns or self.fill or self.zoom > 1.0)


class SetFraming(LiveMessage):
    """Frames the present source, now and whenever it is chosen again."""

    type: Literal["set_framing"] = "set_framing"
    framing: Framing
