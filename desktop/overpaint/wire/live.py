"""Messages between window and live process on one machine.

The window sends intents; the live process answers with whole snapshots, of which only the newest
counts. A watcher, which has no window, is told the course instead. Frames never travel here: the preview
has a ring of its own in shared memory.
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
"""stopped: no session. live: styled frames come. renewing: they do, while the next session is opened beside
them. returning: the same, at the service that was away. failing_over: this computer's own service takes the
place of one that is away. held: the output is frozen by the user. paused: nobody looks, so nothing is
restyled until somebody does (``Preferences.rest_unread``). failed: needs the user."""

CameraState = Literal["off", "slate", "live", "held", "missing", "busy", "denied", "lost"]
"""off: not wanted. slate/live/held: what the camera shows now. The rest: why there is no camera."""


# ---- window → live -------------------------------------------------------------------------------


class Hello(LiveMessage):
    """First message on a connection: what the connection is for."""

    type: Literal["hello"] = "hello"
    role: Literal["window", "preview", "watcher"]


class StartSession(LiveMessage):
    """Opens a session with the present source, prompt and photo (charges credits)."""

    type: Literal["start_session"] = "start_session"


class StopSession(LiveMessage):
    """Ends the session; the camera shows the slate."""

    type: Literal["stop_session"] = "stop_session"


class SetOnAir(LiveMessage):
    """The intent to send styled frames to the virtual camera, or the slate."""

    type: Literal["set_on_air"] = "set_on_air"
    on: bool


class SetHold(LiveMessage):
    """Freezes what the camera and the preview show, or lets it go on."""

    type: Literal["set_hold"] = "set_hold"
    on: bool


class SetSource(LiveMessage):
    """Changes the source; same words as ``--source`` on the command line."""

    type: Literal["set_source"] = "set_source"
    source: str


class SetStyle(LiveMessage):
    """Changes the prompt."""

    type: Literal["set_style"] = "set_style"
    prompt: str
    enhance_prompt: bool = True


class SetReference(LiveMessage):
    """Sets the reference photo (base64 of a picture file of at most 8 MB), or removes it."""

    type: Literal["set_reference"] = "set_reference"
    image_data: str | None


class SetRecording(LiveMessage):
    """Records the styled picture to a new MP4, or ends the recording."""

    type: Literal["set_recording"] = "set_recording"
    on: bool


class SetPreview(LiveMessage):
    """The window's view of the picture: its size in physical pixels, (0, 0) for none, and whether the
    source's own picture is wanted beside it, to compare.
    """

    type: Literal["set_preview"] = "set_preview"
    width: Annotated[int, Field(ge=0, le=7680)]
    height: Annotated[int, Field(ge=0, le=4320)]
    original: bool = False


class SetPrivacy(LiveMessage):
    """Blanks the camera and the recording to the slate at once, whatever else goes on; or ends that."""

    type: Literal["set_privacy"] = "set_privacy"
    on: bool


class SetOriginal(LiveMessage):
    """Shows others the unstyled picture, by a deliberate act of the user; or the restyled one again."""

    type: Literal["set_original"] = "set_original"
    on: bool


class TakeStill(LiveMessage):
    """Saves the next styled picture as a PNG."""

    type: Literal["take_still"] = "take_still"


class NextLook(LiveMessage):
    """Changes the prompt to the look that stands so many places after the present one, in a ring."""

    type: Literal["next_look"] = "next_look"
    step: int = 1


class RefreshSources(LiveMessage):
    """Looks again for cameras, screens and the virtual camera's device."""

    type: Literal["refresh_sources"] = "refresh_sources"


class Quit(LiveMessage):
    """Ends the live process (and with it the camera)."""

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
"""What is to be done with the live picture."""

Intent = LiveIntent | WantLooks | WantSourcePictures | TransformIntent | AddCredits | UseServer | Quit
"""What is to be done: ``session/live/intent_dispatcher.py`` hands each to the part that does it."""

AnyIntent = Annotated[Hello | SetPreview | Intent, Field(discriminator="type")]
"""Everything that a window says; ``Hello`` and ``SetPreview`` are about its connection alone."""


# ---- live → window -------------------------------------------------------------------------------


class SourceChoice(LiveMessage):
    """An available source."""

    source: str
    """As ``--source`` takes it."""
    title: str
    """As a person would call it ("Logitech C920", "Screen 1 · 1920×1080")."""
    kind: Literal["camera", "screen", "window", "file", "demo"]


class LookChoice(LiveMessage):
    """A look of the engine; ``title`` is a prompt that selects exactly this look."""

    name: str
    title: str
    description: str


