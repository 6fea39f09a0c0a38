"""The window's surroundings: application menu, system tray icon, global hotkeys, dialogs, notices.

Connects them to the model and the bridge here, so that ``window`` only composes panels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from overpaint import folders
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
from overpaint.gui.dialogs.recordings_dialog import RecordingsDialog
from overpaint.gui.dialogs.settings.hotkey_settings import action_titles
from overpaint.gui.dialogs.settings.settings_dialog import SettingsDialog
from overpaint.gui.going_live import GoingLive
from overpaint.gui.panels.app_menu import AppMenu
from overpaint.gui.panels.looks_panel import LooksPanel
from overpaint.gui.panels.stage_panel import StagePanel
from overpaint.gui.panels.top_bar import TopBar
from overpaint.gui.update_line import UpdateLine
from overpaint.gui.widgets.floating.call_card import CallCard
from overpaint.gui.widgets.floating.notice import Notice
from overpaint.gui.window_settings import LOOK_ACTION, Habits
from overpaint.gui.words.state_words import Wording
from overpaint.gui.words.system_pages import page_of
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.wire.live import NextLook, Preferences, SetOriginal, SetPreferences
from overpaint.wire.preferences import Updates
from overpaint.wire.sources import SoundLevel, SoundState, WantSoundLevel


@dataclass(frozen=True, slots=True)
class WindowParts:
    """Parts of the window that the menu, the tray icon and the hotkeys act on.

    Attributes:
        model: The newest snapshot of the live process.
        top_bar: The commands for air, session, hold and privacy.
        stage: The picture.
        looks: The looks.
        decoder: The sandboxed decoder of pictures.
        notice: The notice over the picture.
        open: Shows the window, and brings it to the front.
        quit: Ends the application.
    """

    model: SessionModel
    top_bar: TopBar
    stage: StagePanel
    looks: LooksPanel
    decoder: PictureDecoder
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
        self.data_dir = data_dir
        self.habits = habits
        self.settings: SettingsDialog | None = None
        self.about: AboutDialog | None = None
        self.recordings: RecordingsDialog | None = None
        self._saved: tuple[str | None, ...] = None, None, None
        self._met = False
        self._words = Wording(self)
        self._keys_said = ""
        self._assigned: dict[str, str] = {}
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
        self.going_live = GoingLive(window, theme, parts.model)
        self.update_line = UpdateLine(self.menu, parts.notice, habits.knows_version, self)
        self.update_line.told_of.connect(lambda version: self._know(knows_version=version))
        self.update_line.question_wanted.connect(self._show_question)
        for part in (self.recovery, self.first_picture, self.menu, self.going_live):
            part.intended.connect(self.intended)
        parts.top_bar.more.clicked.connect(self.open_menu)
        self.menu.original_wanted.connect(self.ask_for_original)
        self.menu.replay_begun.connect(self._tell_of_replay)
        self.menu.recordings_wanted.connect(self.open_recordings)
        self.menu.settings_wanted.connect(self.open_settings)
        self.menu.about_wanted.connect(self.open_about)
        self.menu.quit_wanted.connect(parts.quit)
        parts.top_bar.camera_wanted.connect(self.open_camera_setup)
        self.tray.wanted.connect(self.act)
        self.keys.pressed.connect(self.act)
        self.keys.refused.connect(self._explain_keys)
        self.keys.assigned.connect(self._show_assigned)
        # The menu's shortcuts also work while the menu is closed.
        window.addActions([action for action in self.menu.actions() if not action.isSeparator()])

    def start(self) -> None:
        """Shows the tray icon and registers the global hotkeys; tests create windows without either."""
        self.tray.show()
        self._follow_keys()

    def close(self) -> None:
        """Releases the hotkeys and the tray icon, and ends the threads."""
        self.keys.close()
        self.tray.close()
        self.diagnostics.close()
        self.going_live.close()
        self.signing_in.wait()

    def act(self, name: str) -> None:
        """Runs the action that a hotkey or the tray menu names."""
        bar = self._parts.top_bar
        acts: dict[str, Callable[[], object]] = {
            "air": bar.toggle_air,
            "session": bar.toggle_session,
            "hold": bar.toggle_hold,
            "privacy": bar.toggle_privacy,
            "record": bar.toggle_recording,
            "mute": bar.toggle_sound,
            "next_look": self._next_look,
            "still": self.menu.take_still,
            "replay": self.menu.save_replay,
            "open": self._parts.open,
            "settings": self.open_settings,
            "quit": self._parts.quit,
        }
        if name.startswith(LOOK_ACTION):
            self._parts.looks.use(name.removeprefix(LOOK_ACTION))
        else:
            acts[name]()

    def open_camera_setup(self) -> None:
        """Opens the dialog on the missing camera, also from the tray and by a hotkey."""
        self._parts.open()
        self.going_live.open()

    def open_menu(self) -> None:
        """Opens the application menu."""
        self.menu.open_below(self._parts.top_bar.more)

    def show_level(self, level: SoundLevel) -> None:
        """Shows the levels of recorded sound."""
        self._parts.top_bar.sound.show_peak(max(level.peak, level.system))
        if self.settings is not None:
            self.settings.sound.show_level(level)

    def show_updates(self, updates: Updates) -> None:
        """Shows what is known about newer releases."""
        self.update_line.show_updates(updates)
        if self.settings is not None:
            self.settings.show_updates(updates)

    def show_model(self, model: SessionModel) -> None:
        """Shows the newest state."""
        self.recovery.show_model(model)
        self.first_picture.show_model(model)
        self.menu.show_model(model)
        self.tray.show_model(model)
        self.going_live.show_model(model)
        if self.settings is not None and model.snapshot is not None:
            self.settings.show_live(model.snapshot, model.usable)
        snapshot = model.snapshot
        if snapshot is None:
            return
        # What was saved while an earlier window was open is not announced again.
        saved = snapshot.still, snapshot.recorded, snapshot.replayed
        new = [path for path, former in zip(saved, self._saved, strict=True) if path != former and self._met]
        told = next(filter(None, new), None)
        if told is None or snapshot.trouble is None:  # behind an error it waits
            self._met, self._saved = True, saved
        self._notice(model, told)
        self._show_places(model)

    def _notice(self, model: SessionModel, saved: str | None) -> None:
        """Shows an error, else a recovery, else other news; and what was saved."""
        snapshot, notice = model.snapshot, self._parts.notice
        # An error that ended the session is shown on the stage; any other in a notice over it.
        trouble = snapshot.trouble if snapshot and snapshot.state != "failed" and model.usable else None
        words, good = f"{trouble.sentence} {trouble.mend}".strip() if trouble else "", False
        if not words and model.usable:
            words = self.recovery.sentence
        if not words and model.usable and snapshot:
            words, good = self._words.news(snapshot)
        notice.follow(words, good, page_of(trouble))
        if saved is not None and trouble is None:
            path = Path(saved)
            sentence = self.tr("Saved: {} in {}").format(path.name, path.parent)
            notice.say(sentence, good=True, folder=str(path.parent))
        elif not words and snapshot and snapshot.recording and not self.habits.knows_sound:
            self._tell_of_sound(snapshot.sound)

    def _tell_of_sound(self, sound: SoundState) -> None:
        """Says once, at the first recording with sound, that there is sound in it."""
        if sound.open and sound.heard:
            words = self.tr("Your microphone “{}” is recorded, too. Ctrl+M mutes it.").format(sound.title)
            self._parts.notice.say(words, good=True)
            self._know(knows_sound=True)

    def _tell_of_replay(self) -> None:
        words = self.tr(
            "From now on the last 30 seconds are kept in memory, with the sound that recordings carry, such "
            "as your microphone. Ctrl+Shift+S saves them; in the settings, under Files, you turn it off."
        )
        self._parts.notice.say(words, good=True)

    def _show_places(self, model: SessionModel) -> None:
        # The hint waits until no notice is shown, so that the user reads one thing at a time.
        free = not self._parts.notice.isVisible()
        wanted = model.usable and model.on_air and not self.habits.knows_places and free
        if wanted and model.snapshot is not None and self.call_card.isHidden():
            camera = model.snapshot.camera
            everywhere = camera.listing is None or not camera.listing.is_only_in_pipewire
            self.call_card.show_camera(camera.title, everywhere)
        elif not wanted:
            self.call_card.hide()

    def know_tour(self) -> None:
        """Notes that the tour was shown."""
        self._know(toured=True)

    def _know_places(self) -> None:
        self._know(knows_places=True)
        self.call_card.hide()

    def _know(self, **changes: object) -> None:
        """Notes what the user knows by now."""
        self._take_habits(self.habits.model_copy(update=changes))

    # ---- settings and About dialog

    def open_result_settings(self) -> None:
        """Opens the settings where they say how restyled files are saved."""
        self.open_settings()
        if self.settings is not None:
            self.settings.area.ensureWidgetVisible(self.settings.results)

    def open_settings(self) -> None:
        """Opens the settings, or brings them to the front."""
        self._parts.open()
        if self.settings is not None:
            self.settings.raise_()
            return
        self.settings = dialog = SettingsDialog(
            self._theme, self._window, self.habits, self.tray.there, self._parts.looks.looks.titles
        )
        dialog.show_updates(self.update_line.updates)
        model = self._parts.model
        if model.snapshot is not None:
            dialog.show_live(model.snapshot, model.usable)
        if self._keys_said:
            dialog.hotkeys.explain(self._keys_said)
        dialog.hotkeys.show_assigned(self._assigned)
        dialog.show_mirror(self._parts.stage.mirror.isChecked())
        dialog.habits_changed.connect(self._take_habits)
        dialog.preferences_changed.connect(self._prefer)
        dialog.sound.test_wanted.connect(self._test_sound)
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
        self.about = dialog = AboutDialog(self._theme, self._window, str(self.data_dir))
        dialog.diagnostics_wanted.connect(self.diagnostics.collect)
        self.diagnostics.collected.connect(dialog.show_diagnostics)
        dialog.finished.connect(self._forget_about)
        dialog.open()

    def open_recordings(self) -> None:
        """Opens the list of recordings and snapshots, or brings it to the front."""
        if self.recordings is not None:
            self.recordings.raise_()
            return
        self.recordings = dialog = RecordingsDialog(self._theme, self._parts.decoder, self._window)
        snapshot = self._parts.model.snapshot
        chosen = snapshot.preferences if snapshot is not None else Preferences()
        places = (
            (chosen.recording_folder, folders.recordings_dir()),
            (chosen.still_folder, folders.stills_dir()),
        )
        # Those of the usual folders stay listed after another one was chosen.
        listed = [Path(own) for own, _ in places if own] + [usual for _, usual in places]
        dialog.read(listed, snapshot.recording or "" if snapshot is not None else "")
        dialog.finished.connect(self._forget_recordings)
        dialog.open()

    def _take_habits(self, habits: Habits) -> None:
        former, self.habits = self.habits, habits
        if habits.appearance != former.appearance:
            self._theme.show_appearance(habits.appearance)
        self._follow_keys()
        self.habits_changed.emit()
        if habits.language != former.language:
            self.reopen_wanted.emit()

    def _prefer(self, preferences: Preferences) -> None:
        self.intended.emit(SetPreferences(preferences=preferences))

    def _explain_keys(self, sentence: str) -> None:
        self._keys_said = sentence
        if self.settings is not None and sentence:
            self.settings.hotkeys.explain(sentence)
        elif sentence:
            self._parts.notice.say(sentence)

    def _follow_keys(self) -> None:
        self.keys.follow(self.habits, action_titles(self._parts.looks.looks.titles))

    def _show_assigned(self, keys: dict[str, str]) -> None:
        self._assigned = keys
        if self.settings is not None:
            self.settings.hotkeys.show_assigned(keys)

    def _next_look(self) -> None:
        if self._parts.model.usable:
            self.intended.emit(NextLook())

    def _forget_settings(self) -> None:
        if self.settings is not None and self.settings.sound.test.isChecked():
            self._test_sound(False)
        self.settings = None

    def _forget_recordings(self) -> None:
        self.recordings = None

    def _test_sound(self, on: bool) -> None:
        self.intended.emit(WantSoundLevel(on=on))

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
        self._show_question(title, text, answers)

    def _show_question(self, title: str, text: str, answers: Sequence[Answer], calm: bool = False) -> None:
        if self.question is not None:
            self.question.raise_()
            return
        self.question = Question(self._theme, self._window, title, text, answers, calm=calm)
        self.question.finished.connect(self._forget_question)
        self.question.open()

    def _forget_question(self) -> None:
        self.question = None

    def _show_original(self) -> None:
        self.intended.emit(SetOriginal(on=True))
