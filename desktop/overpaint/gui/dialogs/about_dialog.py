"""About dialog: versions, licences, and diagnostics to copy."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from overpaint.assets import asset_dir
from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.desktop.diagnostics import versions
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import Facts, text_label

WIDTH = 540
LOGO = 56


class AboutDialog(QDialog):
    """About dialog.

    Args:
        theme: The theme.
        parent: The window.
        folder: Path of the data folder.
    """

    diagnostics_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget, folder: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About Overpaint"))
        mark(self, role="dialog")
        logo = text_label("")
        logo.setPixmap(QGuiApplication.windowIcon().pixmap(LOGO, LOGO))
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(text_label("title", "Overpaint"))
        words.addWidget(
            text_label("muted", self.tr("Restyles your camera or screen live, on this computer."), wrap=True)
        )
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(logo, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        facts = Facts()
        for name, version in versions():
            facts.add(name).show_text(version)
        facts.add(self.tr("Data folder")).show_text(folder)
        facts.add(self.tr("Licence")).show_text("GPL-2.0-or-later")
        self.said = text_label(
            "small",
            self.tr("Diagnostics say what works on this machine: no pictures, no keys, no prompts."),
            wrap=True,
        )
        self.copy = ThemedButton(theme, "copy", self.tr("Copy diagnostics"))
        self.copy.clicked.connect(self._collect)
        self.licences = ThemedButton(theme, text=self.tr("Licences of its parts"))
        self.licences.clicked.connect(_open_notices)
        close = ThemedButton(theme, text=self.tr("Done"), role="primary")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(self.copy)
        row.addWidget(self.licences)
        row.addStretch(1)
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(18)
        layout.addLayout(head)
        layout.addWidget(facts)
        layout.addWidget(self.said)
        layout.addLayout(row)
        self.setFixedWidth(WIDTH)

    def show_diagnostics(self, text: str) -> None:
        """Copies the collected diagnostics to the clipboard, and says so."""
        QGuiApplication.clipboard().setText(text)
        self.said.setText(self.tr("Copied. Paste it into your report."))
        self.copy.setEnabled(True)

    def _collect(self) -> None:
        self.copy.setEnabled(False)
        self.said.setText(self.tr("Examining this machine…"))
        self.diagnostics_wanted.emit()


def _open_notices() -> None:
    """Opens the third-party notices in the system's text viewer."""
    notices = asset_dir("notices") / "THIRD_PARTY_NOTICES.txt"
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(notices)))
