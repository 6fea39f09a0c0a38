"""Settings of restyled files: folder, and format and size of pictures and of clips.

Must not know how a result is saved.
"""

from __future__ import annotations

from overpaint.gui.appearance.theme import Theme
from overpaint.gui.dialogs.settings.setting_rows import SettingRows
from overpaint.wire.live import Preferences

SIDES = (0, 3840, 1920, 1280)
"""The longest sides that are offered, pixels: that of the original, of UHD, Full HD and HD."""
CLIP_SIDES = (0, 1920, 1280)


class ResultSettings(SettingRows):
    """Rows of the settings dialog for restyled files.

    Args:
        theme: The theme.

    Attributes:
        folder: The folder.
        format: Format of pictures.
        side: Longest side of pictures.
        clip_format: Container of clips.
        clip_side: Longest side of clips.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.folder = self.add_folder(
            "results_folder",
            self.tr("Restyled files"),
            self.tr("Pictures and clips of the list. The originals stay as they are."),
            self.tr("Pictures › Overpaint"),
            self.tr("Choose a folder for restyled files"),
        )
        same = self.tr("Like the original")
        self.format = self.add_choice(
            "picture_format",
            self.tr("Format of restyled pictures"),
            self.tr("PNG keeps every pixel; JPEG and WebP are smaller."),
            (("keep", same), ("png", "PNG"), ("jpeg", "JPEG"), ("webp", "WebP")),
        )
        self.side = self.add_choice(
            "picture_side",
            self.tr("Size of restyled pictures"),
            self.tr("The longer side. Smaller pictures keep their size."),
            ((side, self.tr("At most {} pixels").format(side) if side else same) for side in SIDES),
        )
        self.clip_format = self.add_choice(
            "clip_format",
            self.tr("Format of restyled clips"),
            self.tr("MP4 plays nearly everywhere. MKV is for video editors."),
            (("keep", self.tr("As the service sends it")), ("mp4", "MP4"), ("mkv", "MKV")),
        )
        self.clip_side = self.add_choice(
            "clip_side",
            self.tr("Size of restyled clips"),
            self.tr("The longer side: 1920 is 1080p, 1280 is 720p. Smaller clips keep their size."),
            ((side, self.tr("At most {} pixels").format(side) if side else same) for side in CLIP_SIDES),
        )

    def show_preferences(self, preferences: Preferences, usable: bool) -> None:
        """Shows the settings of the live process."""
        self.folder.show_path(preferences.results_folder)
        self.format.setCurrentIndex(self.format.findData(preferences.picture_format))
        self.clip_format.setCurrentIndex(self.clip_format.findData(preferences.clip_format))
        for box, sides, wanted in (
            (self.side, SIDES, preferences.picture_side),
            (self.clip_side, CLIP_SIDES, preferences.clip_side),
        ):
            box.setCurrentIndex(sides.index(min(sides, key=lambda side: abs(side - wanted))))
        for control in (self.folder, self.format, self.side, self.clip_format, self.clip_side):
            control.setEnabled(usable)
