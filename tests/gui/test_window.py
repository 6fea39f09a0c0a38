"""What the user sees and does: snapshots become words and figures, clicks become exact intents."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from helpers.scripted_live import FIGURES, SESSION, SLATE, SOURCES, elsewhere, on_air, previewing, stopped
from overpaint.gui.window import MainWindow
from overpaint.gui.window_memory import Remembered
from overpaint.gui.window_place import FRAME
from overpaint.gui.words.state_words import Wording
from overpaint.wire.live import (
    Camera,
    Quit,
    RefreshSources,
    SetHold,
    SetOnAir,
    SetRecording,
    SetReference,
    SetSource,
    SetStyle,
    StartSession,
    StopSession,
    Trouble,
    WatchPage,
)

# Without a screen Qt's own "offscreen" says so for every menu and dialog.
pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)

SOON = SESSION.model_copy(update={"expires_in_seconds": 44, "renews_in_seconds": 24})
NO_DEVICE = Trouble(
    kind="missing", sentence="There is no virtual camera.", mend="Set it up once: sudo modprobe v4l2loopback"
)


def chip(window: MainWindow) -> str:
    return window.top_bar.chip.word.text()


def ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)


def click(qtbot: QtBot, button: QAbstractButton) -> None:
    assert button.isVisible() and button.isEnabled()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(
    ("snapshot", "word"),
    [
        (stopped(), "Stopped"),
        (stopped(state="connecting"), "Starting…"),
        (previewing(), "Preview"),
        (on_air(), "Live"),
        (on_air(state="reconnecting"), "Reconnecting…"),
        (on_air(state="renewing"), "Renewing…"),
        (on_air(state="returning"), "Returning…"),
        (on_air(state="failing_over"), "Taking over…"),
        (on_air(state="held", hold=True), "Held"),
        (stopped(state="failed"), "Needs you"),
        (previewing(on_air=True, camera=Camera(state="missing", trouble=NO_DEVICE)), "No camera"),
        (
            previewing(
                on_air=True,
                camera=Camera(state="missing", trouble=NO_DEVICE),
                page=WatchPage(address="http://127.0.0.1:8790/token/", viewers=1),
            ),
            "Live",
        ),
    ],
)
def test_every_state_has_its_word_and_an_icon(qtbot, start_live, open_window, snapshot, word) -> None:
    start_live(snapshot)
    window = open_window()
    ready(qtbot, window)
    assert chip(window) == word
    assert not window.top_bar.chip._icon.pixmap().isNull()
    assert word in window.top_bar.chip.accessibleName()


def test_figures_balance_and_understanding_are_shown(qtbot, start_live, open_window) -> None:
    start_live(elsewhere(on_air()))
    window = open_window()
    ready(qtbot, window)
    side = window.side
    assert side.balance.credits.text().replace(",", "") == "1840"
    assert (side.balance.key_name.whole, side.balance.key.whole) == ("desktop · live", "ovp_live_…4f2a")
    assert (side.balance.session.whole, side.balance.left.whole) == ("25 · next in 6 min", "lasts 36 h")
    assert side.figures.rate.whole == "30.0 · 29.9 fps"
    assert side.figures.delay.whole == "38 ms · p95 52"
    assert (side.figures.dropped.whole, side.figures.link.whole) == ("3", "shared memory")
    assert "Ink comic" in window.prompt.chips.accessibleName()
    assert window.prompt.field.text() == "ink comic"
    assert window.looks.looks.active_row == 0
    assert "Overpaint Camera" in side.camera.lead.text()


def test_the_buttons_send_exactly_what_they_say(qtbot, start_live, open_window) -> None:
    live = start_live(stopped())
    window = open_window()
    ready(qtbot, window)
    bar = window.top_bar
    click(qtbot, bar.session)
    assert live.next_intent() == StartSession()
    live.say(previewing())
    qtbot.waitUntil(lambda: chip(window) == "Preview")
    click(qtbot, bar.air)
    assert live.next_intent() == SetOnAir(on=True)
    live.say(on_air())
    qtbot.waitUntil(lambda: chip(window) == "Live")
    click(qtbot, bar.hold)
    assert live.next_intent() == SetHold(on=True)
    click(qtbot, bar.record)
    assert live.next_intent() == SetRecording(on=True)
    live.say(on_air(hold=True, recording="/tmp/a.mp4"))
    qtbot.waitUntil(lambda: chip(window) == "Held")
    click(qtbot, bar.hold)
    assert live.next_intent() == SetHold(on=False)
    click(qtbot, bar.record)
    assert live.next_intent() == SetRecording(on=False)
    click(qtbot, bar.air)
    assert live.next_intent() == SetOnAir(on=False)
    click(qtbot, bar.session)
    assert live.next_intent() == StopSession()


def test_going_live_from_a_stop_starts_the_session_first(qtbot, start_live, open_window) -> None:
    live = start_live(stopped())
    window = open_window()
    ready(qtbot, window)
    qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert live.next_intent() == StartSession()
    assert live.next_intent() == SetOnAir(on=True)


def test_the_stage_offers_to_start_and_shows_who_sees_the_picture(qtbot, start_live, open_window) -> None:
    live = start_live(stopped())
    window = open_window()
    ready(qtbot, window)
    click(qtbot, window.stage.message.buttons[0])
    assert live.next_intent() == StartSession()
    live.say(previewing())
    qtbot.waitUntil(lambda: not window.stage.message.isVisible())
    assert window.stage._pills[Qt.Corner.TopLeftCorner][0] == "Preview · not on air"
    assert window.stage._pills[Qt.Corner.TopRightCorner][0] == "30 fps · 38 ms · 1920×1080"
    live.say(on_air())
    qtbot.waitUntil(lambda: window.stage._pills[Qt.Corner.TopLeftCorner][2] == "air")
    assert window.stage._pills[Qt.Corner.TopLeftCorner][0] == "On air · Overpaint Camera"


def test_wanting_to_be_on_air_without_a_camera_is_never_called_on_air(qtbot, start_live, open_window) -> None:
    start_live(previewing(on_air=True, camera=Camera(state="missing", trouble=NO_DEVICE)))
    window = open_window()
    ready(qtbot, window)
    assert window.stage._pills[Qt.Corner.TopLeftCorner][0] == "No camera · not on air"


def test_a_prompt_is_applied_by_enter_by_ctrl_enter_and_by_its_button(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    field = window.prompt.field
    for number, send in enumerate(
        (
            lambda: qtbot.keyClick(field, Qt.Key.Key_Return),
            lambda: qtbot.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier),
            lambda: click(qtbot, window.prompt.apply_button),
        )
    ):
        field.clear()
        qtbot.keyClicks(field, f"warm {number}")
        assert window.prompt.apply_button.property("role") == "primary"
        send()
        assert live.next_intent() == SetStyle(prompt=f"warm {number}")
        assert window.prompt.apply_button.property("role") == "strong"


def test_snapshots_leave_alone_what_is_being_typed(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    window.prompt.field.setFocus()
    qtbot.waitUntil(window.prompt.field.hasFocus)
    qtbot.keyClick(window.prompt.field, Qt.Key.Key_End)
    qtbot.keyClicks(window.prompt.field, " in the rain")
    live.say(previewing(figures=FIGURES.model_copy(update={"dropped": 9}), prompt="oil"))
    qtbot.waitUntil(lambda: window.side.figures.dropped.whole == "9")
    assert window.prompt.field.text() == "ink comic in the rain"


def test_the_source_list_offers_all_sources_and_a_fresh_look(qtbot, start_live, open_window) -> None:
    live = start_live(stopped())
    window = open_window()
    ready(qtbot, window)
    source = window.top_bar.source
    click(qtbot, source)
    qtbot.waitUntil(source.menu_list.isVisible)
    actions = {action.text(): action for action in source.menu_list.actions()}
    source.menu_list.close()
    assert actions["Logitech C920"].isChecked()
    actions["Demo"].trigger()
    assert live.next_intent() == SetSource(source="demo")
    actions["Search again"].trigger()
    assert live.next_intent() == RefreshSources()
    source.use_file("/films/a clip.mp4")
    assert live.next_intent() == SetSource(source="/films/a clip.mp4")


def test_without_a_camera_the_stage_offers_demo_and_screen(qtbot, start_live, open_window) -> None:
    live = start_live(stopped(source="camera", sources=[item for item in SOURCES if item.kind != "camera"]))
    window = open_window()
    ready(qtbot, window)
    message = window.stage.message
    assert message.title.text() == "No camera found"
    assert [button.text() for button in message.buttons] == ["Search again", "Use the demo", "Use the screen"]
    click(qtbot, message.buttons[1])
    assert live.next_intent() == SetSource(source="demo")
    assert live.next_intent() == StartSession()


def test_a_failure_shows_its_sentence_and_what_to_do(qtbot, start_live, open_window) -> None:
    trouble = Trouble(kind="busy", sentence="The camera is in use.", mend="Close the other program.")
    live = start_live(stopped(state="failed", trouble=trouble))
    window = open_window()
    ready(qtbot, window)
    message = window.stage.message
    assert (message.title.text(), message.mend.words.text()) == (trouble.sentence, trouble.mend)
    assert not message.mend.command.isVisible()
    click(qtbot, message.buttons[0])
    assert live.next_intent() == StartSession()


def test_a_trouble_in_a_running_session_is_a_notice_that_can_be_put_away(
    qtbot, start_live, open_window
) -> None:
    trouble = Trouble(kind="bad_reference", sentence="The photo could not be read.")
    live = start_live(previewing(trouble=trouble))
    window = open_window()
    ready(qtbot, window)
    assert window.notice.text.text() == trouble.sentence
    click(qtbot, window.notice.dismiss)
    live.say(previewing(trouble=trouble, figures=FIGURES.model_copy(update={"dropped": 8})))
    qtbot.waitUntil(lambda: window.side.figures.dropped.whole == "8")
    assert not window.notice.isVisible()


def test_a_missing_camera_is_said_in_its_card_and_looked_for_again(qtbot, start_live, open_window) -> None:
    live = start_live(stopped(camera=Camera(state="missing", trouble=NO_DEVICE)))
    window = open_window()
    ready(qtbot, window)
    card = window.side.camera
    assert card.lead.text() == NO_DEVICE.sentence
    click(qtbot, card.again)
    assert live.next_intent() == RefreshSources()
    live.say(stopped(camera=SLATE))
    qtbot.waitUntil(lambda: not card.again.isVisible() and not card.setup.isVisible())


def test_no_picture_coming_in_is_said_after_a_moment(qtbot, start_live, open_window, monkeypatch) -> None:
    monkeypatch.setattr("overpaint.gui.connection.models.NO_SIGNAL_MS", 50)
    start_live(previewing(figures=FIGURES.model_copy(update={"fps_in": 0.0, "fps_out": 0.0})))
    window = open_window()
    ready(qtbot, window)
    qtbot.waitUntil(lambda: window.stage.message.title.text() == "No picture from Logitech C920")


# ---- the picture


def test_the_picture_is_painted_at_its_exact_aspect_and_colours(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window(remembered=None)
    ready(qtbot, window)
    qtbot.waitUntil(lambda: live._port is not None and bool(live.sizes))
    width, height = live.sizes[-1]
    assert abs(width / height - 16 / 9) < 0.02 and width % 2 == height % 2 == 0
    picture = np.zeros((height, width, 4), np.uint8)
    picture[:, : width // 2] = (200, 40, 10, 0)
    picture[:, width // 2 :] = (10, 40, 200, 0)
    assert live.show(picture)
    qtbot.waitUntil(lambda: window.stage.painted == 1)
    window.stage.mirror.setChecked(False)
    seen, rect = window.stage.grab().toImage(), window.stage.picture_rect()
    left = seen.pixelColor(rect.left() + 40, rect.center().y())
    right = seen.pixelColor(rect.right() - 40, rect.center().y())
    assert (left.red(), left.green(), left.blue()) == (10, 40, 200)
    assert (right.red(), right.green(), right.blue()) == (200, 40, 10)
    window.stage.mirror.setChecked(True)
    assert window.stage.grab().toImage().pixelColor(rect.left() + 40, rect.center().y()) == right


def test_only_a_camera_is_mirrored(qtbot, start_live, open_window) -> None:
    start_live(previewing(source="screen:0"))
    window = open_window()
    ready(qtbot, window)
    assert window.stage._mirrored is False
    assert not window.stage.mirror.isVisible()


def test_a_stop_takes_the_picture_away(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    qtbot.waitUntil(lambda: live._port is not None and bool(live.sizes))
    live.show(np.full((180, 320, 4), 90, np.uint8))
    qtbot.waitUntil(lambda: window.stage.has_picture)
    live.say(stopped())
    qtbot.waitUntil(lambda: not window.stage.has_picture)


def test_a_window_remembered_from_a_larger_screen_fits_this_one(start_live, open_window) -> None:
    start_live(previewing())
    window = open_window(remembered=Remembered(width=5120, height=2880))
    room = window.screen().availableSize()
    assert (window.size()) == room - FRAME, "with the frame around it"


def test_the_preview_follows_the_windows_size_and_rests_while_hidden(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    qtbot.waitUntil(lambda: bool(live.sizes))
    window.resize(960, 600)
    rect = window.stage.picture_rect
    qtbot.waitUntil(lambda: live.sizes[-1] == (rect().width() // 2 * 2, rect().height() // 2 * 2))
    window.hide()
    qtbot.waitUntil(lambda: live.sizes[-1] == (0, 0))
    window.show()
    qtbot.waitUntil(lambda: live.sizes[-1] != (0, 0))


# ---- the photo


def photo_file(folder: Path) -> Path:
    path = folder / "look.png"
    image = QImage(2400, 1200, QImage.Format.Format_RGB32)
    image.fill(0xFF8844)
    assert image.save(str(path))
    return path


def sent_photo(intent: object) -> QImage:
    import base64

    assert isinstance(intent, SetReference) and intent.image_data is not None
    return QImage.fromData(base64.b64decode(intent.image_data))


def test_a_dropped_photo_is_encoded_anew_and_sent_and_can_be_removed(
    qtbot, start_live, open_window, tmp_path
) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(photo_file(tmp_path)))])
    assert window.prompt.photos.reader.read_mime(mime)
    qtbot.waitUntil(lambda: not live.intents.empty())
    image = sent_photo(live.next_intent())
    assert (image.width(), image.height()) == (1536, 768)
    live.say(previewing(has_reference=True))
    qtbot.waitUntil(window.prompt.photos.chip.remove.isVisible)
    click(qtbot, window.prompt.photos.chip.remove)
    assert live.next_intent() == SetReference(image_data=None)


def test_a_picture_pasted_into_the_prompt_becomes_the_photo(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    image = QImage(64, 48, QImage.Format.Format_RGB32)
    image.fill(0x3366AA)
    QGuiApplication.clipboard().setImage(image)
    qtbot.keyClick(window.prompt.field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not live.intents.empty())
    assert sent_photo(live.next_intent()).size() == image.size()
    QGuiApplication.clipboard().clear()


def test_what_is_no_picture_is_refused_with_a_sentence(qtbot, start_live, open_window, tmp_path) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    text = tmp_path / "notes.png"
    text.write_text("no picture")
    window.prompt.photos.reader.read_file(str(text))
    qtbot.waitUntil(window.notice.isVisible)
    assert "notes.png is not a picture" in window.notice.text.text()
    assert live.intents.empty()


# ---- leaving


def test_closing_while_nobody_watches_ends_the_live_process(qtbot, start_live, open_window) -> None:
    live = start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    with qtbot.waitSignal(window.left):
        window.close()
    assert not window.isVisible()
    assert live.next_intent() == Quit()


@pytest.mark.parametrize("keep", [True, False])
def test_closing_on_air_asks_whether_the_camera_goes_on(qtbot, start_live, open_window, keep) -> None:
    live = start_live(on_air())
    window = open_window()
    ready(qtbot, window)
    window.close()
    assert window.isVisible() and window.question is not None
    label = "Keep the camera running" if keep else "Stop and close"
    button = next(button for button in window.question.buttons() if button.text() == label)
    with qtbot.waitSignal(window.left):
        click(qtbot, button)
    assert not window.isVisible()
    if keep:
        assert live.intents.empty()
    else:
        assert live.next_intent() == Quit()


@pytest.mark.expect_log("hangs")
def test_a_live_process_that_does_not_read_cannot_keep_the_window_open(
    qtbot, start_live, open_window
) -> None:
    start_live(on_air(), reads=False)
    window = open_window()
    ready(qtbot, window)
    for _ in range(200):
        window.prompt.use_prompt("x" * 2000)
    began = time.monotonic()
    with qtbot.waitSignal(window.left, timeout=3000):
        window.leave(end_live=True)
    assert not window.isVisible()
    assert time.monotonic() - began < 3


# ---- keyboard and ear


def test_the_bar_keeps_its_names_where_only_icons_fit(qtbot, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window()
    ready(qtbot, window)
    window.resize(960, 600)
    qtbot.waitUntil(lambda: window.top_bar.record.text() == "")
    assert window.top_bar.record.accessibleName() == "Record"
    QApplication.processEvents()  # lays out what has become shorter
    bar = window.top_bar
    shown = [bar.source, bar.chip, bar.record, bar.sound, bar.hold, bar.session, bar.air]
    edges = [(item.geometry().left(), item.geometry().right()) for item in shown]
    assert all(before[1] < after[0] for before, after in itertools.pairwise(edges))
    assert edges[-1][1] < bar.width()


def test_an_empty_balance_says_so(qtbot, start_live, open_window) -> None:
    start_live(elsewhere(stopped(), credits=12))
    window = open_window()
    ready(qtbot, window)
    assert window.side.balance.left.whole == "nothing left"


@pytest.mark.parametrize(
    ("snapshot", "said"),
    [
        (on_air(), ""),
        (
            on_air(failed_over_from="https://studio.example"),
            "studio.example does not answer: this computer restyles until it does.",
        ),
        (on_air(session=SOON), ""),
        (elsewhere(on_air(session=SOON)), "In a moment the next session begins: 25 credits."),
        (
            elsewhere(on_air(session=SOON), credits=12),
            "Not enough credits for the next session: the picture stops in under a minute.",
        ),
    ],
)
def test_what_is_no_trouble_yet_is_said_in_a_line(qtbot, start_live, open_window, snapshot, said) -> None:
    start_live(snapshot)
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable and window.notice.text.text() == said, timeout=5000)


def test_a_camera_lost_on_air_is_said_and_its_mend_offered(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(camera=Camera(state="off", trouble=NO_DEVICE)))
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    card = window.side.camera
    if card.fold.isChecked():
        card.fold.click()  # closed by hand
    assert window.top_bar.air.text() == "Go live"
    live.say(previewing(on_air=True, camera=Camera(state="off", trouble=NO_DEVICE)))
    qtbot.waitUntil(lambda: window.top_bar.air.text() == "Cancel live")
    badge = Wording(window).badge(window.model)
    assert badge is not None and badge.word == "No camera · not on air"
    assert card.fold.isChecked() and card.setup.isVisible()
    qtbot.mouseClick(window.top_bar.air, Qt.MouseButton.LeftButton)
    assert live.next_intent() == SetOnAir(on=False)
