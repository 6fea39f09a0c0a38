"""Window geometry: sizes and places that a screen has room for, with the window manager's frame.

Must not know what is in the window.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

SMALLEST = (800, 480)
FRAME = QSize(12, 44)
"""Upper bound of the frame that a window manager adds around a window, before the true one is known."""
TALL = 1.15
"""Height over width from which the side panel lies below the picture."""
BESIDE_PICTURE = 320
"""Height of what a tall window has beside picture and side panel: bar, prompt, looks."""
LEAST_BELOW = 230
"""Least height of the side panel while it lies below the picture."""
CROWDED_BELOW = 620
"""Height below which a window lays picture and prompt beside each other over the gallery of looks."""


def fitting(wanted: QSize, available: QSize) -> tuple[QSize, QSize]:
    """The window's minimum and initial size, limited to the screen: what lies beyond its edge is unreachable.

    Args:
        wanted: The remembered size, perhaps from a larger screen.
        available: The screen's size without task bars and panels; small on a scaled screen.
    """
    room = available - FRAME
    smallest = QSize(*SMALLEST).boundedTo(room)
    return smallest, wanted.boundedTo(room).expandedTo(smallest)


def inside(frame: QRect, available: QRect) -> QRect:
    """The rectangle nearest to a window's frame that lies inside a screen, made smaller if it must be."""
    size = frame.size().boundedTo(available.size())
    left = min(max(frame.left(), available.left()), available.left() + available.width() - size.width())
    top = min(max(frame.top(), available.top()), available.top() + available.height() - size.height())
    return QRect(left, top, size.width(), size.height())


def is_tall(size: QSize) -> bool:
    """Whether a window is so tall that its side panel lies below the picture."""
    return size.height() > TALL * size.width()


def height_below(size: QSize) -> int:
    """The side panel's height in a tall window: what the picture at full width leaves, at most 45 %."""
    left = size.height() - size.width() * 9 // 16 - BESIDE_PICTURE
    return max(LEAST_BELOW, min(left, size.height() * 45 // 100))


def keep_inside(window: QWidget) -> None:
    """Moves a window, whose frame is known by now, into its screen; not a maximized one."""
    if window.isMaximized() or window.isFullScreen():
        return
    frame = window.frameGeometry()
    place = inside(frame, window.screen().availableGeometry())
    if place != frame:
        size = place.size() - (frame.size() - window.size())
        window.setMinimumSize(window.minimumSize().boundedTo(size))
        window.resize(size)
        window.move(place.topLeft())
