"""Settings of recorded sound: the microphone, what the computer plays, and a test of their levels.

Must not know how sound is captured.
"""

from __future__ import annotations

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.dialogs.settings.setting_rows import SettingRows
from overpaint.gui.widgets.buttons import ThemedButton
from overpaint.gui.widgets.meters.level_meter import LevelMeter
from overpaint.gui.words.system_pages import page_of
from overpaint.wire.live import LiveSnapshot
from overpaint.wire.sources import DEFAULT_MICROPHONE, NO_MICROPHONE, SoundLevel, SoundState


class SoundSettings(SettingRows):
    """Rows of the settings dialog for sound.

    Args:
        theme: The theme.

    Attributes:
        microphone: The choice of the microphone.
        meter: Its level.
        system: Whether recordings carry what the computer plays.
        system_meter: Its level.
        test: Opens both to show the levels.
    """

    test_wanted = Signal(bool)
    """The levels are to be shown, or not any more."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._page = ""
        self._listed: tuple[tuple[str, str], ...] = ()
        self.microphone = self.add_choice(
            "microphone",
            self.tr("Microphone"),
            self.tr(
                "Recordings carry it, in step with the picture. It is open only while one runs, "
                "or replay is on."
            ),
        )
        self.meter = LevelMeter(theme)
        self.test = ThemedButton(theme, "microphone", self.tr("Test"), "link")
        self.test.setCheckable(True)
        self.allow = ThemedButton(theme, text=self.tr("Open system settings"), role="link")
        self.allow.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(self._page)))
        self.level_row = self.add(self.tr("Level"), "", self.allow, self.test, self.meter)
        self.system = self.make_switch("system_sound")
        self.system_meter = LevelMeter(theme)
        self.system_row = self.add(self.tr("Computer sound"), "", self.system_meter, self.system)
        self.system.setAccessibleName(self.tr("Computer sound"))
        self.test.toggled.connect(self._test)

    def show_level(self, level: SoundLevel) -> None:
        """Shows the levels."""
        self.meter.show_peak(level.peak)
        self.system_meter.show_peak(level.system)

    def show_live(self, snapshot: LiveSnapshot, usable: bool) -> None:
        """Shows the sound of the live process."""
        sound, wanted = snapshot.sound, snapshot.preferences.microphone
        self._show_system(sound, snapshot.preferences.system_sound, usable)
        listed = self._choices(sound, wanted)
        if listed != self._listed:
            self._listed = listed
            self.microphone.clear()
            for name, title in listed:
                self.microphone.addItem(title, name)
        self.microphone.setCurrentIndex([name for name, _ in listed].index(wanted))
        self.microphone.setEnabled(usable)
        self.level_row.setVisible(wanted != NO_MICROPHONE or snapshot.preferences.system_sound)
        trouble = sound.trouble
        self.meter.setVisible(wanted != NO_MICROPHONE and trouble is None)  # the row is the sentence's then
        self._page = page_of(trouble)
        self.allow.setVisible(bool(self._page))
        if trouble is not None:
            words = f"{trouble.sentence} {trouble.mend}".strip()
        elif sound.muted:
            words = self.tr("Muted: recordings are silent.")
        elif not sound.heard:
            words = self.tr("Silent while private or held.")
        elif self.test.isChecked() and wanted != NO_MICROPHONE:
            words = self.tr("Speak: the bar should reach about two thirds.")
        else:
            words = ""
        self.test.setEnabled(usable)
        self.level_row.explain(words)

    def _show_system(self, sound: SoundState, on: bool, usable: bool) -> None:
        offered, trouble = sound.system.offered, sound.system.trouble
        self.system.setChecked(on and offered)
        self.system.setEnabled(usable and offered)
        self.system_meter.setVisible(on and offered)
        words = self.tr("Recordings carry what the computer plays, too: a game, music, the others in a call.")
        if trouble is not None:
            words = f"{trouble.sentence} {trouble.mend}".strip()
        self.system_row.explain(words)
        self.system.setAccessibleDescription(words)

    def _test(self, on: bool) -> None:
        if not on:
            self.meter.clear()
            self.system_meter.clear()
        self.test.show_label(self.tr("End test") if on else self.tr("Test"))
        self.test_wanted.emit(on)

    def _choices(self, sound: SoundState, wanted: str) -> tuple[tuple[str, str], ...]:
        """Stable names and titles; one that is not there now stays chosen."""
        known = {choice.microphone: choice.title for choice in sound.choices}
        missing = wanted not in (NO_MICROPHONE, DEFAULT_MICROPHONE, *known)
        return (
            (DEFAULT_MICROPHONE, self.tr("The system's microphone")),
            *known.items(),
            *(((wanted, self.tr("Not connected: {}").format(wanted)),) if missing else ()),
            (NO_MICROPHONE, self.tr("No microphone")),
        )
