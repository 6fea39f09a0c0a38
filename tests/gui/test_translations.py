"""Every word of the window is there in German, brought up by Qt Linguist's own tools, and it is spoken."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QLocale, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

import overpaint.gui
from helpers.cut_off import cut_off
from helpers.look_states import LOOKING
from helpers.scripted_live import on_air, previewing
from overpaint.assets import asset_dir
from overpaint.engine.prompt.look_search import load_search
from overpaint.engine.prompt.modifiers import EFFECTS, TINTS, Modifiers, Wish, gather, with_places
from overpaint.engine.prompt.reader import read_prompt
from overpaint.gui.main import _Turn, application
from overpaint.gui.window_memory import Remembered, load_remembered, save_remembered
from overpaint.gui.window_settings import TRANSLATED, Habits
from overpaint.gui.words.language import own_name, speak
from overpaint.gui.words.look_names import ChangeNames
from overpaint.startup import read_typed
from overpaint.wire.live import SetStyle

pytestmark = [pytest.mark.process, pytest.mark.qt_log_ignore(r"This plugin does not support", extend=True)]

TOOLS = Path(sys.executable).parent
FILES = sorted(asset_dir("translations").glob("*.ts"))
BEGUN: frozenset[str] = frozenset()
"""Files of languages that are not translated in full yet: the window says the rest in English."""
SENTENCES = Path(__file__).parents[2] / "packaging" / "window_sentences.py"


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the .qm made of the .ts as it is."""
    folder = tmp_path_factory.mktemp("translations")
    source = asset_dir("translations") / "overpaint_de.ts"
    target = folder / "overpaint_de.qm"
    subprocess.run([TOOLS / "pyside6-lrelease", "-silent", source, "-qm", target], check=True)
    return folder


@pytest.fixture
def german(built: Path) -> Iterator[None]:
    app = application()
    speak(app, built, "de")
    yield
    speak(app, built, "en")
    QLocale.setDefault(QLocale.system())


def test_every_language_of_the_settings_has_a_file_and_a_name_of_its_own() -> None:
    assert {f"overpaint_{code}" for code in TRANSLATED} == {path.stem for path in FILES}, "make translations"
    assert own_name("de") == "Deutsch" and own_name("en") == "English"
    assert len({own_name(code) for code in TRANSLATED}) == len(TRANSLATED)


@pytest.mark.parametrize("ours", FILES, ids=lambda path: path.stem)
def test_nothing_is_left_untranslated_and_nothing_is_said_that_no_longer_is(
    ours: Path, tmp_path: Path
) -> None:
    fresh = Path(shutil.copy(ours, tmp_path))
    catalogue = tmp_path / "sentences.py"
    catalogue.write_bytes(subprocess.run([sys.executable, SENTENCES], check=True, capture_output=True).stdout)
    sources = [*sorted(Path(overpaint.gui.__file__).parent.rglob("*.py")), catalogue]
    command = [TOOLS / "pyside6-lupdate", "-silent", "-no-obsolete", "-locations", "none"]
    subprocess.run([*command, *sources, "-ts", fresh], check=True)
    unfinished = [
        (context.findtext("name"), message.findtext("source"))
        for context in ElementTree.parse(fresh).getroot().iter("context")
        for message in context.iter("message")
        if message.find("translation").get("type") or not message.findtext("translation")
    ]
    assert not unfinished or ours.stem in BEGUN, "make translations, translate these (or see BEGUN)"
    assert fresh.read_text("utf-8").split() == ours.read_text("utf-8").split(), "run make translations"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_blank_of_a_sentence_is_kept(path: Path) -> None:
    for message in ElementTree.parse(path).getroot().iter("message"):
        source, translation = message.findtext("source"), message.findtext("translation")
        if not translation:
            continue
        blanks, kept = re.findall(r"{[^}]*}", source), re.findall(r"{[^}]*}", translation)
        # Those with names may stand in another order.
        assert blanks == kept if "{}" in blanks else sorted(blanks) == sorted(kept), source


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_class_speaks_under_anothers_name(path: Path) -> None:
    for name in ElementTree.parse(path).getroot().iter("name"):
        assert re.fullmatch(r"[A-Z]\w+", name.text), "say QCoreApplication.translate with the class's name"


def test_the_window_speaks_german_and_nothing_is_cut(qtbot, german, start_live, open_window) -> None:
    start_live(on_air())
    window = open_window(remembered=Remembered(width=960, height=600))
    # On a busy machine it may say first that there is no answer.
    qtbot.waitUntil(lambda: window.top_bar.chip.word.text() == "Live", timeout=20_000)
    assert window.top_bar.air.text() == "Live beenden"
    assert window.everyday.menu.settings.text() == "Einstellungen…"
    recording = on_air(recording="/v.mp4", recording_seconds=754, recording_bytes=188_000_000)
    for size, shown_now in itertools.product(((960, 600), (1280, 800), (1440, 900)), (on_air(), recording)):
        window.model.show_snapshot(shown_now)
        window.resize(*size)
        QApplication.processEvents()
        bar = window.top_bar
        shown = [
            bar.source,
            bar.chip,
            bar.record,
            bar.sound,
            bar.hold,
            bar.privacy,
            bar.session,
            bar.air,
            bar.more,
        ]
        for left, right in itertools.pairwise(shown):
            assert left.geometry().right() < right.geometry().left(), (size, left.text(), right.text())
        assert bar.more.geometry().right() <= bar.width()
        for button in window.findChildren(QPushButton):
            if button.isVisible() and button.text() and button is not bar.source:
                assert button.width() >= button.minimumSizeHint().width(), button.text()


