"""Recordings that are begun and ended in pauses, and one whose process is killed: files that play."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import av

from helpers.desktop_faults import open_window
from helpers.faults import HERE, Fault
from helpers.on_air import OnAir
from helpers.processes import until
from overpaint.wire.live import Preferences, SetHold, SetPreferences, SetPrivacy, SetRecording


def files(call: OnAir) -> list[Path]:
    return sorted((call.data_folder / "recordings").glob("*"))


def begin(call: OnAir) -> None:
    folder = str(call.data_folder / "recordings")
    call.seen.intend(SetPreferences(preferences=Preferences(recording_folder=folder)))
    call.seen.intend(SetRecording(on=True))
    call.wait(lambda now: now.recording is not None)


def seconds(path: Path) -> float:
    """Until where a recording can be decoded."""
    with av.open(str(path)) as container:
        return max(frame.time for frame in container.decode(video=0))


def recorded_in_pauses(call: OnAir) -> None:
    live = call.live
    with call.fault():
        for pause in (SetPrivacy, SetHold):
            call.seen.intend(pause(on=True))
            begin(call)
            time.sleep(1.5)
            call.seen.intend(SetRecording(on=False))
            call.wait(lambda now: now.recording is None)
            call.seen.intend(pause(on=False))
        for on in (True, False, True, False):
            call.seen.intend(SetRecording(on=on))
        until(lambda: len(files(call)) == 4, 10.0, "four files")
    assert call.live.pid == live.pid, "the live process has crashed"


def four_files_play(call: OnAir) -> None:
    lengths = [seconds(path) for path in files(call)]
    assert len(lengths) == 4 and min(lengths[:2]) > 1.0, lengths


def killed_while_recording(call: OnAir) -> None:
    """The window starts another live process, which goes on air again, but records nothing."""
    open_window(call)
    begin(call)
    call.seen.wait_for_frames(60)
    live = call.live
    with call.fault():
        os.kill(live.pid, signal.SIGKILL)
        if live.pid == call.seen.process.pid:
            call.seen.process.wait()
    call.seen.follow(live.pid)


def it_plays_and_no_other_was_begun(call: OnAir) -> None:
    assert call.wait(lambda now: now.on_air).recording is None
    (path,) = files(call)
    assert seconds(path) > 0.5


FAULTS = [
    Fault("recording: in privacy, in hold, twice a second", HERE, recorded_in_pauses, holds=four_files_play),
    Fault(
        "recording: live process kill -9, the window starts another",
        HERE,
        killed_while_recording,
        holds=it_plays_and_no_other_was_begun,
    ),
]
