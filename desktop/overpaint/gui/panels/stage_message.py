"""Message on the stage: a title, a sentence, an instruction, and buttons."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QTransform
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.advice import MendBox
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.words.state_words import StageAction, StageWords, Wording

_SPIN_MS = 80
_SPIN_DEGREES = 30


class StageMessage(QWidget):
    """Message on the stage: a title, a sentence, an instruction, and buttons; a spinner while busy."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = Wording(self)
        self._shown: StageWords | None = None
        self._angle = 0
        self.icon = QLabel()
        self.icon.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.title = text_label("stage-title", wrap=True)
        self.text = text_label("stage-text", wrap=True)
        for label in (self.title, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.mend = MendBox(theme, centred=True)
        self.buttons: list[ThemedButton] = []
        self._row = QHBoxLayout()
        self._row.setSpacing(10)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        for widget in (self.icon, self.title, self.text, self.mend):
            layout.addWidget(widget)
        layout.addSpacing(4)
        layout.addLayout(self._row)
        self._spin = QTimer(self, interval=_SPIN_MS)
        self._spin.timeout.connect(self._turn)
        theme.changed.connect(self._draw_icon)
        self.hide()

    def show_words(self, words: StageWords | None) -> None:
        """Shows a message; hides for None."""
        if words == self._shown:
            return
        self._shown = words
        self.setVisible(words is not None)
        if words is None:
            self._spin.stop()
            return
        self.title.setText(words.title)
        self.text.setText(words.text)
        self.text.setVisible(bool(words.text))
        self.mend.show_mend(words.mend)
        self.icon.setVisible(words.busy or words.trouble)
        self._draw_icon()
        if words.busy:
            self._spin.start()
        else:
            self._spin.stop()
        self._show_actions(words.actions, words.price)
        self.setAccessibleName(" ".join(filter(None, (words.title, words.text, words.mend))))

    def fit(self, room: QSize) -> None:
        """Resizes the message to its text, within the available size."""
        # Wider if the buttons need it, as in some languages.
        width = min(max(460, self._row.minimumSize().width()), room.width())
        self.setFixedWidth(width)
        layout = self.layout()
        if layout is not None:
            for label in self.findChildren(QWidget):
                label.ensurePolished()  # applies the style sheet's font, which new widgets do not have yet
            layout.invalidate()
            self.setFixedHeight(max(layout.totalHeightForWidth(width), 1))

    def _show_actions(self, actions: tuple[StageAction, ...], price: int) -> None:
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.buttons = []
        self._row.addStretch(1)
        for number, action in enumerate(actions):
            button = ThemedButton(
                self._theme,
                "play" if action == "start" else "",
                self._words.action(action, price),
                "primary" if number == 0 else "",
            )
            button.clicked.connect(lambda _=False, action=action: self.chosen.emit(action))
            self.buttons.append(button)
            self._row.addWidget(button)
            button.show()  # at once: ``fit`` measures it before the next event
        self._row.addStretch(1)

    def _turn(self) -> None:
        self._angle = (self._angle + _SPIN_DEGREES) % 360
        self._draw_icon()

    def _draw_icon(self) -> None:
        if self._shown is None:
            return
        tokens, ratio = self._theme.tokens, self.devicePixelRatioF()
        if self._shown.trouble:
            self.icon.setPixmap(self._theme.pixmap("state-trouble", tokens.warn, 34, ratio))
        elif self._shown.busy:
            drawing = self._theme.pixmap("state-busy", tokens.accent, 34, ratio)
            turned = drawing.transformed(
                QTransform().rotate(self._angle), Qt.TransformationMode.SmoothTransformation
            )
            extra = (turned.width() - drawing.width()) // 2
            turned = turned.copy(extra, extra, drawing.width(), drawing.height())
            turned.setDevicePixelRatio(ratio)
            self.icon.setPixmap(turned)
