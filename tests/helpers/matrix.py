"""Parameters of which every run tries a few, and the full suite all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

FEW_LOOKS = ("ink-comic", "oil-painting", "halftone-print", "pixel-art", "vhs", "film-noir")
"""One look of each kind: lines, paint, screened, of blocks, moving, grainy."""

Value = TypeVar("Value")


def few_of(
    values: Iterable[Value], kept: Callable[[Value], bool] | Iterable[Value] = FEW_LOOKS
) -> list[object]:
    """The values of one parameter, those marked that only the full suite tries.

    Args:
        values: All of them.
        kept: Which of them every run tries: those in it, or those that it says yes to.
    """
    is_kept = kept if callable(kept) else frozenset(kept).__contains__
    values = list(values)
    assert any(is_kept(value) for value in values), "every run tries one at least"
    return [value if is_kept(value) else pytest.param(value, marks=pytest.mark.full) for value in values]
