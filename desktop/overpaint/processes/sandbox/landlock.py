"""Landlock, the Linux kernel's sandbox for unprivileged processes, by system call numbers.

Sources: landlock(7), landlock_create_ruleset(2), landlock_add_rule(2), landlock_restrict_self(2), and the
kernel's ``Documentation/userspace-api/landlock.rst`` for what each ABI version added. Linux alone; nothing
here runs elsewhere. Must not know what is confined, nor why.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from pathlib import Path

_CREATE, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""The same numbers on every architecture."""
_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _REMOVE_DIR, _REMOVE_FILE = (1 << bit for bit in range(6))
_MAKE_DIR, _MAKE_REG = 1 << 7, 1 << 8
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ALL_NET = 0b11
"""Binding and connecting of TCP sockets, from ABI 4."""
_ALL_SCOPES = 0b11
"""Abstract Unix sockets and signals that leave the sandbox, from ABI 6."""

_READ_FOLDER = _READ_FILE | _READ_DIR
_WRITE_FOLDER = (
    _READ_FOLDER | _WRITE_FILE | _TRUNCATE | _REFER | _MAKE_DIR | _MAKE_REG | _REMOVE_DIR | _REMOVE_FILE
)
_WRITE_ONE_FILE = _READ_FILE | _WRITE_FILE | _TRUNCATE


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def version() -> int:
    """Returns the running kernel's ABI version; 0 without Landlock, or where it is disabled."""
    return max(0, _syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG)))


def restrict(readable: Iterable[Path], writable: Iterable[Path]) -> None:
    """Revokes all file rights but the named ones from the calling thread and the threads it starts.

    TCP is refused from ABI 4, signals and abstract Unix sockets to other processes from ABI 6. Open files
    stay open. No version refuses ``stat`` and ``readlink``: names can be probed, not listed.

    Args:
        readable: Folders and files that can be read; missing ones are skipped.
        writable: Folders and files that can be read and written; in folders, files can be created and
        removed.

    Raises:
        OSError: The kernel refuses.
    """
    abi = version()
    handled = _handled_fs(abi)
    attributes = _Ruleset(handled, _ALL_NET if abi >= 4 else 0, _ALL_SCOPES if abi >= 6 else 0)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = _checked(_syscall(_CREATE, ctypes.byref(attributes), ctypes.c_size_t(size), ctypes.c_uint32(0)))
    try:
        for path in readable:
            _allow(ruleset, path, _READ_FOLDER & handled, _READ_FILE & handled)
        for path in writable:
            _allow(ruleset, path, _WRITE_FOLDER & handled, _WRITE_ONE_FILE & handled)
        forbid_new_privileges()
        _checked(_syscall(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)))
    finally:
        os.close(ruleset)


def forbid_new_privileges() -> None:
    """Denies more rights than this process has to any program it starts. Source: prctl(2).

    Raises:
        OSError: The kernel refuses.
    """
    zero = ctypes.c_ulong(0)
    _checked(_library().prctl(_PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), zero, zero, zero))


def _handled_fs(abi: int) -> int:
    """Returns all file rights of an ABI version: a handled right that is not granted is refused."""
    handled = _REFER - 1
    if abi >= 2:
        handled |= _REFER
    if abi >= 3:
        handled |= _TRUNCATE
    if abi >= 5:
        handled |= _IOCTL_DEV
    return handled


def _allow(ruleset: int, path: Path, of_folder: int, of_file: int) -> None:
    try:
        descriptor = os.open(path, getattr(os, "O_PATH", 0))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        rule = _PathBeneath(of_folder if is_folder else of_file, descriptor)
        _checked(
            _syscall(
                _ADD_RULE,
                ctypes.c_int(ruleset),
                ctypes.c_int(_RULE_PATH_BENEATH),
                ctypes.byref(rule),
                ctypes.c_uint32(0),
            )
        )
    finally:
        os.close(descriptor)


def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _syscall(number: int, *arguments: object) -> int:
    call = _library().syscall
    call.restype = ctypes.c_long
    return int(call(ctypes.c_long(number), *arguments))


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
