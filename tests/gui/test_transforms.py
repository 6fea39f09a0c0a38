"""Transforms in the window: what comes in waits with its price, what is under way is seen, results go out."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from helpers.scripted_live import ScriptedLive, elsewhere, previewing
from helpers.scripted_transforms import NO_ANSWER, batch, business, gallery, item, progress, told
from overpaint.gui.files.queue_model import TransformListModel
from overpaint.gui.panels.transforms_panel import TransformsPanel
from overpaint.gui.window import MainWindow
from overpaint.wire.live import Preferences, Quit, SetPreferences, SetReference, StartSession
from overpaint.wire.transforms import (
    AddTransforms,
    CancelTransforms,
    MoveTransform,
    RemoveTransforms,
    ResumeTransforms,
    RetryTransforms,
    Skipped,
    StartTransforms,
    Transforms,
)

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)


@pytest.fixture
def live(start_live) -> ScriptedLive:
    process: ScriptedLive = start_live(previewing())
    return process


@pytest.fixture
def window(live, open_window, qtbot: QtBot) -> MainWindow:
    opened: MainWindow = open_window()
    qtbot.waitUntil(lambda: opened.model.usable and opened.isActiveWindow(), timeout=5000)
    return opened


@pytest.fixture
def paid(live, window, qtbot: QtBot) -> None:
    """Another service is chosen, which is paid."""
    live.say(elsewhere(previewing()))
    qtbot.waitUntil(lambda: bool(window.model.snapshot.server))


def show(qtbot: QtBot, live: ScriptedLive, window: MainWindow, news: Transforms) -> TransformsPanel:
    live.say(news)
    qtbot.waitUntil(lambda: window.side.transforms.items.news == news)
    return window.side.transforms


def names(panel: TransformsPanel) -> list[str]:
    return [str(panel.items.index(row).data()) for row in range(panel.items.rowCount())]


def statuses(panel: TransformsPanel) -> list[str]:
    role = TransformListModel.StatusRole
    return [str(panel.items.index(row).data(role)) for row in range(panel.items.rowCount())]


def files(*paths: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def drag(target: QWidget, mime: QMimeData, at: QPointF) -> QDragEnterEvent:
    event = QDragEnterEvent(
        at.toPoint(),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(target, event)
    return event


def drop(target: QWidget, mime: QMimeData, at: QPointF) -> None:
    event = QDropEvent(
        at, Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(target, event)


# ---- coming in


def test_an_empty_panel_says_what_it_takes_and_what_that_costs(qtbot, window, live) -> None:
    panel = window.side.transforms
    assert panel.invitation.text() == "Drop pictures, clips or folders\nhere or paste them"
    live.say(elsewhere(previewing()))
    qtbot.waitUntil(lambda: "2 credits a picture, 20 a clip" in panel.invitation.text())
    assert panel.add.isVisible() and not panel.list.isVisible() and not panel.batch.isVisible()


def test_files_dropped_anywhere_are_to_be_restyled_and_the_prompt_line_takes_a_photo(
    qtbot, window, live, tmp_path
) -> None:
    picture = gallery() / "holiday-000.jpg"
    mime = files(picture, gallery() / "intro.mp4", tmp_path)
    assert drag(window, mime, QPointF(200, 200)).isAccepted()
    cover = window.drops.cover
    assert cover.isVisible() and cover.target == "transforms"
    drop(window, mime, QPointF(200, 200))
    assert live.next_intent() == AddTransforms(
        paths=[str(picture), str(gallery() / "intro.mp4"), str(tmp_path)]
    )
    assert not cover.isVisible()
    assert drag(window.prompt, files(picture), QPointF(30, 20)).isAccepted()
    assert cover.isVisible() and cover.target == "photo"
    drop(window.prompt, files(picture), QPointF(30, 20))
    qtbot.waitUntil(lambda: not live.intents.empty())
    assert isinstance(live.next_intent(), SetReference)
    QApplication.sendEvent(window, QEvent(QEvent.Type.DragLeave))
    qtbot.waitUntil(lambda: not cover.isVisible())


def test_a_clip_is_no_reference_photo_wherever_it_is_dropped(qtbot, window) -> None:
    mime = files(gallery() / "intro.mp4")
    assert drag(window.prompt, mime, QPointF(30, 20)).isAccepted()
    assert window.drops.cover.target == "transforms"
    QApplication.sendEvent(window, QEvent(QEvent.Type.DragLeave))
    qtbot.waitUntil(lambda: not window.drops.cover.isVisible())


def test_files_and_pictures_are_pasted(qtbot, window, live, tmp_path) -> None:
    window.stage.setFocus()
    clipboard = QGuiApplication.clipboard()
    clipboard.setMimeData(files(gallery() / "holiday-000.jpg"))
    qtbot.keyClick(window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert live.next_intent() == AddTransforms(paths=[str(gallery() / "holiday-000.jpg")])
    panel = show(qtbot, live, window, Transforms(items=[], folder=str(tmp_path)))
    image = QImage(64, 48, QImage.Format.Format_RGB32)
    image.fill(0x3366AA)
    clipboard.setImage(image)
    panel.paste()
    qtbot.waitUntil(lambda: not live.intents.empty())
    (path,) = live.next_intent().paths
    assert Path(path).parent == tmp_path / "Pasted" and QImage(path).size() == image.size()
    clipboard.setText("words")
    panel.paste()
    assert "no picture" in panel.notice.text.text()
    clipboard.clear()


def test_files_pasted_into_the_prompt_do_not_become_words(qtbot, window, live) -> None:
    clipboard = QGuiApplication.clipboard()
    mime = files(gallery() / "holiday-000.jpg", gallery() / "holiday-001.jpg")
    mime.setText("file:///somewhere")
    clipboard.setMimeData(mime)
    before = window.prompt.field.text()
    qtbot.keyClick(window.prompt.field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert len(live.next_intent().paths) == 2
    assert window.prompt.field.text() == before
    clipboard.clear()


# ---- the price before it is pressed


def test_the_price_is_on_the_button_and_the_look_is_the_present_one_unless_edited(
    qtbot, window, live, paid
) -> None:
    panel = show(qtbot, live, window, batch())
    card = panel.batch
    assert card.amount.text() == "11 pictures, 1 clip"
    assert card.order.text() == "Restyle 12 for 42 credits"
    assert card.look.text() == "ink comic"
    live.say(elsewhere(previewing(prompt="oil")))
    qtbot.waitUntil(lambda: card.look.text() == "oil")
    card.look.setFocus()
    card.look.selectAll()
    qtbot.keyClicks(card.look, "pencil sketch")
    live.say(previewing(prompt="watercolour"))
    qtbot.waitUntil(lambda: window.prompt.field.text() == "watercolour")
    qtbot.mouseClick(card.order, Qt.MouseButton.LeftButton)
    assert live.next_intent() == StartTransforms(prompt="pencil sketch")


def test_selected_files_get_a_look_of_their_own_and_the_photo_goes_along_unless_left_out(
    qtbot, window, live
) -> None:
    panel = show(qtbot, live, window, batch())
    live.say(previewing(prompt="", has_reference=True))
    card = panel.batch
    qtbot.waitUntil(lambda: card.photo.isVisible() and card.look.text() == "")
    for row in (0, 2):
        panel.list.selectionModel().select(panel.items.index(row), QItemSelectionModel.SelectionFlag.Select)
    chosen = [item.id for item in panel.list.chosen()]
    assert len(chosen) == 2 and card.amount.text().endswith(" of 12") and card.order.text() == "Restyle 2"
    qtbot.mouseClick(card.order, Qt.MouseButton.LeftButton)
    order = StartTransforms(prompt="Like your photo", ids=chosen, with_photo=True)
    assert live.next_intent() == order, "without words, a photo gives its style"
    panel.list.clearSelection()
    qtbot.mouseClick(card.photo, Qt.MouseButton.LeftButton)
    assert not card.order.isEnabled() and card.hint.text() == "Describe the look."
    qtbot.keyClicks(card.look, "oil")
    assert card.order.text() == "Restyle 12"
    qtbot.mouseClick(card.order, Qt.MouseButton.LeftButton)
    assert live.next_intent() == StartTransforms(prompt="oil")


def test_how_results_are_saved_is_set_where_the_list_leads_and_remembered(qtbot, window, live) -> None:
    panel = window.side.transforms
    qtbot.mouseClick(panel.more, Qt.MouseButton.LeftButton)
    menu = panel.findChild(QMenu)
    next(each for each in menu.actions() if each.text() == "How results are saved…").trigger()
    menu.close()
    rows = window.everyday.settings.results
    for box, value, said in (
        (rows.format, "webp", {"picture_format": "webp"}),
        (rows.side, 1920, {"picture_side": 1920}),
        (rows.clip_format, "mkv", {"clip_format": "mkv"}),
        (rows.clip_side, 1280, {"clip_side": 1280}),
    ):
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())
        intent = live.next_intent()
        assert intent == SetPreferences(preferences=Preferences(**said))
        live.say(previewing(preferences=intent.preferences))
        qtbot.waitUntil(lambda intent=intent: window.model.snapshot.preferences == intent.preferences)
    rows.folder.chosen.emit("/tmp/results")
    assert live.next_intent().preferences.results_folder == "/tmp/results"


def test_credits_that_do_not_last_are_told_before_anything_is_sent(qtbot, window, live) -> None:
    panel = show(qtbot, live, window, batch())
    live.say(elsewhere(previewing(), credits=12))
    qtbot.waitUntil(lambda: not panel.batch.order.isEnabled())
    assert panel.batch.hint.text() == "Not enough credits: 12 are left."
    assert panel.batch.credits.isVisible() and panel.batch.credits.text() == "Get credits"
    qtbot.keyClick(panel.batch.look, Qt.Key.Key_Return)
    assert live.intents.empty()


def test_without_words_for_a_look_nothing_can_be_ordered(qtbot, window, live) -> None:
    panel = show(qtbot, live, window, batch())
    panel.batch.look.clear()
    qtbot.keyClicks(panel.batch.look, " ")
    assert not panel.batch.order.isEnabled() and "Describe the look" in panel.batch.hint.text()


def test_a_batch_is_thrown_away_and_what_was_left_out_is_said(qtbot, window, live) -> None:
    panel = show(qtbot, live, window, batch())
    assert panel.notice.text.text() == "Left out: 3 files are neither pictures nor clips (notes.txt, …)."
    qtbot.mouseClick(panel.batch.discard, Qt.MouseButton.LeftButton)
    removed = live.next_intent()
    assert isinstance(removed, RemoveTransforms) and len(removed.ids) == 12
    show(qtbot, live, window, told(skipped=Skipped(beyond=7, limit=500)))
    assert panel.notice.text.text() == "Left out: 7 more did not fit: 500 at a time."
    qtbot.mouseClick(panel.notice.dismiss, Qt.MouseButton.LeftButton)
    assert live.next_intent() == ResumeTransforms()


# ---- the queue


def test_every_state_has_its_words_and_the_place_in_the_queue(qtbot, window, live, paid) -> None:
    news = business()
    panel = show(qtbot, live, window, news)
    live.say(progress(news.items))
    qtbot.waitUntil(lambda: bool(panel.items.running))
    assert statuses(panel) == [
        "62 % · 8 s left",
        "restyling…",
        "next in the queue",
        "2. in the queue",
        "done · ink comic",
        "done · a very old japanese woodblock print, warm evening",
        "cancelled · 2 charged",
        "failed · The picture is damaged · cost nothing",
        "done · pencil sketch",
    ]
    tip = panel.items.index(7).data(Qt.ItemDataRole.ToolTipRole)
    assert "The picture is damaged." in tip and "Choose another file." in tip


def test_news_keeps_what_is_selected_and_tells_views_only_of_changes(qtbot, window, live) -> None:
    items = [item(f"holiday-00{number}.jpg", "waiting", number) for number in range(4)]
    panel = show(qtbot, live, window, told(*items))
    panel.list.setCurrentIndex(panel.items.index(2))
    first = items[0].model_copy(update={"state": "done", "result": items[0].source, "finished_at": None})
    show(qtbot, live, window, told(*items[1:], first))
    assert names(panel) == [f"holiday-00{number}.jpg" for number in (1, 2, 3, 0)]
    assert [each.id for each in panel.list.chosen()] == [items[2].id]
    show(qtbot, live, window, told(items[3], first))
    assert names(panel) == ["holiday-003.jpg", "holiday-000.jpg"]


def test_hundreds_are_listed_and_searched(qtbot, window, live) -> None:
    items = [item(f"holiday-00{number % 4}.jpg", "waiting", number) for number in range(600)]
    done = item("intro.mp4", "done", 700, prompt="starry night")
    panel = show(qtbot, live, window, told(*items, done))
    assert panel.items.rowCount() == 601 and panel.search.isVisible()
    assert len(panel.list.findChildren(QWidget)) < 20
    panel.search.setText("starry intro")
    assert names(panel) == ["intro.mp4"]
    panel.search.setText("nowhere")
    assert panel.nothing.isVisible()
    panel.search.clear()
    assert panel.items.rowCount() == 601


def test_items_are_cancelled_retried_moved_and_removed_by_keyboard_and_by_their_button(
    qtbot, window, live, paid
) -> None:
    news = business()
    panel = show(qtbot, live, window, news)
    view = panel.list
    ids = [panel.items.item(row).id for row in range(9)]
    view.setFocus()
    view.setCurrentIndex(panel.items.index(3))
    qtbot.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert live.next_intent() == MoveTransform(id=ids[3], before=ids[2])
    view.setCurrentIndex(panel.items.index(2))
    qtbot.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert live.next_intent() == MoveTransform(id=ids[2], before=None)
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert live.next_intent() == CancelTransforms(ids=[ids[2]], begun_too=False)
    view.setCurrentIndex(panel.items.index(4))
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert live.next_intent() == RemoveTransforms(ids=[ids[4]])
    for row, intent in (
        (0, CancelTransforms(ids=[ids[0]], begun_too=False)),
        (7, RetryTransforms(ids=[ids[7]])),
    ):
        view.scrollTo(panel.items.index(row))
        button = view.rows.button_of(view.visualRect(panel.items.index(row))).center()
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=button)
        assert live.next_intent() == intent
    assert live.intents.empty()


def test_a_queue_that_stands_still_says_why_and_goes_on(qtbot, window, live) -> None:
    panel = show(qtbot, live, window, business().model_copy(update={"halted": NO_ANSWER}))
    assert panel.notice.text.text() == NO_ANSWER.sentence
    assert panel.notice.mend.words.text() == NO_ANSWER.mend
    qtbot.mouseClick(panel.notice.resume, Qt.MouseButton.LeftButton)
    assert live.next_intent() == ResumeTransforms()
    show(qtbot, live, window, business())
    assert not panel.notice.isVisible()


def test_cancelling_what_was_begun_says_what_it_costs_and_escape_keeps_it_working(
    qtbot, window, live, paid
) -> None:
    news = business()
    panel = show(qtbot, live, window, news)
    live.say(progress(news.items))
    qtbot.waitUntil(lambda: bool(panel.items.running))
    under_way = panel.items.having("working", "waiting")
    panel._do("cancel", under_way)
    question = panel.cancelling.question
    assert question.accessibleName() == "Cancel 3 pictures, 1 clip?"
    words = question.accessibleDescription()
    assert "The service has begun 1 picture, 1 clip: 22 credits are kept" in words
    assert "Nothing is charged for 2 pictures that it has not begun." in words
    keep, stop = question.buttons()
    assert keep.text() == "Keep working" and keep.isDefault() and stop.text() == "Cancel, 22 credits kept"
    qtbot.keyClick(question, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: panel.cancelling.question is None)
    panel._do("cancel", under_way)
    qtbot.keyClick(panel.cancelling.question, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.cancelling.question is None)
    assert live.intents.empty()
    panel._do("cancel", under_way)
    qtbot.mouseClick(panel.cancelling.question.buttons()[1], Qt.MouseButton.LeftButton)
    states = {item.id: item.state for item in news.items}
    first, second = live.next_intent(), live.next_intent()
    assert {states[id] for id in first.ids} == {"waiting"} and not first.begun_too
    assert {states[id] for id in second.ids} == {"working"} and second.begun_too


def test_on_this_computer_there_is_nothing_to_ask_before_cancelling(qtbot, window, live) -> None:
    news = business()
    panel = show(qtbot, live, window, news)
    live.say(progress(news.items))
    qtbot.waitUntil(lambda: bool(panel.items.running))
    under_way = panel.items.having("working", "waiting")
    panel._do("cancel", under_way)
    assert panel.cancelling.question is None
    assert live.next_intent() == CancelTransforms(ids=[item.id for item in under_way], begun_too=True)


def test_a_clip_that_had_been_begun_goes_on_and_its_price_is_asked_for_the_next_time(
    qtbot, window, live, paid
) -> None:
    news = business()
    panel = show(qtbot, live, window, news)
    clip = panel.items.having("working")[0]
    panel._do("cancel", [clip])
    assert live.next_intent() == CancelTransforms(ids=[clip.id], begun_too=False)
    show(qtbot, live, window, news.model_copy(update={"went_on": "intro.mp4"}))
    assert panel.notice.text.text().startswith("intro.mp4 goes on: the service had begun it.")
    panel._do("cancel", [clip])
    assert "20 credits, is kept" in panel.cancelling.question.accessibleDescription()
    panel.cancelling.question.reject()
    assert live.intents.empty()


def test_no_enter_in_the_window_buys_anything(qtbot, window, live) -> None:
    panel = show(
        qtbot, live, window, business().model_copy(update={"items": [*batch().items, *business().items]})
    )
    assert panel.batch.order.isEnabled() and panel.batch.order.isVisible()
    panel.batch.look.setFocus()
    qtbot.keyClick(panel.batch.look, Qt.Key.Key_Return)
    assert panel.batch.hint.text() == f"Nothing is ordered yet: press “{panel.batch.order.text()}”."
    fields = [each for each in window.findChildren(QLineEdit) if each.isVisible() and each.isEnabled()]
    views = [each for each in window.findChildren(QAbstractItemView) if each.isVisible()]
    assert panel.batch.look in fields and len(fields) >= 3 and panel.list in views
    for row in range(panel.items.rowCount()):
        panel.list.setCurrentIndex(panel.items.index(row))
        qtbot.keyClick(panel.list, Qt.Key.Key_Return)
        if panel.viewer is not None:
            panel.viewer.close()
    for part in (*fields, *views, window):
        part.setFocus()
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            qtbot.keyClick(part, key)
    qtbot.wait(200)
    said = [live.next_intent(0.1) for _ in range(live.intents.qsize())]
    assert not [each for each in said if isinstance(each, StartTransforms | RetryTransforms | StartSession)]


def test_the_menu_tries_again_cancels_and_clears_everything(qtbot, window, live) -> None:
    panel = show(qtbot, live, window, business())
    qtbot.mouseClick(panel.more, Qt.MouseButton.LeftButton)
    menu = panel.findChild(QMenu)
    actions = {action.text(): action for action in menu.actions()}
    actions["Try all failed ones again"].trigger()
    assert len(live.next_intent().ids) == 2
    actions["Cancel everything"].trigger()
    assert len(live.next_intent().ids) == 4
    actions["Clear finished ones (files stay)"].trigger()
    assert len(live.next_intent().ids) == 5
    menu.close()


@pytest.mark.parametrize("keep", [True, False])
def test_closing_while_files_are_restyled_asks_whether_they_are_finished(qtbot, window, live, keep) -> None:
    show(qtbot, live, window, business())
    window.close()
    assert window.isVisible() and window.question is not None
    label = "Let them finish" if keep else "Stop and close"
    button = next(each for each in window.question.buttons() if each.text() == label)
    with qtbot.waitSignal(window.left):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    if keep:
        assert live.intents.empty()
    else:
        assert live.next_intent() == Quit()


# ---- going out


def test_a_result_is_seen_beside_its_original_with_a_line_to_move(qtbot, window, live) -> None:
    panel = show(qtbot, live, window, business())
    panel.list.setFocus()
    panel.list.setCurrentIndex(panel.items.index(5))
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    viewer = panel.viewer
    assert viewer is not None and viewer.item is not None
    qtbot.waitUntil(lambda: viewer.compare._images[0] is not None)
    view = viewer.compare
    rect = view.picture_rect()
    assert abs(rect.width() / rect.height() - 1.5) < 0.02
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=rect.center())
    assert abs(view.split - 0.5) < 0.01
    seen = view.grab().toImage()
    original = QImage(viewer.item.source).scaled(rect.size())
    result = QImage(viewer.item.result).scaled(rect.size())
    y = rect.height() * 3 // 4
    for picture, x in ((original, 40), (result, rect.width() - 40)):
        there, here = picture.pixelColor(x, y), seen.pixelColor(rect.left() + x, rect.top() + y)
        assert abs(there.red() - here.red()) < 40 and abs(there.green() - here.green()) < 40
    for key, split in ((Qt.Key.Key_Home, 0.0), (Qt.Key.Key_Right, 0.05), (Qt.Key.Key_End, 1.0)):
        qtbot.keyClick(view, key)
        assert view.split == split
    before = viewer.item.id
    qtbot.keyClick(viewer, Qt.Key.Key_PageUp)
    assert viewer.item.id != before and viewer.play.isVisible()
    qtbot.keyClick(viewer, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: panel.viewer is None)


def test_results_are_dragged_out_as_files(qtbot, window, live) -> None:
    panel = show(qtbot, live, window, business())
    assert panel.items.index(5).flags() & Qt.ItemFlag.ItemIsDragEnabled
    panel.list.selectAll()
    urls = panel.list.results_of(panel.list.chosen()).urls()
    assert sorted(Path(url.toLocalFile()).name for url in urls) == [
        "holiday-000.look.jpg",
        "holiday-003.look.jpg",
        "intro.look.mp4",
    ]


def test_a_result_is_copied_as_a_picture_and_as_a_file(qtbot, window, live) -> None:
    panel = show(qtbot, live, window, business())
    panel.list.setFocus()
    panel.list.setCurrentIndex(panel.items.index(5))
    qtbot.keyClick(panel.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(panel.notice.isVisible)
    mime = QGuiApplication.clipboard().mimeData()
    assert mime.hasImage()
    assert [Path(url.toLocalFile()).name for url in mime.urls()] == ["holiday-000.look.jpg"]
    QGuiApplication.clipboard().clear()


def test_copies_are_saved_elsewhere_and_overwrite_nothing(qtbot, window, live, tmp_path) -> None:
    panel = show(qtbot, live, window, business())
    source = gallery() / "holiday-000.look.jpg"
    (tmp_path / source.name).write_text("mine")
    with qtbot.waitSignal(panel.desk.said):
        panel.desk.save_all([source, gallery() / "intro.look.mp4"], tmp_path)
    assert (tmp_path / source.name).read_text() == "mine"
    assert (tmp_path / "holiday-000.look-2.jpg").read_bytes() == source.read_bytes()
    with qtbot.waitSignal(panel.desk.said) as said:
        panel.desk.save_as(source, tmp_path / "nowhere" / "a.jpg")
    assert said.args[0].startswith("That did not work")


def test_thumbnails_are_read_of_pictures_and_clips_and_what_is_neither_is_left_alone(
    qtbot, window, tmp_path
) -> None:
    thumbnails = window.side.transforms.thumbnails
    (tmp_path / "odd.png").write_text("no picture")
    for path in (gallery() / "holiday-000.jpg", gallery() / "intro.mp4", tmp_path / "odd.png"):
        with qtbot.waitSignal(thumbnails.ready):
            assert thumbnails.picture(str(path)) is None
    assert thumbnails.picture(str(gallery() / "holiday-000.jpg")).width() == 136
    assert thumbnails.picture(str(gallery() / "intro.mp4")) is not None
    assert thumbnails.picture(str(tmp_path / "odd.png")) is None
