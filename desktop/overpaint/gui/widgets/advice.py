"""Advice for an error: an instruction, and the command to run with a copy button."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.widgets.copy_button import CopyButton
from overpaint.gui.widgets.labels import text_label

_COMMAND = re.compile(
    r":\s+((?:overpaint|sudo|echo|pip|modprobe|usermod|systemctl|setsebool|apt|dnf|pacman|brew)\s.+)$", re.S
)


class MendBox(QWidget):
    """Advice box; hidden without advice.

    Args:
        theme: The theme.
        centred: Whether the text is centred.
    """

    def __init__(self, theme: Theme, centred: bool = False) -> None:
        super().__init__()
        self.words = text_label("stage-text" if centred else "small", wrap=True)
        if centred:
            self.words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.command = text_label("code", wrap=True)
        self.command.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = CopyButton(theme, role="link")
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.copy)
        if centred:
            row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.words)
        layout.addWidget(self.command)
        layout.addLayout(row)
        self.hide()

    def show_mend(self, mend: str) -> None:
        """Shows an instruction, with its command set apart."""
        words, command = split_mend(mend)
        self.words.setText(words)
        self.words.setVisible(bool(words))
        self.command.setText(_breakable(command))
        self.command.setVisible(bool(command))
        self.copy.setVisible(bool(command))
        self.setVisible(bool(mend))
        self.copy.text_to_copy = command


def _breakable(command: str) -> str:
    """Breaks lines after ``&&``; elsewhere allows it by a zero-width space after ``/``, ``,`` and ``=``."""
    command = command.replace(" && ", " &&\n")
    return command.replace("/", "/\u200b").replace(",", ",\u200b").replace("=", "=\u200b")


def split_mend(mend: str) -> tuple[str, str]:
    """Splits an instruction into its text and the command at its end ("Set it up once: sudo …").

    Returns:
        (text, command); the command is empty if the instruction does not end in one.
    """
    found = _COMMAND.search(mend)
    if found is None:
        return mend, ""
    return mend[: found.start()].rstrip() + ":", found.group(1).strip()
