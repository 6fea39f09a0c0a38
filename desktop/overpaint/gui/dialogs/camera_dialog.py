"""Camera dialog: why Go live has no camera, its setup in one click, or the page for OBS instead.

It shows what the newest snapshot says of the camera; only while the setup runs, and after it has failed, does
it show that. Must not know how the driver is installed.
"""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.dialogs.fitted_dialog import FittedDialog
from overpaint.gui.widgets.advice import MendBox
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.copy_button import CopyButton
from overpaint.gui.widgets.labels import ElidedLabel, text_label
from overpaint.gui.words.system_pages import page_of
from overpaint.gui.words.troubles import translated
from overpaint.wire.live import Camera, LiveSnapshot, Trouble, WatchPage

WIDTH = 560
OBS_TROUBLES = ("obs_camera_missing", "obs_camera_extension_missing")
"""Codes of the errors that an installed OBS mends (Windows, macOS)."""
NO_CAMERA_EVER = "virtual_camera_kernel_takes_no_drivers"
"""Code of the error that leaves the page as the only way."""

Phase = Literal["offer", "working", "stopping", "appearing", "page"]
APPEARS_MS = 8000
"""Time that the camera may take to appear after its setup."""


class CameraDialog(FittedDialog):
    """Camera dialog; stays open until the user closes it or goes live.

    Args:
        theme: The theme.
        parent: The window.
    """

    setup_wanted = Signal()
    stop_wanted = Signal()
    look_wanted = Signal()
    """The user wants the camera to be looked for again."""
    page_wanted = Signal()
    """The user wants the page for OBS to be on."""
    live_wanted = Signal()
    obs_wanted = Signal()
    """The user wants to see where OBS is to be had."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, WIDTH)
        self.setWindowTitle(self.tr("Go live"))
        self.setModal(True)
        mark(self, role="dialog")
        self._phase: Phase = "offer"
        self._camera = Camera(state="off")
        self._page = WatchPage()
        self._failed: Trouble | None = None
        self._possible = self._unfolded = self._leads_on = False
        self._appears = QTimer(self, interval=APPEARS_MS, singleShot=True)
        self._appears.timeout.connect(self.show_stop)
        self.title = text_label("title", wrap=True)
        self.text = text_label("value", wrap=True)
        self.note = text_label("muted", wrap=True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 100)
        self.step = text_label("value")
        self.line = ElidedLabel("small")
        self.show_commands = ThemedButton(theme, "right", self.tr("Show the commands"), "link")
        self.mend = MendBox(theme)
        self.address = CopyButton(theme, self.tr("Copy the address"))
        self.page = ThemedButton(theme)
        self.page.show_label(self.tr("Use the page for OBS instead"))
        self.again = ThemedButton(theme, "refresh", self.tr("Check again"), "link")
        self.leave = ThemedButton(theme, text=self.tr("Close"))
        self.act = ThemedButton(theme, role="primary")
        self._lay_out()
        self.show_commands.clicked.connect(self._unfold)
        self.page.clicked.connect(self._use_page)
        self.again.clicked.connect(self.look_wanted)
        self.leave.clicked.connect(self.reject)
        self.act.clicked.connect(self._act)
        self._show()

    def _lay_out(self) -> None:
        words = QFrame()
        inside = QVBoxLayout(words)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(10)
        inside.addWidget(self.title)
        inside.addWidget(self.text)
        inside.addWidget(self.note)
        for widget in (self.bar, self.step, self.line, self.mend):
            inside.addWidget(widget)
        fold = QHBoxLayout()
        fold.addWidget(self.show_commands)
        fold.addWidget(self.address)
        fold.addStretch(1)
        fold.addWidget(self.again)
        foot = QHBoxLayout()
        foot.setSpacing(10)
        foot.addWidget(self.page)
        foot.addStretch(1)
        foot.addWidget(self.leave)
        foot.addWidget(self.act)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 18)
        layout.setSpacing(14)
        layout.addWidget(words)
        layout.addLayout(fold)
        layout.addLayout(foot)

    def showEvent(self, event: QShowEvent) -> None:
        """Gives the focus to the main button."""
        super().showEvent(event)
        ways = (self.act, self.page)
        next((way for way in ways if way.isVisible() and way.isDefault()), self.leave).setFocus()

    # ---- what it is told

    def show_snapshot(self, snapshot: LiveSnapshot, possible: bool) -> None:
        """Shows the camera and the page of a snapshot, translated.

        Args:
            snapshot: The snapshot.
            possible: Whether the setup can mend the camera's trouble.
        """
        told = snapshot.camera, snapshot.page, possible
        if told != (self._camera, self._page, self._possible):
            if snapshot.camera.in_the_way is None:
                self._failed = None  # mended, by whomever
            if self._phase == "appearing" and snapshot.camera.in_the_way != self._camera.in_the_way:
                self._phase = "offer"
            self._camera, self._page, self._possible = told
            self._show()

    def show_step(self, words: str, done: float) -> None:
        """Shows a step of the setup, and the part that is done."""
        self.step.setText(words)
        self.bar.setRange(0, 100)
        self.bar.setValue(round(100 * done))

    def show_line(self, line: str) -> None:
        """Shows what a program said last."""
        self.line.show_text(line)

    def show_end(self, failed: Trouble | None) -> None:
        """Shows that the setup is over.

        Args:
            failed: Why it failed; None where it was done, and the camera is about to appear.
        """
        if failed is None and self._camera.in_the_way is not None:
            self._phase = "appearing"
            self.step.setText(self.tr("Looking for the camera…"))
            self.line.show_text("")
            self.bar.setRange(0, 0)
            self._appears.start()
        else:
            self._phase = "offer"
        self._failed = None if failed is None else translated(failed)
        self._unfolded = False
        self._show()

    def show_stop(self) -> None:
        """Shows that the setup was stopped."""
        if self._phase != "page":
            self._phase = "offer"
            self._show()

    def reject(self) -> None:
        """Closes the dialog; while the setup runs, stops that instead."""
        if self._phase in ("working", "stopping"):
            self._stop()
        elif self._phase == "page" and self._camera.trouble is not None:
            self._phase = "offer"
            self._show()
        else:
            super().reject()

    # ---- what the user does

    def _act(self) -> None:
        trouble = self._trouble
        if self._phase == "page" or trouble is None:
            if self._copies:
                QGuiApplication.clipboard().setText(self._page.address)
            self.live_wanted.emit()
            self.accept()
        elif trouble.code in OBS_TROUBLES:
            self.obs_wanted.emit()
        elif page_of(trouble):
            QDesktopServices.openUrl(QUrl(page_of(trouble)))
        else:
            self._phase, self._failed = "working", None
            self.step.setText(self.tr("Waiting for the password…"))
            self.line.show_text("")
            self.bar.setRange(0, 0)
            self._show()
            self.setup_wanted.emit()

    def _stop(self) -> None:
        if self._phase == "working":
            self._phase = "stopping"
            self.step.setText(self.tr("Stopping after this step…"))
            self._show()
            self.stop_wanted.emit()

    def _use_page(self) -> None:
        # Enter goes on from here. Elsewhere the focus stays: what comes by itself must not be pressed unread.
        self._phase, self._leads_on = "page", True
        self._show()
        self.page_wanted.emit()

    def _unfold(self) -> None:
        self._unfolded = not self._unfolded
        self._show()

    # ---- drawing

    @property
    def _trouble(self) -> Trouble | None:
        return self._failed or self._camera.in_the_way

    @property
    def _settable(self) -> bool:
        """Whether the button sets the camera up."""
        failed = self._failed
        return self._possible and (failed is None or failed.code != "virtual_camera_driver_refused")

    @property
    def _copies(self) -> bool:
        """Whether the button copies the page's address, too: OBS does not have it yet."""
        return self._phase == "page" and bool(self._page.address) and not self._page.viewers

    def _show(self) -> None:
        trouble, phase = self._trouble, self._phase
        working = phase in ("working", "stopping", "appearing")
        for widget in (self.bar, self.step, self.line):
            widget.setVisible(working)
        offers = phase == "offer" and trouble is not None
        command = offers and trouble is not None and bool(trouble.mend)
        folded = self._settable and self._failed is None
        self.mend.show_mend(trouble.mend if command and trouble else "")
        self.mend.setVisible(bool(command) and (self._unfolded or not folded))
        self.show_commands.setVisible(bool(command) and folded)
        self.show_commands.show_label(
            self.tr("Hide the commands") if self._unfolded else self.tr("Show the commands")
        )
        self.show_commands.show_icon("down" if self._unfolded else "right")
        self.again.setVisible(offers)
        self.page.setVisible(offers)
        self.address.setVisible(phase == "page" and bool(self._page.address))
        self.address.text_to_copy = self._page.address
        self._show_words()
        self._show_buttons()

    def _show_words(self) -> None:
        trouble, note = self._trouble, ""
        if self._phase in ("working", "stopping", "appearing"):
            title, text = self.tr("Setting up the camera"), self.tr("This can take some minutes.")
        elif self._phase == "page":
            title, (text, note) = self.tr("Go live in OBS"), self._page_words()
        elif trouble is None:
            title = self.tr("The camera is there")
            text = self.tr("In your call, choose “{}”.").format(self._camera.title or "Overpaint")
        else:
            title, text = self.tr("Going live needs a camera"), trouble.sentence
            if self._camera.trouble is None:
                title = self.tr("A camera for every program")
            if self._settable and self._failed is None:
                note = self._setup_words(trouble)
        self.title.setText(title)
        self.text.setText(text)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)

    def _setup_words(self, trouble: Trouble) -> str:
        words = self.tr(
            "Overpaint can set it up: you give an administrator's password, and it is there, also after a "
            "restart."
        )
        if trouble.code.endswith("_secure_boot"):
            return (
                words
                + " "
                + self.tr("Secure Boot is on: if it refuses the driver, you are told how to let it in.")
            )
        return words

    def _page_words(self) -> tuple[str, str]:
        page = self._page
        if page.trouble is not None:
            return f"{page.trouble.sentence} {page.trouble.mend}".strip(), ""
        if not page.address:
            return self.tr("The page is being opened…"), ""
        steps = self.tr(
            "In OBS, add a source of the kind Browser, 1920 wide and 1080 high, and paste this address as "
            "its URL. It shows what a camera would show: the pause picture until you go live."
        )
        seen = self.tr("OBS shows it now.") if page.viewers else self.tr("OBS does not show it yet.")
        return steps, seen

    def _show_buttons(self) -> None:
        trouble, phase = self._trouble, self._phase
        self.leave.show_label(
            {
                "working": self.tr("Cancel"),
                "stopping": self.tr("Cancel"),
                "appearing": self.tr("Close"),
                "page": self.tr("Back") if self._camera.trouble is not None else self.tr("Close"),
                "offer": self.tr("Close"),
            }[phase]
        )
        self.leave.setEnabled(phase != "stopping")
        if self._copies:
            label = self.tr("Copy the address and go live")
        elif phase == "page" or (phase == "offer" and trouble is None):
            label = self.tr("Go live")
        elif trouble is not None and trouble.code in OBS_TROUBLES:
            label = self.tr("Get OBS Studio")
        elif page_of(trouble):
            label = self.tr("Open system settings")
        elif self._failed is not None:
            label = self.tr("Try again")
        else:
            label = self.tr("Set up the camera")
        self.act.show_label(label)
        offered = trouble is None or self._settable or trouble.code in OBS_TROUBLES or bool(page_of(trouble))
        self.act.setVisible(phase == "page" or (phase == "offer" and offered))
        self.act.setEnabled(phase != "page" or bool(self._page.address))
        alone = phase == "offer" and trouble is not None and trouble.code == NO_CAMERA_EVER
        self.page.show_role("primary" if alone else "")
        self.page.show_label(
            self.tr("Use the page for OBS") if alone else self.tr("Use the page for OBS instead")
        )
        if self._leads_on and self.act.isEnabled():
            self._leads_on = False
            self.act.setFocus()
        if self.act.isVisibleTo(self) or alone:
            (self.page if alone else self.act).setDefault(True)
