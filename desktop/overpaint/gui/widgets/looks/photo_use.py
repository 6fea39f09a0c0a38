"""Use of the reference photo: its style, its scene as background, or only its colours.

Three buttons; which one is in use is told by the prompt. Must not know prompts, nor how a service is told.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.words.prompt_words import PhotoUse


class PhotoUseChoice(QWidget):
    """Choice of the photo's use: three buttons, of which one is checked.

    Args:
        theme: The theme.
        upright: Whether they are below each other, as in a narrow card.
    """

    chosen = Signal(str)
    """The user clicked a use (``PhotoUse``)."""

    def __init__(self, theme: Theme, upright: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("What is taken from the photo"))
        words: dict[PhotoUse, tuple[str, str]] = {
            "style": (self.tr("Take its style"), self.tr("The picture is painted as the photo is painted")),
            "background": (self.tr("Use as background"), self.tr("The photo is shown behind you")),
            "colours": (
                self.tr("Only its colours"),
                self.tr("The look stays yours, or the picture as it is, in the photo's colours"),
            ),
        }
        self.buttons: dict[PhotoUse, ThemedButton] = {}
        directions = QBoxLayout.Direction
        row = QBoxLayout(directions.TopToBottom if upright else directions.LeftToRight, self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for use, (text, hint) in words.items():
            button = ThemedButton(theme, text=text, role="link", hint=hint)
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, use=use: self._choose(use))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            self.buttons[use] = button
        row.addStretch(1)

    def show_use(self, use: PhotoUse) -> None:
        """Shows the use that the prompt means."""
        # No exclusive group, in which Tab would come to one of them only.
        for each, button in self.buttons.items():
            button.setChecked(each == use)

    def _choose(self, use: PhotoUse) -> None:
        self.show_use(use)
        self.chosen.emit(use)
