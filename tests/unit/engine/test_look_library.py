"""Looks are data: every file that ships is valid, and a broken one is named in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from overpaint.assets import asset_dir
from overpaint.engine import looks
from overpaint.engine.library import GROUPS, Look, look_named, read_look
from overpaint.engine.passes.registry import PASSES, pass_named
from overpaint.errors import OverpaintError

FILES = sorted(asset_dir("looks").glob("*.toml"))


def test_there_are_at_least_ten_looks_and_the_default_comes_first() -> None:
    assert len(looks()) == len(FILES) >= 10
    assert looks()[0].name == "ink-comic"
    assert looks() is looks()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_look_file_is_valid_and_complete(path: Path) -> None:
    look = read_look(path)
    assert look.title[0].isupper()
    assert look.description.endswith(".") and len(look.description) < 100
    assert len(look.captions) >= 2 and len(look.keywords) >= 5
    assert look.group in GROUPS
    assert look.needs == "none"
    assert look.pass_names <= set(PASSES)


@pytest.mark.parametrize("name", PASSES)
def test_every_pass_is_where_the_registry_says(name: str) -> None:
    assert callable(pass_named(name))


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_is_worth_a_click(group: str) -> None:
    assert 3 <= sum(look.group == group for look in looks()) <= 14


def test_titles_are_unique() -> None:
    assert len({look.title for look in looks()}) == len(looks())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name = 'x'",
        "not toml at all [",
        "name='other'\ntitle='A'\ndescription='b.'\ncaptions=['c']\nkeywords=[]\n[[passes]]\npass='tone'",
        "name='broken'\ntitle='A'\ndescription='b.'\ncaptions='c'\nkeywords=[]\n[[passes]]\npass='tone'",
        "name='broken'\ntitle='A'\ndescription='b.'\ncaptions=['c']\nkeywords=[]\nstrength=3\n[[passes]]\npass='tone'",
        "name='broken'\ntitle='A'\ndescription='b.'\ngroup='c'\ncaptions=['d']\nkeywords=[]\n[[passes]]\npass='tone'",
        "name='broken'\ntitle='A'\ndescription='b.'\ncaptions=['c']\nkeywords=[]\npasses=[]",
    ],
)
def test_a_broken_look_is_named_in_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(OverpaintError) as caught:
        read_look(path)
    assert caught.value.kind == "bad_look"
    assert "broken.toml" in str(caught.value)


def test_a_name_that_is_no_look_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        look_named("nothing")


def test_a_missing_asset_folder_is_named() -> None:
    with pytest.raises(OverpaintError) as caught:
        asset_dir("no-such-assets")
    assert caught.value.kind == "missing_assets"


@pytest.mark.parametrize("look", looks(), ids=lambda look: look.name)
def test_a_description_fits_on_a_card(look: Look) -> None:
    """Three lines of the window's cards; what is longer would be cut."""
    assert 0 < len(look.description) <= 73
