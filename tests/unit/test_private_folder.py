"""Another user of the machine reads nothing of the data folder, however it came to be."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from helpers.processes import overpaint
from overpaint import private_folder
from overpaint.core.jobs.transform_jobs import home_id
from overpaint.errors import UsageError
from overpaint.folders import data_dir
from overpaint.gui.window_memory import Remembered, save_remembered
from overpaint.processes.roles import Role
from overpaint.settings import Settings, save_settings

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform == "win32", reason="modes of files")]
needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="gives files to another user"
)

NOBODY = 65534


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def open_folder(folder: Path) -> Path:
    """As earlier versions left one that was named on the command line."""
    (folder / "files" / "ab").mkdir(parents=True)
    for path in (folder / "ledger.sqlite", folder / "files" / "ab" / "picture"):
        path.write_text("secret")
        path.chmod(0o644)
    for path in (folder, folder / "files", folder / "files" / "ab"):
        path.chmod(0o755)
    return folder


@pytest.fixture
def passable() -> Iterator[Path]:
    """A folder that others may pass through, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_an_open_folder_is_closed_with_all_that_lies_in_it(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "named")
    assert data_dir(folder) == folder
    assert [mode(folder), mode(folder / "files"), mode(folder / "files" / "ab")] == [0o700] * 3
    assert mode(folder / "ledger.sqlite") == mode(folder / "files" / "ab" / "picture") == 0o600


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("settings.json", lambda folder: save_settings(folder, Settings())),
        ("window.json", lambda folder: save_remembered(folder, Remembered())),
        ("home.txt", home_id),
        ("camera.json", lambda folder: Role(folder, "camera").announce("address", "secret")),
    ],
)
def test_what_is_written_there_is_closed_from_its_first_moment(
    tmp_path: Path, name: str, write: Callable[[Path], object]
) -> None:
    """Whatever the umask of whoever writes it."""
    before = os.umask(0)
    try:
        write(tmp_path)
    finally:
        os.umask(before)
    assert mode(tmp_path / name) == 0o600


def test_a_new_folder_is_closed(tmp_path: Path) -> None:
    assert mode(data_dir(tmp_path / "new")) == 0o700


@needs_root
def test_another_user_cannot_read_the_ledger_any_more(passable: Path) -> None:
    """A real command opens the folder."""
    folder = open_folder(passable / "named")
    (folder / "ledger.sqlite").unlink()

    def by_another() -> subprocess.CompletedProcess[str]:
        words = ["/bin/cat", str(folder / "files" / "ab" / "picture")]
        return subprocess.run(words, capture_output=True, text=True, user=NOBODY, extra_groups=[])

    assert "secret" in by_another().stdout, "it was open"
    assert overpaint("keys", "list", "--data-dir", str(folder)).returncode == 0
    assert "Permission denied" in by_another().stderr
    assert not [path for path in folder.rglob("*") if mode(path) & 0o077], "what it made is closed, too"


@needs_root
def test_a_folder_of_another_user_is_refused_with_the_command_that_mends_it(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "theirs")
    os.chown(folder, NOBODY, NOBODY)
    with pytest.raises(UsageError, match="belongs to another user") as refused:
        data_dir(folder)
    assert "chown" in refused.value.mend and mode(folder) == 0o755, "nothing of it is changed"


@needs_root
def test_a_file_that_another_user_put_there_is_refused(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "named")
    (folder / "settings.json").write_text("{}")
    os.chown(folder / "settings.json", NOBODY, NOBODY)
    with pytest.raises(UsageError, match=r"settings\.json .* belongs to another user"):
        data_dir(folder)


@needs_root
def test_a_link_that_another_user_made_closes_nothing(tmp_path: Path) -> None:
    """Else anybody could have any folder of ours closed by a link at a place where data folders are."""
    victim = open_folder(tmp_path / "home")
    link = tmp_path / "data-link"
    link.symlink_to(victim)
    os.chown(link, NOBODY, NOBODY, follow_symlinks=False)
    with pytest.raises(UsageError, match="a link that another user has made"):
        data_dir(link)
    assert mode(victim) == 0o755


