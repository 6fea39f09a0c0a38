"""The main window: composes the panels, and connects them to the model and the bridge.

Data flow: a panel's intent goes to the bridge, the bridge's snapshot to the model, and each change of the
model to the panels. Must not know sockets or processes.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QBoxLayout, QMainWindow, QVBoxLayout, QWidget

from overpaint.assets import asset_dir
from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.bridge import LiveBridge
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.connection.preview_receiver import PreviewReceiver
from overpaint.gui.dialogs.question import Question
from overpaint.gui.drop_targets import DropGuide
from overpaint.gui.help.help_desk import HelpDesk
from overpaint.gui.leaving import Leaving
from overpaint.gui.looks.look_finder import LoadSearch, LookFinder
from overpaint.gui.looks.look_lists import LookListModel
from overpaint.gui.looks.look_thumbnails import LookPictures
from overpaint.gui.looks.presets import PresetShelf
from overpaint.gui.looks.prompt_history import PromptHistory
from overpaint.gui.looks.prompt_reader import ReadPrompt
from overpaint.gui.panels.looks_panel import LooksPanel
from overpaint.gui.panels.prompt_line import PromptLine
from overpaint.gui.panels.side_panel import NARROW, WIDTH, SidePanel
from overpaint.gui.panels.stage_panel import StagePanel
from overpaint.gui.panels.top_bar import COMPACT_BELOW, TopBar
from overpaint.gui.preset_desk import PresetDesk
from overpaint.gui.service_choice import ServiceChoice
from overpaint.gui.shortcuts import Shortcuts
from overpaint.gui.surroundings import Everyday, WindowParts
from overpaint.gui.widgets.floating.cards import FloatingCards
from overpaint.gui.widgets.floating.notice import Notice
from overpaint.gui.window_memory import Remembered
from overpaint.gui.window_place import CROWDED_BELOW, fitting, height_below, is_tall, keep_inside
from overpaint.gui.words.look_names import LookNames
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.live import RefreshSources
from overpaint.wire.servers import Server

MARGIN = 14
PROMPT_BESIDE = 500
"""Width of the prompt line beside the picture, at most 55 % of the window's."""
FRAMED_AFTER_MS = 300
"""Time after which a window manager has told its frame."""


