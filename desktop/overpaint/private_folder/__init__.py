"""File permissions of the data folder: only its user can enter it and read its files.

It contains the ledger, keys of signed URLs, and notes with the secrets of running processes. Quick to import.
Must not know what the files mean.
"""

from __future__ import annotations

import os
import shlex
import stat
import sys
from contextlib import suppress
from pathlib import Path

from overpaint.errors import UsageError

_OTHERS = 0o077


def make_private(folder: Path) -> Path:
    """Removes other users' rights to an existing folder and everything in it.

    The folder gets mode 0700 first, so that nobody can change its content during the check; then its files
    lose the rights of group and others. Subfolders that are private already are skipped. Parent folders are
    checked, since a user who may rename one of them could put another data folder in its place.

    Args:
        folder: The folder; the last part of its path may be a symbolic link of this user or of root.

    Returns:
        Its real path.

    Raises:
        UsageError: The folder, a link to it or a file in it belongs to another user, another user may rename
            it or a parent folder, or its file system has no permissions; with the command that mends it.
    """
    if sys.platform == "win32":
        _restrict(folder)
        return folder.resolve()
    _check_link(folder)
    real = folder.resolve()
    _check_parents(real)
    _close(real)
    return real


def private_umask() -> None:
    """Sets the umask so that only the user can read the files that this process creates.

    For processes that write only to the data folder: a recording should have the usual mode of the user's
    files. Does nothing on Windows, where files inherit the access control list of their folder.
    """
    if sys.platform != "win32":
        os.umask(_OTHERS)


def write_private(path: Path, content: bytes) -> None:
    """Writes a file atomically, readable by its user only.

    On Windows it inherits the rights of its folder, which is private to the user.

    Raises:
        OSError: It cannot be written; a former file is unchanged.
    """
    draft = path.with_name(f"{path.name}.tmp")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    draft.replace(path)


def own_user() -> int:
    """Effective user id of this process; 0 on Windows, which has none."""
    user = 0
    if sys.platform != "win32":
        user = os.geteuid()
    return user


def _check_link(folder: Path) -> None:
    found = folder.lstat()
    if stat.S_ISLNK(found.st_mode) and found.st_uid not in (own_user(), 0):
        raise UsageError("data_folder_linked_by_another", folder=str(folder))


def _check_parents(folder: Path) -> None:
    for parent in folder.parents:
        try:
            found = parent.stat()
        except OSError:
            continue  # not accessible, so it cannot be examined
        if _others_may_rename_in(found):
            raise UsageError(
                "data_folder_in_open_folder"
                if found.st_uid == own_user()
                else "data_folder_in_open_folder_of_another",
                folder=str(folder),
                parent=str(parent),
                quoted=shlex.quote(str(parent)),
            )


def _others_may_rename_in(found: os.stat_result) -> bool:
    if found.st_mode & stat.S_ISVTX:  # sticky: a user can rename only their own files
        return False
    by_group = found.st_mode & stat.S_IWGRP and not _is_of_one_user(found.st_gid)
    return bool(found.st_mode & stat.S_IWOTH or by_group)


def _is_of_one_user(group: int) -> bool:
    """Whether a group has no members but this user and root.

    Where each user has a private group of the same name (Debian, Fedora), homes may be writable for it.
    """
    if sys.platform == "win32":
        return False
    import grp
    import pwd

    name, main, title, members = "", None, "", set[str]()
    with suppress(KeyError):  # a container's user needs no name
        own = pwd.getpwuid(own_user())
        name, main = own.pw_name, own.pw_gid
    with suppress(KeyError):
        listed = grp.getgrgid(group)
        title, members = listed.gr_name, set(listed.gr_mem)
    if group == 0:  # root's own; the main one of programs on some systems, and of users in containers
        return members <= {name, "root"}
    members |= {each.pw_name for each in pwd.getpwall() if each.pw_gid == group}
    # A directory service need not list the users of a primary group, so the group's name decides then.
    shared = group == main and title != name
    return members <= {name, "root"} and not shared


def _close(folder: Path) -> None:
    _close_one(folder, folder.lstat())
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                found = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # removed meanwhile by another of our processes
            if stat.S_ISLNK(found.st_mode):
                _check_link(Path(entry.path))
            elif stat.S_ISDIR(found.st_mode):
                if found.st_mode & _OTHERS or found.st_uid != own_user():
                    _close(Path(entry.path))
            else:
                _close_one(Path(entry.path), found)


def _close_one(path: Path, found: os.stat_result) -> None:
    is_folder = stat.S_ISDIR(found.st_mode)
    if found.st_uid != own_user():
        raise UsageError(
            "data_folder_of_another_user" if is_folder else "data_file_of_another_user", path=str(path)
        )
    if not found.st_mode & _OTHERS:
        return
    try:
        path.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS)
        still_open = path.lstat().st_mode & _OTHERS
    except FileNotFoundError:
        return
    except OSError:
        still_open = found.st_mode & _OTHERS
    if still_open:
        raise UsageError("data_folder_open" if is_folder else "data_file_open", path=str(path))


if sys.platform == "win32":

    def _restrict(folder: Path) -> None:
        """Sets an access control list of the user alone, which files in the folder inherit."""
        from overpaint.private_folder.windows_acl import has_acls, restrict_to_user

        try:
            if not has_acls(folder):
                raise UsageError("data_folder_not_ntfs", folder=str(folder))
            restrict_to_user(folder)
        except OSError as error:
            raise UsageError("data_folder_cannot_be_closed", folder=str(folder), reason=str(error)) from error
