"""Messages between window and live process about sources: previews and options; microphones."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from overpaint.wire.messages import LiveMessage, Trouble

SourceKind = Literal["camera", "screen", "window", "demo", "file", "network"]
"""Each kind but a file and a network camera begins ``--source``; each has an icon in ``resources/icons``."""

Visibility = Literal["whole", "covered", "minimised"]
"""How a window is seen. Minimised ones have no picture, nor covered ones where no compositor runs."""


SHARED_WINDOW = "Shared window"
"""Name, on Wayland, of the window that was chosen in the desktop's dialog, which tells no titles."""

CAMERA_NAME_MAX = 60
"""Limit of a network camera's name, characters."""


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


FrameRate = Literal[30, 60]
"""Most frames a second that a camera, screen or window gives, as its user chose; a file has its own."""


class SourceOffer(LiveMessage):
    """The options that the present source has.

    Attributes:
        rates: Frame rates of a screen or window that can be chosen; a camera's are in its formats.
        formats: Formats of a camera, the best for the output's frame first.
        pointer: Mouse pointer in a screen or window: "switch" if the user can show or hide it, "system" if
            the system decides; "none" for other sources.
    """

    rates: tuple[FrameRate, ...] = ()
    formats: tuple[CameraFormat, ...] = ()
    pointer: Literal["none", "switch", "system"] = "none"


class SourceOptions(LiveMessage):
    """The chosen options of a source.

    Attributes:
        fps: Most frames a second of a screen or window, and of a camera whose format is not chosen.
        format: Format of a camera; the best one is used for None, and when this one is not available.
        pointer: Whether the mouse pointer of a screen or window is in the picture.
    """

    fps: FrameRate = 30
    format: CameraFormat | None = None
    pointer: bool = True


class SetSourceOptions(LiveMessage):
    """The intent to change the options of the present source; they are remembered for this source."""

    type: Literal["set_source_options"] = "set_source_options"
    options: SourceOptions


class NameNetworkCamera(LiveMessage):
    """The intent to give a network camera a name of the user's own, or none when it is empty."""

    type: Literal["name_network_camera"] = "name_network_camera"
    camera: str
    """Value of ``SourceChoice.source``."""
    name: Annotated[str, Field(max_length=CAMERA_NAME_MAX)]


class ForgetNetworkCamera(LiveMessage):
    """The intent to forget a network camera: its address, name, framing, and its login in the keyring."""

    type: Literal["forget_network_camera"] = "forget_network_camera"
    camera: str
    """Value of ``SourceChoice.source``."""


DEFAULT_MICROPHONE, NO_MICROPHONE = "default", ""
"""The system's default microphone, whichever it is; recordings without sound."""


class MicrophoneChoice(LiveMessage):
    """An available microphone.

    Attributes:
        microphone: Its stable name, as ``Preferences.microphone`` has it.
        title: Its name for people.
    """

    microphone: str
    title: str


class SetMuted(LiveMessage):
    """The intent to record silence in place of sound, or sound again."""

    type: Literal["set_muted"] = "set_muted"
    on: bool


class WantSoundLevel(LiveMessage):
    """The intent to be told the levels also while nothing is recorded (a test before it), or not."""

    type: Literal["want_sound_level"] = "want_sound_level"
    on: bool


class SystemSound(LiveMessage):
    """The computer's own sound (what it plays) in recordings.

    Attributes:
        offered: Whether this computer gives it.
        open: Whether it is open now.
        trouble: Why it gives no sound, or why it is not offered.
    """

    offered: bool = False
    open: bool = False
    trouble: Trouble | None = None


class SoundState(LiveMessage):
    """The sound of recordings.

    Attributes:
        open: Whether the microphone is open now: while something is recorded, or its level is wanted.
        title: Its name for people; empty while it was never open.
        muted: The user wants silence.
        heard: Whether what is said now is recorded: neither muted, nor private, nor held.
        trouble: Why it gives no sound.
        choices: The available microphones.
        system: What the computer plays.
    """

    open: bool = False
    title: str = ""
    muted: bool = False
    heard: bool = True
    trouble: Trouble | None = None
    choices: tuple[MicrophoneChoice, ...] = ()
    system: SystemSound = SystemSound()


class SoundLevel(LiveMessage):
    """The loudest samples of the last moment as they are recorded, 0 to 1; sent while an input is open.

    Attributes:
        peak: Of the microphone.
        system: Of what the computer plays.
    """

    type: Literal["sound_level"] = "sound_level"
    peak: Annotated[float, Field(ge=0, le=1)]
    system: Annotated[float, Field(ge=0, le=1)] = 0.0
