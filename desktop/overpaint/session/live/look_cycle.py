"""The cycle of looks: which one comes after the present one. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from overpaint.wire.live import LookChoice


def look_after(prompt: str, looks: Sequence[LookChoice], step: int) -> str | None:
    """Name of the look so many places after the one that a prompt names.

    Args:
        prompt: What is shown now; a prompt that names no look stands before the first one.
        looks: In their order.
        step: How many places; backwards when negative.

    Returns:
        A look's name; None when there are no looks.
    """
    if not looks:
        return None
    present = _plain(prompt)
    known = [{_plain(look.name), _plain(look.title)} for look in looks]
    found = next((number for number, words in enumerate(known) if present in words), None)
    if found is None:
        found = -1 if step > 0 else 0
    return looks[(found + step) % len(looks)].name


def _plain(words: str) -> str:
    return words.strip().casefold().replace("-", " ")
