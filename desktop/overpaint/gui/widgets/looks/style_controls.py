"""Style controls: strength of the look, and subject (person, background, everything).

Must not know how a service is told.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSlider, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.buttons import ElidedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.words.prompt_words import Subject

LEAST, STEP = 20, 5
"""Least strength and step, percent. A lower strength would hardly differ from the original."""
SETTLE_MS = 250
"""Debounce interval of the slider when it is moved by keys."""


class StyleControls(QWidget):
    """Style controls: a slider for the strength, a menu for the subject."""

    strength_chosen = Signal(int)
    """The strength in percent, once the slider is released or has settled."""
    subject_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._shown: int | None = None
        self.slider = _Slider(Qt.Orientation.Horizontal)
        self.slider.setRange(LEAST, 100)
        self.slider.setSingleStep(STEP)
        self.slider.setPageStep(2 * STEP)
        self.slider.setFixedWidth(84)
        self.slider.setAccessibleName(self.tr("Strength of the look"))
        self.slider.setToolTip(self.tr("How strong the look is; it is written into the prompt"))
        self.percent = text_label("value")
        self.percent.setFixedWidth(self.percent.fontMetrics().horizontalAdvance("100 %") + 6)
        self.subject = ElidedButton(theme, "person", "small")
        self.subject.setMinimumWidth(132)
        self._menu = QMenu(self)
        self._fill_menu()
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self._choose)
        self.slider.valueChanged.connect(self._show_percent)
        self.slider.sliderReleased.connect(self._choose)
        self.subject.clicked.connect(self._open_menu)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(text_label("small", self.tr("Strength")))
        row.addWidget(self.slider)
        row.addWidget(self.percent)
        row.addSpacing(6)
        row.addWidget(self.subject)

    def show_strength(self, percent: int) -> None:
        """Shows the strength in use, unless the user is changing it."""
        if self.slider.isSliderDown() or self._settle.isActive():
            return
        self._shown = percent
        before = self.slider.blockSignals(True)
        self.slider.setValue(percent)
        self.slider.blockSignals(before)
        self.percent.setText(f"{percent} %")

    def show_subject(self, subject: Subject) -> None:
        """Shows the subject in use."""
        self.subject.show_text(self._short[subject])
        self.subject.setAccessibleName(self.tr("What is restyled: {}").format(self._names[subject]))
        for action in self._menu.actions():
            action.setChecked(action.data() == subject)

    @property
    def _percent(self) -> int:
        """The slider's value, rounded to whole steps."""
        return round(self.slider.value() / STEP) * STEP

    def _fill_menu(self) -> None:
        self._names: dict[Subject, str] = {
            "all": self.tr("Everything"),
            "person": self.tr("Only the person"),
            "background": self.tr("Only the background"),
        }
        self._short: dict[Subject, str] = {
            "all": self.tr("Everything"),
            "person": self.tr("Person"),
            "background": self.tr("Background"),
        }
        group = QActionGroup(self._menu)
        for subject, name in self._names.items():
            action = self._menu.addAction(name)
            action.setData(subject)
            action.setCheckable(True)
            group.addAction(action)
        group.triggered.connect(lambda action: self.subject_chosen.emit(action.data()))

    def _open_menu(self) -> None:
        self._menu.popup(self.subject.mapToGlobal(QPoint(0, self.subject.height() + 4)))

    def _show_percent(self) -> None:
        self.percent.setText(f"{self._percent} %")
        if not self.slider.isSliderDown():
            self._settle.start()

    def _choose(self) -> None:
        self._settle.stop()
        percent = self._percent
        if percent != self._shown:
            self._shown = percent
            self.strength_chosen.emit(percent)


class _Slider(QSlider):
    """Slider that ignores the mouse wheel, so that scrolling cannot change the picture by accident."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
