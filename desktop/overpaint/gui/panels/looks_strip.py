"""The engine's looks as a row of cards; choosing one sends its name as the prompt."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QTextLayout, QTextOption, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from overpaint.gui.models import LookListModel, SessionModel
from overpaint.gui.theme import Theme, mark

CARD = QSize(172, 80)
GAP = 10
HEIGHT = CARD.height() + 14

Index = QModelIndex | QPersistentModelIndex


class LooksStrip(QListView):
    """A horizontal list; arrow keys move, Enter or a click chooses."""

    chosen = Signal(str)
    """Name of the look, which is a prompt."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        mark(self, role="looks")
        self.looks = LookListModel(self)
        self.setModel(self.looks)
        self.setItemDelegate(_LookDelegate(theme, self))
        self.setAccessibleName(self.tr("Looks"))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(False)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setFixedHeight(HEIGHT)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        theme.changed.connect(self._repaint)

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest looks, and which of them is active."""
        if model.snapshot is not None:
            before = self.looks.active_row
            self.looks.show_snapshot(model.snapshot)
            active = self.looks.active_row
            if active is not None and active != before:
                self.scrollTo(self.looks.index(active))
        self.setEnabled(model.usable)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Turns an upright wheel into sideways scrolling."""
        turns = event.angleDelta()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - (turns.x() or turns.y()))
        event.accept()

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid() and not self.looks.data(index, LookListModel.ActiveRole):
            self.chosen.emit(self.looks.look(index.row()).name)

    def _repaint(self) -> None:
        self.viewport().update()


class _LookDelegate(QStyledItemDelegate):
    """Paints a card: title, three lines of description, a frame for the active one."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Card and gap."""
        return QSize(CARD.width() + GAP, CARD.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one card."""
        tokens, sizes = self._theme.tokens, self._theme.sizes
        state: QStyle.StateFlag = option.state
        rect: QRect = option.rect
        active = bool(index.data(LookListModel.ActiveRole))
        focused = bool(state & QStyle.StateFlag.State_HasFocus) and self._view.hasFocus()
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        box = rect.adjusted(1, 1, -GAP - 1, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(tokens.hover if hovered and not active else tokens.card))
        if active or focused:
            painter.setPen(QPen(QColor(tokens.accent if active else tokens.text), 2))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(box, 10, 10)
        inside = box.adjusted(12, 8, -10, -6)
        font = self._view.font()
        font.setPixelSize(sizes.body)
        font.setBold(True)
        painter.setFont(font)
        enabled = bool(state & QStyle.StateFlag.State_Enabled)
        painter.setPen(QColor(tokens.text if enabled else tokens.muted))
        if active:
            tick = self._theme.pixmap("check", tokens.accent, 16, self._view.devicePixelRatioF())
            painter.drawPixmap(inside.right() - 15, inside.top() + 1, tick)
        metrics = painter.fontMetrics()
        room = inside.width() - (20 if active else 0)
        title = metrics.elidedText(str(index.data()), Qt.TextElideMode.ElideRight, room)
        painter.drawText(inside.left(), inside.top() + metrics.ascent(), title)
        font.setBold(False)
        font.setPixelSize(sizes.small - 1)
        painter.setFont(font)
        painter.setPen(QColor(tokens.muted))
        below = inside.adjusted(0, metrics.height() + 3, 0, 0)
        _draw_lines(painter, below, str(index.data(LookListModel.DescriptionRole)), lines=3)
        painter.restore()


def _draw_lines(painter: QPainter, room: QRect, text: str, lines: int) -> None:
    """Draws wrapped text of at most so many lines; the last one ends in an ellipsis if it must."""
    metrics = painter.fontMetrics()
    layout = QTextLayout(text, painter.font())
    layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
    layout.beginLayout()
    top = room.top()
    for number in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(room.width())
        if number == lines - 1:
            rest = text[line.textStart() :]
            part = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, room.width())
        else:
            part = text[line.textStart() : line.textStart() + line.textLength()]
        painter.drawText(room.left(), top + metrics.ascent(), part.strip())
        top += metrics.lineSpacing()
    layout.endLayout()
