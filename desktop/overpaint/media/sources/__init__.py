"""Sources of frames: one module for each kind of input, and the words that name them.

``S`` on the command line: ``camera``, ``camera:N``, ``screen``, ``screen:N``, ``window:TITLE``,
``demo``, or a media file's path; ``screen:N@X,Y,W,H`` is a part of a screen, in its pixels. A source
runs by itself once started and hands every new frame to a callback, from a thread of its own; it never
queues.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from overpaint.errors import SourceError
from overpaint.media.frames import RawFrame
from overpaint.wire.sources import SourceOffer, SourceOptions

SMALLEST_PART = 16
"""Pixels a side of the smallest part of a screen."""

_PART = re.compile(r"(\d{1,4})@(\d{1,6}),(\d{1,6}),(\d{1,6}),(\d{1,6})")

SourceKind = Literal["camera", "screen", "window", "demo", "file"]

Wishes = Callable[[str], SourceOptions]
"""How the user wants a source of this identity to be run; asked from any thread."""


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """A source as the user named it.

    Attributes:
        kind: What it is.
        index: Which camera or screen, from 0.
        name: Title of the window, or path of the file.
        region: Left, top, width and height of the part of the screen, pixels; None for all of it.
    """

    kind: SourceKind
    index: int = 0
    name: str = ""
    region: tuple[int, int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """One source that is there.

    Attributes:
        source: As the command line names it.
        title: As a person would call it.
        kind: What it is.
        identity: What it is recognised by, wherever it is plugged in: numbers change.
    """

    source: str
    title: str
    kind: SourceKind
    identity: str


class SourceListener(Protocol):
    """Whoever takes the frames. Called from the source's thread; must return quickly."""

    def frame(self, frame: RawFrame) -> None:
        """A new frame of exactly the size asked for."""

    def lost(self, error: SourceError) -> None:
        """The source ended by itself (unplugged, closed, unreadable); called at most once."""


class Source(Protocol):
    """A running input. Made by ``overpaint.media.sources.source_factory.make_source``.

    Attributes:
        title: As a person would call it.
        identity: What it is recognised by wherever it is plugged in (``identities``), once it is started;
            empty where the words that name it say it (a file).
        fps: Nominal frames a second.
        aspect: Width by height of its own pictures, which stand in the middle of its frames; 0 while it is
            not known.
        offer: What there is to set about it, once it is started.
        trouble: Why its last good picture stands although it goes on; None while all is well.
    """

    title: str
    identity: str
    fps: float
    aspect: float
    offer: SourceOffer
    trouble: SourceError | None

    def start(self, width: int, height: int, listener: SourceListener) -> None:
        """Opens the input and delivers frames fitted inside width × height from now on.

        Raises:
            SourceError: It is missing, busy, denied or unreadable; the sentence says which and what to do.
        """

    def stop(self) -> None:
        """Ends delivery and frees the device; returns when no callback can come any more. Idempotent."""


def parse_source(text: str) -> SourceSpec:
    """Reads what the user typed for ``--source``.

    Raises:
        SourceError: It names no kind of source and no file that exists (``missing``).
    """
    from pathlib import Path

    word, _, rest = text.partition(":")
    if word in ("camera", "screen") and (rest == "" or rest.isdecimal()):
        return SourceSpec("camera" if word == "camera" else "screen", int(rest or 0))
    if word == "screen" and (part := _PART.fullmatch(rest)):
        number, left, top, width, height = (int(digits) for digits in part.groups())
        if min(width, height) >= SMALLEST_PART:
            return SourceSpec("screen", number, region=(left, top, width, height))
    if word == "window" and rest:
        return SourceSpec("window", 0, rest)
    if text == "demo":
        return SourceSpec("demo")
    path = Path(text).expanduser()
    if path.is_file():
        return SourceSpec("file", 0, str(path))
    if path.is_dir():
        raise SourceError("source_is_folder", source=text)
    raise SourceError("source_unknown", source=text)


__all__ = ["Source", "SourceInfo", "SourceListener", "SourceSpec", "Wishes", "parse_source"]
