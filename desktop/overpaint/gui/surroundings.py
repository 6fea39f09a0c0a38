"""The window's surroundings: application menu, system tray icon, global hotkeys, dialogs, notices.

Connects them to the model and the bridge here, so that ``window`` only composes panels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.connection.first_picture import FirstPicture
from overpaint.gui.connection.models import SessionModel
from overpaint.gui.connection.recovery import SessionRecovery
from overpaint.gui.desktop.autostart_setting import SigningIn
from overpaint.gui.desktop.diagnostics import Diagnostics
from overpaint.gui.desktop.global_hotkeys import KeysEverywhere
from overpaint.gui.desktop.tray import Tray
from overpaint.gui.dialogs.about_dialog import AboutDialog
from overpaint.gui.dialogs.question import Answer, Question
from overpaint.gui.dialogs.settings_dialog import SettingsDialog
from overpaint.gui.panels.app_menu import AppMenu
from overpaint.gui.panels.stage_panel import StagePanel
from overpaint.gui.panels.top_bar import TopBar
from overpaint.gui.widgets.call_card import CallCard
from overpaint.gui.widgets.notice import Notice
from overpaint.gui.window_settings import Habits
from overpaint.gui.words.state_words import Wording
from overpaint.wire.live import NextLook, Preferences, SetOriginal, SetPreferences


@dataclass(frozen=True, slots=True)
class WindowParts:
    """Parts of the window that the menu, the tray icon and the hotkeys act on.

    Attributes:
        model: The newest snapshot of the live process.
        top_bar: The commands for air, session, hold and privacy.
        stage: The picture.
        notice: The notice line.
        open: Shows the window, and brings it to the front.
        quit: Ends the application.
    """

    model: SessionModel
    top_bar: TopBar
    stage: StagePanel
    notice: Notice
    open: Callable[[], None]
    quit: Callable[[], None]


class Everyday(QObject):
    """Controller of everything around the panels; created after them.

    Args:
        window: The window, parent of the dialogs.
        parts: The parts of the window.
        theme: The theme.
        habits: The settings of the window.
        data_dir: The data folder.
    """

    intended = Signal(object)
    habits_changed = Signal()
    """The settings have changed and must be saved now."""
    reopen_wanted = Signal()
    """The language has changed: a new window must be created."""

    def __init__(
        self, window: QWidget, parts: WindowParts, theme: Theme, habits: Habits, data_dir: Path
    ) -> None:
        super().__init__(window)
        self._window, self._parts = window, parts
        self._theme = theme
        self._data_dir = data_dir
        self.habits = habits
        self.settings: SettingsDialog | None = None
        self.about: AboutDialog | None = None
        self._saved: tuple[str | None, str | None] = None, None
        self._met = False
        self._words = Wording(self)
        self._said = self._keys_said = ""
        self.question: Question | None = None
        self.call_card = CallCard(theme)
        self.call_card.understood.connect(self._know_places)
        self.recovery = SessionRecovery(self)
        self.first_picture = FirstPicture(self)
        self.menu = AppMenu(theme, window)
        self.tray = Tray(theme, QGuiApplication.windowIcon(), self)
        self.keys = KeysEverywhere(self)
        self.signing_in = SigningIn(self)
        self.diagnostics = Diagnostics(data_dir, self)
        for part in (self.recovery, self.first_picture, self.menu):
            part.intended.connect(self.intended)
        parts.top_bar.more.clicked.connect(self.open_menu)
        self.menu.original_wanted.connect(self.ask_for_original)
        self.menu.settings_wanted.connect(self.open_settings)
        self.menu.about_wanted.connect(self.open_about)
        self.menu.quit_wanted.connect(parts.quit)
        self.tray.wanted.connect(self.act)
        self.keys.pressed.connect(self.act)
        self.keys.refused.connect(self._explain_keys)
        # The menu's shortcuts also work while the menu is closed.
        window.addActions([action for action in self.menu.actions() if not action.isSeparator()])

    def start(self) -> None:
        """Shows the tray icon and registers the global hotkeys; tests create windows without either."""
        self.tray.show()
        self.keys.follow(self.habits)

    def close(self) -> None:
        """Releases the hotkeys and the tray icon, and ends the threads."""
        self.keys.close()
        self.tray.close()
        self.diagnostics.close()
        self.signing_in.wait()

    def act(self, name: str) -> None:
        """Runs the action that a hotkey or the tray menu names."""
        bar = self._parts.top_bar
        acts: dict[str, Callable[[], object]] = {
            "air": bar.toggle_air,
            "session": bar.toggle_session,
            "hold": bar.toggle_hold,
            "privacy": bar.toggle_privacy,
            "next_look": self._next_look,
            "still": self.menu.take_still,
            "open": self._parts.open,
            "settings": self.open_settings,
            "quit": self._parts.quit,
        }
        acts[name]()

    def open_menu(self) -> None:
        """Opens the application menu."""
        self.menu.open_below(self._parts.top_bar.more)

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest state."""
        self.recovery.show_model(model)
        self.first_picture.show_model(model)
        self.menu.show_model(model)
        self.tray.show_model(model)
        if self.settings is not None and model.snapshot is not None:
            self.settings.show_live(model.snapshot, model.usable)
        snapshot = model.snapshot
        if snapshot is None:
            return
        # What was saved while an earlier window was open is not announced again.
        saved = snapshot.still, snapshot.recorded
        new = [path for path, former in zip(saved, self._saved, strict=True) if path != former and self._met]
        self._met, self._saved = True, saved
        self._notice(model, next(filter(None, new), None))
        self._show_places(model)

    def _notice(self, model: SessionModel, saved: str | None) -> None:
        """Shows one notice: an error first, then a saved file, then a recovery, then other news."""
        snapshot, notice = model.snapshot, self._parts.notice
        # An error that ended the session is shown on the stage; any other in the notice line below it.
        trouble = snapshot.trouble if snapshot and snapshot.state != "failed" and model.usable else None
        words, good = f"{trouble.sentence} {trouble.mend}".strip() if trouble else "", False
        if not words and model.usable:
            words = self.recovery.sentence
        if not words and model.usable and snapshot:
            words, good = self._words.news(snapshot)
        if saved is not None and trouble is None:
            path = Path(saved)
            self._said = words
            sentence = self.tr("Saved: {} in {}").format(path.name, path.parent)
            notice.say(sentence, good=True, folder=str(path.parent))
        elif words != self._said:
            self._said = words
            notice.say(words, good)

    def _show_places(self, model: SessionModel) -> None:
        # The hint waits until the notice line is empty, so that the user reads one thing at a time.
        free = not self._parts.notice.isVisible()
        wanted = model.usable and model.on_air and not self.habits.knows_places and free
        if wanted and model.snapshot is not None and self.call_card.isHidden():
            self.call_card.show_camera(model.snapshot.camera.title)
        elif not wanted:
            self.call_card.hide()

    def _know_places(self) -> None:
        self._take_habits(self.habits.model_copy(update={"knows_places": True}))
        self.call_card.hide()

    # ---- settings and About dialog

    def open_settings(self) -> None:
        """Opens the settings, or brings them to the front."""
        self._parts.open()
        if self.settings is not None:
            self.settings.raise_()
            return
        self.settings = dialog = SettingsDialog(self._theme, self._window, self.habits, self.tray.there)
        model = self._parts.model
        if model.snapshot is not None:
            dialog.show_live(model.snapshot, model.usable)
        if self._keys_said:
            dialog.explain_hotkeys(self._keys_said)
        dialog.show_mirror(self._parts.stage.mirror.isChecked())
        dialog.habits_changed.connect(self._take_habits)
        dialog.preferences_changed.connect(self._prefer)
        dialog.mirror_changed.connect(self._parts.stage.mirror.setChecked)
        dialog.autostart_changed.connect(self.signing_in.set_on)
        self.signing_in.known.connect(dialog.show_autostart)
        self.signing_in.refused.connect(dialog.explain_autostart)
        self.signing_in.ask()
        dialog.finished.connect(self._forget_settings)
        dialog.open()

    def open_about(self) -> None:
        """Opens the About dialog, or brings it to the front."""
        if self.about is not None:
            self.about.raise_()
            return
        self.about = dialog = AboutDialog(self._theme, self._window, str(self._data_dir))
        dialog.diagnostics_wanted.connect(self.diagnostics.collect)
        self.diagnostics.collected.connect(dialog.show_diagnostics)
        dialog.finished.connect(self._forget_about)
        dialog.open()

    def _take_habits(self, habits: Habits) -> None:
        former, self.habits = self.habits, habits
        if habits.appearance != former.appearance:
            self._theme.show_appearance(habits.appearance)
        self.keys.follow(habits)
        self.habits_changed.emit()
        if habits.language != former.language:
            self.reopen_wanted.emit()

    def _prefer(self, preferences: Preferences) -> None:
        self.intended.emit(SetPreferences(preferences=preferences))

    def _explain_keys(self, sentence: str) -> None:
        self._keys_said = sentence
        if self.settings is not None and sentence:
            self.settings.explain_hotkeys(sentence)
        elif sentence:
            self._parts.notice.say(sentence)

    def _next_look(self) -> None:
        if self._parts.model.usable:
            self.intended.emit(NextLook())

    def _forget_settings(self) -> None:
        self.settings = None

    def _forget_about(self) -> None:
        self.about = None

    # ---- questions

    def ask_for_original(self) -> None:
        """Asks the user to confirm that others will see the unstyled picture."""
        self.ask(
            self.tr("Show the original?"),
            self.tr(
                "The camera will show you and your room as they are, not restyled, until you switch back "
                "or stop. A red mark on the picture says so all the while."
            ),
            Answer(self.tr("Stay restyled"), role="primary"),
            Answer(self.tr("Show the original"), self._show_original, "danger"),
        )

    def ask(self, title: str, text: str, *answers: Answer) -> None:
        """Opens a question dialog; an open one is brought to the front instead."""
        if self.question is not None:
            self.question.raise_()
            return
        self.question = Question(self._theme, self._window, title, text, answers)
        self.question.finished.connect(self._forget_question)
        self.question.open()

    def _forget_question(self) -> None:
        self.question = None

    def _show_original(self) -> None:
        self.intended.emit(SetOriginal(on=True))
