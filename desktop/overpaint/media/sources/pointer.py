"""The mouse pointer, drawn into captures that leave it out.

On X11 the server reports position and shape (XFixes, ``GetCursorImage``). Elsewhere the system's own capture
decides whether it is shown. Must not know screens or windows of Qt.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overpaint.media import pictures
from overpaint.media.frames import Picture
from overpaint.media.sources.x11_windows import chain_of

SHAPE_S = 0.1
"""Interval of reading the shape, which costs more than reading the position, and rarely changes."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer's image and position.

    Attributes:
        image: BGRA uint8 (h, w, 4), premultiplied by alpha.
        left: Left edge of its image in the capture, pixels; may be outside.
        top: Top edge of its image in the capture.
    """

    image: NDArray[np.uint8]
    left: int
    top: int


class X11Pointer:
    """The pointer over the display or one window, read over its own X11 connection.

    Args:
        left: Left edge of the captured part of the display, pixels.
        top: Top edge of that part.
        window: Title of the captured window; empty for the display.

    Raises:
        OSError: No X server reports it.
    """

    def __init__(self, left: int = 0, top: int = 0, window: str = "") -> None:
        from Xlib import error
        from Xlib.display import Display

        self._origin = (left, top)
        self._gone = (error.XError, error.ConnectionClosedError, error.DisplayError)
        try:
            self._display: Any = Display()
        except self._gone as failure:
            raise OSError("no X display") from failure
        if not self._display.has_extension("XFIXES"):
            self.close()
            raise OSError("no XFIXES")
        self._display.xfixes_query_version()
        self._root: Any = self._display.screen().root
        self._chain = self._find(window) if window else []
        self._wanted = bool(window)
        self._shape: tuple[NDArray[np.uint8], int, int] | None = None
        self._shape_at = 0.0

    def look(self) -> Pointer | None:
        """Returns the pointer; None while it is outside the capture."""
        try:
            at = self._place()
            if at is None:
                return None
            image, across, down = self._looks()
        except self._gone:
            return None
        return Pointer(image, at[0] - across, at[1] - down)

    def close(self) -> None:
        """Ends the connection; idempotent."""
        try:
            self._display.close()
        except self._gone:
            pass

    def _place(self) -> tuple[int, int] | None:
        if not self._wanted:
            place = self._root.query_pointer()
            return place.root_x - self._origin[0], place.root_y - self._origin[1]
        if not self._chain:
            return None
        # Where another window covers this one, the pointer belongs to that one.
        outermost, window = self._chain[0], self._chain[-1]
        over = self._root.query_pointer().child
        if getattr(over, "id", 0) != outermost.id:
            return None
        place = window.query_pointer()
        return place.win_x, place.win_y

    def _looks(self) -> tuple[NDArray[np.uint8], int, int]:
        now = time.monotonic()
        if self._shape is None or now - self._shape_at > SHAPE_S:
            answer = self._display.xfixes_get_cursor_image(self._root)
            colours = np.array(answer.cursor_image, np.uint32).astype("<u4")
            image = colours.view(np.uint8).reshape(answer.height, answer.width, 4)
            self._shape, self._shape_at = (image, answer.xhot, answer.yhot), now
        return self._shape

    def _find(self, title: str) -> list[Any]:
        try:
            return chain_of(self._display, title)
        except self._gone:
            return []


def draw(image: Picture, pointer: Pointer) -> None:
    """Draws a pointer into an I420 picture, clipped."""
    width, height = image.shape[1], image.shape[0] * 2 // 3
    high, wide = pointer.image.shape[:2]
    # Even position and size, because two by two pixels share their colour.
    left, top = max(0, pointer.left) // 2 * 2, max(0, pointer.top) // 2 * 2
    right, bottom = (
        min(width, (pointer.left + wide + 1) // 2 * 2),
        min(height, (pointer.top + high + 1) // 2 * 2),
    )
    if right <= left or bottom <= top:
        return
    piece = pictures.crop(image, (left, top, right - left, bottom - top))
    colours = pictures.to_bgr(piece).astype(np.uint16)
    over = np.zeros((bottom - top, right - left, 4), np.uint16)
    y, x = max(pointer.top, 0), max(pointer.left, 0)
    seen = pointer.image[y - pointer.top : bottom - pointer.top, x - pointer.left : right - pointer.left]
    over[y - top : y - top + seen.shape[0], x - left : x - left + seen.shape[1]] = seen
    blended = colours * (255 - over[..., 3:]) // 255 + over[..., :3]
    drawn = pictures.from_bgr(np.minimum(blended, 255).astype(np.uint8))
    for number, (source, target) in enumerate(
        zip(pictures.planes(drawn), pictures.planes(image), strict=True)
    ):
        step = 1 if number == 0 else 2
        target[top // step : bottom // step, left // step : right // step] = source
