"""Prompt text of the style controls: the words that each control writes into the prompt, and reads from it.

The strength slider and the subject chooser change words of the prompt that the service understands, so they
need no messages of their own. Pure functions; must not know widgets, nor how a service reads prompts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from overpaint.photo_words import BACKDROP

Subject = Literal["all", "person", "background"]
"""The part of the picture that is restyled."""

PhotoUse = Literal["style", "background", "colours"]
"""What is taken from the reference photo."""

PHOTO_LOOKS: dict[PhotoUse, str] = {
    "style": "Like your photo",
    "background": BACKDROP,
    "colours": "Colour grade",
}
"""The looks that are made of the photo. Every other look takes the photo's colours, as the last one does."""

_NUMBER = r"(\d{1,3})\s*(?:%|percent|per cent)(?!\s*(?:of|more|less))"
_STRENGTH = re.compile(rf"(?:\bat\s+)?\b{_NUMBER}(?:\s+strength\b)?", re.IGNORECASE)
_SUBJECT = re.compile(r"\bonly\s+the\s+(person|background)\b|\b(person|background)\s+only\b", re.IGNORECASE)
_EDIT = re.compile(
    r".+ (?:hair|background)|green screen|clothes in .+|(?:everything )?made of .+", re.IGNORECASE
)
_NEAREST = re.compile(r" \(the nearest look\)$")
_MOST_PARTS, _LONGEST_PART = 9, 40


def strength(prompt: str) -> int | None:
    """The strength in a prompt, percent; None if it contains none."""
    found = _STRENGTH.search(prompt)
    return min(100, int(found[1])) if found else None


def with_strength(prompt: str, percent: int) -> str:
    """The prompt with another strength; full strength is written without words."""
    plain = _without(prompt, _STRENGTH)
    return plain if percent >= 100 else _joined(plain, f"at {max(0, percent)} % strength")


def subject(prompt: str) -> Subject:
    """The subject in a prompt; "all" if it contains none."""
    found = _SUBJECT.search(prompt)
    if found is None:
        return "all"
    return "person" if (found[1] or found[2]).casefold() == "person" else "background"


def with_subject(prompt: str, subject: Subject) -> str:
    """The prompt with another subject."""
    plain = _without(prompt, _SUBJECT)
    return plain if subject == "all" else _joined(plain, f"only the {subject}")


def bare(prompt: str) -> str:
    """The prompt without strength and subject."""
    return _without(_without(prompt, _STRENGTH), _SUBJECT)


def is_edit(part: str) -> bool:
    """Whether an understood part changes the frame before a look paints it, but for scenes (titles)."""
    return _EDIT.fullmatch(part) is not None


def with_look(prompt: str, title: str, edits: Sequence[str] = ()) -> str:
    """The prompt for another look, with the strength and subject of this prompt.

    Args:
        prompt: This prompt.
        title: The look.
        edits: What stays beside it, in words: "clothes in red".
    """
    percent, part = strength(prompt), subject(prompt)
    words = ", ".join((title, *edits))
    return with_subject(with_strength(words, 100 if percent is None else percent), part)


def scene(prompt: str, scenes: Iterable[str], understood: str = "") -> str:
    """The scene in a prompt, as it is written there, else as it was understood; empty if there is none.

    Args:
        prompt: The prompt.
        scenes: Titles of scenes, in every language in which they may be written.
        understood: What a service understood; in a prompt such as "put me on a beach" no clause is a title.
    """
    known = {title.casefold() for title in scenes}
    parts = (part for text in (prompt, understood) for part in _tidy(text).split(", "))
    return next((part for part in parts if part.casefold() in known), "")


def with_scene(prompt: str, title: str, scenes: Iterable[str], understood: str = "") -> str:
    """The prompt with another scene; an empty one leaves the room.

    Args:
        prompt: The prompt.
        title: Title of the scene.
        scenes: As of ``scene``.
        understood: As of ``scene``.
    """
    known = {each.casefold() for each in scenes}
    former = scene(prompt, known, understood)
    if former and not scene(prompt, known):
        prompt = without_part(prompt, understood, former)
    plain = ", ".join(part for part in _tidy(prompt).split(", ") if part.casefold() not in known)
    return _joined(plain, title) if title else plain


def photo_use(prompt: str, look: str) -> PhotoUse:
    """What a prompt takes from a reference photo.

    Args:
        prompt: The prompt.
        look: The look that the service understood; empty if it is not known.
    """
    plain = bare(prompt).strip().casefold()
    if not plain:
        return "style"  # the engine's own choice for a photo without a prompt
    named = {title.casefold(): use for use, title in PHOTO_LOOKS.items()}
    return named.get(plain) or named.get(look.casefold(), "colours")


def understood_parts(understood: str) -> tuple[str, ...]:
    """Splits what a service understood ("Ink comic, warm, 60 %") into the look and its changes.

    Empty if it is not such a list but running text.
    """
    parts = tuple(part.strip() for part in understood.split(",") if part.strip())
    if len(parts) > _MOST_PARTS or any(len(part) > _LONGEST_PART for part in parts):
        return ()
    return parts


def without_part(prompt: str, understood: str, part: str) -> str:
    """The prompt without one of the understood parts.

    If a clause of the prompt is that part, only the clause is removed; else the prompt is replaced by the
    understood parts without that one.
    """
    clauses = [clause.strip() for clause in prompt.split(",")]
    kept = [clause for clause in clauses if clause.casefold() != part.casefold()]
    if len(kept) == len(clauses) - 1 and kept:
        return ", ".join(kept)
    rest = [_NEAREST.sub("", other) for other in understood_parts(understood) if other != part]
    return ", ".join(rest)


def _without(prompt: str, words: re.Pattern[str]) -> str:
    left = _tidy(prompt)
    while words.search(left):  # removing a match can create another: "0 0%%"
        left = _tidy(words.sub("", left))
    return left


def _tidy(prompt: str) -> str:
    clauses = (" ".join(clause.split()) for clause in prompt.split(","))
    return ", ".join(clause for clause in clauses if clause)


def _joined(prompt: str, words: str) -> str:
    return f"{prompt}, {words}" if prompt else words
