"""Settings of recordings: folder, kind of file, quality, size, frame rate; replay.

Must not know how a recording is written.
"""

from __future__ import annotations

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.dialogs.settings.setting_rows import SettingRows
from overpaint.gui.words.numbers import number
from overpaint.media.sinks.recording_format import RATE_CONTROLS
from overpaint.wire.live import Preferences
from overpaint.wire.preferences import RecordingQuality


class RecordingSettings(SettingRows):
    """Rows of the settings dialog for recordings.

    Args:
        theme: The theme.

    Attributes:
        folder: The folder.
        kind: The kind of file.
        quality: The quality, by name.
        rows: Rows of the picture.
        fps: Most frames a second.
        replay: Whether the last seconds are kept.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.folder = self.add_folder(
            "recording_folder",
            self.tr("Recordings"),
            self.tr("The restyled picture as a video (Ctrl+R)."),
            self.tr("Videos › Overpaint"),
            self.tr("Choose a folder for recordings"),
        )
        self.kind = self.add_choice(
            "recording_container",
            self.tr("Kind of file"),
            self.tr("MP4 plays everywhere. After a crash both can be played, but for the last second or so."),
            (("mp4", "MP4"), ("mkv", "MKV")),
        )
        self.quality = self.add_choice(
            "recording_quality",
            self.tr("Quality"),
            self.tr("A calm picture takes less. A small file loses the finest lines of busy pictures."),
            (
                ("standard", self._sized(self.tr("Standard"), "standard")),
                ("high", self._sized(self.tr("High"), "high")),
                ("small", self._sized(self.tr("Small file"), "small")),
            ),
        )
        self.rows = self.add_choice(
            "recording_height", self.tr("Size"), "", ((1080, "1920×1080"), (720, "1280×720"))
        )
        self.fps = self.add_choice(
            "recording_fps",
            self.tr("Frames a second"),
            self.tr("A camera has the rate of its format, a screen 30 or 60 as you choose, a video its own."),
            ((0, self.tr("As they come")), (30, self.tr("At most 30"))),
        )
        self.replay = self.make_switch("replay")
        self.add(
            self.tr("Replay"),
            self.tr(
                "Keeps the last 30 seconds in memory, with the sound that recordings carry, while a picture "
                "is shown: Ctrl+Shift+S saves what just happened. It takes as much processor time as a "
                "recording."
            ),
            self.replay,
        )

    def show_preferences(self, preferences: Preferences, usable: bool) -> None:
        """Shows the settings of the live process."""
        self.folder.show_path(preferences.recording_folder)
        self.folder.setEnabled(usable)
        for box, value in (
            (self.kind, preferences.recording_container),
            (self.quality, preferences.recording_quality),
            (self.rows, preferences.recording_height),
            (self.fps, preferences.recording_fps),
        ):
            box.setCurrentIndex(box.findData(value))
            box.setEnabled(usable)
        self.replay.setChecked(preferences.replay)
        self.replay.setEnabled(usable)

    def _sized(self, name: str, quality: RecordingQuality) -> str:
        """Returns a quality's name with the most that a minute takes."""
        megabytes = RATE_CONTROLS[quality].ceiling * 60 // 8_000_000
        return self.tr("{} · up to {} MB/min").format(name, number(megabytes))
