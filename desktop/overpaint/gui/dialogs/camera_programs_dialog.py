"""Dialog on which programs list the camera, and how those that do not can be made to (Linux).

Programs use V4L2's cameras or PipeWire's; browsers have a switch between them. Must not know how the camera
gets into either.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.dialogs.fitted_dialog import FittedDialog
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.copy_button import CopyButton
from overpaint.gui.widgets.labels import ToneIcon, text_label
from overpaint.media.virtual_camera.browser_cameras import (
    CHROMIUM_SWITCH,
    COMMON,
    FIREFOX_SWITCH,
    Browser,
    BrowserKind,
    browsers,
)
from overpaint.wire.camera import CameraListing
from overpaint.wire.live import Camera

WIDTH = 680


class CameraProgramsDialog(FittedDialog):
    """Dialog on which programs list the camera.

    Args:
        theme: The theme.
        parent: The window.
        found: The browsers of this computer; those that are installed when None.
    """

    setup_wanted = Signal()
    """The user wants the driver, for programs that use V4L2."""

    def __init__(self, theme: Theme, parent: QWidget, found: tuple[Browser, ...] | None = None) -> None:
        super().__init__(parent, WIDTH)
        self._theme = theme
        self._browsers = (browsers() if found is None else found) or COMMON
        self._listing: CameraListing | None = None
        self.setWindowTitle(self.tr("Which programs see the camera"))
        self.setModal(True)
        mark(self, role="dialog")
        self.says = text_label("value", wrap=True)
        self.rows = QVBoxLayout()
        self._table: QWidget | None = None
        self.copies: list[CopyButton] = []
        self.setup = ThemedButton(theme, text=self.tr("Set up the driver…"))
        self.setup.clicked.connect(self._set_up)
        close = ThemedButton(theme, text=self.tr("Close"), role="primary")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(self.setup)
        foot.addStretch(1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 18)
        layout.setSpacing(12)
        layout.addWidget(text_label("title", self.windowTitle()))
        layout.addWidget(self.says)
        layout.addLayout(self.rows)
        layout.addLayout(foot)

    def show_camera(self, camera: Camera) -> None:
        """Shows who lists the camera now; its errors are translated."""
        listing = camera.listing or CameraListing()
        if listing == self._listing:
            return
        self._listing = listing
        self.says.setText(self._lead(listing, camera.title))
        self.setup.setVisible(listing.lacking is not None)
        table = self._make_table(listing)
        if self._table is not None:
            self.rows.removeWidget(self._table)
            self._table.deleteLater()
        self._table = table
        self.rows.addWidget(table)
        self.fit()

    # ---- inside

    def _lead(self, listing: CameraListing, title: str) -> str:
        if listing.lacking is not None and listing.lacking.kind != "missing":
            return listing.lacking.sentence
        if listing.pipewire and not listing.path:
            words = self.tr(
                "“{}” is in PipeWire. Programs that use V4L2's cameras need the driver v4l2loopback as well."
            )
        elif listing.pipewire:
            words = self.tr("“{}” is a V4L2 camera, and one of PipeWire's.")
        else:
            words = self.tr("“{}” is a V4L2 camera. PipeWire is not running, or its library is missing.")
        return words.format(title or "Overpaint Camera")

    def _make_table(self, listing: CameraListing) -> QWidget:
        table = QWidget()
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(2, 1)
        self.copies.clear()
        alike: dict[tuple[BrowserKind, bool], list[str]] = {}
        for browser in self._browsers:
            alike.setdefault((browser.kind, browser.uses_pipewire), []).append(browser.name)
        for (kind, uses_pipewire), names in alike.items():
            sees = listing.lists(pipewire=uses_pipewire)
            switch = FIREFOX_SWITCH if kind == "firefox" else CHROMIUM_SWITCH
            words = self._browser_words(kind, uses_pipewire, sees)
            self._add_row(grid, ", ".join(names), words, sees, "" if sees else switch)
        device, pipewire = bool(listing.path), listing.pipewire
        self._add_row(grid, "OBS", self._obs_words(listing), device or pipewire)
        self._add_row(
            grid,
            self.tr("Zoom, Discord, most others"),
            self.tr("See it.") if device else self.tr("Need the driver v4l2loopback."),
            device,
        )
        self._add_row(
            grid,
            self.tr("Flatpak apps, GNOME's"),
            self.tr("See it.") if pipewire else self.tr("Need PipeWire."),
            pipewire,
        )
        return table

    def _add_row(self, grid: QGridLayout, name: str, words: str, sees: bool, switch: str = "") -> None:
        row = grid.rowCount()
        icon = ToneIcon(self._theme)
        icon.show_icon("check" if sees else "state-trouble", "good" if sees else "warn")
        said = text_label("value", words, wrap=True)
        said.setAccessibleName(f"{name}: {words}")
        grid.addWidget(icon, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(text_label("small", name, wrap=True), row, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(said, row, 2, 1, 2)
        if switch:
            code = text_label("code", switch, wrap=True)
            code.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            copy = CopyButton(self._theme, role="link")
            copy.text_to_copy = switch
            self.copies.append(copy)
            grid.addWidget(code, row + 1, 2)
            grid.addWidget(copy, row + 1, 3)

    def _browser_words(self, kind: BrowserKind, uses_pipewire: bool, sees: bool) -> str:
        if sees:
            return self.tr("Sees it, in PipeWire.") if uses_pipewire else self.tr("Sees it.")
        if kind == "firefox":
            if uses_pipewire:
                return self.tr("Sees only PipeWire's cameras. In about:config, set this to false:")
            return self.tr("Does not see it yet. In about:config, set this to true, and start it again:")
        if uses_pipewire:
            return self.tr("Sees only PipeWire's cameras. At this address, choose Disabled:")
        return self.tr("Does not see it yet. At this address, choose Enabled, and start it again:")

    def _obs_words(self, listing: CameraListing) -> str:
        if listing.path:
            return self.tr("Sees it: Sources › Video Capture Device (V4L2).")
        return self.tr("Sees it: Sources › Video Capture Device (PipeWire).")

    def _set_up(self) -> None:
        self.accept()
        self.setup_wanted.emit()
