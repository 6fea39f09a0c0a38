"""A suggestion: what would do some of what a prompt asks for in vain. Must not know how prompts are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SuggestionKind = Literal["background_photo", "style_photo", "graphics_computer", "look"]
"""``background_photo``: a photo of the place is the background; ``style_photo``: a photo gives its style;
``graphics_computer``: a service on a computer with a GPU; ``look``: the look that comes nearest."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggestion.

    Attributes:
        kind: What to do.
        words: The words of the prompt that it answers; of ``look`` the look's title.
    """

    kind: SuggestionKind
    words: str

    @property
    def sentence(self) -> str:
        """The suggestion in English, without a full stop."""
        match self.kind:
            case "background_photo":
                return f"use a photo of {self.words} as background"
            case "style_photo":
                return "take the style from a photo that shows it"
            case "graphics_computer":
                return "ask a computer with a GPU whose service has a generative model (--server)"
            case "look":
                return f"try the look {self.words}"
