"""The choice of suggestions for what a prompt asks for in vain.

Must not know how a prompt is read, nor who shows a suggestion.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from overpaint.engine.suggestion import Suggestion, SuggestionKind

SUGGESTIONS_MAX = 2

_ANSWERS: MappingProxyType[str, SuggestionKind] = MappingProxyType(
    {
        "scenes": "background_photo",
        "clothes": "graphics_computer",
        "hair": "graphics_computer",
        "figures": "graphics_computer",
        "things": "graphics_computer",
        "edits": "graphics_computer",
        "likenesses": "style_photo",
    }
)
"""What answers each meaning of ``beyond`` in the lexicon; nothing answers small talk and abuse."""


def suggest(
    beyond: Iterable[tuple[str, str]], has_background: bool, artist: str, nearest: str
) -> tuple[Suggestion, ...]:
    """Chooses suggestions.

    Args:
        beyond: Meaning and words of each thing that no look can do.
        has_background: Whether the picture's background is a photo already.
        artist: Unknown words after "in the style of"; empty where there are none.
        nearest: Title of the look that comes nearest, where the prompt names none; else empty.
    """
    found: dict[SuggestionKind, Suggestion] = {}
    for meaning, words in beyond:
        kind = _ANSWERS.get(meaning)
        if kind is not None and not (has_background and kind == "background_photo"):
            found.setdefault(kind, Suggestion(kind, words))
    if artist:
        found.setdefault("style_photo", Suggestion("style_photo", artist))
    if nearest:
        found.setdefault("look", Suggestion("look", nearest))
    return tuple(found.values())[:SUGGESTIONS_MAX]
