"""The user's choices and the standing frame, for outputs that are tested without a live process."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from overpaint.media.frames import StyledFrame
from overpaint.media.hold_policy import Choices
from overpaint.session.output.standing_frame import StandingFrame


class Output(Protocol):
    """A stage."""

    def put(self, frame: StyledFrame) -> None: ...

    def refresh(self) -> None: ...


class Chooser:
    """Says what the user has chosen, and hands frames out as the live process does."""

    def __init__(self, slate: NDArray[np.uint8]) -> None:
        self.choices = Choices()
        self.standing = StandingFrame(slate, lambda: self.choices)

    def choose(self, *outputs: Output, **changes: bool) -> None:
        self.choices = replace(self.choices, **changes)
        for output in outputs:
            output.refresh()

    def give(self, frame: StyledFrame, *outputs: Output) -> None:
        self.standing.note(frame)
        for output in outputs:
            output.put(frame)
