"""The words of a prompt for its light correction: the service has no field for it, so a prompt says how much.

The user's setting is written to the end of each prompt that is sent, and taken from what is shown again. Pure
functions; must not know looks, nor who sends a prompt.
"""

from __future__ import annotations

import re

FULL = 100
"""Percent of the light correction without words for it."""

_WORDS = re.compile(
    r"(?:^|,)\s*(?:(?:without|no)\s+light\s+correction|light\s+correction(?:\s+at)?\s+(\d{1,3})\s*%)\s*(?=,|$)",
    re.IGNORECASE,
)


def light_words(percent: int) -> str:
    """The words for a share of the light correction, percent; empty for all of it."""
    if percent >= FULL:
        return ""
    return f"light correction at {percent} %" if percent > 0 else "without light correction"


def with_light(prompt: str, percent: int) -> str:
    """The prompt with the words for a share of the light correction, unless it has its own."""
    if split_light(prompt)[1] is not None:
        return prompt
    return ", ".join(part for part in (prompt, light_words(percent)) if part)


def without_light(prompt: str, percent: int) -> str:
    """The prompt without the words that ``with_light`` writes for this percentage."""
    words = light_words(percent)
    return "" if words and prompt == words else prompt.removesuffix(f", {words}" if words else "")


def split_light(prompt: str) -> tuple[str, int | None]:
    """A prompt without the words for light correction, and the percentage in them; None where it has none."""
    found = _WORDS.search(prompt)
    if found is None:
        return prompt, None
    percent = 0 if found[1] is None else min(FULL, int(found[1]))
    return _WORDS.sub("", prompt).strip(" ,"), percent
