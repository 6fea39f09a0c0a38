"""What of a prompt is not understood is said beside it, while it is typed and after; suggestions work."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from helpers import small_media
from helpers.scripted_live import ScriptedLive, previewing
from helpers.scripted_transforms import batch
from overpaint.gui.window import MainWindow
from overpaint.wire.live import SetReference, SetStyle
from overpaint.wire.looks import PromptReading, PromptSuggestion
from overpaint.wire.servers import Server

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)

JACKET = PromptReading(
    prompt="red hat in Venice",
    not_understood=("red", "hat", "Venice"),
    suggestions=(
        PromptSuggestion(kind="graphics_computer", words="red hat"),
        PromptSuggestion(kind="background_photo", words="Venice"),
    ),
    unchanged=True,
)
HAT = PromptReading(prompt="watercolour with a red hat", not_understood=("red", "hat"))


def opened(qtbot, open_window, live: ScriptedLive, server: str = "") -> MainWindow:
    window: MainWindow = open_window()
    qtbot.waitUntil(lambda: window.model.usable and window.isActiveWindow(), timeout=5000)
    live.say(Server(address=server))
    wanted = None if server else window._read_prompt
    qtbot.waitUntil(lambda: window.prompt.reader._read is wanted)
    window.prompt.field.setFocus()
    return window


def intent(qtbot, live: ScriptedLive):
    qtbot.waitUntil(lambda: not live.intents.empty(), timeout=10_000)
    return live.next_intent()


def types(qtbot, window: MainWindow, text: str) -> None:
    window.prompt.field.selectAll()
    qtbot.keyClicks(window.prompt.field, text)


def test_while_typing_the_window_says_what_enter_would_do_and_what_it_cannot(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing(prompt="ink comic", understood="Ink comic"))
    window = opened(qtbot, open_window, live)
    prompt = window.prompt
    assert not prompt.note.isVisible() and prompt.chips.isVisible()
    types(qtbot, window, "watercolour, warm, with a red hat")
    qtbot.waitUntil(prompt.note.isVisible)
    assert prompt.note.label.text() == "Not understood: red hat"
    assert prompt.note.label.property("tone") == "warn", "in its own colour"
    assert prompt.understood.text() == "Enter applies: Watercolour, warm" and not prompt.chips.isVisible()
    types(qtbot, window, "give me a red hat")
    qtbot.waitUntil(lambda: prompt.note.label.text() == "Not understood: red hat. Nothing changes.")
    assert prompt.chips.isVisible() and prompt.chips.lead.text() == "Ink comic", "the present look stays"
    types(qtbot, window, "pencil sketch")
    qtbot.waitUntil(lambda: not prompt.note.isVisible())
    assert live.intents.empty()


def test_a_remote_service_alone_knows_what_it_understands(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="ink comic", understood="Ink comic"))
    window = opened(qtbot, open_window, live, "https://studio.example")
    types(qtbot, window, "give me a red hat")
    says = "Enter asks studio.example, which says what it understands."
    qtbot.waitUntil(lambda: window.prompt.understood.text() == says)
    assert window.prompt.understood.isVisible() and not window.prompt.chips.isVisible()
    qtbot.wait(400)
    assert not window.prompt.note.isVisible()
    types(qtbot, window, "ink comic")
    qtbot.waitUntil(window.prompt.chips.isVisible)
    assert not window.prompt.understood.isVisible(), "what is applied is understood"


def test_what_is_typed_is_read_again_when_this_computer_is_chosen_again(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing(prompt="ink comic", understood="Ink comic"))
    window = opened(qtbot, open_window, live)
    types(qtbot, window, "give me a red hat")
    qtbot.waitUntil(window.prompt.note.isVisible)
    for address, noted in (("https://studio.example", False), ("", True)):
        live.say(Server(address=address))
        live.say(previewing(prompt="ink comic", understood="Ink comic", has_reference=False))
        qtbot.waitUntil(lambda noted=noted: window.prompt.note.isVisible() == noted, timeout=10_000)


def test_a_prompt_that_is_taken_back_stays_in_the_field_with_the_reason(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing(prompt="ink comic", understood="Ink comic"))
    window = opened(qtbot, open_window, live, "https://studio.example")
    types(qtbot, window, JACKET.prompt)
    qtbot.keyClick(window.prompt.field, Qt.Key.Key_Return)
    assert intent(qtbot, live) == SetStyle(prompt=JACKET.prompt)
    live.say(previewing(prompt="ink comic", understood="Ink comic", reading=JACKET))
    qtbot.waitUntil(window.prompt.note.isVisible)
    assert window.prompt.note.label.text() == "Not understood: red hat, Venice. Nothing changes."
    assert window.prompt.field.text() == JACKET.prompt and window.prompt.applied == "ink comic"
    assert [each.text() for each in window.prompt.note.buttons] == [
        "Ask another service…",
        "Photo as background…",
    ]
    window.prompt.controls.strength_chosen.emit(60)
    assert intent(qtbot, live) == SetStyle(prompt="ink comic, at 60 % strength"), "not of what was refused"


def test_words_left_over_stay_named_while_the_prompt_is_in_use(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt=HAT.prompt, understood="Watercolour", reading=HAT))
    window = opened(qtbot, open_window, live)
    qtbot.waitUntil(window.prompt.note.isVisible)
    assert window.prompt.note.label.text() == "Not understood: red hat" and not window.prompt.note.buttons
    assert window.prompt.chips.lead.text() == "Watercolour"
    live.say(previewing(prompt="oil", understood="Oil painting"))
    qtbot.waitUntil(lambda: not window.prompt.note.isVisible())


def test_nothing_that_is_clicked_moves_when_the_note_comes(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="ink comic", understood="Ink comic"))
    window = opened(qtbot, open_window, live)
    prompt = window.prompt

    def places() -> list[object]:
        return [each.mapToGlobal(each.rect().topLeft()) for each in (prompt.apply_button, prompt.controls)]

    before = places()
    types(qtbot, window, "a red hat")
    qtbot.waitUntil(prompt.note.isVisible)
    qtbot.waitUntil(lambda: places() == before)


def test_a_photo_as_background_is_one_click_and_a_file_away(qtbot, start_live, open_window, tmp_path) -> None:
    live = start_live(previewing(prompt="ink comic", understood="Ink comic", reading=JACKET))
    window = opened(qtbot, open_window, live, "https://studio.example")
    types(qtbot, window, JACKET.prompt)
    qtbot.waitUntil(lambda: len(window.prompt.note.buttons) == 2)
    beach = tmp_path / "beach.jpg"
    beach.write_bytes(small_media.picture(form="JPEG"))
    qtbot.mouseClick(window.prompt.note.buttons[1], Qt.MouseButton.LeftButton)
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(beach))
    dialog.close()
    assert isinstance(intent(qtbot, live), SetReference)
    assert intent(qtbot, live) == SetStyle(prompt="Backdrop")


def test_a_photo_that_cannot_be_read_makes_no_later_one_the_background(
    qtbot, start_live, open_window, tmp_path
) -> None:
    live = start_live(previewing(prompt="ink comic", understood="Ink comic", reading=JACKET))
    window = opened(qtbot, open_window, live)
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no picture")
    window.prompt.photos.open("Backdrop")
    with qtbot.waitSignal(window.prompt.refused):
        window.findChild(QFileDialog).fileSelected.emit(str(bad))
    window.findChild(QFileDialog).close()
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(small_media.picture(form="JPEG"))
    window.prompt.photos.reader.read_file(str(photo))
    assert isinstance(intent(qtbot, live), SetReference)
    qtbot.wait(200)
    assert live.intents.empty()


def test_another_service_is_told_apart_and_asked_for_its_address(qtbot, start_live, open_window) -> None:
    live = start_live(previewing(prompt="ink comic", understood="Ink comic"))
    window = opened(qtbot, open_window, live)
    types(qtbot, window, "a red hat")
    qtbot.waitUntil(lambda: len(window.prompt.note.buttons) == 1)
    qtbot.mouseClick(window.prompt.note.buttons[0], Qt.MouseButton.LeftButton)
    dialog = window.service.dialog
    assert dialog is not None and dialog.isVisible()
    assert "generative model" in dialog.reason.text() and dialog.reason.isVisible()
    assert dialog.there.isChecked() and dialog.address.isEnabled()
    dialog.close()
    window.service.open()
    assert window.service.dialog is not None and not window.service.dialog.reason.isVisible()
    window.service.dialog.close()


def test_words_of_a_suggestion_nobody_knows_make_no_button(qtbot, start_live, open_window) -> None:
    newer = HAT.model_copy(update={"suggestions": (PromptSuggestion(kind="tailor", words="hat"),)})
    live = start_live(previewing(prompt=HAT.prompt, understood="Watercolour", reading=newer))
    window = opened(qtbot, open_window, live)
    qtbot.waitUntil(window.prompt.note.isVisible)
    assert window.prompt.note.buttons == []


def test_files_are_not_ordered_with_a_prompt_of_which_nothing_can_be_done(
    qtbot, start_live, open_window
) -> None:
    live = start_live(previewing(prompt="ink comic", understood="Ink comic"))
    window = opened(qtbot, open_window, live)
    live.say(batch())
    card = window.side.transforms.batch
    qtbot.waitUntil(card.isVisible)
    card.look.setFocus()
    card.look.selectAll()
    qtbot.keyClicks(card.look, "give me a red hat")
    qtbot.waitUntil(card.note.isVisible)
    assert "red hat" in (card.note.label.toolTip() or card.note.label.text())
    assert not card.order.isEnabled() and not card.note.buttons
    card.look.selectAll()
    qtbot.keyClicks(card.look, "watercolour with a hat")
    qtbot.waitUntil(card.order.isEnabled)
    qtbot.waitUntil(lambda: card.note.label.text() == "Not understood: hat")
