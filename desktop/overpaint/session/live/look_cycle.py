"""The cycle of looks: the one after, or before, the present one. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from overpaint.wire.live import LookChoice


def look_after(prompt: str, looks: Sequence[LookChoice], step: int) -> str | None:
    """Returns the name of the look that many places after the one that a prompt names.

    Args:
        prompt: The present prompt; one that names no look counts as before the first look.
        looks: The looks in order.
        step: Number of places; backwards when negative.

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
