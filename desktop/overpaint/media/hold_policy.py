"""The hold policy: what an output may show, by the user's choices and a frame's kind, and may let hear. Pure.

The user's choices are on air, hold, privacy, original and mute. Every output (camera, page for OBS,
recording, snapshot) checks every frame here at the moment of showing it; so does the camera process for the
standing frame while the live process is silent. No other module decides by a frame's kind who may see it.
Must not know threads, clocks or devices.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from overpaint.media.frames import FrameKind

ORIGINAL_PATIENCE_S = 1.0
"""Time for which an original stands in the camera process while its writer is silent (a working one repeats
it)."""


class Audience(Enum):
    """The audience of an output."""

    OTHERS = "others"
    """Camera and page for OBS: live, in other programs."""
    RECORDING = "recording"
    """A file of moving pictures, on air or not."""
    USER = "user"
    """The user alone: the preview, and a snapshot, which the user requests each time."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The user's choices about what others see.

    Attributes:
        on_air: The camera shows the picture, else the slate.
        private: Everybody sees only the slate.
        held: The picture is frozen.
        original: The source's own picture is shown instead of the styled one.
        muted: Silence is recorded.
    """

    on_air: bool = False
    private: bool = False
    held: bool = False
    original: bool = False
    muted: bool = False


def may_hear(choices: Choices) -> bool:
    """Returns whether what is said now is recorded: never while the picture is frozen or blanked by the user,
    who then expects that nobody follows.
    """
    return not (choices.muted or choices.private or choices.held)


def may_pass(kind: FrameKind, choices: Choices) -> bool:
    """Returns whether a new frame of a link goes on to the outputs."""
    return not choices.held and may_show(kind, choices, Audience.USER)


def may_show(kind: FrameKind, choices: Choices, audience: Audience) -> bool:
    """Returns whether a frame of a kind, new or standing, may be shown now."""
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
    """Returns whether the last frame may still stand while no other comes; else the slate replaces it.

    Args:
        idle_s: Time without a frame.
        patience_s: Time for which the last one stands, as the user set it.
        suspended: Whether idle suspend is the reason that none comes.
    """
    return suspended or idle_s <= patience_s


def may_stand_in_camera(
    kind: FrameKind, silent_s: float, patience_s: float, *, attended: bool, has_slate: bool
) -> bool:
    """Returns whether the camera process may still show a frame while its writer sends no other.

    An original stands only while its writer confirms it: a live process that is gone or silent can no longer
    replace it. Without a slate to follow, it is not shown at all.

    Args:
        kind: What the frame shows.
        silent_s: Time without a frame.
        patience_s: Time for which the last one stands, as the user set it.
        attended: Whether the writer is connected.
        has_slate: Whether there is a slate to follow it.
    """
    if kind is FrameKind.ORIGINAL:
        return attended and has_slate and silent_s <= ORIGINAL_PATIENCE_S
    return silent_s <= patience_s or not has_slate
