"""Transforms panel: add pictures and clips, order them, follow the queue, export the results.

Shows the list model and emits intents. Must not know the live process.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.dialogs.cancel_question import CancelDesk
from overpaint.gui.dialogs.preview_dialog import PreviewDialog
from overpaint.gui.dialogs.question import Answer, Question
from overpaint.gui.files.intake import TransformIntake
from overpaint.gui.files.queue_model import TransformListModel
from overpaint.gui.files.result_export import ResultDesk
from overpaint.gui.files.thumbnails import Thumbnails
from overpaint.gui.panels.batch_card import BatchCard
from overpaint.gui.panels.result_viewer import ResultViewer
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.widgets.transforms.queue_notice import QueueNotice
from overpaint.gui.widgets.transforms.row_painter import THUMBNAIL
from overpaint.gui.widgets.transforms.transform_list import TransformList
from overpaint.gui.words.transform_words import TransformWords
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.transforms import (
    MoveTransform,
    RemoveTransforms,
    ResumeTransforms,
    RetryTransforms,
    TransformItem,
)

SEARCH_FROM = 7
"""Number of items from which the search field is shown."""


class TransformsPanel(QWidget):
    """Transforms panel, the upper part of the side panel."""

    intended = Signal(object)
    credits_wanted = Signal()
    settings_wanted = Signal()
    """The user wants to say how results are saved."""

    def __init__(self, theme: Theme, decoder: PictureDecoder) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Transforms"))
        self._theme = theme
        self._decoder = decoder
        self._words = TransformWords(self)
        self._usable = False
        self.items = TransformListModel(self)
        self.thumbnails = Thumbnails(QSize(THUMBNAIL), decoder, self)
        self.intake = TransformIntake(decoder, self)
        self.desk = ResultDesk(decoder, self)
        self.cancelling = CancelDesk(theme, self)
        self.viewer: ResultViewer | None = None
        self.told: Question | None = None
        self.add = ThemedButton(theme, "add", self.tr("Add files…"), "link")
        self.add.setToolTip(self.tr("Adds pictures and clips (Ctrl+Shift+O); drop or paste them as well"))
        self.more = ThemedButton(theme, "more", role="icon", hint=self.tr("More about transforms"))
        self.zone = QFrame()
        mark(self.zone, role="drop")
        self.invitation = text_label("small", wrap=True)
        self.invitation.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.batch = BatchCard(theme, self.thumbnails, decoder)
        self.preview: PreviewDialog | None = None
        self.notice = QueueNotice(theme)
        self.search = QLineEdit()
        mark(self.search, role="search")
        self.search.setPlaceholderText(self.tr("Search transforms"))
        self.search.setAccessibleName(self.tr("Search transforms"))
        self.search.setClearButtonEnabled(True)
        self.list = TransformList(theme, self.items, self.thumbnails)
        self.nothing = text_label("small", self.tr("Nothing matches."), wrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        self._join()
        self._show_items()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(text_label("heading", self.tr("Transforms")))
        head.addStretch(1)
        head.addWidget(self.add)
        head.addWidget(self.more)
        zone = QVBoxLayout(self.zone)
        zone.setContentsMargins(12, 10, 12, 10)
        zone.addWidget(self.invitation)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(9)
        layout.addLayout(head)
        for widget in (self.zone, self.batch, self.notice, self.search, self.nothing):
            layout.addWidget(widget)
        layout.addWidget(self.list, 1)
        layout.addStretch(0)

    def _join(self) -> None:
        self.add.clicked.connect(self.open_files)
        self.more.clicked.connect(self._open_menu)
        self.intake.intended.connect(self.intended)
        self.cancelling.intended.connect(self.intended)
        self.intake.refused.connect(self.notice.say)
        self.desk.said.connect(self.notice.say)
        self.batch.intended.connect(self.intended)
        self.batch.preview_wanted.connect(self.open_preview)
        self.batch.changed.connect(self._show_preview)
        self.batch.own_photo.refused.connect(self.notice.say)
        self.notice.resumed.connect(lambda: self.intended.emit(ResumeTransforms()))
        for part in (self.batch, self.notice):
            part.credits_wanted.connect(self.credits_wanted)
        self.search.textChanged.connect(self._search)
        self.list.wanted.connect(self._do)
        self.list.moved.connect(lambda id, before: self.intended.emit(MoveTransform(id=id, before=before)))
        self.items.changed.connect(self._show_items)
        self.list.selectionModel().selectionChanged.connect(self._show_ready)

    # ---- what is shown

    def show_model(self, model: SessionModel) -> None:
        """Updates the live picture's prompt and the balance; the items come from the list model."""
        self._usable = model.usable
        self.setEnabled(model.usable)
        self.batch.show_model(model)
        if model.snapshot is not None:
            self._words.free = self.cancelling.free = model.snapshot.is_free
            self.items.show_free(model.snapshot.is_free)

    def _show_items(self) -> None:
        news = self.items.news
        if news is not None:
            self.intake.folder = news.folder
            left_out = self._words.skipped(news.skipped) if news.skipped else ""
            went_on = self._words.went_on(news.went_on) if news.went_on else ""
            self.notice.show_news(news, went_on or left_out)
        self._show_ready()
        empty = not self.items.items
        mark(self.zone, large="true" if empty else "false")
        self.invitation.setText(self._words.invitation() if empty else self.tr("Drop or paste more"))
        self.zone.setMinimumHeight(108 if empty else 0)
        self.zone.setVisible(empty or not self.batch.isVisibleTo(self))
        self.list.setVisible(not empty)
        self.search.setVisible(len(self.items.items) >= SEARCH_FROM or bool(self.search.text()))
        self._show_nothing()

    def _show_ready(self) -> None:
        selected = [item for item in self.list.chosen() if item.state == "ready"]
        self.batch.show_items(self.items.having("ready"), selected)

    def _show_nothing(self) -> None:
        self.nothing.setVisible(bool(self.items.items) and self.items.rowCount() == 0)

    def _search(self, text: str) -> None:
        self.items.search(text)
        self._show_nothing()

    # ---- commands

    def open_files(self) -> None:
        """Opens a file dialog, without blocking."""
        dialog = QFileDialog(self.window(), self.tr("Add pictures and clips"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self.intake.take_paths)
        dialog.open()

    def open_folder(self) -> None:
        """Opens a file dialog for a folder, without blocking."""
        dialog = QFileDialog(self.window(), self.tr("Add a folder with all that is in it"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self.intake.take_paths)
        dialog.open()

    def paste(self) -> None:
        """Adds what is on the clipboard."""
        if self._usable and not self.intake.paste():
            self.notice.say(self.tr("There is no picture, clip or folder on the clipboard."))

    def _open_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        done = self.items.having("done")
        failed = self.items.having("failed", "cancelled", "interrupted")
        under_way = self.items.having("waiting", "working")
        offers: list[tuple[str, Callable[[], None], bool]] = [
            (self.tr("Add a folder…"), self.open_folder, True),
            (self.tr("Paste"), self.paste, True),
            (self.tr("Open the results' folder"), self._open_results, self.items.news is not None),
            (self.tr("How results are saved…"), self.settings_wanted.emit, True),
            (self.tr("Save copies of all results…"), lambda: self.desk.save(done), bool(done)),
            (self.tr("Try all failed ones again"), lambda: self._do("retry", failed), bool(failed)),
            (self.tr("Cancel everything"), lambda: self._do("cancel", under_way), bool(under_way)),
            (
                self.tr("Clear finished ones (files stay)"),
                lambda: self._do("remove", [*done, *failed]),
                bool(done or failed),
            ),
        ]
        for text, deed, possible in offers:
            action = menu.addAction(text)
            action.setEnabled(possible)
            action.triggered.connect(lambda _=False, deed=deed: deed())
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _open_results(self) -> None:
        if self.items.news is not None:
            self.desk.open_folder(self.items.news.folder)

    def _do(self, deed: str, items: list[TransformItem]) -> None:
        ids = [item.id for item in items]
        match deed:
            case "open":
                self.open_viewer(items[0])
            case "preview":
                self.batch.show_file(items[0])
                self.open_preview()
            case "why":
                self._tell_why(items[0])
            case "copy":
                self.desk.copy(items)
            case "save":
                self.desk.save(items)
            case "reveal":
                self.desk.open_folder(str(Path(items[0].result).parent))
            case "again":
                self.intake.take_paths([item.source for item in items])
            case "retry":
                self.intended.emit(RetryTransforms(ids=ids))
            case "cancel":
                self.cancelling.cancel(items, self.items.running)
            case "remove":
                self.intended.emit(RemoveTransforms(ids=ids))

    def _tell_why(self, item: TransformItem) -> None:
        """Tells what became of an item that has no result. Enter closes: trying again may cost."""
        title, text = self._words.ended(item)
        answers = (
            Answer(self.tr("Try again"), lambda: self._do("retry", [item])),
            Answer(self.tr("Close"), role="primary"),
        )
        self.told = Question(self._theme, self.window(), title, text, answers)
        self.told.open()

    def open_viewer(self, item: TransformItem) -> None:
        """Opens the result viewer for an item."""
        if self.viewer is not None:
            self.viewer.close()
        self.viewer = ResultViewer(self._theme, self.items, self.desk, self._decoder, self.window())
        self.viewer.finished.connect(self._forget_viewer)
        self.viewer.show_item(item)
        self.viewer.show()

    def _forget_viewer(self) -> None:
        self.viewer = None

    def open_preview(self) -> None:
        """Opens the preview of the file that the batch card shows."""
        if self.preview is not None:
            self.preview.close()
        self.preview = dialog = PreviewDialog(self._theme, self.batch.preview, self._decoder, self.window())
        dialog.look.textEdited.connect(self.batch.type)
        dialog.ordered.connect(self.batch.start)
        dialog.stepped.connect(self._step_preview)
        dialog.finished.connect(self._forget_preview)
        self._show_preview()
        dialog.show()

    def _show_preview(self) -> None:
        dialog, card = self.preview, self.batch
        if dialog is None:
            return
        item = card.previewed
        if item is None:  # ordered, or taken off the list
            dialog.accept()
            return
        if dialog.look.text() != card.look.text():
            dialog.look.setText(card.look.text())
        at = card.files.index(item)
        places = (at > 0, at + 1 < len(card.files))
        dialog.show_order(card.order.text(), card.order.isEnabled(), card.server, places)

    def _step_preview(self, by: int) -> None:
        item = self.batch.previewed
        at = self.batch.files.index(item) + by if item is not None else -1
        if 0 <= at < len(self.batch.files):
            self.batch.show_file(self.batch.files[at])

    def _forget_preview(self) -> None:
        self.preview = None

    def wait(self) -> None:
        """Waits for the worker threads, before the program ends."""
        for worker in (self.thumbnails, self.intake, self.desk, self.batch.own_photo):
            worker.wait()
