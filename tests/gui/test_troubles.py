"""Troubles of the live process are told in the window's language, with their commands left as they are."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale

import overpaint
from helpers.scripted_live import stopped
from helpers.window_states import NO_DEVICE
from overpaint.assets import asset_dir
from overpaint.gui.main import application
from overpaint.gui.words.language import speak
from overpaint.gui.words.troubles import KNOWN, in_words, told
from overpaint.wire.live import Camera, Trouble


@pytest.fixture
def german(qapp, tmp_path: Path) -> Iterator[None]:
    tool = Path(sys.executable).parent / "pyside6-lrelease"
    source, target = asset_dir("translations") / "overpaint_de.ts", tmp_path / "overpaint_de.qm"
    subprocess.run([tool, "-silent", source, "-qm", target], check=True)
    speak(application(), tmp_path, "de")
    yield
    speak(application(), tmp_path, "en")
    QLocale.setDefault(QLocale.system())


def said_anywhere() -> set[str]:
    """Every text of the package, with {} for what a formatted one is filled with."""
    texts: set[str] = set()
    for file in Path(overpaint.__file__).parent.rglob("*.py"):
        if file.name == "troubles.py":
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
                texts.add("".join(map(str, parts)))
    return texts


def test_every_sentence_that_is_known_is_still_said() -> None:
    assert not set(KNOWN) - said_anywhere()


def test_in_english_a_sentence_is_what_it_was() -> None:
    for sentence in KNOWN:
        text = sentence.replace("{}", "a.b: {c}")
        assert in_words(text) == text
    assert in_words("Something that nobody foresaw.") == "Something that nobody foresaw."


def test_in_german_the_window_is_told_in_german(german) -> None:
    snapshot = told(
        stopped(
            state="failed",
            trouble=Trouble(
                kind="busy",
                sentence="Another program is using Logitech C920.",
                mend="Quit it there (a call, a browser's tab, OBS), then choose the camera again.",
            ),
            camera=Camera(state="missing", trouble=NO_DEVICE),
        )
    )
    assert snapshot.trouble is not None and snapshot.camera.trouble is not None
    assert snapshot.trouble.sentence == "Ein anderes Programm benutzt Logitech C920."
    assert snapshot.trouble.mend.startswith("Beende sie dort")
    assert snapshot.camera.trouble.sentence == "Auf diesem Computer gibt es keine virtuelle Kamera."
    command = NO_DEVICE.mend.removeprefix("Set it up once: ")
    assert snapshot.camera.trouble.mend == f"Einmal einrichten: {command}"
    assert in_words("Something that nobody foresaw.") == "Something that nobody foresaw."
