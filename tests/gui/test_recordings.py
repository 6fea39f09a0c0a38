"""Recordings and snapshots are listed, opened, dragged out, and put into the trash."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from helpers.scripted_live import on_air
from helpers.small_media import clip
from overpaint import folders
from overpaint.gui.dialogs.recordings_dialog import RecordingsDialog
from overpaint.gui.files import saved_files as saved_files_module
from overpaint.gui.files.saved_files import saved_files
from overpaint.wire.live import Preferences

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


@pytest.fixture
def usual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The usual folders: a recording and a snapshot, and what others put beside them."""
    videos, pictures = tmp_path / "Videos", tmp_path / "Pictures"
    monkeypatch.setattr(folders, "recordings_dir", lambda: videos)
    monkeypatch.setattr(folders, "stills_dir", lambda: pictures)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    videos.mkdir()
    pictures.mkdir()
    recording = videos / "Overpaint 2026-11-22 20-15-00.mp4"
    recording.write_bytes(clip())
    still = pictures / "Overpaint 2026-11-23 09-00-00 (1).png"
    assert cv2.imwrite(str(still), np.full((90, 160, 3), (0, 0, 250), np.uint8))
    os.utime(recording, (1_000_000, 1_000_000))
    (videos / "holiday.mp4").write_bytes(b"somebody else's")
    (videos / "Overpaint 2026-11-23 10-00-00.mp4").touch()
    return videos, pictures


@pytest.fixture
def dialog(qtbot: QtBot, start_live, open_window, usual) -> RecordingsDialog:
    start_live(on_air())
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    window.everyday.menu.recordings.trigger()
    dialog = window.everyday.recordings
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.files.rowCount() > 0)
    return dialog


def test_the_newest_is_first_and_other_files_are_left_out(usual: tuple[Path, Path]) -> None:
    found = saved_files([*usual, usual[0] / "gone"])
    assert [each.path.name for each in found] == [
        "Overpaint 2026-11-23 09-00-00 (1).png",
        "Overpaint 2026-11-22 20-15-00.mp4",
    ]
    assert [each.is_snapshot for each in found] == [True, False]
    assert not saved_files(usual[:1], running=str(found[1].path)), "what is being written is not offered"


def test_the_list_shows_kind_time_and_size_with_a_picture(qtbot: QtBot, dialog: RecordingsDialog) -> None:
    first, second = (dialog.files.index(row).data() for row in range(2))
    assert first.startswith("Snapshot\n") and second.startswith("Recording\n")
    assert "1970" in second or "/70" in second
    qtbot.waitUntil(lambda: _colour(dialog) == (250, 0, 0), timeout=20_000)
    assert dialog.view.currentIndex().row() == 0, "the newest is chosen"


def _colour(dialog: RecordingsDialog) -> tuple[int, int, int]:
    picture = dialog.files.index(0).data(Qt.ItemDataRole.DecorationRole).toImage()
    colour = picture.pixelColor(picture.width() // 2, picture.height() // 2)
    return colour.red(), colour.green(), colour.blue()


def test_one_is_opened_and_shown_in_its_folder(
    qtbot: QtBot, dialog: RecordingsDialog, usual, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) is None)
    dialog.view.setCurrentIndex(dialog.files.index(1))
    qtbot.keyClick(dialog.view, Qt.Key.Key_Return)
    dialog.reveal.click()
    qtbot.waitUntil(lambda: len(opened) == 2)
    assert opened == [str(usual[0] / "Overpaint 2026-11-22 20-15-00.mp4"), str(usual[0])]


def test_one_is_dragged_into_another_program(dialog: RecordingsDialog, usual) -> None:
    mime = dialog.files.mimeData([dialog.files.index(0)])
    assert [url.toLocalFile() for url in mime.urls()] == [
        str(usual[1] / "Overpaint 2026-11-23 09-00-00 (1).png")
    ]


def test_one_that_is_deleted_lies_in_the_trash(qtbot: QtBot, dialog: RecordingsDialog, usual) -> None:
    dialog.view.setFocus()
    qtbot.keyClick(dialog.view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: dialog.files.rowCount() == 1)
    assert not list(usual[1].iterdir())
    assert dialog.view.currentIndex().isValid()
    dialog.delete.click()
    qtbot.waitUntil(lambda: dialog.files.rowCount() == 0)
    assert "Nothing was recorded yet" in dialog.said.text() and not dialog.play.isEnabled()


def test_one_that_cannot_be_deleted_stays(
    qtbot: QtBot, dialog: RecordingsDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A drive without a trash."""
    monkeypatch.setattr(saved_files_module, "QFile", lambda _: SimpleNamespace(moveToTrash=lambda: False))
    dialog.delete.click()
    qtbot.waitUntil(lambda: "cannot be put into the trash" in dialog.said.text())
    assert dialog.files.rowCount() == 2


def test_a_folder_of_the_user_s_choice_is_listed_too(
    qtbot: QtBot, start_live, open_window, usual, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "Overpaint 2026-11-23 11-00-00.mp4").write_bytes(clip())
    start_live(on_air(preferences=Preferences(recording_folder=str(own))))
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    window.everyday.menu.recordings.trigger()
    dialog = window.everyday.recordings
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.files.rowCount() == 3)
    dialog.shut.click()
    assert window.everyday.recordings is None
