"""The prompt: what it should look like, in words and by a photo, and how that was understood."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QPixmap,
)
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from overpaint.gui import prompt_words
from overpaint.gui.models import SessionModel
from overpaint.gui.photos import ENDINGS, PhotoReader, holds_photo
from overpaint.gui.theme import Theme, mark
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.wire.live import LiveSnapshot, SetReference, SetStyle
from overpaint.wire.service import PROMPT_MAX_CHARACTERS

_THUMBNAIL = QSize(34, 26)


class PromptLine(QFrame):
    """One line for the prompt, one button for the photo, and Apply."""

    intended = Signal(object)
    refused = Signal(str)
    """A photo cannot be used: a sentence."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        mark(self, role="prompt")
        self.setAcceptDrops(True)
        self._shown_prompt: str | None = None
        self._understood = ""
        self._usable = False
        self.photos = PhotoReader(self)
        self.photos.photo_read.connect(self._use_photo)
        self.photos.refused.connect(self.refused)
        self.field = QLineEdit()
        self.field.setMaxLength(PROMPT_MAX_CHARACTERS)
        self.field.setAccessibleName(self.tr("Prompt"))
        self.field.setPlaceholderText(self.tr("Describe the look: pencil sketch on warm paper…"))
        self.field.installEventFilter(self)
        self.field.returnPressed.connect(self.apply)
        self.field.textEdited.connect(self._show_apply)
        self.photo = _PhotoChip(theme)
        self.photo.add.clicked.connect(self.open_photo)
        self.photo.remove.clicked.connect(self.remove_photo)
        self.apply_button = ThemedButton(theme, text=self.tr("Apply"), role="strong")
        self.apply_button.setToolTip(self.tr("Applies the prompt (Enter)"))
        self.apply_button.clicked.connect(self.apply)
        self.understood = text_label("small")
        self.understood.setIndent(4)
        self._lay_out()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.photo)
        row.addWidget(self.apply_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 8, 10, 8)
        layout.setSpacing(2)
        layout.addLayout(row)
        layout.addWidget(self.understood)

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest state; what the user is typing is left alone."""
        self._usable = model.usable
        self.field.setEnabled(self._usable)
        self.photo.setEnabled(self._usable)
        if model.snapshot is not None:
            self._show_snapshot(model.snapshot)
        self._show_apply()

    def _show_snapshot(self, snapshot: LiveSnapshot) -> None:
        if snapshot.prompt != self._shown_prompt:
            untouched = self._shown_prompt is None or self.field.text().strip() == self._shown_prompt
            self._shown_prompt = snapshot.prompt
            if untouched or not self.field.hasFocus():
                self.field.setText(snapshot.prompt)
        self.photo.show_present(snapshot.has_reference)
        self._understood = snapshot.understood
        self._elide_understood()

    def _elide_understood(self) -> None:
        text = self._understood.strip()
        line = self.tr("Understood as: {}").format(text) if text else self.tr("Press Enter to apply.")
        room = max(self.width() - 28, 40)
        shown = self.understood.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, room)
        self.understood.setText(shown)
        self.understood.setToolTip(text if shown != line else "")
        self.understood.setAccessibleName(line)

    def _show_apply(self) -> None:
        changed = self.field.text().strip() != (self._shown_prompt or "")
        self.apply_button.setEnabled(self._usable)
        self.apply_button.show_role("primary" if changed and self._usable else "strong")

    # ---- what the user does

    def apply(self) -> None:
        """Sends the prompt."""
        if self._usable:
            self.use_prompt(self.field.text().strip())

    def use_prompt(self, prompt: str) -> None:
        """Sends a prompt and shows it in the field."""
        self.field.setText(prompt)
        self._shown_prompt = prompt
        self._show_apply()
        self.intended.emit(SetStyle(prompt=prompt))

    def use_look(self, title: str) -> None:
        """Takes another look; strength, and what of the picture is restyled, stay as they are."""
        self.use_prompt(prompt_words.with_look(self._shown_prompt or "", title))

    def open_photo(self) -> None:
        """Asks for a photo, without stopping anything meanwhile."""
        dialog = QFileDialog(self.window(), self.tr("Choose a reference photo"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Pictures ({})").format(" ".join(f"*.{end}" for end in ENDINGS)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.photos.read_file)
        dialog.open()

    def remove_photo(self) -> None:
        """Takes the photo away."""
        self.photo.show_thumbnail(None)
        self.intended.emit(SetReference(image_data=None))

    def _use_photo(self, image_data: str, thumbnail: QImage) -> None:
        self.photo.show_thumbnail(thumbnail)
        self.intended.emit(SetReference(image_data=image_data))

    # ---- drop and paste

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pasting a picture into the field sets the photo; the frame shows the field's focus."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            mark(self, focused="true" if event.type() == QEvent.Type.FocusIn else "false")
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Paste)
        ):
            return self.paste_photo()
        return super().eventFilter(watched, event)

    def paste_photo(self) -> bool:
        """Takes a photo from the clipboard; False when there is none (text then pastes as ever)."""
        mime = QGuiApplication.clipboard().mimeData()
        return self._usable and not mime.hasText() and self.photos.read_mime(mime)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Says that a photo may be dropped."""
        if self._usable and holds_photo(event.mimeData()):
            mark(self, dropping="true")
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Nothing is dropped after all."""
        mark(self, dropping="false")

    def dropEvent(self, event: QDropEvent) -> None:
        """Takes the photo."""
        mark(self, dropping="false")
        if self.photos.read_mime(event.mimeData()):
            event.acceptProposedAction()


class _PhotoChip(QWidget):
    """Without a photo a button that asks for one; with it a thumbnail and a button that removes it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.add = ThemedButton(theme, "photo", self.tr("Photo"))
        self.add.setToolTip(self.tr("Adds a reference photo: choose, drop or paste one"))
        self.add.setAccessibleName(self.tr("Add a reference photo"))
        self._shown = QFrame()
        mark(self._shown, role="photo")
        self.picture = QLabel()
        self.remove = ThemedButton(theme, "close", role="link", hint=self.tr("Remove the reference photo"))
        inner = QHBoxLayout(self._shown)
        inner.setContentsMargins(6, 2, 2, 2)
        inner.setSpacing(4)
        inner.addWidget(self.picture)
        inner.addWidget(text_label("small", self.tr("Photo")))
        inner.addWidget(self.remove)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.add)
        layout.addWidget(self._shown)
        self.show_thumbnail(None)
        self.show_present(False)

    def show_present(self, present: bool) -> None:
        """Shows whether there is a photo."""
        self.add.setVisible(not present)
        self._shown.setVisible(present)

    def show_thumbnail(self, image: QImage | None) -> None:
        """Shows what the photo looks like, where this window has seen it."""
        if image is None:
            self.picture.setPixmap(
                self._theme.pixmap("photo", self._theme.tokens.muted, 18, self.devicePixelRatioF())
            )
        else:
            ratio = self.devicePixelRatioF()
            small = image.scaled(
                _THUMBNAIL * ratio,
                Qt.AspectRatioMode.KeepAspectRatioByExpanding,
                Qt.TransformationMode.SmoothTransformation,
            ).copy(0, 0, round(_THUMBNAIL.width() * ratio), round(_THUMBNAIL.height() * ratio))
            small.setDevicePixelRatio(ratio)
            self.picture.setPixmap(QPixmap.fromImage(small))
