"""Settings dialog: each setting is explained, and takes effect at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from overpaint.gui.appearance.theme import Theme, mark
from overpaint.gui.dialogs.settings.hotkey_settings import HotkeySettings
from overpaint.gui.dialogs.settings.recording_settings import RecordingSettings
from overpaint.gui.dialogs.settings.result_settings import ResultSettings
from overpaint.gui.dialogs.settings.sound_settings import SoundSettings
from overpaint.gui.files.photo_intake import ENDINGS
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.choice import Choice
from overpaint.gui.widgets.copy_button import CopyButton
from overpaint.gui.widgets.labels import text_label
from overpaint.gui.widgets.path_choice import PathChoice
from overpaint.gui.widgets.setting import Setting
from overpaint.gui.widgets.switch import Switch
from overpaint.gui.window_settings import Appearance, Habits, Language
from overpaint.gui.words.language import own_name
from overpaint.gui.words.plain_text import plain_tip
from overpaint.wire.live import LiveSnapshot, Preferences, WatchPage
from overpaint.wire.preferences import Updates

WIDTH, HEIGHT = 640, 560
SLATE_AFTER_SECONDS = (5, 30, 120, 600)


class SettingsDialog(QDialog):
    """Settings dialog, for the window (``Habits``) and the live process (``Preferences``).

    Args:
        theme: The theme.
        parent: The window.
        habits: The current settings of the window.
        has_tray: Whether this desktop has a tray.
        looks: Titles of the looks and presets, by name.
    """

    habits_changed = Signal(Habits)
    preferences_changed = Signal(Preferences)
    """What the user changes in them, no more."""
    mirror_changed = Signal(bool)
    autostart_changed = Signal(bool)

    def __init__(
        self, theme: Theme, parent: QWidget, habits: Habits, has_tray: bool, looks: Mapping[str, str]
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Settings"))
        mark(self, role="dialog")
        self._theme = theme
        self._habits = habits
        self._looks = looks
        self._column = QVBoxLayout()
        self._column.setContentsMargins(24, 6, 24, 24)
        self._column.setSpacing(14)
        self._add_general(has_tray)
        self._add_picture()
        self._add_streaming()
        self._add_sound()
        self._add_folders()
        self._add_keys()
        self._add_machine()
        self._column.addStretch(1)
        self._lay_out(parent.height())
        self._show_habits()

    def _lay_out(self, room: int) -> None:
        inside = QWidget()
        mark(inside, role="page")
        inside.setLayout(self._column)
        self.area = area = QScrollArea()
        mark(area, role="page")
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.done_button = ThemedButton(self._theme, text=self.tr("Done"), role="primary")
        self.done_button.setDefault(True)
        self.done_button.clicked.connect(self.accept)
        head = QHBoxLayout()
        head.setContentsMargins(24, 18, 24, 10)
        head.addWidget(text_label("title", self.tr("Settings")), 1)
        head.addWidget(self.done_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(area, 1)
        self.setFixedSize(WIDTH, min(max(HEIGHT, room - 160), room - 30))

    # ---- the settings

    def _add_general(self, has_tray: bool) -> None:
        self._head(self.tr("Window"))
        self.language = self._choices(
            {code: own_name(code) for code in get_args(Language)} | {"system": self.tr("Like the system")},
            get_args(Language),
        )
        self._row(
            self.tr("Language"),
            self.tr("The window reopens in this language; the camera goes on meanwhile."),
            self.language,
        )
        self.appearance = self._choices(
            {
                "system": self.tr("Like the system"),
                "light": self.tr("Light"),
                "dark": self.tr("Dark"),
                "contrast": self.tr("High contrast"),
            },
            get_args(Appearance),
        )
        self._row(self.tr("Appearance"), "", self.appearance)
        self.autostart = Switch(self._theme)
        self.autostart.setEnabled(False)
        self.autostart_row = self._row(
            self.tr("Start with the system"),
            self.tr("Overpaint opens when you sign in. It goes on air only when you say so."),
            self.autostart,
        )
        self.preview = Switch(self._theme)
        self._row(
            self.tr("Start with the preview"),
            self.tr("You see yourself restyled as soon as the window opens. Only you, until you go live."),
            self.preview,
        )
        self.minimised = Switch(self._theme)
        self._row(
            self.tr("Start in the background"),
            self.tr("In the tray.") if has_tray else self.tr("Minimised: this desktop shows no tray."),
            self.minimised,
        )
        self.tray = Switch(self._theme)
        self.tray.setEnabled(has_tray)
        self._row(
            self.tr("Closing keeps Overpaint in the tray"),
            self.tr("The camera goes on; a click on the tray's icon brings the window back.")
            if has_tray
            else self.tr("This desktop shows no tray."),
            self.tray,
        )

    def _add_picture(self) -> None:
        self._head(self.tr("Picture"))
        self.mirror = Switch(self._theme)
        self._row(
            self.tr("Mirror the preview"),
            self.tr("Only for you, and only with a camera; others see you the right way round."),
            self.mirror,
        )
        self.slate = PathChoice(
            self._theme,
            self.tr("Overpaint's own"),
            self.tr("Choose a pause picture"),
            self.tr("Pictures ({})").format(" ".join(f"*.{end}" for end in ENDINGS)),
        )
        self._row(
            self.tr("Pause picture"),
            self.tr("What others see while you are stopped, private or not on air."),
            self.slate,
        )
        self.slate_after = Choice(self._theme)
        for seconds in SLATE_AFTER_SECONDS:
            name = self.tr("After {} s") if seconds < 60 else self.tr("After {} min")
            self.slate_after.addItem(name.format(seconds if seconds < 60 else seconds // 60), seconds)
        self.slate_after.setMinimumWidth(170)
        self._row(
            self.tr("If no new picture comes"),
            self.tr("Others see the last restyled picture until then, and the pause picture from then on."),
            self.slate_after,
        )

    def _add_streaming(self) -> None:
        self._head(self.tr("Streaming"))
        self.page = Switch(self._theme)
        self.page_row = self._row(self.tr("Page for OBS"), "", self.page)
        self.copy_address = CopyButton(self._theme, self.tr("Copy address"))
        self.address_row = self._row(
            self.tr("Its address"),
            self.tr(
                "In OBS, choose Sources › + › Browser, paste the address as URL, and enter 1920 as width and "
                "1080 as height. It is a file of yours, which “Local file” finds too, and stays the same."
            ),
            self.copy_address,
        )
        self.page.clicked.connect(lambda on: self._prefer(page_on=on))
        self._show_page(WatchPage())

    def _add_sound(self) -> None:
        self._head(self.tr("Sound"))
        self.sound = SoundSettings(self._theme)
        self._column.addWidget(self.sound)

    def _add_folders(self) -> None:
        self._head(self.tr("Files"))
        self.recordings = RecordingSettings(self._theme)
        self._column.addWidget(self.recordings)
        self.stills = PathChoice(
            self._theme, self.tr("Pictures › Overpaint"), self.tr("Choose a folder for snapshots")
        )
        self._row(self.tr("Snapshots"), self.tr("Single pictures as PNG (Ctrl+S)."), self.stills)
        self.results = ResultSettings(self._theme)
        for rows in (self.sound, self.recordings, self.results):
            rows.chosen.connect(lambda name, value: self._prefer(**{name: value}))
        self._column.addWidget(self.results)

    def _add_keys(self) -> None:
        self._head(self.tr("Global shortcuts"))
        self.hotkeys = HotkeySettings(self._theme, self._looks)
        self._column.addWidget(self.hotkeys)

    def _add_machine(self) -> None:
        self._head(self.tr("This computer"))
        self.low = Switch(self._theme)
        self._row(
            self.tr("Low priority"),
            self.tr(
                "Overpaint yields to games and other demanding programs: fewer pictures a second instead "
                "of a slow machine. When turned off, some systems restore its priority only at the next "
                "start."
            ),
            self.low,
        )
        self.rest = Switch(self._theme)
        self.rest_row = self._row(self.tr("Pause when no program reads the camera"), "", self.rest)
        self.rest_previewed = Switch(self._theme)
        self.rest_previewed_row = self._row(
            self.tr("Also while I look at the preview"),
            self.tr("Only programs and recordings count: the preview pauses, too."),
            self.rest_previewed,
        )
        self.updates = Switch(self._theme)
        self.updates_row = self._row(self.tr("Tell me of new versions"), "", self.updates)
        self.updates.clicked.connect(lambda on: self._prefer(check_updates=on))
        self.show_updates(Updates())
        self.rest.clicked.connect(lambda on: self._prefer(rest_unread=on))
        self.rest_previewed.clicked.connect(lambda on: self._prefer(rest_previewed=on))
        self.language.activated.connect(lambda: self._set(language=self.language.currentData()))
        self.appearance.activated.connect(lambda: self._set(appearance=self.appearance.currentData()))
        self.preview.clicked.connect(lambda on: self._set(preview_at_start=on))
        self.minimised.clicked.connect(lambda on: self._set(start_minimised=on))
        self.tray.clicked.connect(lambda on: self._set(keep_in_tray=on))
        self.hotkeys.turned.connect(lambda on: self._set(hotkeys_on=on))
        self.hotkeys.changed.connect(lambda keys: self._set(hotkeys=keys))
        self.autostart.clicked.connect(self.autostart_changed)
        self.mirror.clicked.connect(self.mirror_changed)
        self.slate.chosen.connect(lambda path: self._prefer(slate_picture=path))
        self.slate_after.activated.connect(
            lambda: self._prefer(slate_after_seconds=self.slate_after.currentData())
        )
        self.stills.chosen.connect(lambda path: self._prefer(still_folder=path))
        self.low.clicked.connect(lambda on: self._prefer(low_priority=on))

    # ---- what is shown

    def show_live(self, snapshot: LiveSnapshot, usable: bool) -> None:
        """Shows the settings of the live process."""
        preferences = snapshot.preferences
        for control in (self.slate, self.slate_after, self.stills, self.low, self.page):
            control.setEnabled(usable)
        self.slate.show_path(preferences.slate_picture)
        nearest = min(SLATE_AFTER_SECONDS, key=lambda each: abs(each - preferences.slate_after_seconds))
        self.slate_after.setCurrentIndex(SLATE_AFTER_SECONDS.index(nearest))
        self.recordings.show_preferences(preferences, usable)
        self.results.show_preferences(preferences, usable)
        self.stills.show_path(preferences.still_folder)
        self.low.setChecked(preferences.low_priority)
        self.updates.setEnabled(usable and self._can_ask)
        self.updates.setChecked(preferences.check_updates and self._can_ask)
        self.page.setChecked(preferences.page_on)
        self.sound.show_live(snapshot, usable)
        self._show_rest(preferences, usable, snapshot.camera.read is not None, snapshot.is_free)
        self._show_page(snapshot.page)

    def _show_page(self, page: WatchPage) -> None:
        """Shows the address of the page for OBS, its viewers, or why there is no page."""
        words = self.tr(
            "OBS shows exactly what the camera shows, also without a virtual camera. Only programs that may "
            "read your files can watch, on this computer only."
        )
        if page.viewers:
            many = self.tr("{} programs on this computer show it now.").format(page.viewers)
            words = many if page.viewers > 1 else self.tr("One program on this computer shows it now.")
        if page.trouble is not None:
            words = f"{page.trouble.sentence} {page.trouble.mend}".strip()
        if self.page_row.text.text() != words:
            self.page_row.explain(words)
        self.copy_address.text_to_copy = page.address
        self.copy_address.setToolTip(plain_tip(page.address))
        self.address_row.setVisible(bool(page.address))

    def _show_rest(self, preferences: Preferences, usable: bool, tells_readers: bool, free: bool) -> None:
        self.rest.setVisible(tells_readers)
        self.rest_previewed_row.setVisible(tells_readers)
        self.rest.setEnabled(usable)
        self.rest.setChecked(preferences.rest_unread)
        self.rest_previewed.setEnabled(usable and preferences.rest_unread)
        self.rest_previewed.setChecked(preferences.rest_previewed and preferences.rest_unread)
        words = self.tr(
            "Nothing is restyled until a program opens the camera; it shows the last picture meanwhile, and "
            "goes on at once. A recording, the page for OBS while it is shown, and this preview while you "
            "see it count as watching."
        )
        if not free:
            words = " ".join((words, self.tr("Meanwhile no session is bought.")))
        self.rest_row.explain(
            words
            if tells_readers
            else self.tr("This system does not tell whether a program reads the camera.")
        )

    def show_updates(self, updates: Updates) -> None:
        """Shows who would be asked for the newest version; without anybody the switch is off."""
        self._can_ask = bool(updates.host)
        self.updates_row.explain(
            self.tr(
                "Once a day Overpaint asks {} which version is the newest, and sends nothing else. Nothing "
                "is downloaded or installed."
            ).format(updates.host)
            if self._can_ask
            else self.tr("Not possible yet: no address that could be asked has been published.")
        )

    def show_mirror(self, on: bool) -> None:
        """Shows whether the preview is mirrored."""
        self.mirror.setChecked(on)

    def show_autostart(self, on: bool) -> None:
        """Shows whether Overpaint starts with the system, and enables the switch."""
        self.autostart.setEnabled(True)
        self.autostart.setChecked(on)

    def explain_autostart(self, sentence: str) -> None:
        """Shows why the autostart setting cannot be changed."""
        self.autostart_row.explain(sentence)

    def _show_habits(self) -> None:
        habits = self._habits
        self.language.setCurrentIndex(self.language.findData(habits.language))
        self.appearance.setCurrentIndex(self.appearance.findData(habits.appearance))
        self.preview.setChecked(habits.preview_at_start)
        self.minimised.setChecked(habits.start_minimised)
        self.tray.setChecked(habits.keep_in_tray and self.tray.isEnabled())
        self.hotkeys.show_habits(habits)

    # ---- changes by the user

    def _set(self, **changes: object) -> None:
        self._habits = self._habits.model_copy(update=changes)
        self._show_habits()
        self.habits_changed.emit(self._habits)

    def _prefer(self, **changes: object) -> None:
        self.preferences_changed.emit(Preferences.model_validate(changes))

    # ---- layout

    def _head(self, title: str) -> None:
        label = text_label("heading", title)
        label.setContentsMargins(0, 10, 0, 0)
        self._column.addWidget(label)

    def _row(self, title: str, text: str, control: QWidget) -> Setting:
        row = Setting(title, text, control)
        self._column.addWidget(row)
        return row

    def _choices(self, names: dict[str, str], order: tuple[str, ...]) -> Choice:
        box = Choice(self._theme)
        for value in order:
            box.addItem(names[value], value)
        box.setMinimumWidth(170)
        return box
