"""The process at the other end of a local connection, as the operating system names it.

Must not know what is sent over the connection.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
from dataclasses import dataclass
from multiprocessing.connection import Connection

import psutil

from overpaint.private_folder import own_user

_LINUX_UCRED = struct.Struct("3i")
"""pid, uid, gid: unix(7), SO_PEERCRED."""
_SOL_LOCAL, _LOCAL_PEERCRED, _LOCAL_PEERPID = 0, 1, 2
"""macOS, <sys/un.h>."""
_XUCRED_BYTES = 76
"""macOS, <sys/ucred.h>: cr_version, cr_uid, cr_ngroups, cr_groups[16]."""


@dataclass(frozen=True, slots=True)
class Peer:
    """The process at the other end.

    Attributes:
        pid: Its process id; for a listener, the process that began to listen. None where unknown.
        ours: Whether it belongs to this process's user; None where unknown.
    """

    pid: int | None
    ours: bool | None


def peer_of(connection: Connection, *, dialled: bool) -> Peer:
    """Returns the peer credentials of a connected Unix socket or named pipe.

    Args:
        connection: A Unix socket's, or a named pipe's on Windows.
        dialled: Whether this end connected; else it accepted.

    Raises:
        OSError: The connection is broken.
    """
    peer = Peer(None, None)
    if sys.platform == "win32":
        peer = _of_pipe(connection.fileno(), dialled)
    elif sys.platform == "linux":
        with socket.socket(fileno=os.dup(connection.fileno())) as end:
            said = end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _LINUX_UCRED.size)
        pid, user, _ = _LINUX_UCRED.unpack(said)
        peer = Peer(pid, user == own_user())
    elif sys.platform == "darwin":
        with socket.socket(fileno=os.dup(connection.fileno())) as end:
            said = end.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
            pid = end.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID)
        (user,) = struct.unpack_from("I", said, 4)
        peer = Peer(pid, user == own_user())
    return peer


if sys.platform == "win32":

    def _of_pipe(handle: int, dialled: bool) -> Peer:
        import ctypes

        pid = ctypes.c_ulong()
        kernel = ctypes.windll.kernel32
        ask = kernel.GetNamedPipeServerProcessId if dialled else kernel.GetNamedPipeClientProcessId
        if not ask(ctypes.c_void_p(handle), ctypes.byref(pid)):
            return Peer(None, None)
        try:
            return Peer(pid.value, psutil.Process(pid.value).username() == psutil.Process().username())
        except psutil.Error:
            return Peer(pid.value, False)  # a process that cannot be opened is another user's
