"""Messages between window and live process on one machine.

The window sends intents. The live process sends complete snapshots of its state (``wire.live_state``), of
which only the newest counts. A watcher, which has no window, gets the recovery state (``Course``) instead.
Frames do not travel here: the preview has its own ring in shared memory.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from overpaint.wire.course import Course
from overpaint.wire.credits import Charges, ChargesNoted
from overpaint.wire.framing import SetFraming
from overpaint.wire.live_state import SCENES as SCENES
from overpaint.wire.live_state import Balance as Balance
from overpaint.wire.live_state import Camera as Camera
from overpaint.wire.live_state import CameraState as CameraState
from overpaint.wire.live_state import Delays as Delays
from overpaint.wire.live_state import Figures as Figures
from overpaint.wire.live_state import LiveSnapshot as LiveSnapshot
from overpaint.wire.live_state import LiveState as LiveState
from overpaint.wire.live_state import LookChoice as LookChoice
from overpaint.wire.live_state import SessionFacts as SessionFacts
from overpaint.wire.live_state import SourceChoice as SourceChoice
from overpaint.wire.live_state import WatchPage as WatchPage
from overpaint.wire.looks import LookPicture, ReferencePhoto, WantLooks
from overpaint.wire.messages import LiveMessage as LiveMessage
from overpaint.wire.messages import Trouble as Trouble
from overpaint.wire.preferences import Preferences as Preferences
from overpaint.wire.preferences import SetPreferences as SetPreferences
from overpaint.wire.preferences import Updates
from overpaint.wire.servers import Server, UseServer
from overpaint.wire.sources import (
    ForgetNetworkCamera,
    NameNetworkCamera,
    SetMuted,
    SetSourceOptions,
    SoundLevel,
    SourcePicture,
    WantSoundLevel,
    WantSourcePictures,
)
from overpaint.wire.transforms import TransformIntent, TransformPreview, Transforms, TransformsProgress

# ---- window → live -------------------------------------------------------------------------------


class Hello(LiveMessage):
    """The first message on a connection, with its purpose."""

    type: Literal["hello"] = "hello"
    role: Literal["window", "preview", "watcher"]


class StartSession(LiveMessage):
    """The intent to open a session with the present source, prompt and photo, which the service charges."""

    type: Literal["start_session"] = "start_session"


class StopSession(LiveMessage):
    """The intent to end the session; the camera then shows the slate."""

    type: Literal["stop_session"] = "stop_session"


class SetOnAir(LiveMessage):
    """The intent to send styled frames to the virtual camera, or the slate."""

    type: Literal["set_on_air"] = "set_on_air"
    on: bool


class SetHold(LiveMessage):
    """The intent to freeze the picture of camera and preview, or to unfreeze it."""

    type: Literal["set_hold"] = "set_hold"
    on: bool


class SetSource(LiveMessage):
    """The intent to change the source, named as for ``--source`` on the command line."""

    type: Literal["set_source"] = "set_source"
    source: str
    keep_login: bool = False
    """Whether the login in a network camera's address is to be stored in the keyring."""
    ask_again: bool = False
    """See ``SourceSpec``: the user chooses a screen or window anew in the desktop's dialog (Wayland)."""


class SetStyle(LiveMessage):
    """The intent to change the prompt."""

    type: Literal["set_style"] = "set_style"
    prompt: str
    enhance_prompt: bool = True


class SetReference(LiveMessage):
    """The intent to set the reference photo (base64 of a picture file of at most 8 MB), or to remove it."""

    type: Literal["set_reference"] = "set_reference"
    image_data: str | None


class SetRecording(LiveMessage):
    """The intent to start a recording of the styled picture, or to end it."""

    type: Literal["set_recording"] = "set_recording"
    on: bool


class SaveReplay(LiveMessage):
    """The intent to save the last seconds of the styled picture, which ``Preferences.replay`` keeps."""

    type: Literal["save_replay"] = "save_replay"


class SetPreview(LiveMessage):
    """The preview that the window wants: its size in physical pixels, (0, 0) for none, and whether the
    source's own picture is wanted too, to compare.
    """

    type: Literal["set_preview"] = "set_preview"
    width: Annotated[int, Field(ge=0, le=7680)]
    height: Annotated[int, Field(ge=0, le=4320)]
    original: bool = False


class SetPrivacy(LiveMessage):
    """The intent to show the slate on camera and recording at once, or to end that. Overrides all else."""

    type: Literal["set_privacy"] = "set_privacy"
    on: bool


class SetOriginal(LiveMessage):
    """The intent to show others the unstyled picture, or the restyled one again."""

    type: Literal["set_original"] = "set_original"
    on: bool


class TakeStill(LiveMessage):
    """The intent to save the next styled frame as a PNG (a still)."""

    type: Literal["take_still"] = "take_still"


class NextLook(LiveMessage):
    """The intent to step through the list of looks; after the last comes the first."""

    type: Literal["next_look"] = "next_look"
    step: int = 1


class RefreshSources(LiveMessage):
    """The intent to search again for cameras, screens and the virtual camera's device."""

    type: Literal["refresh_sources"] = "refresh_sources"


class Quit(LiveMessage):
    """The intent to end the live process (and with it the camera)."""

    type: Literal["quit"] = "quit"


LiveIntent = (
    StartSession
    | StopSession
    | SetOnAir
    | SetHold
    | SetSource
    | SetStyle
    | SetReference
    | SetRecording
    | SaveReplay
    | SetPrivacy
    | SetOriginal
    | TakeStill
    | NextLook
    | SetPreferences
    | RefreshSources
    | SetFraming
    | SetSourceOptions
    | NameNetworkCamera
    | ForgetNetworkCamera
    | SetMuted
    | WantSoundLevel
)
"""Intents about the live picture."""

Intent = LiveIntent | WantLooks | WantSourcePictures | TransformIntent | ChargesNoted | UseServer | Quit
"""Every intent: ``session/live/intent_dispatcher.py`` dispatches them."""

AnyIntent = Annotated[Hello | SetPreview | Intent, Field(discriminator="type")]
"""Every message of a window; ``Hello`` and ``SetPreview`` concern only its connection."""


# ---- live → window -------------------------------------------------------------------------------

AnyNews = Annotated[
    LiveSnapshot
    | Course
    | Transforms
    | TransformsProgress
    | TransformPreview
    | Charges
    | Server
    | LookPicture
    | ReferencePhoto
    | SourcePicture
    | SoundLevel
    | Updates,
    Field(discriminator="type"),
]
"""Every message of the live process. A newer one replaces an older one with the same ``topic``."""

_intent = TypeAdapter[AnyIntent](AnyIntent)
_news = TypeAdapter[AnyNews](AnyNews)


def topic(news: AnyNews) -> str:
    """The subject of a message; a newer message with the same subject replaces it."""
    match news:
        case LookPicture(name=name) | SourcePicture(source=name):
            return f"{news.type} {name}"
        case _:
            return news.type


def parse_intent(text: str | bytes) -> AnyIntent:
    """Parses a message of a window. Raises ``pydantic.ValidationError``."""
    return _intent.validate_json(text)


def parse_news(text: str | bytes) -> AnyNews:
    """Parses a message of the live process. Raises ``pydantic.ValidationError``."""
    return _news.validate_json(text)
