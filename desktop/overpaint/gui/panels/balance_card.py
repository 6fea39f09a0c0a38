"""Balance card: credits, how long they last, the account. Must not know where credits come from."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QMenu

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.dialogs.charges_dialog import ChargesDialog, ChargeTable
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.fold import FoldCard
from overpaint.gui.widgets.labels import ElidedLabel, Facts, text_label
from overpaint.gui.words.plain_text import plain_tip
from overpaint.gui.words.state_words import Wording, number, session_price
from overpaint.gui.words.troubles import translated
from overpaint.wire.credits import AddCredits, Charges
from overpaint.wire.live import LiveSnapshot
from overpaint.wire.servers import is_unencrypted

LOW_SESSIONS = 2
"""Credits for fewer sessions are shown as low: the stream may soon end."""
AMOUNTS = (100, 500, 2000)
"""Choices of credits to add to this computer's own account."""


class BalanceCard(FoldCard):
    """Balance card; its heading shows the credits while it is folded."""

    intended = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self.tr("Balance"))
        self._theme = theme
        self._server = ""
        self.charges = ChargeTable(self)
        self._words = Wording(self)
        self.credits = text_label("figure", "–")
        self.unit = text_label("muted", self.tr("credits"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.credits, 0, Qt.AlignmentFlag.AlignBaseline)
        row.addWidget(self.unit, 0, Qt.AlignmentFlag.AlignBaseline)
        self.left = ElidedLabel("small")
        self.left.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.left.setAccessibleName(self.tr("Lasts about"))
        row.addWidget(self.left, 1, Qt.AlignmentFlag.AlignBaseline)
        self.warning = text_label("value", wrap=True)
        mark(self.warning, tone="warn")
        facts = Facts()
        self.session = facts.add(self.tr("This session"))
        self.key_name = facts.add(self.tr("Key"))
        self.key = facts.add(self.tr("Secret"))
        self.body.addLayout(row)
        self.body.addWidget(self.warning)
        self.body.addWidget(facts)
        self.add = ThemedButton(theme, "add", self.tr("Credits"), "link")
        self.add.clicked.connect(self.offer_more)
        self.history = ThemedButton(theme, text=self.tr("Charges…"), role="link")
        self.history.setToolTip(self.tr("Charges and their reasons"))
        self.history.clicked.connect(self.open_charges)
        self.failure = text_label("value", wrap=True)
        mark(self.failure, tone="bad")
        self.failure.hide()
        foot = QHBoxLayout()
        foot.addWidget(self.history)
        foot.addStretch(1)
        foot.addWidget(self.add)
        self.body.addWidget(self.failure)
        self.body.addLayout(foot)
        self.fold.toggled.connect(self._show_state)
        self._summary = self._place = ""

    def show_snapshot(self, snapshot: LiveSnapshot) -> None:
        """Shows the balance of a snapshot."""
        balance, session = snapshot.balance, snapshot.session
        none = "–"
        self.session.show_text(
            self.tr("{} · next in {}").format(session_price(), self._words.soon(session.renews_in_seconds))
            if session
            else none
        )
        if balance is None:
            self.credits.setText(none)
            for value in (self.left, self.key_name, self.key):
                value.show_text(none)
            self._summary = self._place = ""
            self.warning.hide()
            self._show_state()
            return
        credits, left = number(balance.credits_remaining), self._words.time_left(balance, session)
        self.credits.setText(credits)
        spent = balance.credits_remaining < session_price() and session is None
        self.left.show_text(left if spent else self.tr("lasts {}").format(left))
        self.key_name.show_text(f"{balance.key_name} · {balance.environment}")
        self.key.show_text(balance.masked)
        self._server = balance.server
        self.add.show_label(self.tr("Dashboard") if balance.server else self.tr("Credits"))
        self.add.setToolTip(
            plain_tip(
                self.tr("Opens {} to get credits").format(balance.server)
                if balance.server
                else self.tr("Adds credits to this computer's own service")
            )
        )
        unencrypted = is_unencrypted(balance.server)
        self._place = balance.server or self.tr("this computer")
        if unencrypted:
            self._place = self.tr("not encrypted")  # nothing else, so that the warning is never elided
        self._summary = self.tr("{} credits · {}").format(credits, left)
        low = balance.credits_remaining < LOW_SESSIONS * session_price()
        self._show_low(low, left, running=session is not None)
        self.icon.setToolTip(self.tr("not encrypted") if unencrypted else "")
        if unencrypted:
            self.icon.show_icon("state-trouble", "warn")
            self.icon.show()
        self._show_state()

    def show_charges(self, news: Charges) -> None:
        """Updates the charges, and shows why credits could not be added, if so."""
        self.charges.show_news(news)
        self.failure.setText(translated(news.trouble).sentence if news.trouble is not None else "")
        self.failure.setVisible(news.trouble is not None)

    def open_charges(self) -> None:
        """Opens the charges dialog."""
        ChargesDialog(self._theme, self.charges, self.window()).show()

    def offer_more(self) -> None:
        """Opens a menu to add credits, for this computer's own service; for another one, its dashboard."""
        self.fold.setChecked(True)
        if self._server:
            QDesktopServices.openUrl(QUrl(self._server))
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for amount in AMOUNTS:
            action = menu.addAction(self.tr("Add {} credits").format(number(amount)))
            action.triggered.connect(
                lambda _=False, amount=amount: self.intended.emit(AddCredits(credits=amount))
            )
        note = menu.addAction(self.tr("This computer's own: they cost nothing"))
        note.setEnabled(False)
        above = QPoint(0, menu.sizeHint().height())
        menu.popup(self.add.mapToGlobal(self.add.rect().topLeft()) - above)

    def _show_low(self, low: bool, left: str, running: bool) -> None:
        if not low:
            words = ""
        elif running:
            words = self.tr("Low: the picture stops in {}, unless credits are added.").format(left)
        else:
            words = self.tr("Low: a session costs {} credits.").format(session_price())
        if words != self.warning.text():
            self.warning.setText(words)
        self.warning.setVisible(low)
        self.icon.setVisible(low)
        if low:
            self.icon.show_icon("state-trouble", "warn")
            self.open(True)

    def _show_state(self) -> None:
        self.state.show_text(self._place if self.fold.isChecked() else self._summary)
