"""What a click on a look writes into the prompt in another language means exactly that look to the engine."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from overpaint.assets import asset_dir
from overpaint.engine import Look, looks
from overpaint.engine.catalogue import entries
from overpaint.engine.prompt.reader import read_prompt

FILES = sorted(asset_dir("translations").glob("looks_*.toml"))
CONTROLS = ("", ", at 60 % strength", ", only the person", ", only the background, at 30 % strength")
"""What the window's controls write after it."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_look_has_a_name_of_its_own(path: Path) -> None:
    names = tomllib.loads(path.read_text("utf-8"))
    assert set(names) == {look.name for look in looks()}
    assert len({words["title"].casefold() for words in names.values()}) == len(names)
    assert all(words["title"] and words["description"].endswith(".") for words in names.values())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("look", looks(), ids=lambda look: look.name)
def test_its_name_is_understood_as_its_engines_title_is(path: Path, look: Look) -> None:
    title = tomllib.loads(path.read_text("utf-8"))[look.name]["title"]
    for words in CONTROLS:
        reading, english = read_prompt(title + words), read_prompt(look.title + words)
        assert (reading.look.name, reading.nothing) == (look.name, False)
        assert reading.understood == english.understood


SCENES = sorted(asset_dir("translations").glob("scenes_*.toml"))


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_every_scene_has_a_name_of_its_own_that_prompts_mean_it_by(path: Path) -> None:
    names = tomllib.loads(path.read_text("utf-8"))
    scenes = {scene.name: scene for scene in entries("scenes")}
    assert set(scenes) <= set(names)
    assert len({title.casefold() for title in names.values()}) == len(names)
    language = path.stem.partition("_")[2]
    for name, scene in scenes.items():
        assert names[name].casefold() in {phrase.casefold() for phrase in scene.words[language]}, name
