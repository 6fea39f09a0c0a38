"""Messages between window and live process on one machine.

The window sends intents. The live process sends complete snapshots of its state, of which only the newest
counts. A watcher, which has no window, gets the recovery state (``Course``) instead. Frames do not travel
here: the preview has its own ring in shared memory.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from overpaint.wire.course import Course
from overpaint.wire.credits import AddCredits, Charges
from overpaint.wire.framing import Framing, SetFraming
from overpaint.wire.looks import LookPicture, WantLooks
from overpaint.wire.messages import LiveMessage as LiveMessage
from overpaint.wire.messages import Trouble as Trouble
from overpaint.wire.preferences import Preferences as Preferences
from overpaint.wire.preferences import SetPreferences as SetPreferences
from overpaint.wire.servers import Server, UseServer
from overpaint.wire.sources import (
    SetSourceOptions,
    SourceKind,
    SourceOffer,
    SourceOptions,
    SourcePicture,
    WantSourcePictures,
)
from overpaint.wire.transforms import TransformIntent, Transforms, TransformsProgress

LiveState = Literal[
    "stopped",
    "connecting",
    "live",
    "renewing",
    "returning",
    "reconnecting",
    "failing_over",
    "held",
    "paused",
    "failed",
]
"""stopped: no session. live: styled frames arrive. renewing: they do, and the next session is being opened.
returning: they do, and a session at the primary service is being opened, which is back. failing_over: the
local service is taking over from an unreachable one. held: the user has frozen the output. paused: nobody
watches, so nothing is restyled (``Preferences.rest_unread``). failed: the user must act."""

CameraState = Literal["off", "slate", "live", "held", "missing", "busy", "denied", "lost"]
"""off: not wanted. slate, live, held: what the camera shows. Others: why there is no camera."""


# ---- window → live -------------------------------------------------------------------------------


class Hello(LiveMessage):
    """The first message on a connection, with its purpose."""

    type: Literal["hello"] = "hello"
    role: Literal["window", "preview", "watcher"]


class StartSession(LiveMessage):
    """The intent to open a session with the present source, prompt and photo, which costs credits."""

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
    """The intent to start a recording of the styled picture (MP4), or to end it."""

    type: Literal["set_recording"] = "set_recording"
    on: bool


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
    | SetPrivacy
    | SetOriginal
    | TakeStill
    | NextLook
    | SetPreferences
    | RefreshSources
    | SetFraming
    | SetSourceOptions
)
"""Intents about the live picture."""

Intent = LiveIntent | WantLooks | WantSourcePictures | TransformIntent | AddCredits | UseServer | Quit
"""Every intent: ``session/live/intent_dispatcher.py`` dispatches them."""

AnyIntent = Annotated[Hello | SetPreview | Intent, Field(discriminator="type")]
"""Every message of a window; ``Hello`` and ``SetPreview`` concern only its connection."""


# ---- live → window -------------------------------------------------------------------------------


class SourceChoice(LiveMessage):
    """An available source."""

    source: str
    """Value for ``--source``."""
    title: str
    """Name for people ("Logitech C920", "Screen 1 · 1920×1080")."""
    kind: SourceKind


class LookChoice(LiveMessage):
    """A look of the engine; ``title`` is a prompt that selects exactly this look.

    Attributes:
        name: Stable name.
        title: Name shown to the user, in English.
        description: One line.
        group: Group that it is listed in, such as ``drawing``; empty for a look of the user's own.
    """

    name: str
    title: str
    description: str
    group: str = ""


class Camera(LiveMessage):
    """The virtual camera."""

    state: CameraState
    device: str = ""
    title: str = ""
    """Name in other programs' lists of cameras."""
    trouble: Trouble | None = None
    read: bool | None = None
    """Whether another program reads it now; None where the system does not say."""
    checked: bool | None = None
    """Whether the last check read our own picture back from it; None where there was no check."""


class WatchPage(LiveMessage):
    """The page that OBS shows.

    Attributes:
        address: URL of the page's file, to enter in OBS; empty while there is no page. Anyone who can read
            the file can watch.
        viewers: Number of present viewers.
        trouble: Why there is no page, or what to do about its address.
    """

    address: str = ""
    viewers: int = 0
    trouble: Trouble | None = None


class Balance(LiveMessage):
    """The last answer of ``GET /v1/account``."""

    credits_remaining: int
    key_name: str
    environment: str
    masked: str
    server: str
    """Address; "" for the local core."""


class Figures(LiveMessage):
    """The measured figures of the last seconds."""

    fps_in: float = 0.0
    fps_out: float = 0.0
    delay_ms_p50: float | None = None
    """Latency from capture to output, by frame numbers; None while there is no output."""
    delay_ms_p95: float | None = None
    dropped: int = 0
    """Frames dropped since the session started, at any stage."""
    width: int = 0
    height: int = 0


class Delays(LiveMessage):
    """The latency of the last minute's frames from capture to the camera, milliseconds (to the other outputs
    where there is no camera).

    Attributes:
        median_ms: Median of all frames.
        p95_ms: 95th percentile of all frames.
        seconds_ms: Median of each second, the oldest first; None for a second without frames.
    """

    median_ms: float
    p95_ms: float
    seconds_ms: tuple[float | None, ...]

    @property
    def audio_ms(self) -> int:
        """The delay for the sound that keeps it in sync with the picture."""
        return round(self.median_ms)


class SessionFacts(LiveMessage):
    """The service's session."""

    id: str
    model: str
    engine: str
    link: str
    seconds: int
    """Time since the stream started, renewals included."""
    billed_seconds: int
    expires_in_seconds: int
    renews_in_seconds: int
    """Time until the next session is bought (at full price)."""


class LiveSnapshot(LiveMessage):
    """The whole state of the live process. Only the newest counts."""

    type: Literal["snapshot"] = "snapshot"
    state: LiveState
    trouble: Trouble | None = None
    """Why it is not live, or the last failure; the user reads its sentence."""
    on_air: bool
    hold: bool = False
    private: bool = False
    """Privacy: the user wants the camera to show the slate."""
    original: bool = False
    """The user chose to show the unstyled picture."""
    source: str
    source_title: str
    framing: Framing = Framing()
    offer: SourceOffer = SourceOffer()
    """Options of the source."""
    options: SourceOptions = SourceOptions()
    prompt: str
    understood: str
    """The effective, expanded prompt that the service confirmed; empty before that."""
    has_reference: bool
    camera: Camera
    page: WatchPage = WatchPage()
    figures: Figures
    delays: Delays | None = None
    """None before the first full second of frames."""
    session: SessionFacts | None
    queue: tuple[int, int] | None = None
    """Position (1 is next) and length of the queue while the service is busy with other sessions."""
    failed_over_from: str = ""
    """Address of the unreachable primary while the local service is the fallback; else empty."""
    balance: Balance | None
    recording: str | None
    """Path of the running recording."""
    recording_seconds: int
    """Duration of the running recording; 0 without one."""
    recorded: str | None
    """Path of the last finished recording."""
    still: str | None = None
    """Path of the last still."""
    preferences: Preferences = Preferences()
    sources: list[SourceChoice]
    looks: list[LookChoice]

    @property
    def has_no_way_out(self) -> bool:
        """Whether there is neither a camera nor a page for OBS."""
        return self.camera.trouble is not None and not self.page.viewers


AnyNews = Annotated[
    LiveSnapshot | Course | Transforms | TransformsProgress | Charges | Server | LookPicture | SourcePicture,
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
