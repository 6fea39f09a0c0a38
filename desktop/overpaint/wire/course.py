"""State of a live process that its watchdogs keep: what its successor goes on with."""

from __future__ import annotations

from typing import Literal

from overpaint.wire.messages import LiveMessage


class Course(LiveMessage):
    """The course of a live process; only the newest counts.

    Attributes:
        running: Whether there is a session, or one is being opened.
        on_air: Whether others see the restyled picture.
        private: Whether they see the slate because the user wants so.
        hold: Whether what they see is frozen.
        source: As the command line names it; empty before the first.
        source_title: As a person would call it.
        guarded: Whether a window watches the process, which would start another.
        ends: Whether the process ends as it was told to; the last word.
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
