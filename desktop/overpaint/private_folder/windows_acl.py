"""Access control list (ACL) of a folder on Windows: only its user and the system may, for all in it, too.

Quick to import. Must not know what the folder is for.

Sources: Microsoft Learn, "Security Descriptor String Format" (SDDL) and SetNamedSecurityInfoW.
"""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

assert sys.platform == "win32"  # mypy looks no further elsewhere

_FILE_OBJECT, _DACL, _PROTECTED = 1, 4, 0x80000000
_TOKEN_QUERY, _TOKEN_USER = 8, 1
_KEEPS_ACLS = 8
"""Flag of a file system that has access control lists (FILE_PERSISTENT_ACLS): NTFS, not FAT."""

_security = ctypes.WinDLL("advapi32", use_last_error=True)
_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_kernel.GetCurrentProcess.restype = ctypes.c_void_p
_kernel.LocalFree.argtypes = (ctypes.c_void_p,)
_kernel.CloseHandle.argtypes = (ctypes.c_void_p,)
_security.OpenProcessToken.argtypes = (ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p)
_security.ConvertSidToStringSidW.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
_security.SetNamedSecurityInfoW.argtypes = (
    *(ctypes.c_wchar_p, ctypes.c_int, ctypes.c_uint32),
    *[ctypes.c_void_p] * 4,
)
_security.GetNamedSecurityInfoW.argtypes = (
    *(ctypes.c_wchar_p, ctypes.c_int, ctypes.c_uint32),
    *[ctypes.c_void_p] * 5,
)


def has_acls(folder: Path) -> bool:
    """Returns whether the file system of a folder has access control lists."""
    flags = ctypes.c_uint32()
    root = f"{folder.absolute().anchor}"
    _checked(_kernel.GetVolumeInformationW(root, None, 0, None, None, ctypes.byref(flags), None, 0))
    return bool(flags.value & _KEEPS_ACLS)


def restrict_to_user(folder: Path) -> None:
    """Gives this user and the system all rights to a folder and what lies in it, and nobody else any.

    Entries that others have in its own list are removed, and it inherits none. Does nothing where it is so.

    Raises:
        OSError: It belongs to another user, or is not there.
    """
    entries = {f"(A;OICI;FA;;;{who})" for who in (own_sid(), "SY")}
    present = acl_of(folder)
    if "P" in present.partition("(")[0] and set(re.findall(r"\(.*?\)", present)) == entries:
        return
    with _descriptor(f"D:P{''.join(sorted(entries))}") as descriptor:
        present_flag, defaulted, entries_of = ctypes.c_int(), ctypes.c_int(), ctypes.c_void_p()
        _checked(
            _security.GetSecurityDescriptorDacl(
                descriptor,
                *(ctypes.byref(each) for each in (present_flag, entries_of, defaulted)),
            )
        )
        what = _DACL | _PROTECTED
        failed = _security.SetNamedSecurityInfoW(
            str(folder), _FILE_OBJECT, what, None, None, entries_of, None
        )
    if failed:
        raise ctypes.WinError(failed)


def acl_of(path: Path) -> str:
    """Returns the access control list of a file or folder, in SDDL. Raises ``OSError``."""
    descriptor, text = ctypes.c_void_p(), ctypes.c_wchar_p()
    failed = _security.GetNamedSecurityInfoW(
        str(path), _FILE_OBJECT, _DACL, None, None, None, None, ctypes.byref(descriptor)
    )
    if failed:
        raise ctypes.WinError(failed)
    try:
        _checked(
            _security.ConvertSecurityDescriptorToStringSecurityDescriptorW(
                descriptor, 1, _DACL, ctypes.byref(text), None
            )
        )
        return _taken(text)
    finally:
        _kernel.LocalFree(descriptor)


def own_sid() -> str:
    """Returns the security identifier of this process's user."""
    token, size, text = ctypes.c_void_p(), ctypes.c_uint32(), ctypes.c_wchar_p()
    _checked(_security.OpenProcessToken(_kernel.GetCurrentProcess(), _TOKEN_QUERY, ctypes.byref(token)))
    try:
        room = ctypes.create_string_buffer(256)
        _checked(_security.GetTokenInformation(token, _TOKEN_USER, room, len(room), ctypes.byref(size)))
        sid = ctypes.c_void_p.from_buffer(room)
        _checked(_security.ConvertSidToStringSidW(sid, ctypes.byref(text)))
        return _taken(text)
    finally:
        _kernel.CloseHandle(token)


@contextmanager
def _descriptor(sddl: str) -> Iterator[ctypes.c_void_p]:
    made = ctypes.c_void_p()
    _checked(
        _security.ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, 1, ctypes.byref(made), None)
    )
    try:
        yield made
    finally:
        _kernel.LocalFree(made)


def _taken(text: ctypes.c_wchar_p) -> str:
    """Returns a text that Windows has allocated, and frees it."""
    copy = text.value or ""
    _kernel.LocalFree(ctypes.cast(text, ctypes.c_void_p))
    return copy


def _checked(done: int) -> None:
    if not done:
        raise ctypes.WinError(ctypes.get_last_error())
