"""The snapshot: the whole state of the live process, as the window is told it, and the parts of it.

Must not know intents, nor who shows it.
"""

from __future__ import annotations

from typing import Literal

from overpaint.wire.camera import CameraListing
from overpaint.wire.framing import Framing
from overpaint.wire.looks import PromptReading
from overpaint.wire.messages import LiveMessage, Trouble
from overpaint.wire.preferences import Preferences
from overpaint.wire.sources import SoundState, SourceKind, SourceOffer, SourceOptions, Visibility

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


class SourceChoice(LiveMessage):
    """An available source."""

    source: str
    """Value for ``--source``."""
    title: str
    """Name for people ("Logitech C920", "Screen 1 · 1920×1080")."""
    kind: SourceKind
    seen: Visibility = "whole"
    keeps_login: bool = False
    """Whether the keyring has a network camera's login."""


SCENES = "scene"
"""Group of the places that can stand behind people, with any look."""


class LookChoice(LiveMessage):
    """A look of the engine, or a scene; ``title`` is a prompt that selects exactly this one.

    Attributes:
        name: Stable name; that of a scene begins with ``scene:``.
        title: Name shown to the user, in English.
        description: One line; empty for a scene.
        group: Group that it is listed in, such as ``drawing``; empty for a look of the user's own.
    """

    name: str
    title: str
    description: str
    group: str = ""


class Camera(LiveMessage):
    """The virtual camera."""

    state: CameraState
    title: str = ""
    """Name in other programs' lists of cameras."""
    listing: CameraListing | None = None
    """Which programs can list it; None while it is not open."""
    trouble: Trouble | None = None
    read: bool | None = None
    """Whether another program reads it now; None where the system does not say."""
    checked: bool | None = None
    """Whether the last check read our own picture back from it; None where there was no check."""

    @property
    def in_the_way(self) -> Trouble | None:
        """Why there is no camera, or else none for programs that use V4L2."""
        return self.trouble or (self.listing.lacking if self.listing is not None else None)


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

    @property
    def is_free(self) -> bool:
        """Whether it is the local core's, which is topped up by itself."""
        return not self.server


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
    """The latency of the last minute's frames from capture to their delivery to the outputs, milliseconds.

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
    refusals: int = 0
    """Intents that have failed so far: two may fail for the same reason."""
    on_air: bool
    on_air_seconds: int
    """Time since the restyled picture has gone to the camera without a break; 0 while it does not."""
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
    reading: PromptReading | None
    """What of the newest prompt was not understood, if anything."""
    has_reference: bool
    camera: Camera
    page: WatchPage = WatchPage()
    figures: Figures
    delays: Delays | None = None
    """None before the first full second of frames."""
    session: SessionFacts | None
    queue: tuple[int, int] | None = None
    """Position (1 is next) and length of the queue while the service is busy with other sessions."""
    server: str
    """Address of the chosen service; empty for this computer's own, which is free."""
    failed_over_from: str = ""
    """Address of the unreachable primary while the local service is the fallback; else empty."""
    balance: Balance | None
    recording: str | None
    """Path of the running recording."""
    recording_seconds: int
    """Duration of the running recording; 0 without one."""
    recording_bytes: int = 0
    """Size of its file so far; 0 without one."""
    recording_left_seconds: int | None = None
    """Time for which the disk has room at its present rate; None without one, or where that is unknown."""
    recorded: str | None
    """Path of the last finished recording."""
    replay_seconds: int | None = None
    """Duration of what a replay would have now; None while nothing is kept."""
    replayed: str | None = None
    """Path of the last saved replay."""
    sound: SoundState = SoundState()
    """The microphone of recordings."""
    still: str | None = None
    """Path of the last still."""
    preferences: Preferences = Preferences()
    sources: list[SourceChoice]
    looks: list[LookChoice]

    @property
    def is_free(self) -> bool:
        """Whether what the user orders costs nothing, because this computer's own service is chosen."""
        return not self.server

    @property
    def has_no_way_out(self) -> bool:
        """Whether there is neither a camera nor a page for OBS."""
        return self.camera.trouble is not None and not self.page.viewers
