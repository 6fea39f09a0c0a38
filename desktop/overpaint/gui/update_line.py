"""Controller that tells of a newer release: a quiet line once, an entry of the menu, what is new in it.

Nothing is downloaded or installed: the last step opens the release's page. Must not know how it was found.
"""

from __future__ import annotations

from PySide6.QtCore import QLocale, QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from overpaint import __version__
from overpaint.gui.dialogs.question import Answer
from overpaint.gui.panels.app_menu import AppMenu
from overpaint.gui.widgets.floating.notice import Notice
from overpaint.wire.preferences import Release, Updates


class UpdateLine(QObject):
    """Controller of the line about a newer release.

    Args:
        menu: The application menu, which has an entry for it.
        notice: The notice over the picture.
        told: The version that the user was told of in an earlier window.
        parent: The Qt parent.
    """

    told_of = Signal(str)
    """The user has been told of a version, and is not told again."""
    question_wanted = Signal(str, str, object, bool)
    """Title, text and answers of a dialog, and that it warns of nothing."""

    def __init__(self, menu: AppMenu, notice: Notice, told: str, parent: QObject) -> None:
        super().__init__(parent)
        self._menu, self._notice = menu, notice
        self._told = told
        self.updates = Updates()
        menu.update_wanted.connect(self.open)

    def show_updates(self, updates: Updates) -> None:
        """Shows what is known about newer releases."""
        self.updates = updates
        newer = updates.newer
        self._menu.show_update(newer.version if newer is not None else "")
        if newer is None or newer.version == self._told:
            return
        self._told = newer.version
        words = self.tr("Version {} is there. The menu says what is new, and where.").format(newer.version)
        self._notice.say(words, good=True)
        self.told_of.emit(newer.version)

    def open(self) -> None:
        """Opens the dialog on the newer release."""
        newer = self.updates.newer
        if newer is None:
            return
        answers = (
            Answer(self.tr("Not now")),
            Answer(self.tr("Open its page"), lambda: _open_page(newer), "primary"),
        )
        title = self.tr("Version {} is there").format(newer.version)
        self.question_wanted.emit(title, self._text(newer), answers, True)

    def _text(self, newer: Release) -> str:
        new = [f"• {each}" for each in newer.new_in(QLocale.languageToCode(QLocale().language()))]
        return "\n".join(
            (
                self.tr("You have version {}. Nothing is installed by itself.").format(__version__),
                *new,
                self.tr("It can be had from {}").format(newer.page),
            )
        )


def _open_page(release: Release) -> None:
    """Opens the release's page in the browser."""
    QDesktopServices.openUrl(QUrl(release.page))
