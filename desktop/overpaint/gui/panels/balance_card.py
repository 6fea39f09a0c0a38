"""Balance card: credits and how long they last; with this computer's own service, that it is free.

Its books are shown all the same, to who unfolds the card. Must not know where credits come from.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.dialogs.charges_dialog import ChargesDialog, ChargeTable
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.fold import FoldCard
from overpaint.gui.widgets.labels import ElidedLabel, Facts, text_label
from overpaint.gui.words.numbers import number
from overpaint.gui.words.plain_text import plain_tip
from overpaint.gui.words.state_words import Wording, session_price
from overpaint.wire.credits import Charges
from overpaint.wire.live import LiveSnapshot
from overpaint.wire.servers import is_unencrypted

LOW_SESSIONS = 2
"""Credits for fewer sessions are shown as low: the stream may soon end."""


class BalanceCard(FoldCard):
    """Balance card; its heading shows the credits while it is folded, or that nothing costs anything."""

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
        self.note = text_label(
            "small",
            self.tr(
                "Nothing that this computer restyles costs you anything. Its service keeps books as every "
                "other does, and tops up this account by itself."
            ),
            wrap=True,
        )
        self.warning = text_label("value", wrap=True)
        mark(self.warning, tone="warn")
        facts = Facts()
        self.session = facts.add(self.tr("This session"))
        self._facts = facts
        self.key_name = facts.add(self.tr("Key"))
        self.key = facts.add(self.tr("Secret"))
        self.body.addWidget(self.note)
        self.body.addLayout(row)
        self.body.addWidget(self.warning)
        self.body.addWidget(facts)
        self.add = ThemedButton(theme, "add", self.tr("Get credits"), "link")
        self.add.clicked.connect(self.open_dashboard)
        self.history = ThemedButton(theme, text=self.tr("Charges…"), role="link")
        self.history.setToolTip(self.tr("Charges and their reasons"))
        self.history.clicked.connect(self.open_charges)
        foot = QHBoxLayout()
        foot.addWidget(self.history)
        foot.addStretch(1)
        foot.addWidget(self.add)
        self.body.addLayout(foot)
        self.fold.toggled.connect(self._show_state)
        self._summary = self._place = ""
        self._free = self._roomy = False
        self._show_free(True)

    def show_room(self, roomy: bool) -> None:
        """Unfolds the card where there is room for it; not where nothing has to be paid for."""
        self._roomy = roomy
        self.open(roomy and not self._free)

    def show_snapshot(self, snapshot: LiveSnapshot) -> None:
        """Shows the balance of a snapshot."""
        balance, session = snapshot.balance, snapshot.session
        none = "–"
        self._show_free(snapshot.is_free if balance is None else balance.is_free)
        self.session.show_text(
            self.tr("{} · next in {}").format(session_price(), self._words.soon(session.renews_in_seconds))
            if session
            else none
        )
        if balance is None:
            self.credits.setText(none)
            for value in (self.left, self.key_name, self.key):
                value.show_text(none)
            self._summary = self._place = self.tr("Free on this computer") if self._free else ""
            self._show_low(False, "", running=False)
            self._show_state()
            return
        credits, left = number(balance.credits_remaining), self._words.time_left(balance, session)
        self.credits.setText(credits)
        spent = balance.credits_remaining < session_price() and session is None
        self.left.show_text(left if spent else self.tr("lasts {}").format(left))
        self.key_name.show_text(f"{balance.key_name} · {balance.environment}")
        self.key.show_text(balance.masked)
        self._server = balance.server
        if balance.is_free:
            self.left.show_text("")
            self._summary = self._place = self.tr("Free on this computer")
            self._show_low(False, "", running=False)
            self._show_state()
            return
        self.add.setToolTip(plain_tip(self.tr("Opens {} to get credits").format(balance.server)))
        unencrypted = is_unencrypted(balance.server)
        self._place = balance.server
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
        """Updates the charges."""
        self.charges.show_news(news)

    def open_charges(self) -> None:
        """Opens the charges dialog."""
        ChargesDialog(self._theme, self.charges, self.window()).show()

    def open_dashboard(self) -> None:
        """Opens the page of the service, where credits are to be had."""
        self.fold.setChecked(True)
        if self._server:
            QDesktopServices.openUrl(QUrl(self._server))

    def _show_free(self, free: bool) -> None:
        if free == self._free:
            return
        self._free = free
        title = self.tr("Cost") if free else self.tr("Balance")
        self.fold.show_label(title)
        self.setAccessibleName(title)
        self.note.setVisible(free)
        self.add.setVisible(not free)
        self._facts.show_row(self.session, not free)
        self.open(self._roomy and not free)

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
