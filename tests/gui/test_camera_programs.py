"""Which programs see the camera, and how to make the others see it, is said in the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from helpers.camera_states import NO_DEVICE
from helpers.scripted_live import on_air, previewing
from overpaint.gui.dialogs import camera_programs_dialog
from overpaint.gui.dialogs.camera_programs_dialog import CameraProgramsDialog
from overpaint.media.virtual_camera.browser_cameras import CHROMIUM_SWITCH, FIREFOX_SWITCH, Browser
from overpaint.wire.camera import CameraListing
from overpaint.wire.live import Camera, Trouble

DEVICE = "/dev/video10"
FOUND = (Browser("Firefox", "firefox", False), Browser("Chrome", "chromium", True))
LOST = Trouble(
    kind="lost", sentence="The virtual camera Overpaint Camera is gone: pictures no longer reach it."
)


def camera(path: str = "", pipewire: bool = True, lacking: Trouble | None = None) -> Camera:
    listing = CameraListing(path=path, pipewire=pipewire, lacking=lacking)
    return Camera(state="slate", title="Overpaint Camera", listing=listing, read=False)


ONLY_PIPEWIRE = camera(lacking=NO_DEVICE)


def said(dialog: CameraProgramsDialog) -> dict[str, str]:
    """Each program and what is said of it."""
    names = [label.accessibleName() for label in dialog.findChildren(QLabel) if label.isVisible()]
    return dict(name.split(": ", 1) for name in names if ": " in name)


def opened(qtbot: QtBot, start_live, open_window, monkeypatch, camera: Camera):
    monkeypatch.setattr(camera_programs_dialog, "browsers", lambda: FOUND)
    live = start_live(previewing(camera=camera))
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable and window.side.camera.state.whole != "", timeout=5000)
    return live, window


def click(qtbot: QtBot, button: QAbstractButton) -> None:
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_card_says_that_some_programs_do_not_see_it_and_which(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    live, window = opened(qtbot, start_live, open_window, monkeypatch, ONLY_PIPEWIRE)
    card = window.side.camera
    card.fold.setChecked(True)
    assert card.lead.text().startswith("“Overpaint Camera” is in PipeWire")
    assert not card.places.isVisible(), "Zoom does not list it"
    click(qtbot, card.programs)
    dialog = window.everyday.going_live.programs
    assert dialog is not None
    rows = said(dialog)
    assert rows["Firefox"].startswith("Does not see it yet. In about:config, set this to true")
    assert rows["Chrome"] == "Sees it, in PipeWire."
    assert rows["Zoom, Discord, most others"] == "Need the driver v4l2loopback."
    assert "(PipeWire)" in rows["OBS"] and rows["Flatpak apps, GNOME's"] == "See it."
    [copy] = dialog.copies
    click(qtbot, copy)
    assert QGuiApplication.clipboard().text() == FIREFOX_SWITCH
    # With a device, too, Firefox sees it as it comes; the open dialog says so.
    live.say(previewing(camera=camera(DEVICE)))
    qtbot.waitUntil(lambda: said(dialog)["Firefox"] == "Sees it.", timeout=5000)
    assert not dialog.setup.isVisible()
    dialog.accept()
    assert window.everyday.going_live.programs is None


def test_a_browser_that_was_switched_over_is_told_back_where_pipewire_is_not_there(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    _, window = opened(qtbot, start_live, open_window, monkeypatch, camera(DEVICE, pipewire=False))
    window.everyday.going_live.open_programs()
    dialog = window.everyday.going_live.programs
    assert dialog is not None
    rows = said(dialog)
    assert rows["Firefox"] == "Sees it." and rows["Chrome"].endswith("choose Disabled:")
    assert [copy.text_to_copy for copy in dialog.copies] == [CHROMIUM_SWITCH]
    dialog.reject()


def test_the_driver_for_all_other_programs_is_one_click_away(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    live, window = opened(qtbot, start_live, open_window, monkeypatch, ONLY_PIPEWIRE)
    window.everyday.going_live.setup._way = lambda: ("pkexec",)
    window.everyday.going_live.open_programs()
    programs = window.everyday.going_live.programs
    assert programs is not None
    click(qtbot, programs.setup)
    dialog = window.everyday.going_live.dialog
    assert dialog is not None and dialog.title.text() == "A camera for every program"
    assert dialog.text.text() == NO_DEVICE.sentence and dialog.act.text() == "Set up the camera"
    live.say(previewing(camera=camera(DEVICE)))
    qtbot.waitUntil(lambda: dialog.title.text() == "The camera is there", timeout=5000)
    dialog.reject()


def test_a_device_that_is_lost_is_said_though_pipewire_goes_on(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    _, window = opened(qtbot, start_live, open_window, monkeypatch, camera(lacking=LOST))
    window.side.camera.fold.setChecked(True)
    assert window.side.camera.lead.text() == LOST.sentence


def test_on_air_nobody_is_sent_to_zoom_for_a_camera_that_it_does_not_list(
    qtbot, start_live, open_window, monkeypatch
) -> None:
    live, window = opened(qtbot, start_live, open_window, monkeypatch, ONLY_PIPEWIRE)
    live.say(on_air(camera=ONLY_PIPEWIRE.model_copy(update={"state": "live"})))
    card = window.everyday.call_card
    qtbot.waitUntil(card.isVisible, timeout=5000)
    assert not card.places.isVisible() and "See the card “Camera”" in card.title.text()
