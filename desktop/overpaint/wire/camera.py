"""Messages between the live process and the process that holds the virtual camera.

The pictures go beside this, through a ring in shared memory. Must not know devices.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from overpaint.wire.messages import LiveMessage, Trouble


class OpenCamera(LiveMessage):
    """First message on a connection: which camera, for pictures of which size.

    Attributes:
        device: Node or title; the system's first suitable one when empty.
        width: Pixels.
        height: Pixels.
        fps: Pictures a second.
        patience_s: How long the last picture stands while none comes; then the slate does.
    """

    type: Literal["open"] = "open"
    device: str
    width: int
    height: int
    fps: float
    patience_s: float


class CameraOpened(LiveMessage):
    """The answer that the device is open: the ring may follow.

    Attributes:
        title: As other programs list it.
        path: Its node on Linux, else its name.
        standing: Whether a picture of an earlier connection is shown, and goes on so until one comes.
    """

    type: Literal["opened"] = "opened"
    title: str
    path: str
    standing: bool


class CameraRefused(LiveMessage):
    """The answer that the device cannot be opened, or was lost: the connection ends."""

    type: Literal["refused"] = "refused"
    trouble: Trouble


class SetPatience(LiveMessage):
    """The time for which the last picture stands while none comes."""

    type: Literal["patience"] = "patience"
    seconds: float


class CloseCamera(LiveMessage):
    """The camera is wanted no longer: its holder closes the device, and ends."""

    type: Literal["close"] = "close"


CameraAnswer = CameraOpened | CameraRefused
CameraWish = SetPatience | CloseCamera

_ANSWER: TypeAdapter[CameraAnswer] = TypeAdapter(Annotated[CameraAnswer, Field(discriminator="type")])
_WISH: TypeAdapter[CameraWish] = TypeAdapter(Annotated[CameraWish, Field(discriminator="type")])


def parse_answer(message: bytes) -> CameraAnswer:
    """Reads what the holder says. Raises ``pydantic.ValidationError``."""
    return _ANSWER.validate_json(message)


def parse_wish(message: bytes) -> CameraWish:
    """Reads what the live process wishes. Raises ``pydantic.ValidationError``."""
    return _WISH.validate_json(message)
