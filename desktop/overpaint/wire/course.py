"""The recovery state of a live process, which its watchdogs store and pass to its successor."""

from __future__ import annotations

from typing import Literal

from overpaint.wire.messages import LiveMessage


class Course(LiveMessage):
    """The recovery state ("course") of a live process; only the newest message counts.

    Attributes:
        running: Whether there is a session, or one is being opened.
        on_air: Whether the outputs show the restyled picture.
        private: Whether the user wants the outputs to show the slate.
        hold: Whether the user has frozen the picture.
        source: The source as the command line names it; empty before the first one is chosen.
        source_title: Its name for people.
        guarded: Whether a window watches the process, and would start a successor.
        ends: Whether the process exits on request, so that no successor is needed. Sent last.
    """

    type: Literal["course"] = "course"
    running: bool = False
    on_air: bool = False
    private: bool = False
    hold: bool = False
    source: str = ""
    source_title: str = ""
    guarded: bool = False
    ends: bool = False
