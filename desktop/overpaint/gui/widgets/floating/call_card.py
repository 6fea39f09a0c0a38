"""First-use hint: which camera to choose, and where, in Zoom, Teams, Meet and OBS."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import ToneIcon, text_label


class CallCard(QFrame):
    """First-use hint; hidden until it is shown with a camera's name.

    Args:
        theme: The theme.
    """

    understood = Signal()
    """The user has dismissed the hint for good."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        mark(self, role="notice", tone="good")
        icon = ToneIcon(theme, 20)
        icon.show_icon("state-live", "good")
        self.title = text_label("heading")
        self.places = QWidget()
        places = QGridLayout(self.places)
        places.setContentsMargins(0, 0, 0, 0)
        places.setHorizontalSpacing(10)
        places.setVerticalSpacing(1)
        for number, (program, place) in enumerate(
            (
                ("Zoom", self.tr("Settings › Video")),
                ("Teams", self.tr("Settings › Devices")),
                ("Meet", self.tr("Settings › Video")),
                ("OBS", self.tr("Sources › Video Capture")),
            )
        ):
            row, column = divmod(number, 2)
            places.addWidget(text_label("value", program), row, column * 3)
            places.addWidget(text_label("small", place), row, column * 3 + 1)
        places.setColumnMinimumWidth(2, 18)
        places.setColumnStretch(5, 1)
        self.done_button = ThemedButton(theme, text=self.tr("Got it"))
        self.done_button.clicked.connect(self.understood)
        words = QVBoxLayout()
        words.setSpacing(6)
        words.addWidget(self.title)
        words.addWidget(self.places)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 10, 10)
        layout.setSpacing(10)
        layout.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
        layout.addWidget(self.done_button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.hide()

    def show_camera(self, title: str, everywhere: bool = True) -> None:
        """Shows the hint for a camera.

        Args:
            title: Its name in other programs.
            everywhere: Whether all programs list it; else the camera's card says which ones do.
        """
        words = self.tr("On air. In your call, choose “{}”:").format(title)
        if not everywhere:
            words = self.tr("On air. Does your call not list “{}”? See the card “Camera”.").format(title)
        self.places.setVisible(everywhere)
        self.title.setText(words)
        self.setAccessibleName(words)
        self.show()
