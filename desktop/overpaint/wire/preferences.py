"""Messages between window and live process about the user's preferences, which are kept in ``settings``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from overpaint.wire.messages import LiveMessage


class Preferences(LiveMessage):
    """The user's settings for the live process.

    Attributes:
        slate_picture: Path of the picture that the camera shows while there is nothing styled; the
            shipped one when empty.
        slate_after_seconds: How long the last styled picture stands before the slate takes its place.
        recording_folder: Where recordings go; the system's folder for videos when empty.
        still_folder: Where snapshots go; the system's folder for pictures when empty.
        low_priority: Leave the processor to other programs first.
        page_on: Serve the page that OBS shows.
        rest_unread: Restyle nothing, and buy no session, while no program reads the camera, nothing is
            recorded and no window shows the picture; nothing changes where that cannot be told.
        rest_previewed: The same although a window shows the picture.
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
    """Changes them all, now and for every start to come."""

    type: Literal["set_preferences"] = "set_preferences"
    preferences: Preferences
