"""Preset commands of the window: save, choose, export, import and delete.

Connects the presets with the list of looks and the prompt. Must not know what is in a preset's file, nor how
looks are listed.
"""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.dialogs.name_dialog import NameDialog
from overpaint.gui.dialogs.question import Answer, Question
from overpaint.gui.looks.presets import ENDING, Preset, PresetShelf
from overpaint.gui.panels.looks_panel import LooksPanel
from overpaint.gui.panels.prompt_line import PromptLine
from overpaint.gui.words import prompt_words

_LONGEST_NAME = 60


class PresetDesk(QObject):
    """Mediator between presets, looks panel and prompt line; drag-and-drop target for preset files.

    Args:
        theme: The theme.
        shelf: The presets.
        looks: Lists the presets, and requests that they are saved, exported or deleted.
        prompt: Source of a saved preset, and target of a chosen one.
    """

    refused = Signal(str)
    """A preset could not be read or written: the sentence for the user."""

    def __init__(self, theme: Theme, shelf: PresetShelf, looks: LooksPanel, prompt: PromptLine) -> None:
        super().__init__(looks)
        self._theme = theme
        self.shelf = shelf
        self._looks = looks
        self._prompt = prompt
        self.naming: NameDialog | None = None
        self.question: Question | None = None
        shelf.changed.connect(self._show)
        shelf.refused.connect(self.refused)
        looks.keep_wanted.connect(self.ask_name)
        looks.file_wanted.connect(self._open)
        looks.share_wanted.connect(self._share)
        looks.removal_wanted.connect(self._ask_removal)
        looks.preset_chosen.connect(self._use)
        looks.setAcceptDrops(True)
        looks.installEventFilter(self)

    def ask_name(self) -> None:
        """Asks for a name, and saves the prompt in use (with its photo) as a preset of this name."""
        self.naming = NameDialog(
            self._theme,
            self._looks.window(),
            self.tr("Keep this look"),
            self.tr("The prompt, with strength, place and photo, becomes a preset among your looks."),
            _name_of(self._prompt.applied),
            self.tr("Keep"),
            _LONGEST_NAME,
        )
        self.naming.named.connect(self.keep)
        self.naming.open()

    def keep(self, name: str) -> None:
        """Saves the prompt in use as a preset of this name."""
        self.shelf.save(Preset(name=name, prompt=self._prompt.applied, photo=self._prompt.photos.in_use))
        self._looks.show_own()

    def take(self, path: str) -> None:
        """Imports a preset from a file."""
        self.shelf.take(Path(path))
        self._looks.show_own()

    def share(self, key: str, path: str) -> None:
        """Exports a preset to a file."""
        file = Path(path)
        self.shelf.share(key, file if file.suffix else file.with_suffix(f".{ENDING}"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Imports preset files dropped on the looks panel; leaves every other drag to the window."""
        if isinstance(event, QDragEnterEvent | QDropEvent):
            found = _presets_in(event.mimeData())
            if not found:
                event.ignore()
                return True
            if event.type() == QEvent.Type.Drop:
                for path in found:
                    self.take(path)
            # Always a copy: after a move, the program that the drag came from would delete its file.
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            return True
        return super().eventFilter(watched, event)

    def _show(self) -> None:
        self._looks.looks.show_presets(self.shelf.presets)

    def _use(self, key: str) -> None:
        preset = self.shelf.presets[key]
        self._prompt.use_preset(preset.prompt, preset.photo)

    def _open(self) -> None:
        dialog = QFileDialog(self._looks.window(), self.tr("Add a preset from a file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilter(self.tr("Presets ({})").format(f"*.{ENDING}"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.take)
        dialog.open()

    def _share(self, key: str) -> None:
        dialog = QFileDialog(self._looks.window(), self.tr("Share this preset as a file"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(self.tr("Presets ({})").format(f"*.{ENDING}"))
        dialog.setDefaultSuffix(ENDING)
        dialog.selectFile(_file_name(self.shelf.presets[key].name))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda path: self.share(key, path))
        dialog.open()

    def _ask_removal(self, key: str) -> None:
        self.question = Question(
            self._theme,
            self._looks.window(),
            self.tr("Delete “{}”?").format(self.shelf.presets[key].name),
            self.tr("Its prompt and photo are lost, unless you shared it as a file."),
            (
                Answer(self.tr("Keep it"), role="primary"),
                Answer(self.tr("Delete"), lambda: self.shelf.remove(key), role="danger"),
            ),
        )
        self.question.open()


def _presets_in(mime: QMimeData) -> list[str]:
    paths = (url.toLocalFile() for url in mime.urls() if url.isLocalFile())
    return [path for path in paths if Path(path).suffix.casefold() == f".{ENDING}"]


def _name_of(prompt: str) -> str:
    """The suggested name: the prompt up to its first comma."""
    return prompt_words.bare(prompt).split(",")[0][:_LONGEST_NAME].strip().capitalize()


def _file_name(name: str) -> str:
    """A file name that is valid on every system."""
    plain = re.sub(r"[^\w -]", "", name).strip() or "preset"
    return f"{plain}.{ENDING}"
