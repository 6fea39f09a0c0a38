"""Disks fill up: the data folder's, and that of a service elsewhere. Making a small disk needs root."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from helpers.account_faults import SHORT_S, next_session
from helpers.faults import ELSEWHERE, HERE, Fault
from helpers.on_air import OnAir
from overpaint.wire.live import Preferences, SetPreferences, SetRecording, SetStyle

MEGABYTES = 160
"""More than a recording leaves free, and needs to begin."""


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A folder on a small disk of its own."""
    folder.mkdir(exist_ok=True)
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "overpaint-test", str(folder)], check=True
    )
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def may_mount() -> bool:
    """Whether this user may make disks."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


@contextmanager
def full(folder: Path) -> Iterator[None]:
    """No byte fits on a folder's disk any more."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)
    try:
        yield
    finally:
        ballast.unlink()


def disk_full(call: OnAir) -> None:
    with call.fault(), full(call.data_folder):
        call.seen.intend(SetStyle(prompt="black and white, brighter"))
        call.pause(4)


def disk_full_and_core_killed(call: OnAir) -> None:
    core = call.core
    with call.fault(), full(call.data_folder):
        core.kill()
        call.pause(6)
    call.new_core(core)


def disk_full_while_recording(call: OnAir) -> None:
    folder = call.data_folder / "recordings"
    call.seen.intend(SetPreferences(preferences=Preferences(recording_folder=str(folder))))
    call.seen.intend(SetRecording(on=True))
    call.wait(lambda now: now.recording is not None)
    call.seen.wait_for_frames(30)
    with call.fault(), full(call.data_folder):
        call.wait(lambda now: now.recording is None and now.trouble is not None)


def elsewhere_full_at_renewal(call: OnAir) -> None:
    assert call.server is not None
    with call.fault():
        with full(call.server.folder):
            call.wait(lambda now: now.state == "renewing" and now.trouble is not None)
            call.pause(1)
        next_session(call)


FAULTS = [
    Fault(
        "disk full 4 s, another look meanwhile",
        HERE,
        disk_full,
        understood="Black and white, bright",
        disk="data",
    ),
    Fault("disk full 6 s, core: kill -9", HERE, disk_full_and_core_killed, disk="data"),
    Fault("disk full while recording", HERE, disk_full_while_recording, disk="data"),
    Fault(
        "renewal: the service's disk is full",
        ELSEWHERE,
        elsewhere_full_at_renewal,
        sessions=2,
        ttl_seconds=SHORT_S,
        disk="elsewhere",
    ),
]
