"""The balance: credits, how long they last, and whose they are. Must not know where credits come from."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout

from overpaint.gui.theme import Theme, mark
from overpaint.gui.widgets.fold import FoldCard
from overpaint.gui.widgets.labels import Facts, text_label
from overpaint.gui.wording import Wording, number, session_price
from overpaint.wire.live import LiveSnapshot

LOW_SESSIONS = 2
"""With credits for fewer sessions than these a call may soon be cut."""


class BalanceCard(FoldCard):
    """Its heading tells the credits while it is closed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self.tr("Balance"))
        self._words = Wording(self)
        self.credits = text_label("figure", "–")
        self.unit = text_label("muted", self.tr("credits"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.credits, 0, Qt.AlignmentFlag.AlignBaseline)
        row.addWidget(self.unit, 1, Qt.AlignmentFlag.AlignBaseline)
        self.warning = text_label("value", wrap=True)
        mark(self.warning, tone="warn")
        facts = Facts()
        self.left = facts.add(self.tr("Lasts about"))
        self.session = facts.add(self.tr("This session"))
        self.key_name = facts.add(self.tr("Key"))
        self.key = facts.add(self.tr("Secret"))
        self.body.addLayout(row)
        self.body.addWidget(self.warning)
        self.body.addWidget(facts)
        self.fold.toggled.connect(self._show_state)
        self._summary = self._place = ""

    def show_snapshot(self, snapshot: LiveSnapshot) -> None:
        """Shows the balance of a snapshot."""
        balance, session = snapshot.balance, snapshot.session
        none = "–"
        self.session.show_text(
            self.tr("{} · next in {}").format(session_price(), self._words.rough(session.expires_in_seconds))
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
        self.left.show_text(left)
        self.key_name.show_text(f"{balance.key_name} · {balance.environment}")
        self.key.show_text(balance.masked)
        self._place = balance.server or self.tr("this computer")
        self._summary = self.tr("{} credits · {}").format(credits, left)
        low = balance.credits_remaining < LOW_SESSIONS * session_price()
        self._show_low(low, left, running=session is not None)
        self._show_state()

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
