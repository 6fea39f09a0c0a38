"""Batch card: orders transforms that are ready, with one look seen before, and the price on the button.

Must not know how an order is processed.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.files.file_preview import FilePreview, PreviewedLook
from overpaint.gui.files.thumbnails import Thumbnails
from overpaint.gui.looks.prompt_reader import PromptReader
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.widgets.looks.reading_note import ReadingNote
from overpaint.gui.widgets.transforms.file_photo import FilePhoto
from overpaint.gui.widgets.transforms.preview_button import PreviewButton
from overpaint.gui.words.look_names import LookNames
from overpaint.gui.words.numbers import number
from overpaint.gui.words.prompt_words import PHOTO_LOOKS, PhotoUse, photo_use, understood_parts, with_look
from overpaint.gui.words.transform_words import TransformWords
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.service import PROMPT_MAX_CHARACTERS
from overpaint.wire.transforms import RemoveTransforms, StartTransforms, TransformItem


class BatchCard(QFrame):
    """Batch card; hidden while nothing is ready.

    The look follows the live picture's prompt until the user edits it.
    """

    intended = Signal(object)
    credits_wanted = Signal()
    preview_wanted = Signal()
    """The preview is wanted large."""
    changed = Signal()
    """The order, or what is shown of it, has changed."""

    def __init__(self, theme: Theme, thumbnails: Thumbnails, decoder: PictureDecoder) -> None:
        super().__init__()
        mark(self, role="card")
        self.setAccessibleName(self.tr("Ready to be restyled"))
        self._words = TransformWords(self)
        self._ready: list[TransformItem] = []
        """What the button orders: the selected items, or all."""
        self._count = 0
        """Number of all items that are ready."""
        self._credits: int | None = None
        self._previewed = ""
        """Id of the file to preview; the first of the order where it is none of them."""
        self.server = ""
        """Address of the service that takes the order; empty for this computer's own."""
        self._prompt = ""
        self._has_photo = False
        self._thumbnails = thumbnails
        self.preview = FilePreview(self)
        self.preview.intended.connect(self.intended)
        self.preview.changed.connect(self._show_preview)
        thumbnails.ready.connect(self._show_preview)
        self.picture = PreviewButton(theme)
        self.picture.clicked.connect(self.preview_wanted)
        self.amount = text_label("heading", wrap=True)
        self.discard = ThemedButton(theme, "close", role="link", hint=self.tr("Take these off the list"))
        self.look = QLineEdit()
        mark(self.look, role="search")
        self.look.setMaxLength(PROMPT_MAX_CHARACTERS)
        self.look.setAccessibleName(self.tr("Look for these files"))
        self.look.setToolTip(self.tr("The look of these files; the live picture keeps its own prompt"))
        self.look.setPlaceholderText(self.tr("Describe the look"))
        self.reader = PromptReader(self)
        for changed in (self.reader.done, self.reader.service_changed):
            changed.connect(self._show_order)
        self._names = LookNames.spoken()
        self.note = ReadingNote(theme, self._names)
        self.own_photo = FilePhoto(theme, decoder)
        self.own_photo.changed.connect(self._show_order)
        self.own_photo.use.chosen.connect(self._use_photo)
        self.photo = ThemedButton(
            theme,
            "photo",
            self.tr("With the photo"),
            "link",
            self.tr("Uses the live picture's reference photo for these files, too"),
        )
        self.photo.setCheckable(True)
        self.photo.setChecked(True)
        self.photo.toggled.connect(self._show_order)
        self.order = ThemedButton(theme, role="primary")
        self.hint = text_label("small", wrap=True)
        self.credits = ThemedButton(theme, "add", self.tr("Get credits"), "link")
        self.credits.clicked.connect(self.credits_wanted)
        foot = QHBoxLayout()
        foot.addWidget(self.hint, 1)
        foot.addWidget(self.credits)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self.picture)
        head.addWidget(self.amount, 1)
        head.addWidget(self.discard, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 10, 12)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(self.look)
        layout.addWidget(self.note)
        layout.addWidget(self.photo, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.own_photo)
        layout.addWidget(self.order)
        layout.addLayout(foot)
        self.discard.clicked.connect(self._discard)
        self.order.clicked.connect(self.start)
        self.look.returnPressed.connect(self._show_button)
        self.look.textChanged.connect(self._show_order)
        self.hide()

    def show_items(self, ready: list[TransformItem], selected: list[TransformItem]) -> None:
        """Shows the items that are ready to be ordered; with some of them selected, only those are."""
        if not self._ready and ready:
            self.look.setText(self._prompt)
            self.look.setModified(False)
            self.own_photo.clear()
        self._ready, self._count = selected or ready, len(ready)
        self.setVisible(bool(ready))
        amount = self._words.amount(self._ready)
        if len(self._ready) < len(ready):
            amount = self.tr("{} of {}").format(amount, number(len(ready)))
        self.amount.setText(amount)
        self._show_order()
        if not ready:
            self.preview.show(None)
            self.changed.emit()

    def show_model(self, model: SessionModel) -> None:
        """Updates the live picture's prompt, and the balance."""
        snapshot = model.snapshot
        if snapshot is None:
            return
        self._prompt = snapshot.prompt
        self._has_photo = snapshot.has_reference
        self.server = snapshot.server
        self.preview.use(model.usable)
        balance = snapshot.balance
        self._words.free = snapshot.is_free
        # While this computer stands in for the chosen service, the balance is not the one that pays.
        pays = balance is not None and not snapshot.is_free and balance.server == snapshot.server
        self._credits = balance.credits_remaining if balance is not None and pays else None
        if not self.look.isModified() and self.look.text() != self._prompt:
            self.look.setText(self._prompt)
        self._show_order()

    @property
    def price(self) -> int:
        """Credits for all items."""
        return sum(item.price for item in self._ready)

    @property
    def files(self) -> list[TransformItem]:
        """The files of the order, in their order."""
        return self._ready

    @property
    def previewed(self) -> TransformItem | None:
        """The file that is previewed; None where there is none."""
        chosen = (item for item in self._ready if item.id == self._previewed)
        return next(chosen, self._ready[0] if self._ready else None)

    def show_file(self, item: TransformItem) -> None:
        """Previews another file of the order."""
        self._previewed = item.id
        self._show_order()

    def photo_changed(self) -> None:
        """Notices that the live picture has another photo."""
        if self._with_photo:
            self.preview.renew()

    def type(self, text: str) -> None:
        """Changes the look as if the user had typed it here."""
        self.look.setText(text)
        self.look.setModified(True)

    def start(self) -> None:
        """Orders the selected items, or all that are ready."""
        prompt = self._look
        if self.order.isEnabled() and prompt:
            some = len(self._ready) < self._count
            ids = [item.id for item in self._ready] if some else None
            self.intended.emit(
                StartTransforms(
                    prompt=prompt, ids=ids, with_photo=self._with_photo, image_data=self.own_photo.data
                )
            )

    @property
    def _with_photo(self) -> bool:
        return self._has_photo and self.photo.isChecked() and not self.own_photo.data

    @property
    def _any_photo(self) -> bool:
        return self._with_photo or bool(self.own_photo.data)

    @property
    def _look(self) -> str:
        """The prompt; without one, a photo gives its style."""
        return self.look.text().strip() or (PHOTO_LOOKS["style"] if self._any_photo else "")

    def _show_button(self) -> None:
        """Handles Enter in the field: orders nothing, and names the button that does."""
        if self.order.isEnabled():
            self._say(self.tr("Nothing is ordered yet: press “{}”.").format(self.order.text()))

    def _use_photo(self, use: PhotoUse) -> None:
        """Changes the look to what is wanted of the photo; its colours go with any other look."""
        present = photo_use(self.look.text(), "")
        if use != "colours" or present != "colours":
            self.type(with_look(self.look.text(), self._names.title(PHOTO_LOOKS[use])))

    def _discard(self) -> None:
        self.intended.emit(RemoveTransforms(ids=[item.id for item in self._ready]))

    def _show_order(self) -> None:
        if not self._ready:
            return
        short = self._credits is not None and self._credits < self.price
        prompt = self._look
        self.photo.setVisible(self._has_photo and not self.own_photo.data)
        self.reader.ask(prompt, self._any_photo)
        typed = self.reader.answer(prompt)
        # A photo that goes along gives its style, whatever the prompt says.
        nothing = typed is not None and typed.reading.unchanged and not self._any_photo
        # A narrow card has no room for suggestions, which are for the live picture besides.
        plain = typed.reading.model_copy(update={"suggestions": ()}) if typed is not None else None
        self.note.show_reading(plain)
        understood = understood_parts(typed.effective) if typed is not None else ()
        self.own_photo.use.show_use(photo_use(self.look.text(), understood[0] if understood else ""))
        self.order.show_label(self._words.order(len(self._ready), self.price))
        self.order.setEnabled(bool(prompt) and not short and not nothing)
        if short:
            hint = self.tr("Not enough credits: {} are left.").format(number(self._credits or 0))
        elif not prompt:
            hint = self.tr("Describe the look.")
        elif 1 < self._count == len(self._ready):
            hint = self.tr("Select some in the list to give them a look of their own.")
        else:
            hint = ""
        mark(self.hint, tone="bad" if short else "")
        self._say(hint)
        self.credits.setVisible(short)
        item = self.previewed
        wanted = item is not None and prompt
        photo = self.own_photo.data
        self.preview.show(PreviewedLook(item, prompt, self._with_photo, photo) if item and wanted else None)
        self._show_preview()
        self.changed.emit()

    def _show_preview(self) -> None:
        item = self.previewed
        if item is not None:
            original = self._thumbnails.picture(item.source)
            self.picture.show_preview(self.preview.image, original, self.preview.busy)

    def _say(self, hint: str) -> None:
        if hint != self.hint.text():
            self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
