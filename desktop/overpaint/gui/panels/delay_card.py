"""Delay card over the stage: the picture's delay, and the audio delay to enter in OBS (sync offset).

Must not know how the delay is measured.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.copy_button import CopyButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.widgets.meters.delay_graph import DelayGraph
from overpaint.wire.live import Delays

WIDTH = 350


class DelayCard(QFrame):
    """Delay card, a popup.

    Args:
        theme: The theme.
        parent: The stage.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        mark(self, role="popup")
        self.setAccessibleName(self.tr("Delay"))
        self.setFixedWidth(WIDTH)
        self.figures = text_label("heading")
        self.graph = DelayGraph(theme)
        self.words = text_label("small", wrap=True)
        self.audio = text_label("value", wrap=True)
        self.copy = CopyButton(theme)
        self.where = text_label(
            "small",
            self.tr(
                "In OBS, open Edit › Advanced Audio Properties and enter it as Sync Offset of your "
                "microphone: then voice and lips go together."
            ),
            wrap=True,
        )
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.audio, 1)
        row.addWidget(self.copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(8)
        for widget in (self.figures, self.graph, self.words):
            layout.addWidget(widget)
        layout.addSpacing(4)
        layout.addLayout(row)
        layout.addWidget(self.where)
        self.show_delays(None)

    def show_delays(self, delays: Delays | None) -> None:
        """Shows the delays of the last minute; None while there are none yet."""
        self.graph.show_seconds(delays.seconds_ms if delays is not None else ())
        self.copy.setEnabled(delays is not None)
        if delays is None:
            self.copy.text_to_copy = ""
            self.figures.setText(self.tr("Delay: being measured…"))
            self.words.setText(self.tr("From capture to the camera, once pictures come out."))
            self.audio.setText(self.tr("Audio delay for OBS: –"))
        else:
            self.copy.text_to_copy = str(delays.audio_ms)
            self.figures.setText(self.tr("Delay: {} ms").format(round(delays.median_ms)))
            self.words.setText(
                self.tr(
                    "From capture to the camera, in the median of the last minute; 95 % stay below {} ms."
                ).format(round(delays.p95_ms))
            )
            self.audio.setText(self.tr("Audio delay for OBS: {} ms").format(delays.audio_ms))
        self.graph.setAccessibleName(f"{self.figures.text()} {self.words.text()}")

    def open_at(self, corner: QPoint) -> None:
        """Opens with the upper right corner at this point, in screen coordinates."""
        self.adjustSize()
        self.move(corner - QPoint(self.width(), 0))
        self.show()
        if self.copy.isEnabled():
            self.copy.setFocus(Qt.FocusReason.PopupFocusReason)
