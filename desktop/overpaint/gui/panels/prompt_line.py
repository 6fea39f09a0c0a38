"""Prompt line: the prompt, its reference photo, and how the service understood them."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.files.photo_intake import ENDINGS, PhotoReader, holds_photo
from overpaint.gui.files.screen_region import ScreenSnip
from overpaint.gui.looks.prompt_history import PromptHistory
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.widgets.looks.chips import ChipRow, Part
from overpaint.gui.widgets.looks.photo_chip import PhotoChip
from overpaint.gui.widgets.looks.style_controls import StyleControls
from overpaint.gui.words import prompt_words
from overpaint.gui.words.look_names import ChangeNames, LookNames
from overpaint.gui.words.plain_text import plain_tip
from overpaint.gui.words.prompt_words import Subject
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.live import LiveSnapshot, SetReference, SetStyle
from overpaint.wire.service import PROMPT_MAX_CHARACTERS

_PERCENT = re.compile(r"(\d{1,3}) ?%")
_SUBJECTS: dict[str, Subject] = {"person only": "person", "background only": "background"}


class PromptLine(QFrame):
    """Prompt line: field, photo and Apply button; below them understood parts, strength and subject.

    All style controls only edit the prompt's text, which is the single source of truth.

    Args:
        theme: The theme.
        history: The prompt history.
        names: Names of the looks in the window's language.
        decoder: Decodes reference photos.
    """

    intended = Signal(object)
    refused = Signal(str)
    """A photo cannot be used: the sentence for the user."""

    def __init__(
        self, theme: Theme, history: PromptHistory, names: LookNames, decoder: PictureDecoder
    ) -> None:
        super().__init__()
        self._names = names
        self._changes = ChangeNames.spoken()
        self._parts: tuple[Part, ...] = ()
        mark(self, role="prompt")
        self.history = history
        self.setAcceptDrops(True)
        self._shown_prompt: str | None = None
        self._stale: set[str] = set()
        """Replaced prompts that snapshots on their way may still contain."""
        self._understood = ""
        self._usable = False
        self._photo_data = ""
        self.photos = PhotoReader(decoder, self)
        self.photos.photo_read.connect(self._use_photo)
        self.photos.refused.connect(self.refused)
        self.field = QLineEdit()
        self.field.setMaxLength(PROMPT_MAX_CHARACTERS)
        self.field.setAccessibleName(self.tr("Prompt"))
        self.field.setPlaceholderText(self.tr("Describe the look: pencil sketch on warm paper…"))
        self.field.installEventFilter(self)
        self.field.returnPressed.connect(self.apply)
        self.field.textEdited.connect(self._show_apply)
        self.snip = ScreenSnip(theme, self)
        self.snip.taken.connect(self.photos.read_image)
        self.snip.refused.connect(self.refused)
        self.photo = PhotoChip(theme)
        self.photo.file_wanted.connect(self.open_photo)
        self.photo.paste_wanted.connect(self._paste_any)
        self.photo.snip_wanted.connect(self.snip.start)
        self.photo.remove.clicked.connect(self.remove_photo)
        self.undo_button = ThemedButton(
            theme, "undo", role="icon", hint=self.tr("Back to the prompt before (Ctrl+Z)")
        )
        self.undo_button.clicked.connect(self.undo)
        self.apply_button = ThemedButton(theme, text=self.tr("Apply"), role="strong")
        self.apply_button.setToolTip(self.tr("Applies the prompt (Enter)"))
        self.apply_button.clicked.connect(self.apply)
        self.understood = text_label("small")
        self.understood.setIndent(4)
        self.chips = ChipRow(theme)
        self.chips.removed.connect(self._remove_part)
        self.controls = StyleControls(theme)
        self.controls.strength_chosen.connect(self._use_strength)
        self.controls.subject_chosen.connect(self._use_subject)
        self._lay_out()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        for widget in (self.undo_button, self.photo, self.apply_button):
            row.addWidget(widget)
        below = QHBoxLayout()
        below.setSpacing(10)
        below.addWidget(self.understood, 1)
        below.addWidget(self.chips, 1)
        below.addWidget(self.controls)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 8, 10, 8)
        layout.setSpacing(5)
        layout.addLayout(row)
        layout.addLayout(below)

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest state, without changing text that the user is typing."""
        self._usable = model.usable
        if not self._usable:
            self._stale.clear()
        self.field.setEnabled(self._usable)
        self.photo.setEnabled(self._usable)
        self.chips.setEnabled(self._usable)
        self.controls.setEnabled(self._usable)
        if model.snapshot is not None:
            self._show_snapshot(model.snapshot)
        self._show_apply()

    def _show_snapshot(self, snapshot: LiveSnapshot) -> None:
        if snapshot.prompt == self._shown_prompt:
            self._stale.clear()
        elif snapshot.prompt not in self._stale:
            self._stale.clear()
            untouched = self._shown_prompt is None or self.field.text().strip() == self._shown_prompt
            self._shown_prompt = snapshot.prompt
            if untouched or not self.field.hasFocus():
                self.field.setText(snapshot.prompt)
            self.history.note(snapshot.prompt)
        self.photo.show_present(snapshot.has_reference)
        self._understood = snapshot.understood.strip()
        self._show_understood()
        self._show_controls()

    def _show_understood(self) -> None:
        look, *changes = prompt_words.understood_parts(self._understood) or ("",)
        parts = tuple(Part(change, self._changes.shown(change)) for change in changes)
        if look:
            parts = (Part(look, self._names.title(look)), *parts)
        self._parts = parts
        # Strength and subject are shown by their own controls.
        self.chips.show_parts(tuple(part for part in parts if not _has_control(part.meaning)))
        self.chips.setVisible(bool(parts))
        self.understood.setVisible(not parts)
        text = ", ".join(part.words for part in parts) or self._understood
        line = self.tr("Understood as: {}").format(text) if text else self.tr("Press Enter to apply.")
        room = max(self.width() - self.controls.sizeHint().width() - 50, 40)
        shown = self.understood.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, room)
        self.understood.setText(shown)
        self.understood.setToolTip(plain_tip(text if shown != line else ""))
        for widget in (self.understood, self.chips):
            widget.setAccessibleName(line)

    def _show_controls(self) -> None:
        """Shows strength and subject as written in the prompt, else as the service understood them."""
        prompt = self._shown_prompt or ""
        parts = prompt_words.understood_parts(self._understood)
        numbers = (_PERCENT.fullmatch(part) for part in parts)
        understood = next((int(number[1]) for number in numbers if number), 100)
        self.controls.show_strength(prompt_words.strength(prompt) or understood)
        subject = prompt_words.subject(prompt)
        if subject == "all":
            subject = next((_SUBJECTS[part] for part in parts if part in _SUBJECTS), "all")
        self.controls.show_subject(subject)

    def _show_apply(self) -> None:
        changed = self.field.text().strip() != (self._shown_prompt or "")
        self.apply_button.setEnabled(self._usable)
        self.apply_button.show_role("primary" if changed and self._usable else "strong")
        self.undo_button.setVisible(self.history.can_undo)
        self.undo_button.setEnabled(self._usable)

    # ---- commands

    def apply(self) -> None:
        """Sends the prompt."""
        if self._usable:
            self.use_prompt(self.field.text().strip())

    def use_prompt(self, prompt: str) -> None:
        """Sends a prompt and shows it in the field."""
        prompt = prompt[:PROMPT_MAX_CHARACTERS]
        self.history.note(prompt)
        self._send(prompt)

    def undo(self) -> None:
        """Applies the prompt before the current one."""
        self._send(self.history.undo())

    def redo(self) -> None:
        """Applies the prompt that was undone last."""
        self._send(self.history.redo())

    def _send(self, prompt: str | None) -> None:
        if prompt is None or not self._usable:
            return
        if self._shown_prompt is not None and self._shown_prompt != prompt:
            self._stale.add(self._shown_prompt)
        self.field.setText(prompt)
        if not self.field.hasFocus():
            self.field.home(False)  # scrolls to the start of a long prompt
        self._shown_prompt = prompt
        self._show_apply()
        self._show_controls()
        self.intended.emit(SetStyle(prompt=prompt))

    def _use_strength(self, percent: int) -> None:
        self.use_prompt(prompt_words.with_strength(self.field.text().strip(), percent))

    def _use_subject(self, subject: Subject) -> None:
        self.use_prompt(prompt_words.with_subject(self.field.text().strip(), subject))

    def _remove_part(self, part: str) -> None:
        words = {each.meaning: each.words for each in self._parts}
        understood = ", ".join(words.values())
        self.use_prompt(
            prompt_words.without_part(self._shown_prompt or "", understood, words.get(part, part))
        )

    def use_look(self, title: str) -> None:
        """Applies another look, with the same strength and subject."""
        self.use_prompt(prompt_words.with_look(self._shown_prompt or "", title))

    @property
    def applied(self) -> str:
        """The prompt in use."""
        return self._shown_prompt or ""

    @property
    def photo_in_use(self) -> str:
        """The reference photo as base64, if this window has set it; else empty."""
        return self._photo_data if self.photo.is_present else ""

    def use_preset(self, prompt: str, photo: str) -> None:
        """Applies a prompt with a photo (base64); an empty photo removes the current one."""
        self.use_prompt(prompt)
        if photo:
            self.photos.read_data(photo)
        elif self.photo.is_present:
            self.remove_photo()

    def open_photo(self) -> None:
        """Opens a file dialog for a photo, without blocking."""
        dialog = QFileDialog(self.window(), self.tr("Choose a reference photo"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Pictures ({})").format(" ".join(f"*.{end}" for end in ENDINGS)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.photos.read_file)
        dialog.open()

    def remove_photo(self) -> None:
        """Removes the photo."""
        self._photo_data = ""
        self.photo.show_thumbnail(None)
        self.intended.emit(SetReference(image_data=None))

    def _use_photo(self, image_data: str, thumbnail: QImage) -> None:
        self._photo_data = image_data
        self.photo.show_thumbnail(thumbnail)
        self.intended.emit(SetReference(image_data=image_data))

    # ---- keys, paste, drag and drop

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handles the field's focus (for the frame), and its keys."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            mark(self, focused="true" if event.type() == QEvent.Type.FocusIn else "false")
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self._key(event):
            return True
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        """Handles paste, undo, redo and recall in the field; returns False for all other keys."""
        keys = QKeySequence.StandardKey
        if event.matches(keys.Paste):
            return self.paste_photo()
        if event.matches(keys.Undo) and not self.field.isUndoAvailable():
            self.undo()
            return True
        if event.matches(keys.Redo) and not self.field.isRedoAvailable():
            self.redo()
            return True
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not event.modifiers():
            up = event.key() == Qt.Key.Key_Up
            text = self.history.older(self.field.text()) if up else self.history.newer()
            if text is not None:
                self.field.setText(text)
                self._show_apply()
            return True
        return False

    def _paste_any(self) -> None:
        self.photos.read_mime(QGuiApplication.clipboard().mimeData())

    def paste_photo(self) -> bool:
        """Pastes a photo from the clipboard; returns False if there is none, and text is pasted as usual."""
        mime = QGuiApplication.clipboard().mimeData()
        return self._usable and not mime.hasText() and self.photos.read_mime(mime)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accepts a dragged photo, and highlights the line."""
        if self._usable and holds_photo(event.mimeData()):
            mark(self, dropping="true")
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Removes the highlight."""
        mark(self, dropping="false")

    def dropEvent(self, event: QDropEvent) -> None:
        """Reads the dropped photo."""
        mark(self, dropping="false")
        if self.photos.read_mime(event.mimeData()):
            event.acceptProposedAction()


def _has_control(part: str) -> bool:
    return part in _SUBJECTS or _PERCENT.fullmatch(part) is not None
