"""Messages between window and live process about sources: previews and options."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from overpaint.wire.messages import LiveMessage

SourceKind = Literal["camera", "screen", "window", "demo", "file"]
"""Each kind but a file begins ``--source``; ``resources/icons`` has an icon of its name."""


class WantSourcePictures(LiveMessage):
    """The intent to show previews of screens and windows, refreshed while ``on``."""

    type: Literal["want_source_pictures"] = "want_source_pictures"
    on: bool


class SourcePicture(LiveMessage):
    """A preview of a screen or window."""

    type: Literal["source_picture"] = "source_picture"
    source: str
    """Value of ``SourceChoice.source``."""
    picture: str
    """Base64 of a small JPEG."""


class CameraFormat(LiveMessage):
    """A format of a camera.

    Attributes:
        width: Pixels.
        height: Pixels.
        fps: Highest frame rate.
        compressed: Whether its frames are JPEG (MJPG), which must be decoded.
    """

    width: Annotated[int, Field(gt=0)]
    height: Annotated[int, Field(gt=0)]
    fps: Annotated[float, Field(ge=0)]
    compressed: bool = False


class SourceOffer(LiveMessage):
    """The options that the present source has.

    Attributes:
        formats: Formats of a camera, the best for the output's frame first.
        pointer: Mouse pointer in a screen or window: "switch" if the user can show or hide it, "system" if
            the system decides; "none" for other sources.
    """

    formats: tuple[CameraFormat, ...] = ()
    pointer: Literal["none", "switch", "system"] = "none"


class SourceOptions(LiveMessage):
    """The chosen options of a source.

    Attributes:
        format: Format of a camera; the best one is used for None, and when this one is not available.
        pointer: Whether the mouse pointer of a screen or window is in the picture.
    """

    format: CameraFormat | None = None
    pointer: bool = True


class SetSourceOptions(LiveMessage):
    """The intent to change the options of the present source; they are remembered for this source."""

    type: Literal["set_source_options"] = "set_source_options"
    options: SourceOptions
