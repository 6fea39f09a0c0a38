"""What is in folders is found however deep, in order, once, and no more than is wanted."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from overpaint.session.batch.media_files import DEPTH_MAX, gather, kind_of


def found(folder: Path, *inputs: Path, most: int = 100, skip: str = "-") -> list[str]:
    gathering = gather(inputs, most, lambda each: each.name == skip)
    return [path.relative_to(folder).as_posix() for path in gathering.files]


@pytest.fixture
def album(tmp_path: Path) -> Path:
    for name in ("b.JPG", "a.png", "deep/er/c.mov", "deep/z.webp", ".hidden/x.png", "deep/.y.png", "n.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    return tmp_path


def test_folders_are_looked_through_in_order_but_for_what_is_hidden(album: Path) -> None:
    assert found(album, album) == ["a.png", "b.JPG", "deep/z.webp", "deep/er/c.mov"]
    assert [path.name for path in gather([album], 100, lambda _: False).unfit] == ["n.txt"]


def test_each_file_comes_once_and_some_folders_are_passed_over(album: Path) -> None:
    assert found(album, album / "a.png", album, skip="deep") == ["a.png", "b.JPG"]


def test_what_is_beyond_the_limit_is_counted(album: Path) -> None:
    gathering = gather([album], 1, lambda _: False)
    assert (len(gathering.files), gathering.beyond) == (1, 3)


def test_what_is_missing_is_no_media(album: Path) -> None:
    assert gather([album / "gone.png"], 9, lambda _: False).unfit == [album / "gone.png"]
    assert kind_of(album / "x.heic") == "image" and kind_of(album / "x.MKV") == "video"
    assert kind_of(album / "x") is None


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_file_without_a_byte_is_left_out_with_the_reason(album: Path) -> None:
    (album / "deep" / "empty.png").touch()
    gathering = gather([album, album / "deep" / "empty.png"], 100, lambda _: False)
    assert "empty.png" not in [path.name for path in gathering.files]
    skipped = gathering.skipped(0, 0, 100)
    assert skipped is not None and skipped.empty_example == "empty.png" and skipped.empty >= 1


def test_links_in_a_circle_and_endless_depth_end(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path)
    deepest = tmp_path
    for number in range(DEPTH_MAX + 3):
        deepest = deepest / str(number)
        deepest.mkdir()
        (deepest / "p.png").write_bytes(b"x")
    assert len(gather([tmp_path], 100, lambda _: False).files) == DEPTH_MAX
