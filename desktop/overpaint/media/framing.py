"""Framing of a source's picture (letterbox or crop): turned, mirrored, filled, enlarged; never stretched.

Sources deliver frames of the right size, with their picture centred between bars. Must not know sources
beyond their picture's shape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import cv2
import numpy as np

from overpaint.media import pictures
from overpaint.media.frames import Picture, RawFrame
from overpaint.wire.framing import Framing


class Shaped(Protocol):
    """A source with a known aspect."""

    @property
    def aspect(self) -> float:
        """Width by height of its own picture; 0 while unknown."""


class Framer:
    """The framing of one source's pictures.

    Args:
        source: The source.
        remembered: Returns its last framing; called with the first frame, when its identity is known.
    """

    def __init__(self, source: Shaped, remembered: Callable[[], Framing]) -> None:
        self._source = source
        self._remembered = remembered
        self._framing: Framing | None = None

    @property
    def framing(self) -> Framing:
        """The present framing; may be replaced at any time."""
        return self._framing or Framing()

    @framing.setter
    def framing(self, framing: Framing) -> None:
        self._framing = framing

    def framed(self, frame: RawFrame) -> RawFrame:
        """Returns the framed picture, of the same size, number and time."""
        if self._framing is None:
            self._framing = self._remembered()
        framing = self._framing
        if framing.plain:
            return frame
        image = laid(frame.image, framing, self._source.aspect)
        return RawFrame(image, frame.number, frame.captured_ns)


def laid(image: Picture, framing: Framing, aspect: float = 0.0) -> Picture:
    """Applies a framing; returns a new I420 picture of the same size.

    Args:
        image: I420 uint8 (H * 3 // 2, W).
        framing: The framing.
        aspect: Width by height of the picture between the bars; 0 for no bars.
    """
    width, height = image.shape[1], image.shape[0] * 2 // 3
    left, top, inner_width, inner_height = _inside(width, height, aspect)
    sideways = framing.quarter_turns % 2 == 1
    turned = (inner_height, inner_width) if sideways else (inner_width, inner_height)
    scales = (width / turned[0], height / turned[1])
    scale = (max(scales) if framing.fill else min(scales)) * framing.zoom
    # The visible part of the turned picture, and its size in the frame.
    seen = (min(turned[0], width / scale), min(turned[1], height / scale))
    shown = (_even(min(width, seen[0] * scale)), _even(min(height, seen[1] * scale)))
    # A mirrored picture moves in the same direction on the screen.
    pan = (-framing.pan_x if framing.mirror else framing.pan_x, framing.pan_y)
    start = [(whole - part) * (1 + at) / 2 for whole, part, at in zip(turned, seen, pan, strict=True)]
    area = _unturned((*start, *seen), (inner_width, inner_height), framing.quarter_turns)
    out = pictures.black(width, height)
    for number, (source, target) in enumerate(zip(pictures.planes(image), pictures.planes(out), strict=True)):
        step = 1 if number == 0 else 2
        x, y, wide, high = (
            round(value / step) for value in (left + area[0], top + area[1], area[2], area[3])
        )
        piece = source[y : y + max(1, high), x : x + max(1, wide)]
        _lay(piece, target, (shown[0] // step, shown[1] // step), framing)
    return out


def _lay(piece: Picture, target: Picture, size: tuple[int, int], framing: Framing) -> None:
    """Turns and mirrors a piece of a plane, and puts it, scaled, into the middle of another plane."""
    if framing.quarter_turns:
        turns = (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE)
        piece = np.asarray(cv2.rotate(piece, turns[framing.quarter_turns - 1]), np.uint8)
    if framing.mirror:
        piece = np.asarray(cv2.flip(piece, 1), np.uint8)
    if piece.shape[::-1] != size:
        piece = np.asarray(cv2.resize(piece, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    top, left = (target.shape[0] - size[1]) // 2, (target.shape[1] - size[0]) // 2
    target[top : top + size[1], left : left + size[0]] = piece


def _inside(width: int, height: int, aspect: float) -> tuple[int, int, int, int]:
    """Returns left, top, width and height of a picture that ``media.pictures.fit`` put into a frame."""
    if aspect <= 0:
        return 0, 0, width, height
    inner_width = min(width, _even(height * aspect))
    inner_height = min(height, _even(width / aspect))
    return (width - inner_width) // 4 * 2, (height - inner_height) // 4 * 2, inner_width, inner_height


def _unturned(
    area: tuple[float, float, float, float], whole: tuple[int, int], quarter_turns: int
) -> tuple[float, float, float, float]:
    """Returns the area of the unturned picture that becomes an area of the turned one."""
    x, y, wide, high = area
    width, height = whole
    match quarter_turns:
        case 1:
            return y, height - x - wide, high, wide
        case 2:
            return width - x - wide, height - y - high, wide, high
        case 3:
            return width - y - high, x, high, wide
        case _:
            return area


def _even(value: float) -> int:
    return max(2, round(value / 2) * 2)
