"""A seccomp filter: system calls that a merely computing process does not need fail with ``EPERM``.

No sockets, programs, other processes, signals to others, changes of a file's metadata, or administrators'
calls. It is a deny list, since the libraries inside (FFmpeg, OpenCV, ONNX Runtime) change what they call;
calls newer than this list fail as unknown.

Sources: seccomp(2), bpf(4), syscalls(2); the numbers are those of the kernel's ``syscall_64.tbl`` (x86-64)
and ``asm-generic/unistd.h`` (aarch64). Linux alone. Must not know what is confined, nor why.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

_SET_MODE_FILTER, _GET_ACTION_AVAILABLE = 1, 2
_ALL_THREADS = 1
"""``SECCOMP_FILTER_FLAG_TSYNC``: the filter holds for threads that run already, too."""

_KILL_PROCESS, _REFUSE, _ALLOW = 0x8000_0000, 0x0005_0000, 0x7FFF_0000
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_GREATER, _IF_ANY_BIT = 0x15, 0x25, 0x45
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
"""Offsets in ``struct seccomp_data``; an argument is 64 bits wide, its low half first on both machines."""

_ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
"""``AUDIT_ARCH_X86_64`` and ``AUDIT_ARCH_AARCH64``."""
_SECCOMP = {"x86_64": 317, "aarch64": 277}

_NEWEST = 462
"""The newest call on the list (``mseal``, Linux 6.10). Calls of the x32 ABI have larger numbers."""

_REFUSED = {
    # sockets: none of any family; only open ones stay usable
    "socket": (41, 198),
    # programs and processes
    "execve": (59, 221),
    "execveat": (322, 281),
    "fork": (57, None),
    "vfork": (58, None),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "tkill": (200, 130),
    "kcmp": (312, 272),
    "setpriority": (141, 140),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setaffinity": (203, 122),
    "ioprio_set": (251, 30),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # a way to make system calls past this filter
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # memory that no limit counts, or that is shared
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "msgctl": (71, 187),
    "msgrcv": (70, 188),
    "msgsnd": (69, 189),
    "semget": (64, 190),
    "semctl": (66, 191),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "userfaultfd": (323, 282),
    # a file's metadata and names, which Landlock does not guard (``truncate`` only from its ABI 3)
    "truncate": (76, 45),
    # shared memory that shrinks under another process kills that process when it reads there
    "ftruncate": (77, 46),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "chroot": (161, 51),
    "pivot_root": (155, 41),
    "mount": (165, 40),
    "umount2": (166, 39),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    # the kernel's administration
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "ioperm": (173, None),
    "iopl": (172, None),
    "modify_ldt": (154, None),
    "personality": (135, 92),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
}
"""Numbers on x86-64 and aarch64; None where there is no such call."""

_CLONE, _CLONE3 = (56, 220), (435, 435)
_KILL, _TGKILL, _PRLIMIT = (62, 129), (234, 131), (302, 261)
_SOCKETPAIR, _IOCTL, _FCNTL = (53, 199), (16, 29), (72, 25)
_CLONE_THREAD = 0x0001_0000
_AF_UNIX, _SOCK_STREAM, _SOCK_TYPES = 1, 1, 0xF
_REFUSED_REQUESTS = (0x5412, 0x541C, 0x8901, 0x8902, 0x4008_6602, 0x401C_5820, 0x4080_6685)
"""``TIOCSTI``, ``TIOCLINUX``: putting words into the terminal's input, as if its user had typed them.
``FIOSETOWN``, ``SIOCSPGRP``: as ``F_SETOWN``. ``FS_IOC_SETFLAGS``, ``FS_IOC_FSSETXATTR``,
``FS_IOC_ENABLE_VERITY``: a file's metadata. Source: ioctl_tty(2), socket(7), ioctl_fs(2), ``linux/fs.h``.
"""
_REFUSED_FILE_COMMANDS = (8, 10, 15, 1024, 1026)
"""``F_SETOWN``, ``F_SETSIG``, ``F_SETOWN_EX``: a file that becomes readable sends any signal to any process
of the user, past the filter of kill; Landlock refuses that from ABI 6 alone. ``F_SETLEASE``, ``F_NOTIFY``:
a lease delays others who open the file by up to 45 s; notifications reveal what others do in a folder.
Source: fcntl(2).
"""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def available() -> bool:
    """Returns whether this kernel accepts filters, on an architecture of the list above."""
    if platform.machine() not in _ARCHITECTURES:
        return False
    refuse = ctypes.c_uint32(_REFUSE)
    return _seccomp(_GET_ACTION_AVAILABLE, 0, ctypes.byref(refuse)) == 0


def restrict() -> None:
    """Applies the filter to every thread of this process, for good.

    Raises:
        OSError: The kernel refuses, or the machine is neither x86-64 nor aarch64.
    """
    if platform.machine() not in _ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no list of system calls for {platform.machine()}")
    instructions = filter_program(platform.machine(), os.getpid())
    program = _Program(len(instructions) // 8, instructions)
    result = _seccomp(_SET_MODE_FILTER, _ALL_THREADS, ctypes.byref(program))
    if result > 0:
        raise OSError(errno.EBUSY, "a thread has another filter")
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def filter_program(machine: str, pid: int) -> bytes:
    """Returns the filter as classic BPF instructions, 8 bytes each.

    Args:
        machine: "x86_64" or "aarch64".
        pid: The process's own id: it may send signals only to itself.
    """
    column = list(_ARCHITECTURES).index(machine)
    refuse = _REFUSE | errno.EPERM
    absent = _REFUSE | errno.ENOSYS
    parts = [
        _op(_LOAD, _ARCHITECTURE_AT),
        _op(_IF_EQUAL, _ARCHITECTURES[machine], yes=1),
        _op(_RETURN, _KILL_PROCESS),
        _op(_LOAD, _NUMBER_AT),
        _op(_IF_GREATER, _NEWEST, no=1),
        _op(_RETURN, absent),
    ]
    # The arguments of clone3 are in memory, which no filter sees; libraries fall back to clone.
    parts += [_op(_IF_EQUAL, _CLONE3[column], no=1), _op(_RETURN, absent)]
    for numbers in _REFUSED.values():
        if (number := numbers[column]) is not None:
            parts += [_op(_IF_EQUAL, number, no=1), _op(_RETURN, refuse)]
    parts += _when(_CLONE[column], [_argument(0), _op(_IF_ANY_BIT, _CLONE_THREAD, no=1), _allow()], refuse)
    for call in (_KILL, _TGKILL):
        parts += _when(call[column], [_argument(0), _op(_IF_EQUAL, pid, no=1), _allow()], refuse)
    parts += _when(
        _PRLIMIT[column],
        [_argument(0), _op(_IF_EQUAL, 0, yes=1), _op(_IF_EQUAL, pid, no=1), _allow()],
        refuse,
    )
    # A pair of stream sockets is connected for good; datagram sockets could be connected elsewhere.
    parts += _when(
        _SOCKETPAIR[column],
        [
            *(_argument(0), _op(_IF_EQUAL, _AF_UNIX, no=4)),
            *(_argument(1), _op(_AND, _SOCK_TYPES), _op(_IF_EQUAL, _SOCK_STREAM, no=1), _allow()),
        ],
        refuse,
    )
    parts += _when(_IOCTL[column], _unless(1, _REFUSED_REQUESTS), refuse)
    parts += _when(_FCNTL[column], _unless(1, _REFUSED_FILE_COMMANDS), refuse)
    return b"".join([*parts, _allow()])


def _when(number: int, rule: list[bytes], otherwise: int) -> list[bytes]:
    """Returns a rule for one call, which allows it or falls through to ``otherwise``."""
    return [_op(_IF_EQUAL, number, no=len(rule) + 1), *rule, _op(_RETURN, otherwise)]


def _unless(argument: int, values: tuple[int, ...]) -> list[bytes]:
    """Returns a rule that allows a call unless an argument is one of these."""
    leaps = [_op(_IF_EQUAL, value, yes=len(values) - index) for index, value in enumerate(values)]
    return [_argument(argument), *leaps, _allow()]


def _op(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    """Returns one ``struct sock_filter``: operation, jumps when true and when false, operand."""
    return struct.pack("=HBBI", code, yes, no, value)


def _argument(index: int) -> bytes:
    return _op(_LOAD, _ARGUMENTS_AT + 8 * index)


def _allow() -> bytes:
    return _op(_RETURN, _ALLOW)


def _seccomp(operation: int, flags: int, argument: object) -> int:
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    number = ctypes.c_long(_SECCOMP[platform.machine()])
    return int(call(number, ctypes.c_uint(operation), ctypes.c_uint(flags), argument))
