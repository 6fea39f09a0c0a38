"""Messages between the live process and the camera process, which writes to the virtual camera.

Frames do not travel here, but through a ring in shared memory. Must not know devices.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from overpaint.wire.messages import LiveMessage, Trouble


class OpenCamera(LiveMessage):
    """The first message on a connection: the camera to open, and the size of the frames.

    Attributes:
        device: Node or title, or ``pipewire``; empty for what is there.
        width: Pixels.
        height: Pixels.
        fps: Frames a second.
        patience_s: How long the last frame is repeated while none arrives; after that the slate is shown.
    """

    type: Literal["open"] = "open"
    device: str
    width: int
    height: int
    fps: float
    patience_s: float


class CameraListing(LiveMessage):
    """The kinds of cameras among which programs list an open camera.

    Attributes:
        path: The V4L2 device's node on Linux, else the camera's name; empty where there is no device.
        pipewire: Whether PipeWire has it, too.
        lacking: Why there is no device, while PipeWire has the camera.
    """

    path: str = ""
    pipewire: bool = False
    lacking: Trouble | None = None

    @property
    def is_only_in_pipewire(self) -> bool:
        """Whether programs that use V4L2's cameras cannot list it."""
        return self.pipewire and not self.path

    def lists(self, *, pipewire: bool) -> bool:
        """Returns whether a program lists it that uses PipeWire's cameras, or else V4L2's."""
        return self.pipewire if pipewire else bool(self.path)


class CameraOpened(LiveMessage):
    """The answer that the camera is open, so that the frame ring can be sent.

    Attributes:
        title: Name in other programs' lists of cameras.
        listing: Which programs can list it.
        standing: Whether the last frame of an earlier connection is shown until a new one arrives.
    """

    type: Literal["opened"] = "opened"
    title: str
    listing: CameraListing
    standing: bool


class CameraNews(LiveMessage):
    """The message that something about the open camera has changed.

    Attributes:
        title: As ``CameraOpened.title``.
        listing: As ``CameraOpened.listing``.
        read: Whether a program reads it in PipeWire.
    """

    type: Literal["news"] = "news"
    title: str
    listing: CameraListing
    read: bool


class CameraRefused(LiveMessage):
    """The message that the device cannot be opened, or was lost. The connection ends after it."""

    type: Literal["refused"] = "refused"
    trouble: Trouble


class SetPatience(LiveMessage):
    """A new value of ``OpenCamera.patience_s``."""

    type: Literal["patience"] = "patience"
    seconds: float


class CloseCamera(LiveMessage):
    """The request to close the device; the camera process then exits."""

    type: Literal["close"] = "close"


CameraAnswer = CameraOpened | CameraRefused | CameraNews
CameraWish = SetPatience | CloseCamera

_ANSWER: TypeAdapter[CameraAnswer] = TypeAdapter(Annotated[CameraAnswer, Field(discriminator="type")])
_WISH: TypeAdapter[CameraWish] = TypeAdapter(Annotated[CameraWish, Field(discriminator="type")])


def parse_answer(message: bytes) -> CameraAnswer:
    """Parses a message of the camera process. Raises ``pydantic.ValidationError``."""
    return _ANSWER.validate_json(message)


def parse_wish(message: bytes) -> CameraWish:
    """Parses a message of the live process. Raises ``pydantic.ValidationError``."""
    return _WISH.validate_json(message)
