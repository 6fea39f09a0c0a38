"""Advice for a trouble: the words, and the command to run with a button that copies it."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.copy_button import CopyButton
from overpaint.gui.widgets.labels import text_label

_COMMAND = re.compile(
    r":\s+((?:overpaint|sudo|modprobe|usermod|systemctl|setsebool|apt|dnf|pacman|brew)\s.+)$", re.S
)


class MendBox(QWidget):
    """A box with advice; hidden without any.

    Args:
        theme: The theme.
        centred: Whether the words stand in the middle.

    Attributes:
        row: The row of the copy button, for another one beside it.
    """

    def __init__(self, theme: Theme, centred: bool = False) -> None:
        super().__init__()
        self.words = text_label("stage-text" if centred else "small", wrap=True)
        if centred:
            self.words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.command = text_label("code", wrap=True)
        self.command.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = CopyButton(theme, role="link")
        self.row = QHBoxLayout()
        self.row.addStretch(1)
        self.row.addWidget(self.copy)
        if centred:
            self.row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.words)
        layout.addWidget(self.command)
        layout.addLayout(self.row)
        self.hide()

    def show_mend(self, mend: str) -> None:
        """Shows an instruction, its command apart from its words."""
        words, command = split_mend(mend)
        self.words.setText(words)
        self.words.setVisible(bool(words))
        self.command.setText(_breakable(command))
        self.command.setVisible(bool(command))
        self.copy.setVisible(bool(command))
        self.setVisible(bool(mend))
        self.copy.text_to_copy = command


def _breakable(command: str) -> str:
    """Lets a long path or option break at its slashes and commas (a zero-width space after each)."""
    return command.replace("/", "/\u200b").replace(",", ",\u200b").replace("=", "=\u200b")


def split_mend(mend: str) -> tuple[str, str]:
    """An instruction as its words and the command that it ends in ("Set it up once: sudo …").

    Returns:
        (words, command); the command is empty when the instruction names none at its end.
    """
    found = _COMMAND.search(mend)
    if found is None:
        return mend, ""
    return mend[: found.start()].rstrip() + ":", found.group(1).strip()
