"""Notice of the transform queue: why it is halted, which files were skipped, or what was done.

Must not know where the notices come from.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.advice import MendBox
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.words.troubles import translated
from overpaint.wire.transforms import Transforms


class QueueNotice(QFrame):
    """Queue notice; hidden while there is none."""

    resumed = Signal()
    """The queue is to be resumed, or a notice was dismissed."""
    credits_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        mark(self, role="notice")
        self._told = ""
        self._halted = False
        self._waiting = False
        self.text = text_label("value", wrap=True)
        self.mend = MendBox(theme)
        self.resume = ThemedButton(theme, "refresh", self.tr("Resume"), "link")
        self.dismiss = ThemedButton(theme, "close", role="link", hint=self.tr("Dismiss this notice"))
        self.credits = ThemedButton(theme, "add", self.tr("Get credits"), "link")
        self.credits.clicked.connect(self.credits_wanted)
        self.resume.clicked.connect(self.resumed)
        self.dismiss.clicked.connect(self._dismiss)
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self.text, 1)
        head.addWidget(self.dismiss)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.credits)
        foot.addWidget(self.resume)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 8, 8)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self.mend)
        layout.addLayout(foot)
        self.hide()

    def show_news(self, news: Transforms, skipped: str) -> None:
        """Shows why the queue is halted, else which files were skipped."""
        halted = translated(news.halted) if news.halted is not None else None
        self._halted = halted is not None
        self._waiting = any(item.state == "waiting" for item in news.items)
        poor = halted is not None and halted.kind == "insufficient_credits"
        if halted is not None:
            # For missing credits the button replaces the instruction, which is a command to type.
            self._show(halted.sentence, "" if poor else halted.mend)
        elif skipped:
            self._show(skipped, "")
        elif self._told:
            self._show("", "")
        self.credits.setVisible(poor)
        self._told = halted.sentence if halted is not None else skipped

    def say(self, sentence: str, good: bool = False) -> None:
        """Shows what was done, or why it failed; does not replace the reason of a halted queue."""
        if not self._halted:
            self._show(sentence, "", good)

    def _show(self, sentence: str, mend: str, good: bool = False) -> None:
        mark(self, tone="good" if good else "warn")
        self.text.setText(sentence)
        self.setAccessibleName(sentence)
        self.mend.show_mend(mend)
        self.resume.setVisible(self._halted and self._waiting)
        self.dismiss.setVisible(not (self._halted and self._waiting))
        self.setVisible(bool(sentence))

    def _dismiss(self) -> None:
        self.hide()
        if self._told:
            self.resumed.emit()
