"""Sources of frames: one module for each kind of input, and the syntax that names them.

``S`` on the command line: ``camera``, ``camera:N``, ``screen``, ``screen:N``, ``window:TITLE``,
``demo``, a media file's path, or the address of a network camera; ``screen:N@X,Y,W,H`` is a part of a screen,
in its pixels. On Wayland the desktop asks which screen or window is meant, and remembers the answer by that
name. A started source passes every new frame to a callback, from its own thread; it never queues.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from overpaint.errors import SourceError
from overpaint.media.frames import RawFrame
from overpaint.media.network_camera.camera_address import (
    NetworkAddress,
    is_network_address,
    parse_network_address,
)
from overpaint.wire.sources import SourceKind, SourceOffer, SourceOptions, Visibility

SMALLEST_PART = 16
"""Least width and height of a part of a screen, pixels."""

_PART = re.compile(r"(\d{1,4})@(\d{1,6}),(\d{1,6}),(\d{1,6}),(\d{1,6})")

Wishes = Callable[[str], SourceOptions]
"""Returns the user's options for a source's identity; called from any thread."""


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """A source as the user named it.

    Attributes:
        kind: Its kind.
        index: Number of the camera or screen, from 0.
        name: Title of the window, path of the file, or public address of the network camera.
        region: Left, top, width and height of the part of the screen, pixels; None for all of it.
        address: Whole address of the network camera, with its secrets.
        ask_again: Whether the user is to choose it anew in the desktop's dialog (Wayland).
    """

    kind: SourceKind
    index: int = 0
    name: str = ""
    region: tuple[int, int, int, int] | None = None
    address: NetworkAddress | None = field(default=None, repr=False)
    ask_again: bool = False


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """An available source.

    Attributes:
        source: The source as ``--source`` names it.
        title: Its name for the user.
        kind: Its kind.
        identity: Its identity, the same at any port, while numbers change.
        seen: How a window is seen at present.
    """

    source: str
    title: str
    kind: SourceKind
    identity: str
    seen: Visibility = "whole"


class SourceListener(Protocol):
    """The receiver of a source's frames. Called from the source's thread; must return quickly."""

    def frame(self, frame: RawFrame) -> None:
        """Receives a new frame of exactly the requested size."""

    def lost(self, error: SourceError) -> None:
        """Called at most once, when the source ended by itself (unplugged, closed, unreadable)."""


class Source(Protocol):
    """A running input. Made by ``overpaint.media.sources.source_factory.make_source``.

    Attributes:
        title: Its name for the user.
        identity: Its identity at any port (``identities``), once started; empty where its name identifies it
            (a file).
        aspect: Width by height of its own pictures, which are centred in its frames; 0 while unknown.
        offer: The options that it offers, once started.
        trouble: Why its last good picture stands while it goes on; None while all is well.
    """

    title: str
    identity: str
    aspect: float
    offer: SourceOffer
    trouble: SourceError | None

    @property
    def fps(self) -> float:
        """Nominal frames a second."""

    def start(self, width: int, height: int, listener: SourceListener) -> None:
        """Opens the input and delivers frames fitted inside width × height from now on.

        Raises:
            SourceError: It is missing, busy, denied or unreadable; the sentence says which, and how to mend
                it.
        """

    def stop(self) -> None:
        """Ends delivery and frees the device; no callback comes after it. Idempotent."""


@runtime_checkable
class ConsentSource(Source, Protocol):
    """A source that the desktop gives only with its user's consent; its options hold from its start."""

    def ask(self) -> None:
        """Gets the consent; blocks while the desktop's dialog is open, until ``stop``.

        Raises:
            SourceError: The user refuses, or cannot be asked.
        """


def parse_source(text: str) -> SourceSpec:
    """Parses the value of ``--source``.

    Raises:
        SourceError: It names no kind of source and no file that exists (``missing``).
    """
    from pathlib import Path

    if is_network_address(text):
        address = parse_network_address(text)
        if address is None:
            raise SourceError("network_address_invalid")
        return SourceSpec("network", 0, address.public, address=address)
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


__all__ = ["ConsentSource", "Source", "SourceInfo", "SourceListener", "SourceSpec", "Wishes", "parse_source"]
