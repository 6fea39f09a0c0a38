"""Light control: a switch and a slider for the share of the light correction.

Must not know how a service is told.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.widgets.switch import Switch
from overpaint.gui.words.plain_text import plain_tip

LEAST, STEP = 10, 5
"""Least share and step, percent; off is what the switch is for."""
FULL = 100
SETTLE_MS = 250
"""Debounce interval of the slider."""


class LightControl(QWidget):
    """Light control.

    Args:
        theme: The theme.
    """

    chosen = Signal(int)
    """The share in percent; 0 is off."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._share = FULL
        self.switch = Switch(theme)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(LEAST, FULL)
        self.slider.setSingleStep(STEP)
        self.slider.setPageStep(2 * STEP)
        self.slider.setAccessibleName(self.tr("Strength of the light correction"))
        self.percent = text_label("value")
        self.percent.setFixedWidth(self.percent.fontMetrics().horizontalAdvance("100 %") + 6)
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self._choose)
        self.slider.valueChanged.connect(self._show_percent)
        self.slider.sliderReleased.connect(self._choose)
        self.switch.clicked.connect(self._choose)
        words = self.tr("Dark, back-lit and one-sided pictures are lit better before every look")
        for control in (self.switch, self.slider):
            control.setToolTip(plain_tip(words))
            control.setAccessibleDescription(words)
        self.switch.setAccessibleName(self.tr("Light"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(text_label("small", self.switch.accessibleName()))
        row.addWidget(self.slider, 1)
        row.addWidget(self.percent)
        row.addWidget(self.switch)
        self.show_share(FULL)

    def show_share(self, percent: int) -> None:
        """Shows the share in use, unless the user is changing it. Off, the slider keeps its place."""
        if self.slider.isSliderDown() or self._settle.isActive():
            return
        self._share = percent
        self.switch.setChecked(percent > 0)
        self.slider.setEnabled(percent > 0)
        if percent > 0:
            before = self.slider.blockSignals(True)
            self.slider.setValue(percent)
            self.slider.blockSignals(before)
        self._say()

    def _show_percent(self) -> None:
        self._say()
        if not self.slider.isSliderDown():
            self._settle.start()

    def _say(self) -> None:
        on = self.switch.isChecked()
        self.percent.setText(f"{self.slider.value()} %" if on else self.tr("Off"))

    def _choose(self) -> None:
        self._settle.stop()
        on = self.switch.isChecked()
        self.slider.setEnabled(on)
        self._say()
        percent = round(self.slider.value() / STEP) * STEP if on else 0
        if percent != self._share:
            self._share = percent
            self.chosen.emit(percent)
