"""Troubles of the live process are told in the window's language, with their commands left as they are."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt

from helpers.scripted_live import stopped
from helpers.window_states import NO_DEVICE
from overpaint.assets import asset_dir
from overpaint.errors import (
    CredentialError,
    InternalError,
    OverpaintError,
    ProcessError,
    SinkError,
    UpstreamError,
)
from overpaint.gui.main import application
from overpaint.gui.words.language import speak
from overpaint.gui.words.troubles import SAID_BY_SERVICES, line, told, translated, words
from overpaint.sentences import SENTENCES, SHOWN_IN_WINDOW, Sentence
from overpaint.wire.live import Camera, Trouble
from overpaint.wire.servers import Server
from overpaint.wire.transforms import Transforms

pytestmark = [pytest.mark.process, pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)]


@pytest.fixture
def german(qapp, tmp_path: Path) -> Iterator[None]:
    tool = Path(sys.executable).parent / "pyside6-lrelease"
    source, target = asset_dir("translations") / "overpaint_de.ts", tmp_path / "overpaint_de.qm"
    subprocess.run([tool, "-silent", source, "-qm", target], check=True)
    speak(application(), tmp_path, "de")
    yield
    speak(application(), tmp_path, "en")
    QLocale.setDefault(QLocale.system())


def in_words(text: str) -> str:
    return translated(Trouble(kind="error", sentence=text)).sentence


def test_in_english_a_sentence_is_what_it_was() -> None:
    for code in SAID_BY_SERVICES:
        text = str(OverpaintError(code, **params_of(SENTENCES[code])))
        assert in_words(text) == text
    assert in_words("Something that nobody foresaw.") == "Something that nobody foresaw."
    for code, entry in SHOWN_IN_WINDOW.items():
        error = OverpaintError(code, **params_of(entry))
        assert line(error) == error.line


def params_of(entry: Sentence) -> dict[str, str | int]:
    """Something for each blank: a number where one is formatted, else text that looks like a blank."""
    numbers = re.findall(r"{(\w+):", f"{entry.text} {entry.mend}")
    return {name: 7 if name in numbers else "a.b: {c}" for name in entry.params}


def test_everything_that_the_window_can_meet_has_its_german_words(german) -> None:
    for code, entry in SHOWN_IN_WINDOW.items():
        error = OverpaintError(code, **params_of(entry))
        sentence, mend = words(error)
        for english, shown in ((entry.text, sentence), (entry.mend, mend)):
            own = re.search(r"\w", re.sub(r"{[^}]*}", "", english))
            assert (shown not in (str(error), error.mend)) == bool(own), code


def test_why_a_service_could_not_do_a_file_is_told_in_german_with_its_numbers(german) -> None:
    text = str(OverpaintError("video_too_many_frames", frames=36_000))
    error = UpstreamError("transform_failed_at_service", sentence=text)
    sentence, _ = words(error)
    assert "36000" in sentence and sentence != text


def test_in_german_the_window_is_told_in_german(german) -> None:
    in_use = SinkError("virtual_camera_busy_at_size", camera="OBS", width=640, height=480, node="/dev/video3")
    snapshot = told(
        stopped(
            state="failed",
            trouble=Trouble.of(in_use),
            camera=Camera(state="missing", trouble=NO_DEVICE),
        )
    )
    assert snapshot.trouble is not None and snapshot.camera.trouble is not None
    assert snapshot.trouble.sentence == (
        "Ein anderes Programm benutzt die virtuelle Kamera OBS mit 640×480 Pixeln."
    )
    assert snapshot.trouble.mend == (
        "Beende dieses Programm (sudo fuser -v /dev/video3 nennt es) und versuche es noch einmal."
    )
    assert snapshot.camera.trouble.sentence.startswith("Auf diesem Computer gibt es keine virtuelle Kamera:")


def test_words_without_a_code_are_known_word_for_word_or_shown_as_they_came(german) -> None:
    assert in_words("The virtual camera is not open.") == "Die virtuelle Kamera ist nicht geöffnet."
    assert in_words("Something that nobody foresaw.") == "Something that nobody foresaw."
    assert in_words("") == ""


def test_what_comes_beside_a_snapshot_is_told_in_german_too(qtbot, german, start_live, open_window) -> None:
    live = start_live(stopped())
    live.say(Server(address=""))
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable and window.service._server is not None)
    unforeseen = Trouble.of(ProcessError("transform_failed_unforeseen"))
    live.say(Transforms(items=[], folder="", halted=unforeseen))
    notice = window.side.transforms.notice
    qtbot.waitUntil(lambda: notice.text.text() == "Overpaint ist an einer Datei gescheitert.")
    window.everyday.menu.service.trigger()
    dialog = window.service.dialog
    assert dialog is not None
    dialog.there.setChecked(True)
    qtbot.keyClicks(dialog.address, "studio.example")
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    live.say(Server(address="", wish=1, trouble=Trouble.of(CredentialError("service_key_wanted"))))
    wanted = "Dieser Dienst braucht einen API-Schlüssel. Füge den Schlüssel deines Kontos ein."
    qtbot.waitUntil(lambda: dialog.says.text() == wanted)


def test_what_a_service_says_in_words_is_told_in_german(german) -> None:
    said = "Dark side does not work any more (the net failed: {0}). Another look stands in for it."
    told_in_german = (
        "Dark side funktioniert nicht mehr (the net failed: {0}). Ein anderer Look springt dafür ein."
    )
    assert in_words(said) == told_in_german
    notice = InternalError("session_notice", sentence=said)
    assert translated(Trouble.of(notice)).sentence == told_in_german
    failed = UpstreamError("transform_failed_at_service", sentence="The video is damaged: it ends too early.")
    assert words(failed)[0] == "Das Video ist beschädigt: Es endet zu früh."