def test_about_speaks_german_and_nothing_is_cut(qtbot, german, start_live, open_window) -> None:
    start_live(previewing())
    window = open_window(remembered=Remembered(width=960, height=600))
    qtbot.waitUntil(lambda: window.model.usable)
    window.everyday.open_about()
    dialog = window.everyday.about
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.licences.text() == "Lizenzen der Bestandteile"
    qtbot.waitUntil(lambda: not cut_off(dialog))


def test_looks_have_german_names_and_a_click_writes_them(qtbot, german, start_live, open_window) -> None:
    live = start_live(LOOKING)
    window = open_window()
    qtbot.waitUntil(lambda: window.model.usable)
    rows = {look.name: row for row, look in enumerate(window.looks.looks.looks)}
    sketch = window.looks.looks.look(rows["pencil-sketch"])
    assert (sketch.title, sketch.description) == (
        "Bleistiftskizze",
        "Graphit auf Papier, mit Schraffuren, die dem Licht folgen.",
    )
    titles = [look.title.casefold() for look in window.looks.looks.looks]
    assert titles[0] == "comic" and titles[1:] == sorted(titles[1:])
    window.looks.open_gallery("schultafel")
    assert window.looks.gallery.grid.names() == ["chalkboard"]
    window.looks.use("pencil-sketch")
    qtbot.waitUntil(lambda: not live.intents.empty())
    assert live.next_intent() == SetStyle(prompt="Bleistiftskizze")
    live.say(previewing(looks=LOOKING.looks, prompt="Bleistiftskizze", understood="Pencil sketch, warm"))
    qtbot.waitUntil(lambda: window.prompt.chips.lead.text() == "Bleistiftskizze")
    assert window.looks.looks.active_row == rows["pencil-sketch"]
    # In words of one's own the engine's title comes back: the same look.
    live.say(previewing(looks=LOOKING.looks, prompt="mit Kreide", understood="Chalkboard (the nearest look)"))
    qtbot.waitUntil(lambda: window.prompt.chips.lead.text().startswith("Kreidetafel"))


def test_changes_to_a_look_are_told_in_german_and_taken_away_as_the_engine_knows_them(
    qtbot, german, start_live, open_window
) -> None:
    prompt, understood = "Comic, warm, leicht rot", "Ink comic, warm, slightly in red, no lines, 60 %"
    live = start_live(previewing(looks=LOOKING.looks, prompt=prompt, understood=understood))
    window = open_window()
    qtbot.waitUntil(lambda: bool(window.prompt.chips.chips))
    row = window.prompt.chips
    assert [chip.text() for chip in row.chips] == ["warm", "etwas in Rot", "ohne Linien"]
    assert "warm, etwas in Rot, ohne Linien, 60 %" in row.accessibleName()
    row.chips[1].click()
    # In words that the engine knows, and the user too.
    assert live.next_intent() == SetStyle(prompt="Comic, warm, ohne Linien, 60 %")


def test_every_change_that_the_engine_says_has_german_words(german) -> None:
    wishes = [Wish(name, amount) for name in EFFECTS for amount in (0.5, 1.0, 1.5)]
    colours = [[Wish(name, 0.5)] for name in TINTS] + [[Wish("red"), Wish("blue")]]
    parts = tomllib.loads((asset_dir("words") / "en.toml").read_text("utf-8"))["parts"]
    said = {
        *(word for wish in wishes for word in gather([wish], [], [], []).said),
        *(word for tints in colours for word in gather([], [], [], tints).said),
        *gather([], [], list(parts), []).said,
        *(
            word
            for subject in ("person", "background")
            for word in with_places(Modifiers(), subject, True, True, 0.6).said
        ),
    }
    file = tomllib.loads((asset_dir("translations") / "changes_de.toml").read_text("utf-8"))
    texts = (*file["forms"].values(), *file["names"].values())
    german_words = {word.casefold() for text in texts for word in text.split()}
    names = ChangeNames.spoken()
    for change in said:
        unknown = {word.casefold() for word in names.shown(change).split()} - german_words - {"60", "%"}
        assert not unknown, f"{change}: {names.shown(change)}"
        assert read_prompt(f"Comic, {names.shown(change)}").understood == f"Ink comic, {change}"
    assert names.shown("very red and blue") == "sehr Rot und Blau"
    assert names.shown("a word of another service") == "a word of another service"


def test_another_language_opens_the_window_anew_and_the_live_process_goes_on(
    qtbot, theme, built, start_live, data_folder, monkeypatch
) -> None:
    live = start_live(previewing())
    monkeypatch.setattr(
        "overpaint.gui.main.asset_dir", lambda name: built if name == "translations" else asset_dir(name)
    )
    turn = _Turn(application(), theme, data_folder, lambda: None, lambda _: None, load_search, read_typed)
    seen: list[str] = []

    def change() -> None:
        window = turn._window
        if window is None or not window.model.usable:
            QTimer.singleShot(50, change)
            return
        seen.append(window.top_bar.air.text())
        assert window.everyday.settings is None or seen[1:]
        if len(seen) == 1:
            window.everyday._take_habits(Habits(language="de"))
        else:
            seen.extend(label.text() for label in window.everyday.settings.findChildren(QLabel)[:1])
            window.leave(end_live=False)

    try:
        QTimer.singleShot(50, change)
        turn.run()
        assert turn.again and load_remembered(data_folder).habits.language == "de"
        QTimer.singleShot(50, change)
        turn.run()
    finally:
        speak(application(), built, "en")
        QLocale.setDefault(QLocale.system())
        save_remembered(data_folder, Remembered())
    assert seen[:2] == ["Go live", "Live gehen"], "and the settings are open again"
    assert live.intents.empty(), "nobody told the live process to end"
