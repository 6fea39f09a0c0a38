"""Charges dialog: charges and reasons, newest first, with their sum. Must not know who records them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.words.numbers import number
from overpaint.wire.credits import Charge, Charges

Index = QModelIndex | QPersistentModelIndex

_RECENT = timedelta(days=30)


class ChargeTable(QAbstractTableModel):
    """Table model of the charges: time, reason, credits."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._charges: list[Charge] = []

    def show_news(self, news: Charges) -> None:
        """Updates the table with a new list from the live process."""
        self.beginResetModel()
        self._charges = list(news.entries)
        self.endResetModel()

    @property
    def recent_credits(self) -> int:
        """Credits paid in the last 30 days, to services that are not this computer's own."""
        since = datetime.now(UTC) - _RECENT
        return sum(each.paid for each in self._charges if each.at >= since)

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of charges."""
        return 0 if parent is not None and parent.isValid() else len(self._charges)

    def columnCount(self, parent: Index | None = None) -> int:
        """Number of columns."""
        return 0 if parent is not None and parent.isValid() else 4

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles of the columns."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("When"), self.tr("What for"), self.tr("Service"), self.tr("Credits"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Data of a cell by role: text, tool tip, alignment."""
        if not index.isValid() or index.row() >= len(self._charges):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(index.column())
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        charge = self._charges[index.row()]
        if index.column() == 0:
            when = QDateTime.fromSecsSinceEpoch(int(charge.at.timestamp()))
            return QLocale().toString(when, QLocale.FormatType.ShortFormat)
        if index.column() == 1:
            return self._reason(charge)
        if index.column() == 2:
            return charge.server.split("://")[-1] or self.tr("this computer")
        if charge.outcome == "refunded":
            return number(0)
        return f"+{number(charge.credits)}" if charge.is_gain else f"−{number(charge.credits)}"

    def _reason(self, charge: Charge) -> str:
        match charge.reason:
            case "session":
                words = self.tr("Live session")
            case "image":
                words = self.tr("Picture")
            case "video":
                words = self.tr("Clip")
            case "added":
                words = self.tr("Added here")
            case "topped_up":
                words = self.tr("Free on this computer: topped up")
        outcome = {"": "", "cancelled": self.tr("cancelled"), "refunded": self.tr("refunded")}[charge.outcome]
        return " · ".join(filter(None, (words, outcome, charge.what)))

    @staticmethod
    def _side(column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if column == 3 else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


class ChargesDialog(QDialog):
    """Charges dialog, which is updated while it is open."""

    def __init__(self, theme: Theme, charges: ChargeTable, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("What was charged"))
        mark(self, role="dialog")
        self._charges = charges
        self.summary = text_label("muted", wrap=True)
        self.table = QTableView()
        mark(self.table, role="charges")
        self.table.setModel(charges)
        self.table.setAccessibleName(self.tr("Charges"))
        self.table.setShowGrid(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumHeight(2 * header.fontMetrics().height())
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        for column in (2, 3):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.shut = ThemedButton(theme, text=self.tr("Close"))
        self.shut.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.shut)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 18)
        layout.setSpacing(12)
        layout.addWidget(text_label("title", self.tr("What was charged")))
        layout.addWidget(self.summary)
        layout.addWidget(self.table, 1)
        layout.addLayout(foot)
        charges.modelReset.connect(self._show_summary)
        self._show_summary()
        self.resize(min(720, parent.width() - 60), min(560, parent.height() - 60))

    def _show_summary(self) -> None:
        if self._charges.rowCount():
            words = self.tr("Paid in the last 30 days, from this computer: {} credits.").format(
                number(self._charges.recent_credits)
            )
        else:
            words = self.tr("Nothing was charged from this computer yet.")
        self.summary.setText(
            words
            + " "
            + self.tr(
                "This computer's own service keeps books, too, and is free. What failed before it was "
                "charged is not listed."
            )
        )
