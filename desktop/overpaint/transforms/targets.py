"""Atomic output files: written under a temporary name, then renamed. Must not know what is in them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def whole(target: Path) -> Iterator[Path]:
    """A temporary path, renamed to ``target`` after the block, or removed after an exception."""
    part = part_of(target)
    try:
        yield part
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def part_of(target: Path) -> Path:
    """The temporary path of a target: always the same, so that a retry overwrites a former attempt's file."""
    return target.with_name(target.name + ".part")


def photo_of(source: Path) -> Path:
    """The path of a reference photo's decoded array, beside the photo."""
    return source.with_name(source.name + ".npy")
