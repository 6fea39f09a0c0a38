"""Messages between window and live process about the user's preferences, which ``settings`` stores."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from overpaint.wire.messages import LiveMessage


class Preferences(LiveMessage):
    """The user's settings for the live process.

    Attributes:
        slate_picture: Path of the slate, which the camera shows without styled frames; empty for the
            shipped one.
        slate_after_seconds: How long the last styled frame is repeated before the slate is shown.
        recording_folder: Folder for recordings; empty for the system's folder for videos.
        still_folder: Folder for stills; empty for the system's folder for pictures.
        low_priority: Run at a lower priority than other programs.
        page_on: Serve the page for OBS.
        rest_unread: Idle suspend: restyle nothing, and buy no session, while no program reads the camera,
            nothing is recorded and no window shows the picture. Without effect where the system does not
            say whether a program reads the camera.
        rest_previewed: Idle suspend even while a window shows the picture.
    """

    slate_picture: str = ""
    slate_after_seconds: Annotated[int, Field(ge=1, le=3600)] = 30
    recording_folder: str = ""
    still_folder: str = ""
    low_priority: bool = False
    page_on: bool = False
    rest_unread: bool = False
    rest_previewed: bool = False


class SetPreferences(LiveMessage):
    """The intent to change all preferences, now and for later starts."""

    type: Literal["set_preferences"] = "set_preferences"
    preferences: Preferences
