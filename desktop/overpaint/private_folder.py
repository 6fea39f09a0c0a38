"""The private folder: only its user can enter it, and read the files in it.

For the data folder: ledger, keys of signed URLs, and the notes with the secrets of running processes. Quick
to import. Must not know what the files mean.
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
    """Closes an existing folder to other users, and with it everything that lies in it.

    The folder becomes 0700 first, so nobody else can change what is looked at next; then its files lose what
    group and others may do with them. Folders in it that are closed already are not looked into. Folders
    above it are looked at, since who may rename one of them can put another data folder in its place.

    Args:
        folder: The folder; the last part of its path may be a symbolic link of this user or of root.

    Returns:
        Its real path.

    Raises:
        UsageError: It, the link to it or a file in it belongs to somebody else, others may rename it or a
            folder above it, or its file system cannot keep others out; with the command that mends it.
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
    """What this process creates from now on, only its user can read.

    For processes that write nothing but the data folder: a recording is to have the mode that its user's
    files usually have. Nothing on Windows, where files inherit the folder's list.
    """
    if sys.platform != "win32":
        os.umask(_OTHERS)


def write_private(path: Path, content: bytes) -> None:
    """Writes a file whole or not at all, and for its user's eyes only.

    On Windows the rights of its folder decide, which is one of the user's own.

    Raises:
        OSError: It cannot be written; what was there is still there.
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
            continue  # passed through, and not to be looked at
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
    if found.st_mode & stat.S_ISVTX:  # there everybody renames what is their own
        return False
    by_group = found.st_mode & stat.S_IWGRP and not _is_of_one_user(found.st_gid)
    return bool(found.st_mode & stat.S_IWOTH or by_group)


def _is_of_one_user(group: int) -> bool:
    """Returns whether a group has no members but this user and root.

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
    # A directory service need not list who has a group as their main one: then its name has to do.
    shared = group == main and title != name
    return members <= {name, "root"} and not shared


def _close(folder: Path) -> None:
    _close_one(folder, folder.lstat())
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                found = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # another process of ours tidies up
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
        """Gives the folder an access control list with its owner alone, which files in it inherit.

        Done once a folder: a file in it says that it was. Source: icacls, Microsoft's command reference.
        """
        import subprocess

        import psutil

        done = folder / ".private"
        if done.exists():
            return
        program = Path(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "System32" / "icacls.exe"
        allow = f"{psutil.Process().username()}:(OI)(CI)F"
        words = [str(program), str(folder), "/inheritance:r", "/grant:r", allow, "/Q"]
        try:
            run = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                creationflags=subprocess.CREATE_NO_WINDOW,
                timeout=30,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UsageError("data_folder_cannot_be_closed", folder=str(folder), reason=str(error)) from error
        if run.returncode:
            raise UsageError("data_folder_not_ntfs", folder=str(folder))
        done.touch()
