"""Atomic output files: whole, or not there. Must not know what is in them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def whole(target: Path) -> Iterator[Path]:
    """A name to write to that becomes ``target`` when all went well, and nothing otherwise."""
    part = part_of(target)
    try:
        yield part
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def part_of(target: Path) -> Path:
    """Where an unfinished target lies: always the same, so that a second attempt leaves no litter."""
    return target.with_name(target.name + ".part")


def photo_of(source: Path) -> Path:
    """Where the decoded array of a reference photo lies: beside it."""
    return source.with_name(source.name + ".npy")
