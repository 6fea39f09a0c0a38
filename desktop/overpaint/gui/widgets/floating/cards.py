"""Floating cards (overlay): a column over the lower part of a widget, outside its layout.

Must not know what the cards say.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

WIDEST = 640
BESIDE = 16
GAP = 8
NARROWEST = 260
_PLACES = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)


def beside(room: QRect, taken: QRect, fits: Callable[[QRect], bool]) -> QRect:
    """The part of a room that something else leaves free: above it, left, right or below.

    Args:
        room: The room.
        taken: What lies over it, perhaps in part.
        fits: Whether a part is large enough; if none is, the largest is returned.
    """
    above, left, right, below = (QRect(room) for _ in range(4))
    above.setBottom(min(room.bottom(), taken.top() - GAP))
    left.setRight(min(room.right(), taken.left() - GAP))
    right.setLeft(max(room.left(), taken.right() + GAP))
    below.setTop(max(room.top(), taken.bottom() + GAP))
    parts = [each for each in (above, left, right, below) if each.isValid()]
    largest = max(parts, key=lambda each: each.width() * each.height(), default=room)
    return next((each for each in parts if fits(each)), largest)


class FloatingCards(QWidget):
    """Column of cards over a widget, as high as the cards that are shown: it takes no other clicks.

    Args:
        under: The widget that it floats over; its parent.
        floor: Returns the lowest line of the cards, in device-independent pixels from the top of ``under``.
        cards: The cards, from the top.
    """

    def __init__(self, under: QWidget, floor: Callable[[], int], *cards: QWidget) -> None:
        super().__init__(under)
        self._under, self._floor = under, floor
        self._other: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self._column.setAlignment(Qt.AlignmentFlag.AlignBottom)
        for card in cards:
            self._column.addWidget(card)
        under.installEventFilter(self)
        self.place()

    def keep_beside(self, other: QWidget) -> None:
        """Keeps the cards beside something else that floats over the window."""
        self._other = other
        other.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the widget below, and what the cards are kept beside."""
        if event.type() in _PLACES:
            self.place()
        return False

    def event(self, event: QEvent) -> bool:
        """Follows the cards, which come, go, and change their words."""
        known = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()  # not ``place``, which asks for another such event
        return known

    def place(self) -> None:
        """Places the column; it may cover the whole height where there is little."""
        self._column.invalidate()
        self._arrange()

    def _arrange(self) -> None:
        floor = min(self._floor(), self._under.height())
        room = QRect(BESIDE, 0, self._under.width() - 2 * BESIDE, floor)
        place = self._placed(room)
        other = self._other
        if other is not None and other.isVisible():
            corner = self._under.mapFromGlobal(other.mapToGlobal(QPoint()))
            taken = QRect(corner, other.size())
            if taken.intersects(place):
                place = self._placed(beside(room, taken, self._fits))
        self.setGeometry(place)
        self.raise_()

    def _fits(self, room: QRect) -> bool:
        return room.width() >= NARROWEST and self._placed(room).height() <= room.height()

    def _placed(self, room: QRect) -> QRect:
        width = min(room.width(), WIDEST)
        wraps = self._column.hasHeightForWidth()
        height = self._column.totalHeightForWidth(width) if wraps else self._column.totalSizeHint().height()
        top = max(room.top() + room.height() - height, 0)
        return QRect(room.left() + (room.width() - width) // 2, top, width, height)
