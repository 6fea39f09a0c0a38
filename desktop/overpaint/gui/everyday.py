"""What goes with the picture every day: the app's menu, questions, what is said of the past, snapshots.

Joins those parts to the model and the bridge, so that the window stays a composition of panels.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from overpaint.gui.comeback import Comeback
from overpaint.gui.dialogs.question import Answer, Question
from overpaint.gui.models import SessionModel
from overpaint.gui.panels.app_menu import AppMenu
from overpaint.gui.theme import Theme
from overpaint.wire.live import SetOriginal

if TYPE_CHECKING:
    from overpaint.gui.window import MainWindow


class Everyday(QObject):
    """Made with the window, whose panels are there already.

    Args:
        window: The window.
        theme: The theme.
    """

    intended = Signal(object)

    def __init__(self, window: MainWindow, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._still: str | None = None
        self._met = False
        self._said = ""
        self.question: Question | None = None
        self.comeback = Comeback(self)
        self.menu = AppMenu(theme, window)
        for part in (self.comeback, self.menu):
            part.intended.connect(self.intended)
        window.top_bar.more.clicked.connect(self.open_menu)
        self.menu.original_wanted.connect(self.ask_for_original)
        self.menu.quit_wanted.connect(window.close)
        # The menu's keys work while it is closed.
        window.addActions([action for action in self.menu.actions() if not action.isSeparator()])

    def open_menu(self) -> None:
        """Opens the app's menu."""
        self.menu.open_below(self._window.top_bar.more)

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest state."""
        self.comeback.show_model(model)
        self.menu.show_model(model)
        snapshot = model.snapshot
        if snapshot is None:
            return
        # What an earlier window saved is no news.
        new = self._met and snapshot.still != self._still
        self._met, self._still = True, snapshot.still
        self._notice(model, snapshot.still if new else None)

    def _notice(self, model: SessionModel, new_still: str | None) -> None:
        """One line at a time: a trouble that is here first, then what just happened, then what did."""
        snapshot, notice = model.snapshot, self._window.notice
        # A trouble that ends the session has the stage; one that does not is a notice below it.
        trouble = snapshot.trouble if snapshot and snapshot.state != "failed" and model.usable else None
        words = f"{trouble.sentence} {trouble.mend}".strip() if trouble else ""
        if not words and model.usable:
            words = self.comeback.sentence
        if new_still is not None and trouble is None:
            path = Path(new_still)
            self._said = words
            notice.say(self.tr("Saved: {} in {}").format(path.name, path.parent), good=True)
        elif words != self._said:
            self._said = words
            notice.say(words)

    # ---- questions

    def ask_for_original(self) -> None:
        """Asks whether others really are to see the unstyled picture."""
        self.ask(
            self.tr("Show the original?"),
            self.tr(
                "The camera will show you and your room as they are, not restyled, until you switch back "
                "or stop. A red mark on the picture says so all the while."
            ),
            Answer(self.tr("Stay restyled"), role="primary"),
            Answer(self.tr("Show the original"), self._show_original, "danger"),
        )

    def ask(self, title: str, text: str, *answers: Answer) -> None:
        """Asks, unless a question is open already."""
        if self.question is not None:
            self.question.raise_()
            return
        self.question = Question(self._theme, self._window, title, text, answers)
        self.question.finished.connect(self._forget_question)
        self.question.open()

    def _forget_question(self) -> None:
        self.question = None

    def _show_original(self) -> None:
        self.intended.emit(SetOriginal(on=True))
