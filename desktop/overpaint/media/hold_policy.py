"""The hold policy: what an output may show, given what the user has chosen and what a frame shows. Pure.

Every output asks here for every frame that it shows, in the moment of showing it: camera, page for OBS,
recording, snapshot; and the camera process for the frame that stands while the live process is silent.
No other module decides by a frame's kind who may see it. Must not know threads, clocks or devices.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from overpaint.media.frames import FrameKind

ORIGINAL_PATIENCE_S = 1.0
"""How long an original stands in the camera process while its writer is silent; one that works repeats it."""


class Audience(Enum):
    """Who sees what an output shows."""

    OTHERS = "others"
    """Camera and page for OBS: live, in other programs."""
    RECORDING = "recording"
    """A file of moving pictures, on air or not."""
    USER = "user"
    """The user alone: the preview, and a snapshot, which is asked for by itself."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user has chosen about what others see.

    Attributes:
        on_air: The camera shows the picture, else the slate.
        private: Nobody sees anything but the slate.
        held: The picture is frozen.
        original: The source's own picture is shown instead of the styled one.
    """

    on_air: bool = False
    private: bool = False
    held: bool = False
    original: bool = False


def may_pass(kind: FrameKind, choices: Choices) -> bool:
    """Whether a new frame of a link goes on to the outputs."""
    return not choices.held and may_show(kind, choices, Audience.USER)


def may_show(kind: FrameKind, choices: Choices, audience: Audience) -> bool:
    """Whether a frame of a kind may be shown now, be it new or one that stands."""
    if kind.is_slate:
        return True
    if kind is FrameKind.ORIGINAL and not choices.original:
        return False
    match audience:
        case Audience.OTHERS:
            return choices.on_air and not choices.private
        case Audience.RECORDING:
            return not choices.private
        case Audience.USER:
            return True


def may_stand(idle_s: float, patience_s: float, *, suspended: bool) -> bool:
    """Whether the last frame still stands although no other has come; else the slate takes its place.

    Args:
        idle_s: How long none has come.
        patience_s: How long the last one stands, as the user set it.
        suspended: Whether none can come because the session rests while nobody looks.
    """
    return suspended or idle_s <= patience_s


def may_stand_in_camera(
    kind: FrameKind, silent_s: float, patience_s: float, *, attended: bool, has_slate: bool
) -> bool:
    """Whether the camera process may still show a frame although its writer sends no other.

    An original stands only for as long as its writer says so: a live process that is gone or silent cannot
    take it away any more. Without a slate to follow it, it is not shown at all.

    Args:
        kind: What the frame shows.
        silent_s: How long none has come.
        patience_s: How long the last one stands, as the user set it.
        attended: Whether the writer is connected.
        has_slate: Whether there is a slate to follow it.
    """
    if kind is FrameKind.ORIGINAL:
        return attended and has_slate and silent_s <= ORIGINAL_PATIENCE_S
    return silent_s <= patience_s or not has_slate
