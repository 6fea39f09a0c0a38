"""The main window: composes the panels, and connects them to the model and the bridge.

Data flow: a panel's intent goes to the bridge, the bridge's snapshot to the model, and each change of the
model to the panels. Must not know sockets or processes.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from overpaint.assets import asset_dir
from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.bridge import LiveBridge
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.connection.preview_receiver import PreviewReceiver
from overpaint.gui.dialogs.question import Answer, Question
from overpaint.gui.drop_targets import DropGuide
from overpaint.gui.looks.look_finder import LoadSearch, LookFinder
from overpaint.gui.looks.look_lists import LookListModel
from overpaint.gui.looks.look_thumbnails import LookPictures
from overpaint.gui.looks.presets import PresetShelf
from overpaint.gui.looks.prompt_history import PromptHistory
from overpaint.gui.panels.looks_panel import LooksPanel
from overpaint.gui.panels.prompt_line import PromptLine
from overpaint.gui.panels.side_panel import NARROW, WIDTH, SidePanel
from overpaint.gui.panels.stage_panel import StagePanel
from overpaint.gui.panels.top_bar import COMPACT_BELOW, TopBar
from overpaint.gui.preset_desk import PresetDesk
from overpaint.gui.service_choice import ServiceChoice
from overpaint.gui.surroundings import Everyday, WindowParts
from overpaint.gui.widgets.notice import Notice
from overpaint.gui.window_memory import Remembered
from overpaint.gui.words.look_names import LookNames
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.live import Quit, RefreshSources

SMALLEST = (960, 600)
FRAME = QSize(12, 44)
"""Upper bound of the frame that a window manager adds around a window."""
MARGIN = 14
LEAVE_AFTER_MS = 1000


def fitting(wanted: QSize, available: QSize) -> tuple[QSize, QSize]:
    """The window's minimum and initial size, limited to the screen: what lies beyond its edge is unreachable.

    Args:
        wanted: The remembered size, perhaps from a larger screen.
        available: The screen's size without task bars and panels; small on a scaled screen.
    """
    room = available - FRAME
    smallest = QSize(*SMALLEST).boundedTo(room)
    return smallest, wanted.boundedTo(room).expandedTo(smallest)


class MainWindow(QMainWindow):
    """The main window (``QMainWindow``).

    Args:
        theme: The theme.
        bridge: Connection to the live process, not yet started.
        preview: Preview receiver, not yet started.
        remembered: State of the window when it was last closed.
        load_search: Loads the search for looks by the words of prompts; called in a worker thread.
    """

    left = Signal()
    """The window is closed, and its last intents have been sent."""
    to_keep = Signal()
    """``remembered`` has changed, and should be saved at once."""

    def __init__(
        self,
        theme: Theme,
        bridge: LiveBridge,
        preview: PreviewReceiver,
        remembered: Remembered,
        load_search: LoadSearch,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Overpaint")
        smallest, wanted = fitting(QSize(remembered.width, remembered.height), self.screen().availableSize())
        self.setMinimumSize(smallest)
        self.resize(wanted)
        self.setAcceptDrops(True)
        self._bridge = bridge
        self._maximized = remembered.maximized
        self._mirror = remembered.mirror_preview
        self._settled = self._quitting = False
        self.decoder = PictureDecoder()
        self.model = SessionModel(self)
        self.top_bar = TopBar(theme)
        self.stage = StagePanel(theme, preview, remembered.mirror_preview)
        self.notice = Notice(theme)
        names = LookNames.spoken()
        self.prompt = PromptLine(theme, PromptHistory(remembered.prompts), names, self.decoder)
        self.looks = LooksPanel(
            theme,
            LookListModel(
                remembered.favourite_looks, remembered.recent_looks, self, names, remembered.look_uses
            ),
            LookPictures(asset_dir("looks") / "thumbnails", self),
            LookFinder(load_search, self),
        )
        self.presets = PresetDesk(
            theme, PresetShelf(bridge.data_dir / "presets", self), self.looks, self.prompt
        )
        self.side = SidePanel(theme, self.decoder)
        self.service = ServiceChoice(self, theme)
        parts = WindowParts(self.model, self.top_bar, self.stage, self.notice, self.open, self.quit)
        self.everyday = Everyday(self, parts, theme, remembered.habits, bridge.data_dir)
        self._gone = False
        self._lay_out()
        self._join(preview)
        self.drops = DropGuide(self, theme, self.model, self.prompt, self.side.transforms)
        self._bind_keys()
        self._show_model()

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, 6)
        column.setSpacing(12)
        column.addWidget(self.stage, 9)
        self.looks.expanded.connect(lambda on: column.setStretchFactor(self.looks, 8 if on else 0))
        for widget in (self.everyday.call_card, self.notice, self.prompt, self.looks):
            column.addWidget(widget)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(column, 1)
        row.addWidget(self.side)
        root = QWidget()
        whole = QVBoxLayout(root)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.top_bar)
        whole.addLayout(row, 1)
        root.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # takes the first focus: no button shows a focus ring
        self.setCentralWidget(root)
        root.setFocus()

    def _join(self, preview: PreviewReceiver) -> None:
        bridge = self._bridge
        bridge.snapshot_changed.connect(self.model.show_snapshot)
        bridge.connection_changed.connect(self.model.show_connection)
        bridge.connection_changed.connect(preview.follow)
        bridge.source_pictured.connect(self.top_bar.source.show_picture)
        bridge.look_painted.connect(self.looks.pictures.show_own)
        bridge.transforms_changed.connect(self.side.transforms.items.show_news)
        bridge.progress_changed.connect(self.side.transforms.items.show_progress)
        self.service.intended.connect(bridge.send)
        bridge.server_changed.connect(self.service.show_server)
        self.everyday.menu.service_wanted.connect(self.service.open)
        bridge.charges_changed.connect(self.side.balance.show_charges)
        bridge.given_up.connect(self.model.show_failure)
        for part in (self.top_bar, self.stage, self.prompt, self.looks, self.side, self.everyday):
            part.intended.connect(bridge.send)
        self.top_bar.intended.connect(self.everyday.recovery.note)
        self.stage.retry_wanted.connect(self._retry)
        self.stage.credits_wanted.connect(self.side.balance.offer_more)
        self.side.figures.delay_wanted.connect(self.stage.open_delay)
        self.stage.mirror_changed.connect(self._keep_mirror)
        self.prompt.refused.connect(self.notice.say)
        self.presets.refused.connect(self.notice.say)
        self.top_bar.source.refused.connect(self.notice.say)
        self.notice.folder_wanted.connect(self.side.transforms.desk.open_folder)
        self.top_bar.source.options_wanted.connect(self.stage.open_options)
        self.looks.chosen.connect(self.prompt.use_look)
        self.looks.prompted.connect(self.prompt.use_prompt)
        for changed in (self.everyday.habits_changed, self.looks.looks.shelves_changed):
            changed.connect(self.to_keep)
        self.model.changed.connect(self._show_model)

    def _bind_keys(self) -> None:
        """Binds the window's keyboard shortcuts; those of the menu are in ``panels.app_menu``."""
        refresh = QKeySequence(QKeySequence.StandardKey.Refresh)
        for keys, action in (
            ("Ctrl+Return", self.prompt.apply),
            ("Ctrl+Enter", self.prompt.apply),
            ("Ctrl+L", self.top_bar.toggle_air),
            ("Ctrl+R", self.top_bar.toggle_recording),
            ("Ctrl+H", self.top_bar.toggle_hold),
            ("Ctrl+K", self._focus_prompt),
            ("Ctrl+G", self.looks.toggle_gallery),
            ("Ctrl+D", self.looks.toggle_favourite),
            ("Ctrl+B", self.presets.ask_name),
            ("Ctrl+O", self.top_bar.source.open_file),
            ("F9", self.top_bar.toggle_privacy),
            ("Ctrl+Shift+O", self.side.transforms.open_files),
        ):
            self._bind(QKeySequence(keys), action)
        self._bind(refresh, self._look_again)
        self._bind(QKeySequence(QKeySequence.StandardKey.Paste), self.side.transforms.paste)

    def _bind(self, keys: QKeySequence, action: Callable[[], object]) -> None:
        QShortcut(keys, self).activated.connect(action)

    # ---- state

    def _show_model(self) -> None:
        for part in (self.top_bar, self.stage, self.looks, self.prompt, self.side, self.everyday):
            part.show_model(self.model)
        if self.model.usable and self.focusWidget() is self.centralWidget():
            self.prompt.field.setFocus()

    def _retry(self) -> None:
        self.model.show_retry()
        self._bridge.retry()

    def _look_again(self) -> None:
        if self.model.usable:
            self._bridge.send(RefreshSources())

    def _focus_prompt(self) -> None:
        self.prompt.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.prompt.field.selectAll()

    def _keep_mirror(self, on: bool) -> None:
        self._mirror = on
        self.to_keep.emit()

    def remembered(self) -> Remembered:
        """The window's state, to be saved."""
        size = self.normalGeometry().size() if self.isMaximized() else self.size()
        return Remembered(
            width=size.width(),
            height=size.height(),
            maximized=self.isMaximized(),
            mirror_preview=self._mirror,
            favourite_looks=self.looks.looks.favourites,
            recent_looks=self.looks.looks.recent,
            look_uses=dict(self.looks.looks.uses),
            prompts=self.prompt.history.entries,
            habits=self.everyday.habits,
        )

    # ---- the window itself

    def open(self) -> None:
        """Shows the window in its last state (maximized or not), in front of others."""
        if self.isVisible() and not self.isMinimized():
            self.raise_()
        elif self._maximized or self.isMaximized():
            self.showMaximized()
        else:
            self.showNormal()
        self.activateWindow()

    def open_aside(self) -> None:
        """Opens in the tray, or minimised if there is no tray."""
        if not self.everyday.tray.there:
            self.showMinimized()

    def wind_up(self) -> None:
        """Waits for the worker threads, after the window was closed."""
        self.everyday.close()
        self.side.transforms.intake.wait()  # a pasted picture is saved
        self.decoder.close()
        self.prompt.photos.wait()
        self.side.transforms.wait()
        self.looks.pictures.wait()
        self.looks.search.wait()
        self.presets.shelf.wait()

    def quit(self) -> None:
        """Closes the window and ends the program, also from the tray."""
        self._quitting = True
        if not self.isVisible():
            self.open()  # a question may have to be answered
        self.close()
        self._quitting = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Makes the side panel narrower in a narrow window."""
        super().resizeEvent(event)
        self.side.setFixedWidth(WIDTH if self.width() >= COMPACT_BELOW else NARROW)

    def changeEvent(self, event: QEvent) -> None:
        """Stops requesting preview and look pictures while minimised."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.stage.ask_again()
            self.looks.ask_again()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handles keys that no focused widget used: Space compares with the original."""
        if not self.stage.peek(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Ends the comparison when Space is released."""
        if not self.stage.peek(event):
            super().keyReleaseEvent(event)

    # ---- leaving

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Forwards a drag to the drop targets."""
        self.drops.enter(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Forwards the end of a drag to the drop targets."""
        self.drops.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        """Forwards a drop to the drop targets."""
        self.drops.drop(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hides to the tray if set; else asks first while on air, recording, or restyling files."""
        if self._settled:
            event.accept()
            return
        if self.everyday.habits.keep_in_tray and self.everyday.tray.there and not self._quitting:
            event.ignore()
            self.hide()
            return
        if self.model.usable and self._asks():
            event.ignore()
        else:
            self._settle(end_live=True)
            event.accept()

    @property
    def question(self) -> Question | None:
        """The open question dialog, if any."""
        return self.everyday.question

    def _asks(self) -> bool:
        """Asks what should continue without the window; returns False when nothing is under way."""
        if self.model.on_air:
            title, keep = self.tr("You are on air"), self.tr("Keep the camera running")
            text = self.tr(
                "The camera can go on without this window. Open Overpaint again to change or stop it."
            )
        elif self.model.snapshot is not None and self.model.snapshot.recording:
            title, keep = self.tr("A recording is running"), self.tr("Keep recording")
            text = self.tr("It can go on without this window. Open Overpaint again to end it.")
        elif self.side.transforms.items.under_way:
            title, keep = self.tr("Files are being restyled"), self.tr("Let them finish")
            text = self.tr(
                "They can be finished without this window. What is stopped goes on when Overpaint is opened "
                "again, and is not charged twice."
            )
        else:
            return False
        self.everyday.ask(
            title,
            text,
            Answer(self.tr("Cancel")),
            Answer(self.tr("Stop and close"), self._leave_stopped),
            Answer(keep, self._leave_running, "primary"),
        )
        return True

    def _leave_running(self) -> None:
        self.leave(end_live=False)

    def _leave_stopped(self) -> None:
        self.leave(end_live=True)

    def leave(self, end_live: bool) -> None:
        """Closes the window at once; ``left`` is emitted when the last intents have been sent.

        Args:
            end_live: Whether the live process (and with it the camera) ends too.
        """
        if not self._settled:
            self._settle(end_live)
            self.close()

    def _settle(self, end_live: bool) -> None:
        self._settled = True
        if end_live:
            self._bridge.send(Quit())
        self._bridge.flushed.connect(self._go, Qt.ConnectionType.QueuedConnection)
        # A live process that does not answer must not keep the window from closing.
        QTimer.singleShot(LEAVE_AFTER_MS, self._go)
        self._bridge.finish()

    def _go(self) -> None:
        if not self._gone:
            self._gone = True
            self.left.emit()
