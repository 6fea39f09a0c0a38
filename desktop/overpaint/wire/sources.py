"""Messages between window and live process about sources: pictures, options."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from overpaint.wire.messages import LiveMessage


class WantSourcePictures(LiveMessage):
    """The intent to show previews of screens and windows, which are then taken repeatedly."""

    type: Literal["want_source_pictures"] = "want_source_pictures"
    on: bool


class SourcePicture(LiveMessage):
    """A preview of a screen or window."""

    type: Literal["source_picture"] = "source_picture"
    source: str
    """As in ``SourceChoice``."""
    picture: str
    """Base64 of a small JPEG."""


class CameraFormat(LiveMessage):
    """A format of a camera.

    Attributes:
        width: Pixels.
        height: Pixels.
        fps: The most frames a second it gives.
        compressed: Whether its pictures are JPEG files (MJPG), which cost a decoding each.
    """

    width: Annotated[int, Field(gt=0)]
    height: Annotated[int, Field(gt=0)]
    fps: Annotated[float, Field(ge=0)]
    compressed: bool = False


class SourceOffer(LiveMessage):
    """The options that the present source offers.

    Attributes:
        formats: Of a camera, the best for the frame first.
        pointer: Of a screen or window: whether the mouse pointer is in the picture by a switch, or as the
            system has it; "none" for all else.
    """

    formats: tuple[CameraFormat, ...] = ()
    pointer: Literal["none", "switch", "system"] = "none"


class SourceOptions(LiveMessage):
    """The options of a source.

    Attributes:
        format: Of a camera; the best one for the frame when None, or when it offers this one no longer.
        pointer: Of a screen or window: whether the mouse pointer is in the picture.
    """

    format: CameraFormat | None = None
    pointer: bool = True


class SetSourceOptions(LiveMessage):
    """Runs the present source so, now and whenever it is chosen again."""

    type: Literal["set_source_options"] = "set_source_options"
    options: SourceOptions