class Camera(LiveMessage):
    """The virtual camera."""

    state: CameraState
    device: str = ""
    title: str = ""
    """As other programs list it."""
    trouble: Trouble | None = None
    read: bool | None = None
    """Whether another program reads it now; None where that cannot be told."""
    checked: bool | None = None
    """Whether its own picture was read back from it at the last look; None where that was not told."""


class WatchPage(LiveMessage):
    """The page that OBS shows.

    Attributes:
        address: What to enter in OBS: the page's file, as URL; empty while there is no page. Whoever can read
            the file can watch.
        viewers: How many watch now.
        trouble: Why there is none, or what to do about its address.
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
    """"" for the local core."""


class Figures(LiveMessage):
    """The measured figures of the last seconds."""

    fps_in: float = 0.0
    fps_out: float = 0.0
    delay_ms_p50: float | None = None
    """Capture to output, by frame numbers; None while nothing comes out."""
    delay_ms_p95: float | None = None
    dropped: int = 0
    """Frames dropped since the session started, at any stage."""
    width: int = 0
    height: int = 0


class Delays(LiveMessage):
    """The delays of the last minute's frames from capture to the camera, milliseconds (to the outputs
    where there is no camera).

    Attributes:
        median_ms: Of all of them.
        p95_ms: The same.
        seconds_ms: Median of each second, the oldest first; None where no frame came.
    """

    median_ms: float
    p95_ms: float
    seconds_ms: tuple[float | None, ...]

    @property
    def audio_ms(self) -> int:
        """By how much the sound is to be delayed, to go with the picture."""
        return round(self.median_ms)


class SessionFacts(LiveMessage):
    """The service's session."""

    id: str
    model: str
    engine: str
    link: str
    seconds: int
    """Since the stream started, over renewals."""
    billed_seconds: int
    expires_in_seconds: int
    renews_in_seconds: int
    """Until the next session is bought, at its price."""


class LiveSnapshot(LiveMessage):
    """The whole state of the live process. Only the newest counts."""

    type: Literal["snapshot"] = "snapshot"
    state: LiveState
    trouble: Trouble | None = None
    """Why it is not live, or the last thing that failed; the sentence a user sees."""
    on_air: bool
    hold: bool = False
    private: bool = False
    """The camera shows the slate because the user wants to be seen in no way at all."""
    original: bool = False
    """What comes out is not restyled, as the user chose."""
    source: str
    source_title: str
    framing: Framing = Framing()
    offer: SourceOffer = SourceOffer()
    """What there is to set about the source."""
    options: SourceOptions = SourceOptions()
    prompt: str
    understood: str
    """The effective, expanded prompt as the service confirmed it; empty before that."""
    has_reference: bool
    camera: Camera
    page: WatchPage = WatchPage()
    figures: Figures
    delays: Delays | None = None
    """None before a whole second of frames."""
    session: SessionFacts | None
    queue: tuple[int, int] | None = None
    """Position (1 is next) and length of the queue while the service is busy with others."""
    failed_over_from: str = ""
    """Address of the chosen service that is away while this computer's own takes its place."""
    balance: Balance | None
    recording: str | None
    """Path of the running recording."""
    still: str | None = None
    """Path of the snapshot that was taken last."""
    preferences: Preferences = Preferences()
    sources: list[SourceChoice]
    looks: list[LookChoice]

    @property
    def has_no_way_out(self) -> bool:
        """Whether there is neither a camera nor a page for OBS by which others could see it."""
        return self.camera.trouble is not None and not self.page.viewers


AnyNews = Annotated[
    LiveSnapshot | Course | Transforms | TransformsProgress | Charges | Server | LookPicture | SourcePicture,
    Field(discriminator="type"),
]
"""Of each type only the newest counts; of pictures the newest of each look and source (see ``topic``)."""

_intent = TypeAdapter[AnyIntent](AnyIntent)
_news = TypeAdapter[AnyNews](AnyNews)


def topic(news: AnyNews) -> str:
    """What a message is about: a newer one about the same takes its place."""
    match news:
        case LookPicture(name=name) | SourcePicture(source=name):
            return f"{news.type} {name}"
        case _:
            return news.type


def parse_intent(text: str | bytes) -> AnyIntent:
    """Reads one message of a window. Raises ``pydantic.ValidationError``."""
    return _intent.validate_json(text)


def parse_news(text: str | bytes) -> AnyNews:
    """Reads one message of the live process. Raises ``pydantic.ValidationError``."""
    return _news.validate_json(text)
