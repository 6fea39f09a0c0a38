"""Prompt line: the prompt, its reference photo, and how the service understood them."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.files.photo_intake import holds_photo
from overpaint.gui.looks.prompt_history import PromptHistory
from overpaint.gui.looks.prompt_reader import PromptReader
from overpaint.gui.photo_desk import PhotoDesk
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.widgets.looks.chips import ChipRow, Part
from overpaint.gui.widgets.looks.reading_note import ReadingNote
from overpaint.gui.widgets.looks.style_controls import StyleControls
from overpaint.gui.words import prompt_words
from overpaint.gui.words.look_names import ChangeNames, LookNames
from overpaint.gui.words.plain_text import plain_tip
from overpaint.gui.words.prompt_words import Subject
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.live import LiveSnapshot, SetStyle
from overpaint.wire.looks import PromptReading, PromptSuggestion
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
    service_wanted = Signal()
    """A service on another computer is wanted."""

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
        self._reading: PromptReading | None = None
        self._usable = False
        self.photos = PhotoDesk(theme, names, decoder, self)
        self.photos.intended.connect(self.intended)
        self.photos.refused.connect(self.refused)
        self.photos.look_wanted.connect(self.use_look)
        self.field = QLineEdit()
        self.field.setMaxLength(PROMPT_MAX_CHARACTERS)
        self.field.setAccessibleName(self.tr("Prompt"))
        self.field.setPlaceholderText(self.tr("Describe the look: pencil sketch on warm paper…"))
        self.field.installEventFilter(self)
        self.field.returnPressed.connect(self.apply)
        self.field.textChanged.connect(self._show_typed)
        self.reader = PromptReader(self)
        for changed in (self.reader.done, self.reader.service_changed):
            changed.connect(self._show_typed)
        self.note = ReadingNote(theme, names)
        self.note.chosen.connect(self._follow)
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
        for widget in (self.undo_button, self.photos.chip, self.apply_button):
            row.addWidget(widget)
        below = QHBoxLayout()
        below.setSpacing(10)
        below.addWidget(self.understood, 1)
        below.addWidget(self.chips, 1)
        below.addWidget(self.controls)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 8, 10, 8)
        layout.setSpacing(5)
        layout.addWidget(self.note)  # above all that is clicked, which stays in its place
        layout.addLayout(row)
        layout.addWidget(self.photos.use)
        layout.addLayout(below)

    def focus_text(self) -> None:
        """Gives the text the focus, selected, so that typing replaces it."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest state, without changing text that the user is typing."""
        self._usable = model.usable
        if not self._usable:
            self._stale.clear()
        self.field.setEnabled(self._usable)
        self.photos.show_usable(self._usable)
        self.chips.setEnabled(self._usable)
        self.controls.setEnabled(self._usable)
        if model.snapshot is not None:
            self._show_snapshot(model.snapshot)
        self._show_apply()

    def _show_snapshot(self, snapshot: LiveSnapshot) -> None:
        self._reading = refused = snapshot.reading
        if refused is not None and refused.unchanged and refused.prompt == self._shown_prompt:
            # Taken back: the field keeps it, to be changed by the user.
            self._stale.clear()
            self._shown_prompt = snapshot.prompt
        elif snapshot.prompt == self._shown_prompt:
            self._stale.clear()
        elif snapshot.prompt not in self._stale:
            self._stale.clear()
            untouched = self._shown_prompt is None or self.field.text().strip() == self._shown_prompt
            self._shown_prompt = snapshot.prompt
            if untouched or not self.field.hasFocus():
                self.field.setText(snapshot.prompt)
                if self.field.hasFocus():
                    self.field.selectAll()  # nothing was typed: what is typed now replaces it
            self.history.note(snapshot.prompt)
        self.photos.show_present(snapshot.has_reference)
        self._understood = snapshot.understood.strip()
        self._show_typed()
        self._show_controls()

    def _show_typed(self) -> None:
        """Shows what is understood of the text in the field, applied or not."""
        text = self.field.text().strip()
        self.reader.ask(text, self.photos.chip.is_present)
        typed = self.reader.answer(text)
        applied = text == (self._shown_prompt or "")
        reading = self._reading if self._reading is not None and self._reading.prompt == text else None
        if reading is None and typed is not None and not applied:
            reading = typed.reading
        self.note.show_reading(reading)
        coming = typed is not None and not applied and not typed.reading.unchanged
        self._show_understood(
            typed.effective if typed is not None and coming else "",
            asked=self.reader.service if text and not applied and reading is None else "",
        )
        self._show_apply()

    def _show_understood(self, coming: str, asked: str) -> None:
        """Shows what the prompt was understood as, or instead what the text in the field would be.

        ``asked``: the service that alone knows what that would be, and says so once it is applied.
        """
        look, *changes = prompt_words.understood_parts(coming or self._understood) or ("",)
        plain = prompt_words.is_edit(look) or look.casefold() in self._names.scenes
        if plain:  # no look paints over a picture whose jacket is red
            changes = [look, *changes]
        parts = tuple(Part(change, self._changes.shown(change, self._names.title)) for change in changes)
        if plain:
            parts = (Part("", ""), *parts)
        elif look:
            parts = (Part(look, self._names.title(look)), *parts)
        text = ", ".join(part.words for part in parts if part.words) or self._understood
        line = self.tr("Understood as: {}").format(text) if text else self.tr("Press Enter to apply.")
        if asked:
            text = line = self.tr("Enter asks {}, which says what it understands.").format(asked)
        elif coming:
            line = self.tr("Enter applies: {}").format(text)
        else:
            self._parts = parts
            # Strength and subject are shown by their own controls.
            self.chips.show_parts(tuple(part for part in parts if not _has_control(part.meaning)))
        instead = bool(asked or coming)
        self.chips.setVisible(bool(parts) and not instead)
        self.understood.setVisible(not parts or instead)
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
        self.photos.show_prompt(prompt, parts[0] if parts else "")

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
        self._shown_prompt = prompt
        self.field.setText(prompt)
        if not self.field.hasFocus():
            self.field.home(False)  # scrolls to the start of a long prompt
        self._show_typed()
        self._show_controls()
        self.intended.emit(SetStyle(prompt=prompt))

    @property
    def _draft(self) -> str:
        """The text in the field; the prompt in use where nothing of that text can be done."""
        shown = self.note.reading
        return self.applied if shown is not None and shown.unchanged else self.field.text().strip()

    def _use_strength(self, percent: int) -> None:
        self.use_prompt(prompt_words.with_strength(self._draft, percent))

    def _use_subject(self, subject: Subject) -> None:
        self.use_prompt(prompt_words.with_subject(self._draft, subject))

    def _follow(self, suggestion: PromptSuggestion) -> None:
        """Does what a suggestion says."""
        if not self._usable:
            return
        match suggestion.kind:
            case "background_photo":
                self.photos.open("Backdrop")
            case "style_photo":
                self.photos.open("Like your photo")
            case "graphics_computer":
                self.service_wanted.emit()
            case "look":
                self.use_look(self._names.title(suggestion.words))

    def _remove_part(self, part: str) -> None:
        words = {each.meaning: each.words for each in self._parts if each.meaning}
        understood = ", ".join(words.values())
        rest = prompt_words.without_part(self._shown_prompt or "", understood, words.get(part, part))
        # Without its red jacket the picture is what it was, not in the look of an empty prompt.
        self.use_prompt(rest or prompt_words.PHOTO_LOOKS["colours"])

    def use_look(self, title: str) -> None:
        """Applies another look, with the same scene, clothes, material, strength and subject."""
        present, scenes = self._shown_prompt or "", self._names.scenes
        parts = [part for part in self._parts if prompt_words.is_edit(part.meaning)]
        scene = prompt_words.scene(present, scenes, self._understood)
        if self._names.group(title) == "background":
            parts, scene = [part for part in parts if not part.meaning.endswith("background")], ""
        edits = [part.words for part in parts]
        looked = prompt_words.with_look(present, title, edits)
        self.use_prompt(prompt_words.with_scene(looked, scene, scenes))

    @property
    def applied(self) -> str:
        """The prompt in use."""
        return self._shown_prompt or ""

    def use_preset(self, prompt: str, photo: str) -> None:
        """Applies a prompt with a photo (base64); an empty photo removes the current one."""
        self.use_prompt(prompt)
        self.photos.use_only(photo)

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
            return self.photos.paste()
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
            return True
        return False

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
        if self.photos.reader.read_mime(event.mimeData()):
            event.acceptProposedAction()


def _has_control(part: str) -> bool:
    return part in _SUBJECTS or _PERCENT.fullmatch(part) is not None
