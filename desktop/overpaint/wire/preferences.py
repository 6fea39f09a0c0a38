"""Messages between window and live process about the user's preferences, which ``settings`` stores.

And about newer releases, which one of the preferences asks for.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_serializer

from overpaint.wire.messages import LiveMessage
from overpaint.wire.sources import DEFAULT_MICROPHONE

RecordingContainer = Literal["mp4", "mkv"]
RecordingQuality = Literal["standard", "high", "small"]
"""Names of rate controls (``media/sinks/encoder.py``); at most 90, 180 and 30 MB a minute of picture."""

PictureFormat = Literal["keep", "png", "jpeg", "webp"]
"""keep: as the service sends it, PNG or JPEG."""
ClipFormat = Literal["keep", "mp4", "mkv"]
"""keep: as the service sends it, MP4."""
PICTURE_SIDE_MAX = 16383
"""The largest side that WebP can hold, pixels."""


class Preferences(LiveMessage):
    """The user's settings for the live process.

    Attributes:
        slate_picture: Path of the slate, which the camera shows without styled frames; empty for the
            shipped one.
        slate_after_seconds: How long the last styled frame is repeated before the slate is shown.
        recording_folder: Folder for recordings; empty for the system's folder for videos.
        recording_container: Kind of the file of a recording or replay.
        recording_quality: Name of its quality.
        recording_height: Most rows of its pictures.
        recording_fps: Most frames a second of it; 0 keeps all that the source gives.
        replay: Keep the last seconds of the picture in memory, so that they can be saved afterwards.
        still_folder: Folder for stills; empty for the system's folder for pictures.
        low_priority: Run at a lower priority than other programs.
        page_on: Serve the page for OBS.
        rest_unread: Idle suspend: restyle nothing, and buy no session, while no program reads the camera,
            nothing is recorded and no window shows the picture. Without effect where the system does not
            say whether a program reads the camera.
        rest_previewed: Idle suspend even while a window shows the picture.
        microphone: Microphone of recordings (``wire.sources``), by its stable name; or the system's default
            one, or none.
        system_sound: Record what the computer plays, too.
        muted: Record silence in place of sound.
        results_folder: Folder for restyled files; empty for ``folders.results_dir``.
        picture_format: Format in which restyled pictures are saved.
        picture_side: Longest side of restyled pictures, pixels, to which larger ones are shrunk; 0 for none.
        clip_format: Container in which restyled clips are saved.
        clip_side: Longest side of restyled clips, pixels, to which larger ones are shrunk; 0 for none.
        light: Share of the light correction, percent; 0 switches it off. Sent as words of each prompt
            (``light_words``), since the service has no field for it.
        check_updates: Ask once a day for the newest release (``updates/``). Off until the user agrees.
    """

    slate_picture: str = ""
    slate_after_seconds: Annotated[int, Field(ge=1, le=3600)] = 30
    recording_folder: str = ""
    recording_container: RecordingContainer = "mp4"
    recording_quality: RecordingQuality = "standard"
    recording_height: Literal[1080, 720] = 1080
    recording_fps: Literal[0, 30] = 0
    replay: bool = False
    still_folder: str = ""
    low_priority: bool = False
    page_on: bool = False
    rest_unread: bool = False
    rest_previewed: bool = False
    microphone: str = DEFAULT_MICROPHONE
    system_sound: bool = False
    muted: bool = False
    results_folder: str = ""
    picture_format: PictureFormat = "keep"
    picture_side: Annotated[int, Field(ge=0, le=PICTURE_SIDE_MAX)] = 0
    clip_format: ClipFormat = "keep"
    clip_side: Annotated[int, Field(ge=0, le=PICTURE_SIDE_MAX)] = 0
    light: Annotated[int, Field(ge=0, le=100)] = 100
    check_updates: bool = False


class SetPreferences(LiveMessage):
    """The intent to change some preferences, now and for later starts.

    Attributes:
        preferences: Those to change, as given to its constructor. The others stay as they are in the live
            process, since the sender may not know the newest: a mute by a key, a command of a terminal.
    """

    type: Literal["set_preferences"] = "set_preferences"
    preferences: Preferences

    @field_serializer("preferences")
    def _changes(self, preferences: Preferences) -> dict[str, object]:
        return preferences.model_dump(exclude_unset=True)

    def applied_to(self, present: Preferences) -> Preferences:
        """The preferences after the change."""
        return present.model_copy(update=self._changes(self.preferences))


class Release(LiveMessage):
    """A release of Overpaint.

    Attributes:
        version: Its version, ``MAJOR.MINOR.PATCH``.
        page: Address of the page that it can be had from.
        new: What is new in it, one sentence an entry, by language code.
    """

    version: str
    page: str
    new: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    def new_in(self, language: str) -> tuple[str, ...]:
        """What is new in a language, else in English; none where the release does not say."""
        return self.new.get(language) or self.new.get("en", ())


class Updates(LiveMessage):
    """The state of the update check, which ``Preferences.check_updates`` allows.

    Attributes:
        host: Name of the computer that is asked; empty where no address to ask is known.
        newer: The newest release, where it is newer than this one and the user wants to be told.
    """

    type: Literal["updates"] = "updates"
    host: str = ""
    newer: Release | None = None
