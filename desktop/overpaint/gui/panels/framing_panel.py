"""Source options: framing (mirror, rotation, zoom, pan), light, a camera's format, the mouse pointer.

A popup over the stage. Must not know how the options are implemented.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QHBoxLayout, QSlider, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.choice import Choice
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.widgets.light_control import LightControl
from overpaint.gui.widgets.setting import Setting
from overpaint.gui.widgets.switch import Switch
from overpaint.gui.words.numbers import number, rate
from overpaint.wire.framing import ZOOM_MAX, Framing, SetFraming
from overpaint.wire.preferences import Preferences, SetPreferences
from overpaint.wire.sources import CameraFormat, SetSourceOptions, SourceOffer, SourceOptions

WIDTH = 300
SETTLE_MS = 60
_PERCENT = 100


class FramingPanel(QFrame):
    """Source options, a popup; changes are applied at once.

    Args:
        theme: The theme.
        parent: The stage.
    """

    intended = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        mark(self, role="popup")
        self.setAccessibleName(self.tr("Picture of the source"))
        self.setFixedWidth(WIDTH)
        self._framing = Framing()
        self.mirror = ThemedButton(theme, "mirror", self.tr("Mirror for others"))
        self.mirror.setCheckable(True)
        self.mirror.setToolTip(self.tr("Mirrors the camera, too, not only the preview"))
        self.turn = ThemedButton(theme, "turn", self.tr("Turn"))
        self.turn.setToolTip(self.tr("Turns the picture by a quarter"))
        self.whole = ThemedButton(theme, text=self.tr("Whole"))
        self.whole.setToolTip(self.tr("Shows the whole picture, with bars where its shape differs"))
        self.fill = ThemedButton(theme, text=self.tr("Fill"))
        self.fill.setToolTip(self.tr("The picture fills the frame; its edges are cut"))
        self.reset = ThemedButton(theme, text=self.tr("Reset"), role="link")
        shape = QButtonGroup(self)
        for button in (self.whole, self.fill):
            button.setCheckable(True)
            shape.addButton(button)
        self.zoom = self._slider(self.tr("Zoom"), _PERCENT, round(ZOOM_MAX * _PERCENT))
        self.across = self._slider(self.tr("Across"), -_PERCENT, _PERCENT)
        self.up = self._slider(self.tr("Up and down"), -_PERCENT, _PERCENT)
        self.light = LightControl(theme)
        self.light.chosen.connect(self._choose_light)
        self.format = Choice(theme)
        self.format.setAccessibleName(self.tr("Format of the camera"))
        self.format.activated.connect(self._choose_format)
        self.rate = Choice(theme)
        self.rate.setAccessibleName(self.tr("Frames a second"))
        self.rate.activated.connect(lambda: self._set(fps=self.rate.currentData()))
        self.pointer = Switch(theme)
        self._options: SourceOptions | None = None
        self._offer: SourceOffer | None = None
        self._settle = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._settle.timeout.connect(self._send)
        for button in (self.mirror, self.whole, self.fill):
            button.clicked.connect(self._send)
        self.turn.clicked.connect(self._turn)
        self.reset.clicked.connect(self._reset)
        self._lay_out()
        self.show_framing(Framing())

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.addWidget(self.mirror, 1)
        first.addWidget(self.turn)
        second = QHBoxLayout()
        second.setSpacing(6)
        second.addWidget(self.whole, 1)
        second.addWidget(self.fill, 1)
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(8)
        for row, slider in enumerate((self.zoom, self.across, self.up)):
            grid.addWidget(text_label("small", slider.accessibleName()), row, 0)
            grid.addWidget(slider, row, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 14, 14, 10)
        layout.setSpacing(10)
        layout.addLayout(first)
        layout.addLayout(second)
        layout.addLayout(grid)
        layout.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignRight)
        layout.addWidget(self.light)
        self.format_row, self.rate_row = (_under_its_name(box) for box in (self.format, self.rate))
        layout.addWidget(self.format_row)
        layout.addWidget(self.rate_row)
        self.pointer_row = Setting(
            self.tr("Mouse pointer"), self.tr("Others see where you point."), self.pointer
        )
        self.pointer.clicked.connect(self._switch_pointer)
        layout.addWidget(self.pointer_row)

    def show_framing(self, framing: Framing) -> None:
        """Shows the current framing, unless the user is changing it."""
        if self._settle.isActive() or any(slider.isSliderDown() for slider in self._sliders):
            return
        self._framing = framing
        self.mirror.setChecked(framing.mirror)
        self.fill.setChecked(framing.fill)
        self.whole.setChecked(not framing.fill)
        values = (framing.zoom, framing.pan_x, framing.pan_y)
        for slider, value in zip(self._sliders, values, strict=True):
            before = slider.blockSignals(True)
            slider.setValue(round(value * _PERCENT))
            slider.blockSignals(before)
        self._show_room()

    def show_options(self, offer: SourceOffer, options: SourceOptions) -> None:
        """Shows the other options of the source."""
        if (offer, options) == (self._offer, self._options):
            return
        self.format_row.setVisible(bool(offer.formats))
        self.rate_row.setVisible(bool(offer.rates))
        self.pointer_row.setVisible(offer.pointer != "none")
        self.pointer.setEnabled(offer.pointer == "switch")
        self.pointer.setVisible(offer.pointer == "switch")
        self.pointer_row.explain(
            self.tr("Others see where you point.")
            if offer.pointer == "switch"
            else self.tr("This system decides by itself whether it is in the picture.")
        )
        self.pointer.setChecked(options.pointer)
        if offer != self._offer:
            self._fill(offer)
        if options != self._options and not any(box.view().isVisible() for box in (self.format, self.rate)):
            self._options = options
            self.rate.setCurrentIndex(self.rate.findData(options.fps))
            taken = options.format if options.format in offer.formats else None
            self.format.setCurrentIndex([None, *offer.formats].index(taken))
        if self.isVisible():
            self.adjustSize()

    def show_preferences(self, preferences: Preferences) -> None:
        """Shows the user's light correction."""
        self.light.show_share(preferences.light)

    def _choose_light(self, percent: int) -> None:
        self.intended.emit(SetPreferences(preferences=Preferences(light=percent)))

    def _fill(self, offer: SourceOffer) -> None:
        self._offer, self._options = offer, None
        self.format.clear()
        self.rate.clear()
        for fps in offer.rates:
            smooth = self.tr("{}, where the look is light enough")
            self.rate.addItem((smooth if fps > min(offer.rates) else "{}").format(number(fps)), fps)
        if offer.formats:
            self.format.addItem(self.tr("Best: {}").format(self._words(offer.formats[0])), None)
        for each in offer.formats:
            self.format.addItem(self._words(each), each)

    def _words(self, each: CameraFormat) -> str:
        fps = number(round(each.fps)) if each.fps.is_integer() else rate(each.fps)
        size = self.tr("{}×{}, {} fps").format(each.width, each.height, fps)
        return f"{size} (MJPG)" if each.compressed else size

    def _choose_format(self) -> None:
        self._set(format=self.format.currentData())

    def _switch_pointer(self, on: bool) -> None:
        self._set(pointer=on)

    def _set(self, **changes: object) -> None:
        # Also stored here: else a second change before the next snapshot would undo this one.
        self._options = (self._options or SourceOptions()).model_copy(update=changes)
        self.intended.emit(SetSourceOptions(options=self._options))

    def open_at(self, corner: QPoint) -> None:
        """Opens with the lower right corner at this point, in screen coordinates, or as near as it fits."""
        self.adjustSize()
        place = corner - QPoint(self.width(), self.height())
        room = self.screen().availableGeometry()
        self.move(max(room.left(), place.x()), max(room.top(), place.y()))
        self.show()

    @property
    def _sliders(self) -> tuple[QSlider, QSlider, QSlider]:
        return self.zoom, self.across, self.up

    def _slider(self, name: str, least: int, most: int) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(least, most)
        slider.setSingleStep(5)
        slider.setPageStep(25)
        slider.setAccessibleName(name)
        slider.valueChanged.connect(lambda: self._settle.start())
        return slider

    def _show_room(self) -> None:
        """Enables panning only while the picture is cropped."""
        cut = self.zoom.value() > _PERCENT or self.fill.isChecked()
        for slider in (self.across, self.up):
            slider.setEnabled(cut)
        self.reset.setEnabled(self._framing != Framing())

    def _turn(self) -> None:
        self._send(quarter_turns=(self._framing.quarter_turns + 1) % 4)

    def _reset(self) -> None:
        self._settle.stop()
        self._tell(Framing())
        self.show_framing(Framing())

    def _send(self, _checked: object = None, quarter_turns: int | None = None) -> None:
        self._settle.stop()
        self._tell(
            Framing(
                mirror=self.mirror.isChecked(),
                quarter_turns=self._framing.quarter_turns if quarter_turns is None else quarter_turns,
                fill=self.fill.isChecked(),
                zoom=self.zoom.value() / _PERCENT,
                pan_x=self.across.value() / _PERCENT,
                pan_y=self.up.value() / _PERCENT,
            )
        )

    def _tell(self, framing: Framing) -> None:
        if framing != self._framing:
            self._framing = framing
            self._show_room()
            self.intended.emit(SetFraming(framing=framing))


def _under_its_name(box: Choice) -> QWidget:
    row = QWidget()
    layout = QVBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 4)
    layout.setSpacing(4)
    layout.addWidget(text_label("small", box.accessibleName()))
    layout.addWidget(box)
    return row