class MainWindow(QMainWindow):
    """The main window (``QMainWindow``).

    Args:
        theme: The theme.
        bridge: Connection to the live process, not yet started.
        preview: Preview receiver, not yet started.
        remembered: State of the window when it was last closed.
        load_search: Loads the search for looks by the words of prompts; called in a worker thread.
        read_prompt: Reads a prompt as this computer's service does; called in worker threads.
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
        read_prompt: ReadPrompt,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Overpaint")
        smallest, wanted = fitting(QSize(remembered.width, remembered.height), self.screen().availableSize())
        self.setMinimumSize(smallest)
        self.resize(wanted)
        room = self.screen().availableGeometry()
        self.move(room.center() - self.rect().center())  # some systems place a first window partly outside
        self.setAcceptDrops(True)
        self._bridge = bridge
        self._maximized = remembered.maximized
        self._mirror = remembered.mirror_preview
        self._placed = False
        self._side_shown = remembered.side_shown
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
            LookPictures(asset_dir("looks") / "thumbnails", self, asset_dir("scenes")),
            LookFinder(load_search, self),
        )
        self.presets = PresetDesk(
            theme, PresetShelf(bridge.data_dir / "presets", self), self.looks, self.prompt
        )
        self.side = SidePanel(theme, self.decoder)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._top = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._readers = (self.prompt.reader, self.side.transforms.batch.reader)
        self._read_prompt = read_prompt
        self.service = ServiceChoice(self, theme)
        parts = WindowParts(
            self.model, self.top_bar, self.stage, self.looks, self.decoder, self.notice, self.open, self.quit
        )
        self.everyday = Everyday(self, parts, theme, remembered.habits, bridge.data_dir)
        self.leaving = Leaving(
            self, bridge, self.model, self.everyday, lambda: self.side.transforms.items.under_way
        )
        self.leaving.left.connect(self.left)
        self._lay_out()
        self._join(preview)
        self.drops = DropGuide(self, theme, self.model, self.prompt, self.side.transforms)
        self.shortcuts = Shortcuts(
            self,
            self.top_bar,
            self.prompt,
            self.looks,
            self.presets,
            self.side.transforms,
            self._search_sources,
        )
        stops = self.prompt, self.top_bar.air, self.side.camera
        self.help = HelpDesk(self, theme, self.shortcuts.groups, self.everyday.menu, self.stage, stops)
        self.help.toured.connect(self.everyday.know_tour)
        self._cards.keep_beside(self.help.tour)
        for begun, step in (
            (self.looks.expanded, 0),
            (self.prompt.intended, 0),
            (self.top_bar.air_asked, 1),
        ):
            begun.connect(lambda *_, step=step: self.help.tour.did(step))
        self._arrange()
        self._show_model()

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, 6)
        column.setSpacing(12)
        self._top.setSpacing(12)
        self._top.addWidget(self.stage, 9)
        self._top.addWidget(self.prompt)
        column.addLayout(self._top, 9)
        column.addWidget(self.looks)
        self.looks.expanded.connect(lambda on: column.setStretchFactor(self.looks, 8 if on else 0))
        self.looks.expanded.connect(self._arrange)
        self._cards = FloatingCards(self.stage, self.stage.floor, self.everyday.call_card, self.notice)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addLayout(column, 1)
        self._row.addWidget(self.side)
        root = QWidget()
        whole = QVBoxLayout(root)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.top_bar)
        whole.addLayout(self._row, 1)
        root.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # takes the first focus: no button shows a focus ring
        self.setCentralWidget(root)
        root.setFocus()

    def _join(self, preview: PreviewReceiver) -> None:
        bridge = self._bridge
        bridge.snapshot_changed.connect(self.model.show_snapshot)
        bridge.connection_changed.connect(self.model.show_connection)
        bridge.sound_level_changed.connect(self.everyday.show_level)
        bridge.connection_changed.connect(preview.follow)
        bridge.source_pictured.connect(self.top_bar.source.show_picture)
        bridge.reference_changed.connect(self.prompt.photos.show_reference)
        bridge.look_painted.connect(self.looks.pictures.show_own)
        bridge.transforms_changed.connect(self.side.transforms.items.show_news)
        bridge.progress_changed.connect(self.side.transforms.items.show_progress)
        bridge.file_previewed.connect(self.side.transforms.batch.preview.show_news)
        self.prompt.photos.reader.photo_read.connect(self.side.transforms.batch.photo_changed)
        self.service.intended.connect(bridge.send)
        bridge.server_changed.connect(self.service.show_server)
        bridge.server_changed.connect(self._read_as)
        self.prompt.service_wanted.connect(self.service.open_for_prompt)
        self.everyday.menu.service_wanted.connect(self.service.open)
        bridge.charges_changed.connect(self.side.balance.show_charges)
        bridge.updates_changed.connect(self.everyday.show_updates)
        bridge.given_up.connect(self.model.show_failure)
        for part in (self.top_bar, self.stage, self.prompt, self.looks, self.side, self.everyday):
            part.intended.connect(bridge.send)
        self.top_bar.intended.connect(self.everyday.recovery.note)
        self.stage.retry_wanted.connect(self._retry)
        self.stage.credits_wanted.connect(self.side.balance.open_dashboard)
        self.side.figures.delay_wanted.connect(self.stage.open_delay)
        self.stage.mirror_changed.connect(self._keep_mirror)
        for refused in (self.prompt.refused, self.presets.refused, self.top_bar.source.refused):
            refused.connect(self.notice.say)
        self.side.camera.setup_wanted.connect(self.everyday.open_camera_setup)
        self.side.camera.programs_wanted.connect(self.everyday.going_live.open_programs)
        self.side.transforms.settings_wanted.connect(self.everyday.open_result_settings)
        self.notice.folder_wanted.connect(self.side.transforms.desk.open_folder)
        self.top_bar.source.options_wanted.connect(self.stage.open_options)
        self.top_bar.panel.clicked.connect(self.show_side)
        self.side.needed.connect(lambda: self.show_side(True))
        self.looks.chosen.connect(self.prompt.use_look)
        self.looks.prompted.connect(self.prompt.use_prompt)
        for changed in (self.everyday.habits_changed, self.looks.looks.shelves_changed):
            changed.connect(self.to_keep)
        self.model.changed.connect(self._show_model)

    # ---- state

    def _show_model(self) -> None:
        for part in (self.top_bar, self.stage, self.looks, self.prompt, self.side, self.everyday, self.help):
            part.show_model(self.model)
        if self.model.usable and self.focusWidget() is self.centralWidget():
            self.prompt.focus_text()

    def _read_as(self, server: Server) -> None:
        """Reads prompts while they are typed, unless the service is remote and may understand more."""
        name = server.address.split("://")[-1]
        for reader in self._readers:
            reader.use(None if name else self._read_prompt, name)

    def _retry(self) -> None:
        self.model.show_retry()
        self._bridge.retry()

    def _search_sources(self) -> None:
        if self.model.usable:
            self._bridge.send(RefreshSources())

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
            side_shown=self._side_shown,
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
        for reader in self._readers:
            reader.wait()
        self.side.transforms.wait()
        self.looks.pictures.wait()
        self.looks.search.wait()
        self.presets.shelf.wait()

    def quit(self) -> None:
        """Closes the window and ends the program, also from the tray."""
        if not self.isVisible():
            self.open()  # a question may have to be answered
        self.leaving.quit()

    def show_side(self, on: bool) -> None:
        """Shows the side panel, or folds it away."""
        changed, self._side_shown = on != self._side_shown, on
        if on and self._is_crowded:
            self.looks.close_gallery()
        self._arrange()
        if changed:
            self.to_keep.emit()

    @property
    def _is_crowded(self) -> bool:
        """Whether the gallery leaves too little height for picture and prompt below each other."""
        return self.looks.is_expanded and self.height() < CROWDED_BELOW and not is_tall(self.size())

    def _arrange(self) -> None:
        """Lays picture and prompt beside each other, and folds the side panel away, where it is crowded."""
        directions, crowded = QBoxLayout.Direction, self._is_crowded
        self._top.setDirection(directions.LeftToRight if crowded else directions.TopToBottom)
        self.prompt.setMinimumWidth(min(PROMPT_BESIDE, self.width() * 11 // 20) if crowded else 0)
        self._top.setAlignment(self.prompt, Qt.AlignmentFlag.AlignVCenter if crowded else Qt.AlignmentFlag(0))
        self.side.setVisible(self._side_shown and not crowded)
        self.top_bar.panel.setChecked(not self.side.isHidden())

    def showEvent(self, event: QShowEvent) -> None:
        """Checks the place of the window once its frame is known."""
        super().showEvent(event)
        if not self._placed:
            self._placed = True
            QTimer.singleShot(FRAMED_AFTER_MS, self, lambda: keep_inside(self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lays the side panel below the picture in a tall window, and makes it narrow in a narrow one."""
        super().resizeEvent(event)
        self._arrange()
        tall = is_tall(self.size())
        directions = QBoxLayout.Direction
        self._row.setDirection(directions.TopToBottom if tall else directions.LeftToRight)
        width = WIDTH if self.width() >= COMPACT_BELOW else NARROW
        self.side.lie(tall, self.width() if tall else width, height_below(self.size()) if tall else 0)

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
        event.setAccepted(self.leaving.allows_closing())

    @property
    def question(self) -> Question | None:
        """The open question dialog, if any."""
        return self.everyday.question

    def leave(self, end_live: bool) -> None:
        """Closes the window at once; ``left`` is emitted when the last intents have been sent.

        Args:
            end_live: Whether the live process (and with it the camera) ends too.
        """
        self.leaving.leave(end_live)
