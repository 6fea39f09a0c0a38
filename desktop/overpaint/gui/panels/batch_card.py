"""Batch card: orders all transforms that are ready, with one look, and the price on the button.

Must not know how an order is processed.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.words.state_words import number
from overpaint.gui.words.transform_words import TransformWords
from overpaint.wire.service import PROMPT_MAX_CHARACTERS
from overpaint.wire.transforms import RemoveTransforms, StartTransforms, TransformItem


class BatchCard(QFrame):
    """Batch card; hidden while nothing is ready.

    The look follows the live picture's prompt until the user edits it.
    """

    intended = Signal(object)
    credits_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        mark(self, role="card")
        self.setAccessibleName(self.tr("Ready to be restyled"))
        self._words = TransformWords(self)
        self._ready: list[TransformItem] = []
        self._credits: int | None = None
        self._prompt = ""
        self._has_photo = False
        self.amount = text_label("heading")
        self.discard = ThemedButton(
            theme, "close", role="link", hint=self.tr("Take all of them off the list")
        )
        self.look = QLineEdit()
        mark(self.look, role="search")
        self.look.setMaxLength(PROMPT_MAX_CHARACTERS)
        self.look.setAccessibleName(self.tr("Look for these files"))
        self.look.setToolTip(self.tr("The look of these files; the live picture keeps its own prompt"))
        self.look.setPlaceholderText(self.tr("Describe the look"))
        self.order = ThemedButton(theme, role="primary")
        self.hint = text_label("small", wrap=True)
        self.credits = ThemedButton(theme, "add", self.tr("Credits"), "link")
        self.credits.clicked.connect(self.credits_wanted)
        foot = QHBoxLayout()
        foot.addWidget(self.hint, 1)
        foot.addWidget(self.credits)
        head = QHBoxLayout()
        head.addWidget(self.amount, 1)
        head.addWidget(self.discard)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 10, 12)
        layout.setSpacing(8)
        layout.addLayout(head)
        for widget in (self.look, self.order):
            layout.addWidget(widget)
        layout.addLayout(foot)
        self.discard.clicked.connect(self._discard)
        self.order.clicked.connect(self.start)
        self.look.returnPressed.connect(self._show_button)
        self.look.textEdited.connect(self._show_order)
        self.hide()

    def show_items(self, ready: list[TransformItem]) -> None:
        """Shows the items that are ready to be ordered."""
        if not self._ready and ready:
            self.look.setText(self._prompt)
            self.look.setModified(False)
        self._ready = ready
        self.setVisible(bool(ready))
        self.amount.setText(self._words.amount(ready))
        self._show_order()

    def show_model(self, model: SessionModel) -> None:
        """Updates the live picture's prompt, and the balance."""
        snapshot = model.snapshot
        if snapshot is None:
            return
        self._prompt = snapshot.prompt
        self._has_photo = snapshot.has_reference
        self._credits = snapshot.balance.credits_remaining if snapshot.balance is not None else None
        if not self.look.isModified() and self.look.text() != self._prompt:
            self.look.setText(self._prompt)
        self._show_order()

    @property
    def price(self) -> int:
        """Credits for all items."""
        return sum(item.price for item in self._ready)

    def start(self) -> None:
        """Orders all items that are ready."""
        prompt = self.look.text().strip()
        if self.order.isEnabled() and prompt:
            self.intended.emit(StartTransforms(prompt=prompt))

    def _show_button(self) -> None:
        """Handles Enter in the field: orders nothing, and names the button that does."""
        if self.order.isEnabled():
            self._say(self.tr("Nothing is ordered yet: press “{}”.").format(self.order.text()))

    def _discard(self) -> None:
        self.intended.emit(RemoveTransforms(ids=[item.id for item in self._ready]))

    def _show_order(self) -> None:
        if not self._ready:
            return
        short = self._credits is not None and self._credits < self.price
        prompt = self.look.text().strip()
        self.order.show_label(self._words.order(len(self._ready), self.price))
        self.order.setEnabled(bool(prompt) and not short)
        if short:
            hint = self.tr("Not enough credits: {} are left.").format(number(self._credits or 0))
        elif not prompt:
            hint = self.tr("Describe the look.")
        elif self._has_photo:
            hint = self.tr("Files use only the prompt; the reference photo is for the live picture.")
        else:
            hint = ""
        mark(self.hint, tone="bad" if short else "")
        self._say(hint)
        self.credits.setVisible(short)

    def _say(self, hint: str) -> None:
        if hint != self.hint.text():
            self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
