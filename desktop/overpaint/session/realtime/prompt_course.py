"""The course of prompts: which one to go back to when a service can do nothing with the newest.

A renewed session starts with the last prompt that changed something, because with "red jacket" alone it would
start with the default look. Must not know connections.
"""

from __future__ import annotations

from dataclasses import replace

from overpaint.session.realtime.events import Style
from overpaint.wire.looks import PromptReading

_KEPT = 16
"""Prompts that are remembered; a service answers one before so many more are sent."""


class PromptCourse:
    """The course of prompts.

    Attributes:
        reading: What of the newest prompt was not understood; None where all is, or before an answer.
    """

    def __init__(self) -> None:
        self.reading: PromptReading | None = None
        self._course = [("", True)]
        self._newest = ""

    def ask(self, style: Style) -> None:
        """Notes that the user asks for a style."""
        prompt, self._newest = (style.prompt, style.enhance_prompt), style.prompt
        if prompt != self._course[-1]:
            self._course = [*self._course[-_KEPT:], prompt]
            self.reading = None

    def answered(self, style: Style, reading: PromptReading | None) -> Style:
        """Takes in what a service says of a prompt.

        Args:
            style: The user's present style.
            reading: What it did not understand; None where it understood everything.

        Returns:
            The style to go on with: the given one, or that of the prompt before if this one changed nothing.
        """
        if reading is None:
            if self.reading is None or not self.reading.unchanged:
                self.reading = None
            return style
        if reading.prompt == self._newest:
            self.reading = reading
        if not reading.unchanged:
            return style
        refused = [entry for entry in self._course if entry[0] != reading.prompt]
        self._course = refused or [("", True)]
        prompt, enhance = self._course[-1]
        return replace(style, prompt=prompt, enhance_prompt=enhance)
