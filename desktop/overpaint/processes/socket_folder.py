"""The private folder of a process's sockets, and what processes that were killed have left of theirs.

For Linux and macOS; Windows has named pipes, which end with their process. Must not know what is said over
the sockets.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import socket
import stat
import sys
import tempfile
import time
from contextlib import suppress
from multiprocessing import util
from pathlib import Path

from overpaint.private_folder import own_user

_NAME = re.compile(r"overpaint-(\d+)-\w+")
_YOUNG_S = 60.0
"""Seconds for which a folder is left alone: its process may be about to open its first socket."""


@functools.cache
def socket_folder() -> Path:
    """Creates this process's own folder with a new name, mode 0700; removed at its end.

    In the user's runtime folder where there is one: other users cannot enter it, so they can never take a
    name there, not even after this process was killed and its folder deleted.
    """
    named = runtime_folder()
    folder = Path(tempfile.mkdtemp(prefix=f"overpaint-{os.getpid()}-", dir=named))
    # Removed after its listeners, which remove their sockets.
    util.Finalize(None, shutil.rmtree, args=(folder, True), exitpriority=-100)
    remove_left_folders(folder.parent)
    return folder


def remove_left_folders(parent: Path) -> None:
    """Removes the folders of processes that were killed before they could remove them.

    Args:
        parent: Where this user's processes make their folders.
    """
    import psutil  # not needed by who only calls

    with suppress(OSError):
        for folder in parent.iterdir():
            name = _NAME.fullmatch(folder.name)
            if name is not None and not psutil.pid_exists(int(name[1])) and _is_left(folder):
                shutil.rmtree(folder, ignore_errors=True)


def runtime_folder() -> str | None:
    """Returns XDG_RUNTIME_DIR if it meets its specification; else None."""
    named = os.environ.get("XDG_RUNTIME_DIR", "")
    if sys.platform != "linux" or not Path(named).is_absolute():
        return None
    try:
        found = os.lstat(named)
    except OSError:
        return None
    private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
    return named if private and found.st_uid == own_user() and os.access(named, os.W_OK) else None


def _is_left(folder: Path) -> bool:
    """Whether it is this user's and nobody listens there any more.

    A process of another container may share the folder and have a number that does not exist here: so each
    socket is called, and a folder without one, whose process may be about to listen, stays.
    """
    try:
        found = os.lstat(folder)
        mine = stat.S_ISDIR(found.st_mode) and found.st_uid == own_user()
        old = time.time() - found.st_mtime > _YOUNG_S
        sockets = list(folder.iterdir()) if mine and old else []
        return bool(sockets) and not any(map(_answers, sockets))
    except OSError:
        return False


def _answers(path: Path) -> bool:
    if sys.platform == "win32":
        raise NotImplementedError("there are no socket files")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        caller.setblocking(False)
        try:
            caller.connect(str(path))
        except ConnectionRefusedError:
            return False
        except OSError:  # busy, or no socket: whatever it is, it is not known to be left
            return True
    return True
