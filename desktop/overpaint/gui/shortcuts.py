"""Keyboard shortcuts of the window: bound here with their words, and listed by the help from what is bound.

The application menu binds its own (``panels.app_menu``); keys of one control are in that control, and
listed in ``help.control_keys``.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from overpaint.gui.panels.looks_panel import LooksPanel
from overpaint.gui.panels.prompt_line import PromptLine
from overpaint.gui.panels.top_bar import TopBar
from overpaint.gui.panels.transforms_panel import TransformsPanel
from overpaint.gui.preset_desk import PresetDesk

_Keys = str | QKeySequence.StandardKey


class Shortcuts(QObject):
    """Binder of the window's shortcuts.

    Args:
        window: The window in which they work.
        bar: The commands of the top bar.
        prompt: The prompt line.
        looks: The looks.
        presets: The presets.
        files: The files to restyle.
        search_sources: Lists the sources again.

    Attributes:
        groups: The shortcuts by the heading under which help lists them; each says in its "What's this" text
            what it does.
    """

    def __init__(
        self,
        window: QWidget,
        bar: TopBar,
        prompt: PromptLine,
        looks: LooksPanel,
        presets: PresetDesk,
        files: TransformsPanel,
        search_sources: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self.groups: dict[str, list[QShortcut]] = {}
        on_air, look, rest = self.tr("On air"), self.tr("Prompt and looks"), self.tr("Files and window")
        self._bind(on_air, "Ctrl+L", self.tr("Go live, or end it"), bar.toggle_air)
        self._bind(on_air, "F9", self.tr("Privacy on or off"), bar.toggle_privacy)
        self._bind(on_air, "Ctrl+H", self.tr("Hold the picture, or go on"), bar.toggle_hold)
        self._bind(on_air, "Ctrl+R", self.tr("Record, or stop recording"), bar.toggle_recording)
        self._bind(on_air, "Ctrl+M", self.tr("Mute recorded sound, or unmute it"), bar.toggle_sound)
        self._bind(look, "Ctrl+K", self.tr("Write a prompt"), prompt.focus_text)
        self._bind(look, "Ctrl+Return", self.tr("Apply the prompt"), prompt.apply, "Ctrl+Enter")
        self._bind(look, "Ctrl+G", self.tr("All looks"), looks.toggle_gallery)
        self._bind(look, "Ctrl+D", self.tr("Make a look a favourite, or not"), looks.toggle_favourite)
        self._bind(look, "Ctrl+B", self.tr("Keep prompt and photo as a preset"), presets.ask_name)
        self._bind(rest, "Ctrl+O", self.tr("Open a picture or clip as the source"), bar.source.open_file)
        self._bind(rest, "Ctrl+Shift+O", self.tr("Add files to restyle"), files.open_files)
        self._bind(rest, QKeySequence.StandardKey.Paste, self.tr("Paste files to restyle"), files.paste)
        self._bind(
            rest, QKeySequence.StandardKey.Refresh, self.tr("Search for sources again"), search_sources
        )
        self._bind(rest, "F8", self.tr("Show the side panel, or fold it away"), bar.panel.click)

    def _bind(
        self, group: str, keys: _Keys, words: str, act: Callable[[], object], further: str = ""
    ) -> None:
        """Binds a shortcut; ``further`` is the same on another key of the keyboard, and not listed."""
        shortcut = QShortcut(QKeySequence(keys), self._window)
        if further:
            shortcut.setKeys([QKeySequence(keys), QKeySequence(further)])
        shortcut.setWhatsThis(words)
        shortcut.activated.connect(act)
        self.groups.setdefault(group, []).append(shortcut)
