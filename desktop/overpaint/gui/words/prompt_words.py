"""Prompt words of the controls: what each writes into the prompt, and reads out of it.

Strength and what is restyled are said in words that the service understands; so a slider and a chooser
need no message of their own. Pure text; must not know widgets, nor how a service reads prompts.
"""

from __future__ import annotations

import re
from typing import Literal

Subject = Literal["all", "person", "background"]
"""What of the picture is restyled."""

_NUMBER = r"(\d{1,3})\s*(?:%|percent|per cent)(?!\s*(?:of|more|less))"
_STRENGTH = re.compile(rf"(?:\bat\s+)?\b{_NUMBER}(?:\s+strength\b)?", re.IGNORECASE)
_SUBJECT = re.compile(r"\bonly\s+the\s+(person|background)\b|\b(person|background)\s+only\b", re.IGNORECASE)
_NEAREST = re.compile(r" \(the nearest look\)$")
_MOST_PARTS, _LONGEST_PART = 9, 40


def strength(prompt: str) -> int | None:
    """The strength that a prompt names, percent; None when it names none."""
    found = _STRENGTH.search(prompt)
    return min(100, int(found[1])) if found else None


def with_strength(prompt: str, percent: int) -> str:
    """The prompt with another strength; full strength needs no words."""
    plain = _without(prompt, _STRENGTH)
    return plain if percent >= 100 else _joined(plain, f"at {max(0, percent)} % strength")


def subject(prompt: str) -> Subject:
    """What a prompt says is to be restyled."""
    found = _SUBJECT.search(prompt)
    if found is None:
        return "all"
    return "person" if (found[1] or found[2]).casefold() == "person" else "background"


def with_subject(prompt: str, subject: Subject) -> str:
    """The prompt with something else to be restyled."""
    plain = _without(prompt, _SUBJECT)
    return plain if subject == "all" else _joined(plain, f"only the {subject}")


def bare(prompt: str) -> str:
    """The prompt without what the controls write."""
    return _without(_without(prompt, _STRENGTH), _SUBJECT)


def with_look(prompt: str, title: str) -> str:
    """Another look, at the strength and for the part of the picture that the prompt says."""
    percent, part = strength(prompt), subject(prompt)
    return with_subject(with_strength(title, 100 if percent is None else percent), part)


def understood_parts(understood: str) -> tuple[str, ...]:
    """The parts of what a service confirmed ("Ink comic, warm, 60 %"): the look, then its changes.

    Nothing when it is no such list but running text.
    """
    parts = tuple(part.strip() for part in understood.split(",") if part.strip())
    if len(parts) > _MOST_PARTS or any(len(part) > _LONGEST_PART for part in parts):
        return ()
    return parts


def without_part(prompt: str, understood: str, part: str) -> str:
    """The prompt without one part of what was understood of it.

    Where the user's own words say it, they alone go; else the prompt becomes what was understood,
    without that part.
    """
    clauses = [clause.strip() for clause in prompt.split(",")]
    kept = [clause for clause in clauses if clause.casefold() != part.casefold()]
    if len(kept) == len(clauses) - 1 and kept:
        return ", ".join(kept)
    rest = [_NEAREST.sub("", other) for other in understood_parts(understood) if other != part]
    return ", ".join(rest)


def _without(prompt: str, words: re.Pattern[str]) -> str:
    left = _tidy(prompt)
    while words.search(left):  # what is left may say it again: "0 0%%"
        left = _tidy(words.sub("", left))
    return left


def _tidy(prompt: str) -> str:
    clauses = (" ".join(clause.split()) for clause in prompt.split(","))
    return ", ".join(clause for clause in clauses if clause)


def _joined(prompt: str, words: str) -> str:
    return f"{prompt}, {words}" if prompt else words
