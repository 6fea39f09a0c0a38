"""Framing of a source's picture in the frame that is restyled: mirror, rotation, fit or fill, zoom, pan."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from overpaint.wire.messages import LiveMessage

ZOOM_MAX = 4.0


class Framing(LiveMessage):
    """The framing of a source in every output; the mirrored preview of the window is separate.

    Attributes:
        mirror: Left and right are exchanged.
        quarter_turns: Clockwise rotation in steps of 90 degrees.
        fill: The picture fills the frame and is cropped; otherwise all of it is shown, with bars.
        zoom: Magnification.
        pan_x: Horizontal position of the crop, -1 (left edge) to 1.
        pan_y: Vertical position of the crop, -1 (top edge) to 1.
    """

    mirror: bool = False
    quarter_turns: Annotated[int, Field(ge=0, le=3)] = 0
    fill: bool = False
    zoom: Annotated[float, Field(ge=1.0, le=ZOOM_MAX)] = 1.0
    pan_x: Annotated[float, Field(ge=-1.0, le=1.0)] = 0.0
    pan_y: Annotated[float, Field(ge=-1.0, le=1.0)] = 0.0

    @property
    def plain(self) -> bool:
        """Whether this framing changes nothing."""
        return not (self.mirror or self.quarter_turns or self.fill or self.zoom > 1.0)


class SetFraming(LiveMessage):
    """The intent to change the framing of the present source; it is remembered for this source."""

    type: Literal["set_framing"] = "set_framing"
    framing: Framing
