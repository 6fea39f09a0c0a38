"""The sandbox on Windows: a job object with limits, and low integrity.

Sources: Microsoft's documentation of ``CreateJobObject``, ``JOBOBJECT_EXTENDED_LIMIT_INFORMATION``,
``JOBOBJECT_BASIC_UI_RESTRICTIONS``, ``SetTokenInformation`` and "Mandatory Integrity Control". Windows alone;
written from these and not run yet. Must not know what is confined, nor why.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

_LIMIT_PROCESS_TIME, _LIMIT_ACTIVE_PROCESS, _LIMIT_PROCESS_MEMORY = 0x2, 0x8, 0x100
_DIE_ON_UNHANDLED_EXCEPTION = 0x400
_UI_RESTRICTIONS, _EXTENDED_LIMITS = 4, 9
_ALL_UI_RESTRICTIONS = 0xFF
_TOKEN_QUERY, _TOKEN_ADJUST_DEFAULT = 0x8, 0x80
_TOKEN_INTEGRITY_LEVEL, _GROUP_INTEGRITY = 25, 0x20
_LOW_INTEGRITY = "S-1-16-4096"
_TICKS_PER_SECOND = 10_000_000


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("per_process_user_time", ctypes.c_int64),
        ("per_job_user_time", ctypes.c_int64),
        ("limit_flags", ctypes.c_uint32),
        ("minimum_working_set", ctypes.c_size_t),
        ("maximum_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    )


class _ExtendedLimits(ctypes.Structure):
    _fields_ = (
        ("basic", _BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class _LabelledToken(ctypes.Structure):
    _fields_ = (("sid", ctypes.c_void_p), ("attributes", ctypes.c_uint32))


def limit(memory_bytes: int | None, cpu_seconds: float | None) -> None:
    """Puts this process into its own job: it can start no process and read no clipboard.

    Args:
        memory_bytes: Limit of committed memory; None for no limit.
        cpu_seconds: Limit of processor time since the start of the process; None for no limit.

    Raises:
        OSError: Windows refuses.
    """
    kernel = _library("kernel32")
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    _checked(job.value)
    limits = _ExtendedLimits()
    limits.basic.limit_flags = _LIMIT_ACTIVE_PROCESS | _DIE_ON_UNHANDLED_EXCEPTION
    limits.basic.active_processes = 1
    if memory_bytes is not None:
        limits.basic.limit_flags |= _LIMIT_PROCESS_MEMORY
        limits.process_memory = memory_bytes
    if cpu_seconds is not None:
        limits.basic.limit_flags |= _LIMIT_PROCESS_TIME
        limits.basic.per_process_user_time = int(cpu_seconds * _TICKS_PER_SECOND)
    size = ctypes.sizeof(limits)
    _checked(kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), size))
    screen = ctypes.c_uint32(_ALL_UI_RESTRICTIONS)
    _checked(kernel.SetInformationJobObject(job, _UI_RESTRICTIONS, ctypes.byref(screen), 4))
    # The handle stays open on purpose: so the job lives as long as its process.
    _checked(kernel.AssignProcessToJobObject(job, ctypes.c_void_p(kernel.GetCurrentProcess())))


def lower_integrity() -> None:
    """Lowers this process's integrity: it can open none of the user's files for writing.

    Raises:
        OSError: Windows refuses.
    """
    kernel = _library("kernel32")
    rights = _library("advapi32")
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    token, sid = ctypes.c_void_p(), ctypes.c_void_p()
    own = ctypes.c_void_p(kernel.GetCurrentProcess())
    access = _TOKEN_QUERY | _TOKEN_ADJUST_DEFAULT
    _checked(rights.OpenProcessToken(own, access, ctypes.byref(token)))
    try:
        _checked(rights.ConvertStringSidToSidW(_LOW_INTEGRITY, ctypes.byref(sid)))
        try:
            label = _LabelledToken(sid, _GROUP_INTEGRITY)
            size = ctypes.sizeof(label) + rights.GetLengthSid(sid)
            _checked(rights.SetTokenInformation(token, _TOKEN_INTEGRITY_LEVEL, ctypes.byref(label), size))
        finally:
            kernel.LocalFree(sid)
    finally:
        kernel.CloseHandle(token)


def _library(name: str) -> Any:
    if sys.platform == "win32":
        return ctypes.WinDLL(name, use_last_error=True)
    raise OSError("this is not Windows")


def _checked(result: int | None) -> None:
    if sys.platform == "win32" and not result:
        raise ctypes.WinError(ctypes.get_last_error())