def test_a_link_of_the_user_is_followed_and_links_inside_are_not(tmp_path: Path) -> None:
    folder, elsewhere = open_folder(tmp_path / "real"), tmp_path / "elsewhere"
    elsewhere.write_text("mine, for all to see")
    elsewhere.chmod(0o644)
    (folder / "shortcut").symlink_to(elsewhere)
    (tmp_path / "data-link").symlink_to(folder)
    assert data_dir(tmp_path / "data-link") == folder
    assert mode(folder) == 0o700 and mode(elsewhere) == 0o644


@needs_root
def test_who_may_rename_a_folder_above_it_puts_another_in_its_place(passable: Path) -> None:
    """So it is refused with the command that mends it, and nothing of it is changed."""
    above = passable / "for all"
    folder = open_folder(above / "mine" / "named")
    above.chmod(0o777)

    def by_another() -> int:
        words = ["/bin/mv", str(above / "mine"), str(above / "away")]
        return subprocess.run(words, capture_output=True, user=NOBODY, extra_groups=[]).returncode

    assert by_another() == 0
    (above / "away").rename(above / "mine")
    with pytest.raises(UsageError, match=r"lies in .*for all") as refused:
        data_dir(folder)
    assert mode(folder) == 0o755
    subprocess.run(["/bin/sh", "-c", refused.value.mend.partition(" Or: ")[2]], check=True)
    assert by_another() != 0
    assert data_dir(folder) == folder


def test_a_folder_in_which_everybody_renames_their_own_is_none_to_refuse(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp").chmod(0o1777)
    assert data_dir(tmp_path / "tmp" / "named") == tmp_path / "tmp" / "named"


@pytest.mark.parametrize(
    ("group", "members", "refused"),
    [
        ("ann", [], False),  # the private group of its user, with a umask of 002
        ("ann", ["ann"], False),
        ("ann", ["ben"], True),
        ("staff", [], True),  # everybody's main group on macOS
        ("domain users", [], True),  # of a directory service, which does not list them
    ],
)
def test_a_folder_above_it_may_be_writable_for_its_users_own_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str, members: list[str], refused: bool
) -> None:
    if os.geteuid() == 0:
        os.chown(tmp_path, 0, 4711)
    own = SimpleNamespace(pw_name="ann", pw_gid=tmp_path.stat().st_gid)
    monkeypatch.setattr("pwd.getpwuid", lambda _: own)
    monkeypatch.setattr("pwd.getpwall", lambda: [own])
    monkeypatch.setattr("grp.getgrgid", lambda _: SimpleNamespace(gr_name=group, gr_mem=members))
    tmp_path.chmod(0o775)
    if refused:
        with pytest.raises(UsageError, match="lies in") as refusal:
            data_dir(tmp_path / "named")
        assert f"chmod go-w {tmp_path}" in refusal.value.mend
    else:
        assert data_dir(tmp_path / "named") == tmp_path / "named"


@needs_root
@pytest.mark.parametrize(("users", "refused"), [([], False), (["ben"], True)])
def test_a_group_that_is_the_main_one_of_others_is_not_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, users: list[str], refused: bool
) -> None:
    """As staff of Debian, which has nobody, and users of others, which has everybody."""
    import pwd

    os.chown(tmp_path, 0, 4711)
    tmp_path.chmod(0o775)
    everybody = [*pwd.getpwall(), *(SimpleNamespace(pw_name=user, pw_gid=4711) for user in users)]
    monkeypatch.setattr("pwd.getpwall", lambda: everybody)
    monkeypatch.setattr("grp.getgrgid", lambda _: SimpleNamespace(gr_name="staff", gr_mem=[]))
    assert private_folder._others_may_rename_in(tmp_path.stat()) is refused


def test_a_file_system_without_modes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = open_folder(tmp_path / "stick")
    monkeypatch.setattr(Path, "chmod", lambda self, mode: None)  # as vfat takes it
    with pytest.raises(UsageError, match="file system") as refused:
        data_dir(folder)
    assert "umask=077" in refused.value.mend


def test_what_vanishes_meanwhile_troubles_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = open_folder(tmp_path / "busy")
    close_one = private_folder._close_one

    def vanishing(path: Path, *rest: object) -> None:
        if path.name == "ledger.sqlite":
            path.unlink()
        close_one(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(private_folder, "_close_one", vanishing)
    assert data_dir(folder) == folder
