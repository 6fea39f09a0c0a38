"""Looks in messages: previews of them, and what of a prompt no look can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from overpaint.wire.messages import LiveMessage


class PromptSuggestion(BaseModel):
    """A way to some of what a prompt asks for in vain; kinds not known to a client are ignored.

    ``background_photo``: a photo as background; ``style_photo``: a photo that shows the style;
    ``graphics_computer``: a service on a computer with a GPU; ``look``: the look that comes nearest.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)
    kind: str
    words: str
    """The words of the prompt that it answers; of ``look`` the look's title."""


class PromptReading(BaseModel):
    """The part of a prompt that was not understood."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    prompt: str
    """As it was sent."""
    not_understood: tuple[str, ...]
    """The words that nothing can be done with, as the user wrote them, in their order."""
    suggestions: tuple[PromptSuggestion, ...] = ()
    """At most two."""
    unchanged: bool = False
    """Nothing of the prompt can be done: style and effective prompt stay as they were before it."""


def spoken(prompt: str, words: Sequence[str]) -> str:
    """Words of a prompt as a person would say them: "red jacket, beach".

    Args:
        prompt: The prompt.
        words: Some of its words, in their order; those beside each other are kept together.
    """
    parts: list[str] = []
    end = 0
    for word in words:
        begin = prompt.find(word, end)
        if begin < 0:
            parts.append(word)
            continue
        gap = prompt[end:begin]
        if parts and not gap.strip():
            parts[-1] += gap + word
        else:
            parts.append(word)
        end = begin + len(word)
    return ", ".join(parts)


class WantedLook(LiveMessage):
    """A look to preview.

    Attributes:
        name: Its name in the window.
        prompt: The prompt that selects it.
        photo: The reference photo that belongs to it, base64 of a picture file, empty for none; None where
            it goes with the one in use.
    """

    name: str
    prompt: str
    photo: Annotated[str | None, Field(repr=False)] = None


class WantLooks(LiveMessage):
    """The intent to preview the looks that the window shows, visible ones first. They are painted at low
    priority. Empty when the window shows none.

    ``moving`` is the one that the user points at: painted again and again, until another intent names it no
    more.
    """

    type: Literal["want_looks"] = "want_looks"
    looks: tuple[WantedLook, ...]
    moving: WantedLook | None = None


class LookPicture(LiveMessage):
    """A look preview: the source's picture in that look."""

    type: Literal["look_picture"] = "look_picture"
    name: str
    picture: str
    """Base64 of a small JPEG."""


class ReferencePhoto(LiveMessage):
    """The reference photo in use, told on connecting and when it changes."""

    type: Literal["reference_photo"] = "reference_photo"
    image_data: str
    """Base64 of a picture file; empty for none."""
