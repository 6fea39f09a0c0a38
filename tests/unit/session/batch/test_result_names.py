"""Results get names that nobody had, in places that can hold them."""

from __future__ import annotations

from pathlib import Path

import pytest

from overpaint.errors import UsageError
from overpaint.session.batch.batch_order import Naming
from overpaint.session.batch.media_files import expand


def test_a_folder_gives_its_media_sorted_and_each_file_once(tmp_path: Path) -> None:
    for name in ("b.JPG", "a.mov", ".hidden.png", "notes.txt", "c.heic"):
        (tmp_path / name).touch()
    (tmp_path / "folder.png").mkdir()
    odd = tmp_path / "notes.txt"
    assert [each.name for each in expand([tmp_path / "c.heic", tmp_path, odd])] == [
        "c.heic",
        "a.mov",
        "b.JPG",
        "notes.txt",
    ]
    with pytest.raises(UsageError, match="no picture or clip"):
        expand([tmp_path / "folder.png"])


def test_a_tree_of_folders_is_taken_whole_and_its_results_lie_in_one_like_it(tmp_path: Path) -> None:
    album = tmp_path / "album"
    for name in ("top.png", "rome/cat.png", "rome/day 2/cat.png", "rome/.trash/no.png", "out/old.look.png"):
        (album / name).parent.mkdir(parents=True, exist_ok=True)
        (album / name).touch()
    sources = expand([album, album / "rome" / "cat.png"], album / "out")
    naming = Naming(album / "out", sources)
    results = {naming.name(each, "image/png").relative_to(album / "out").as_posix() for each in sources}
    assert results == {"top.look.png", "rome/cat.look.png", "rome/day 2/cat.look.png"}


def test_two_inputs_of_one_name_get_two_results(tmp_path: Path) -> None:
    sources = [tmp_path / "1" / "cat.png", tmp_path / "2" / "cat.png"]
    naming = Naming(tmp_path / "new" / "out", sources)
    names = [naming.name(source, "image/jpeg").name for source in sources]
    assert names == ["cat.look.jpg", "cat.look-2.jpg"]


def test_a_name_that_no_result_came_to_is_given_back(tmp_path: Path) -> None:
    naming = Naming(tmp_path, [tmp_path / "a.png", tmp_path / "b.png"])
    kept, lost = (naming.name(tmp_path / name, "image/png") for name in ("a.png", "b.png"))
    kept.write_bytes(b"result")
    naming.release()
    assert kept.exists() and not lost.exists()


def test_the_users_own_spelling_of_a_suffix_stands(tmp_path: Path) -> None:
    naming = Naming(tmp_path / "mine.JPEG", [tmp_path / "a.jpg"])
    assert naming.name(tmp_path / "a.jpg", "image/jpeg").name == "mine.JPEG"
    assert naming.name(tmp_path / "a.jpg", "image/png").name == "mine.png"
