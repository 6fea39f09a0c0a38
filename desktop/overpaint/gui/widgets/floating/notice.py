"""Notice (toast): an error or a message over the picture, which interrupts nothing and can be dismissed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPropertyAnimation, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QEnterEvent
from PySide6.QtWidgets import QApplication, QFrame, QGraphicsOpacityEffect, QHBoxLayout

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import ToneIcon, text_label
from overpaint.gui.words.plain_text import plain_tip

LASTS_MS = 10_000
"""How long good news stays: long enough to read it and to click its button."""
FADES_MS = 400


class Notice(QFrame):
    """Notice; hidden while there is none.

    Good news fades by itself, and waits while there are errors. An error stays until it is dismissed, or is
    over: the newest is shown, and how many wait behind it.

    Attributes:
        errors: The errors that were not dismissed, the oldest first.
    """

    folder_wanted = Signal(str)
    """The user wants to see the folder of the file that the notice names."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        mark(self, role="notice")
        self._icon = ToneIcon(theme, 18)
        self.text = text_label("value", wrap=True)
        self.errors: list[str] = []
        self._followed = self._folder = ""
        self._state: set[str] = set()
        """The errors that are over as soon as ``follow`` says so."""
        self.more = text_label("small")
        self.more.hide()
        self.folder = ThemedButton(theme, "folder", self.tr("Open folder"), role="link")
        self.folder.clicked.connect(lambda: self.folder_wanted.emit(self._folder))
        self.page = ThemedButton(theme, text=self.tr("Open system settings"), role="link")
        self.page.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(self._pages[self.text.text()])))
        self._pages: dict[str, str] = {}
        self.dismiss = ThemedButton(theme, "close", role="link", hint=self.tr("Dismiss this notice"))
        self.dismiss.clicked.connect(self._dismiss)
        self._good = False
        self._waiting: tuple[str, str] | None = None
        self._stay = QTimer(self, interval=LASTS_MS, singleShot=True)
        self._stay.timeout.connect(self._fade)
        self._fading = QPropertyAnimation(self)
        self._fading.setDuration(FADES_MS)
        self._fading.setStartValue(1.0)
        self._fading.setEndValue(0.0)
        self._fading.finished.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 6)
        layout.setSpacing(10)
        layout.addWidget(self._icon)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.more)
        layout.addWidget(self.folder)
        layout.addWidget(self.page)
        layout.addWidget(self.dismiss)
        self.hide()

    def say(self, sentence: str, good: bool = False, folder: str = "") -> None:
        """Shows a notice.

        Args:
            sentence: The notice.
            good: Whether it is good news, as opposed to an error.
            folder: A folder that a button beside good news offers to open; none when empty.
        """
        if not good:
            self._add(sentence)
        elif self.errors:
            self._waiting = sentence, folder
        else:
            self._show(sentence, True, folder)
            self._stay.start()

    def follow(self, sentence: str, good: bool = False, page: str = "") -> None:
        """Shows what the state of the program says, if that has changed; nothing for an empty sentence.

        Errors that it said before stay beside another one, and are over when it says none.

        Args:
            sentence: The notice.
            good: Whether it is good news.
            page: Address of the page of the system's settings that a button offers to open; none when empty.
        """
        if page:
            self._pages[sentence] = page
        if sentence == self._followed:
            return
        former, self._followed = self._followed, sentence
        if sentence and not good:
            self._state.add(sentence)
            self._add(sentence)
            return
        self.errors = [each for each in self.errors if each not in self._state]
        self._state.clear()
        if sentence:
            self._waiting = sentence, ""
        if self.errors or sentence or not self._good or self.text.text() == former:
            self._show_next()

    def _add(self, error: str) -> None:
        self.errors = [*(each for each in self.errors if each != error), error]
        self._show_next()

    def _show_next(self) -> None:
        """Shows the newest error, else the good news that waits, else nothing."""
        if self.errors:
            self._show(self.errors[-1], False)
        elif self._waiting is not None:
            (sentence, folder), self._waiting = self._waiting, None
            self.say(sentence, good=True, folder=folder)
        else:
            self.hide()

    def _show(self, sentence: str, good: bool, folder: str = "") -> None:
        self._good, self._folder = good, folder
        self._be_whole()
        self.folder.setVisible(bool(folder))
        self.page.setVisible(sentence in self._pages)
        self._icon.show_icon("check" if good else "state-trouble", "good" if good else "warn")
        mark(self, tone="good" if good else "warn")
        self.text.setText(sentence)
        others = self.errors[-2::-1] if not good else []
        self.more.setText(self.tr("and {} more").format(len(others)))
        self.more.setToolTip(plain_tip("\n".join(others)))
        self.more.setVisible(bool(others))
        self.setAccessibleName(" ".join((sentence, *others)))
        self.show()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stays while the mouse is on it."""
        super().enterEvent(event)
        if self._good:
            self._be_whole()

    def leaveEvent(self, event: QEvent) -> None:
        """Fades some time after the mouse has left it."""
        super().leaveEvent(event)
        if self._good and not self.isHidden():
            self._stay.start()

    def _dismiss(self) -> None:
        if not self._good:
            del self.errors[-1:]
        self._show_next()

    def _be_whole(self) -> None:
        self._stay.stop()
        self._fading.stop()
        self.setGraphicsEffect(None)  # type: ignore[arg-type]

    def _fade(self) -> None:
        focused = QApplication.focusWidget()
        if focused is not None and self.isAncestorOf(focused):
            self._stay.start()  # somebody uses it by keyboard
            return
        effect = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(effect)  # only now: an effect makes every picture below dearer
        self._fading.setTargetObject(effect)
        self._fading.setPropertyName(b"opacity")
        self._fading.start()
