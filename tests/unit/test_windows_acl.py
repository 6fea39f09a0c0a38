"""On Windows nobody but its user has rights to the data folder, however it came to be (also under Wine)."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from overpaint.errors import UsageError
from overpaint.folders import data_dir

if sys.platform != "win32":
    pytest.skip("access control lists are Windows'", allow_module_level=True)

from overpaint.private_folder import windows_acl
from overpaint.private_folder.windows_acl import acl_of, own_sid, restrict_to_user

EVERYBODY = re.compile(r";(WD|BU|AU|S-1-1-0|S-1-5-11|S-1-5-32-545)\)")


def test_a_new_data_folder_is_its_users_alone(tmp_path: Path) -> None:
    folder = data_dir(tmp_path / "neu ä")
    assert own_sid() in acl_of(folder)
    assert not EVERYBODY.search(acl_of(folder)), acl_of(folder)


def test_a_folder_that_was_open_to_everybody_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    with windows_acl._descriptor("D:(A;OICI;FA;;;WD)") as descriptor:
        assert windows_acl._security.SetFileSecurityW(str(folder), 4, descriptor)
    assert EVERYBODY.search(acl_of(folder)), "it was open"
    data_dir(folder)
    assert not EVERYBODY.search(acl_of(folder)), acl_of(folder)
    (folder / "note.json").write_text("secret")
    assert not EVERYBODY.search(acl_of(folder / "note.json")), "what is written there is closed, too"


def test_a_closed_folder_stays_as_it_is(tmp_path: Path) -> None:
    restrict_to_user(tmp_path)
    before = acl_of(tmp_path)
    restrict_to_user(tmp_path)
    assert acl_of(tmp_path) == before


def test_a_drive_without_rights_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows_acl, "has_acls", lambda _: False)
    with pytest.raises(UsageError, match="NTFS"):
        data_dir(tmp_path / "stick")
