"""Help dialog (F1): how to be in a call, who sees what, and every keyboard shortcut.

Must not know which shortcuts there are: it lists what it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label

WIDTH, HEIGHT = 640, 620

Sheet = Mapping[str, Sequence[tuple[str, str]]]
"""By heading: what each shortcut does, and its keys as this system writes them."""


class HelpDialog(QDialog):
    """Help dialog.

    Args:
        theme: The theme.
        parent: The window.
        sheet: The shortcuts.
    """

    tour_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget, sheet: Sheet) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Help"))
        mark(self, role="dialog")
        self._column = QVBoxLayout()
        self._column.setContentsMargins(24, 6, 24, 24)
        self._column.setSpacing(8)
        self._add_words()
        self.keys_heading = self._head(self.tr("Keyboard shortcuts"))
        self.keys = QGridLayout()
        self.keys.setHorizontalSpacing(24)
        self.keys.setColumnStretch(0, 1)
        self._column.addLayout(self.keys)
        self._list(sheet)
        self._column.addStretch(1)
        self._lay_out(theme, parent.height())

    def _lay_out(self, theme: Theme, room: int) -> None:
        inside = QWidget()
        mark(inside, role="page")
        inside.setLayout(self._column)
        self.area = QScrollArea()
        mark(self.area, role="page")
        self.area.setWidget(inside)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setAccessibleName(self.tr("Help"))
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tour = ThemedButton(theme, text=self.tr("Show the tour"))
        self.tour.clicked.connect(self.accept)
        self.tour.clicked.connect(self.tour_wanted)
        self.done_button = ThemedButton(theme, text=self.tr("Done"), role="primary")
        self.done_button.setDefault(True)
        self.done_button.clicked.connect(self.accept)
        head = QHBoxLayout()
        head.setContentsMargins(24, 18, 24, 10)
        head.setSpacing(10)
        head.addWidget(text_label("title", self.tr("Help")), 1)
        head.addWidget(self.tour)
        head.addWidget(self.done_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.area, 1)
        self.setFixedSize(WIDTH, min(HEIGHT, room - 30))

    def _add_words(self) -> None:
        self._head(self.tr("Be in a call as a drawing"))
        for step in (
            self.tr(
                "1. At the top left, choose what is restyled: a camera (also a phone, or one in your "
                "network, by its address), the screen, a window or a file."
            ),
            self.tr("2. Describe a look below the picture and press Enter, or click one of the looks."),
            self.tr("3. Press Go live. In Zoom, Teams, Meet or OBS, choose Overpaint's camera."),
        ):
            self._say(step)
        self._head(self.tr("Who sees what"))
        self._say(
            self.tr(
                "Only you see the preview. Others see the restyled picture while you are live, and the pause "
                "picture otherwise. Privacy shows others the pause picture at once; Hold freezes what they "
                "see. When something breaks, nobody sees you as you are."
            )
        )
        self._head(self.tr("Photos and files"))
        self._say(
            self.tr(
                "A photo dropped on the prompt lends its style to the live picture, becomes its background, "
                "or lends only its colours: choose below the prompt. Ctrl+B keeps it with the prompt as a "
                "look of your own. Pictures, clips and folders dropped anywhere else are restyled as files, "
                "also during a call, with a photo of their own if you like. The small picture beside their "
                "number shows how the first of them will look; click it to see it large."
            )
        )
        self._head(self.tr("Recordings"))
        self._say(
            self.tr(
                "Record makes a video of the restyled picture, with your microphone and, if you choose so in "
                "the settings, what the computer plays; Mute silences both. The menu lists what was "
                "recorded, and keeps and saves the last 30 seconds. Quality and kind of file are in the "
                "settings."
            )
        )
        self._head(self.tr("Dark rooms"))
        self._say(
            self.tr(
                "A dark or badly lit picture gets better light before every look. How much, or none, says "
                "Light, with mirror and zoom at the lower right of the picture; also for files."
            )
        )
        self._head(self.tr("If nobody sees you"))
        self._say(
            self.tr(
                "The card “Camera” says whether the camera works, and what to do. If your call shows no "
                "picture, choose Overpaint's camera in its video settings again. “About Overpaint” in the "
                "menu copies what a report needs."
            )
        )

    def show_keys(self) -> None:
        """Scrolls to the shortcuts."""
        bar = self.area.verticalScrollBar()
        bar.setValue(min(self.keys_heading.y(), bar.maximum()))

    def _list(self, sheet: Sheet) -> None:
        for group, rows in sheet.items():
            self.keys.addWidget(text_label("small", group), self.keys.rowCount(), 0, 1, 2)
            for words, keys in rows:
                row = self.keys.rowCount()
                self.keys.addWidget(text_label("", words, wrap=True), row, 0)
                self.keys.addWidget(text_label("tag", keys), row, 1, Qt.AlignmentFlag.AlignRight)

    def _head(self, title: str) -> QWidget:
        label = text_label("heading", title)
        label.setContentsMargins(0, 10, 0, 0)
        self._column.addWidget(label)
        return label

    def _say(self, text: str) -> None:
        self._column.addWidget(text_label("muted", text, wrap=True))
