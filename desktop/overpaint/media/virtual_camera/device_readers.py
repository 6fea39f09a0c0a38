"""The watch on readers of a camera device (Linux): whether another program has it open.

inotify reports that the device was opened or closed; ``/proc`` says by whom, for programs of this user. A
program of another user counts from its opening to its closing. Must not know what the answer is used for.

Source: inotify(7), proc(5).
"""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import select
import struct
import sys
import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

import psutil

log = logging.getLogger(__name__)

SETTLE_S = 0.2
"""Delay before a check: programs that list cameras open and close each for a moment."""
_CLOSED_AFTER_WRITING, _CLOSED, _OPENED, _OVERFLOW = 0x8, 0x10, 0x20, 0x4000
_END, _ANEW = b"\0", b"\1"
_EVENT = struct.Struct("iIII")


class DeviceReaders:
    """A watch on readers, until it is closed.

    Args:
        path: The device's node.
        writer: Process id of its producer, which does not count, nor does this process.
        changed: Called, from its own thread, when ``read`` has changed.

    Raises:
        OSError: The system does not tell.

    Attributes:
        read: Whether a program has it open now.
    """

    def __init__(self, path: str, writer: int, changed: Callable[[], None]) -> None:
        self._path = str(Path(path).resolve())
        self._ours = {str(os.getpid()), str(writer)}
        self._changed = changed
        self._inotify = _watch(self._path)
        self._woken, self._wake = os.pipe()
        self._unseen = 0
        self.read = _held_by_others(self._path, self._ours)
        self._thread = threading.Thread(target=self._run, name="camera-readers", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends it; idempotent."""
        if self._thread.is_alive():
            os.write(self._wake, _END)
            self._thread.join()
        for descriptor in (self._inotify, self._woken, self._wake):
            with suppress(OSError):
                os.close(descriptor)
        self._inotify = self._woken = self._wake = -1

    def follow(self, writer: int) -> None:
        """Sets another producer, whose opening does not count as a reader's."""
        self._ours = {str(os.getpid()), str(writer)}
        os.write(self._wake, _ANEW)

    def _run(self) -> None:
        unsettled = False
        while True:
            ready, _, _ = select.select([self._inotify, self._woken], [], [], SETTLE_S if unsettled else None)
            if self._woken in ready:
                if os.read(self._woken, 1) == _END:
                    return
                self._forget()
                unsettled = True
                continue
            if self._inotify in ready:
                unsettled = True
                if self._note(os.read(self._inotify, 65536)):
                    self._tell(True)  # a reader waits for its picture: reported before any check
                continue
            unsettled = False
            self._tell(self._unseen > 0 or _held_by_others(self._path, self._ours))

    def _forget(self) -> None:
        """Discards the openings and closings so far, reported or not."""
        while select.select([self._inotify], [], [], 0)[0]:
            os.read(self._inotify, 65536)
        self._unseen = 0

    def _note(self, events: bytes) -> bool:
        """Counts openings and closings; returns whether an opening remains open."""
        at = 0
        while at < len(events):
            _, mask, _, length = _EVENT.unpack_from(events, at)
            at += _EVENT.size + length
            if mask & _OVERFLOW:
                self._unseen = 0
            elif mask & _OPENED:
                self._unseen += 1
            elif mask & (_CLOSED | _CLOSED_AFTER_WRITING):
                self._unseen = max(0, self._unseen - 1)
        return self._unseen > 0

    def _tell(self, read: bool) -> None:
        if read != self.read:
            self.read = read
            log.info("camera: %s", "a program reads it" if read else "no program reads it")
            self._changed()


def _watch(path: str) -> int:
    """Opens an inotify descriptor for openings and closings. Raises ``OSError``."""
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    library = ctypes.CDLL(None, use_errno=True)
    descriptor = library.inotify_init1(os.O_CLOEXEC)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "inotify_init1")
    mask = _OPENED | _CLOSED | _CLOSED_AFTER_WRITING
    if library.inotify_add_watch(descriptor, os.fsencode(path), mask) < 0:
        number = ctypes.get_errno()
        os.close(descriptor)
        raise OSError(number, "inotify_add_watch", path)
    return int(descriptor)


def _held_by_others(path: str, ours: Collection[str]) -> bool:
    """Returns whether another process of this user has the node open.

    A child that one of ours has just forked has its descriptors for a moment, until it executes its program.
    """
    for process in os.listdir("/proc"):  # noqa: PTH208  (the same)
        if not process.isdecimal() or process in ours:
            continue
        with suppress(OSError), os.scandir(f"/proc/{process}/fd") as descriptors:
            for descriptor in descriptors:
                with suppress(OSError):
                    if os.readlink(descriptor.path) == path:  # noqa: PTH115  (thousands: no Path for each)
                        if _is_begun_by(process, ours):
                            break
                        return True
    return False


def _is_begun_by(process: str, ours: Collection[str]) -> bool:
    """Returns whether it is a fork of one of ours that has not called exec yet."""
    try:
        copy = psutil.Process(int(process))
        original = psutil.Process(copy.ppid())
        return str(original.pid) in ours and copy.cmdline() == original.cmdline()
    except psutil.NoSuchProcess:
        return True  # it has ended; a reader's end is reported and triggers a check
    except psutil.Error:
        return False
