"""A new recording or snapshot never gets the name of a file that is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from overpaint.errors import SinkError
from overpaint.session.output.output_files import new_file


def test_files_of_one_second_are_numbered_in_the_chosen_folder(tmp_path: Path) -> None:
    made: list[Path] = []
    for _ in range(3):
        made.append(new_file(str(tmp_path / "mine"), tmp_path / "usual", "mp4"))
        made[-1].touch()
    assert len(set(made)) == 3
    assert {path.parent for path in made} == {tmp_path / "mine"} and not (tmp_path / "usual").exists()
    assert all(path.name.startswith("Overpaint 2") and path.suffix == ".mp4" for path in made)


def test_without_a_choice_it_is_the_usual_folder(tmp_path: Path) -> None:
    assert new_file("", tmp_path / "a" / "usual", "png").parent == tmp_path / "a" / "usual"


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SinkError) as caught:
        new_file(str(tmp_path / "file" / "folder"), tmp_path, "mp4")
    assert caught.value.code == "outputs_folder_refused"
