"""A recording is started and stopped at any moment: a file that plays, as long as it took, or an honest word.

On the live process's head with a scripted edge (``scripted_session``); files are real and read back.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import pytest

from helpers.scripted_session import SLATE, STYLED, Head, ScriptedMachine, nearest, script, until
from overpaint.errors import SinkError
from overpaint.media.frames import StyledFrame
from overpaint.media.hold_policy import Audience
from overpaint.media.sinks.recording import RecordingSink
from overpaint.media.sinks.recording_format import RecordingFormat
from overpaint.session.live.headless_stream import StreamOrder, stream
from overpaint.session.output import recorder
from overpaint.session.realtime.events import Style
from overpaint.wire.live import (
    Preferences,
    SetHold,
    SetPreferences,
    SetPrivacy,
    SetRecording,
    StartSession,
    StopSession,
    TakeStill,
)
from overpaint.wire.preferences import RecordingContainer


@pytest.fixture
def head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Head]:
    script(monkeypatch)
    machine = ScriptedMachine(tmp_path)
    head = Head(machine)
    yield head
    head.close()
    machine.close()


def levels(path: str | Path) -> list[int]:
    """What a recording shows; it is decoded to its end."""
    with av.open(str(path)) as container:
        return [nearest(int(frame.to_ndarray()[0, 0])) for frame in container.decode(video=0)]


def seconds(path: str | Path) -> float:
    with av.open(str(path)) as container:
        return max(frame.time for frame in container.decode(video=0))


def record(head: Head) -> str:
    head.obey(SetRecording(on=True))
    path = head.live.snapshot().recording
    assert path is not None
    return path


def until_shown(head: Head) -> float:
    """When the running recording has its first picture, by ``time.monotonic``."""
    recording = head.live._recorder._recording
    assert recording is not None
    until(lambda: recording.sink.written)
    return time.monotonic()


@pytest.mark.parametrize("moment", ["before the first frame", "privacy", "hold", "stopped"])
def test_started_and_stopped_in_a_pause_it_shows_the_still(head: Head, moment: str) -> None:
    if moment != "before the first frame":
        head.obey(StartSession())
        head.until_live()
        # The state is told a moment before the first frame is handed out; until then Hold keeps the slate.
        until(lambda: head.source.send() or head.live.standing.last(Audience.USER))
    if moment == "privacy":
        head.obey(SetPrivacy(on=True))
    elif moment == "hold":
        head.obey(SetHold(on=True))
    elif moment == "stopped":
        head.obey(StopSession())
    began = time.monotonic()
    path = record(head)
    shown = until_shown(head)
    time.sleep(0.4)
    assert 0.4 <= head.live._recorder.recording_s < 20
    stopped = time.monotonic()
    head.obey(SetRecording(on=False))
    took = time.monotonic() - began
    told = head.live.snapshot()
    assert head.live.trouble is None and told.recording is None
    assert told.recorded == path and told.recording_seconds == 0
    assert set(levels(path)) == {STYLED if moment == "hold" else SLATE}
    assert stopped - shown - 0.1 < seconds(path) < took + 0.05


def test_privacy_and_hold_are_kept_in_it_for_as_long_as_they_lasted(head: Head) -> None:
    head.obey(StartSession())
    head.until_live()
    began = time.monotonic()
    path = record(head)
    shown = until_shown(head)
    head.send(10)
    for pause in (SetPrivacy, SetHold):
        head.obey(pause(on=True))
        for _ in range(5):
            head.send(3)
            time.sleep(0.05)
        head.obey(pause(on=False))
        head.send(10)
    stopped = time.monotonic()
    head.obey(SetRecording(on=False))
    took = time.monotonic() - began
    assert stopped - shown - 0.1 < seconds(path) < took + 0.05
    seen = levels(path)
    assert set(seen) == {SLATE, STYLED} and seen[-1] == STYLED


def test_twice_within_a_second_it_is_two_files_and_one_at_a_time(head: Head, monkeypatch) -> None:
    """The wishes of an impatient user: each is done, in their order, whatever they wait for."""
    files = head.live._recorder._files
    paths: list[Path] = []

    def new_recording(folder: str, kind: RecordingContainer) -> Path:
        time.sleep(0.1)  # a slow disk
        paths.append(files.new_recording(folder, kind))
        return paths[-1]

    under_test = head.live._recorder
    under_test._files = replace(files, new_recording=new_recording)

    async def impatient() -> None:
        wishes = [True, True, False, True, False]
        await asyncio.gather(*(head.dispatcher.dispatch(SetRecording(on=on)) for on in wishes))

    head.run(impatient())
    assert head.live.snapshot().recording is None and head.live.trouble is None
    assert len(paths) == 2
    for path in paths:
        assert set(levels(path)) == {SLATE}


def test_two_snapshots_within_a_second_are_two_files(head: Head) -> None:
    head.obey(StartSession())
    head.until_live()
    head.obey(SetHold(on=True))

    async def twice() -> None:
        await asyncio.gather(*(head.dispatcher.dispatch(TakeStill()) for _ in range(2)))

    head.run(twice())
    assert len(list(head.machine.folder.glob("*.png"))) == 2


def test_two_snapshots_that_wait_for_a_picture_both_get_one(
    head: Head, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked for between two frames of a slow source: the second takes nothing from the first."""
    monkeypatch.setattr(recorder, "STILL_S", 3.0)
    head.obey(StartSession())
    head.until_live()
    before = len(list(head.machine.folder.glob("*")))

    async def both() -> None:
        wishes = [asyncio.create_task(head.dispatcher.dispatch(TakeStill())) for _ in range(2)]
        await asyncio.sleep(0.01)
        await asyncio.to_thread(head.send)
        await asyncio.gather(*wishes)

    head.run(both())
    assert head.live.trouble is None
    assert len(list(head.machine.folder.glob("*"))) == before + 2


def test_one_that_fails_is_told_and_does_not_end_the_next(head: Head) -> None:
    files = head.live._recorder._files

    class Failing:
        title, written = "failing.mp4", 0

        def open(self, width: int, height: int, fps: float) -> None: ...

        def write(self, frame: StyledFrame) -> None:
            raise SinkError("recording_none_disk_full")

        def close(self) -> None: ...

    sinks = iter([Failing()])

    def make(path: Path, format: RecordingFormat):
        return next(sinks, None) or files.make_recording(path, format)

    head.live._recorder._files = replace(files, make_recording=make)

    async def both() -> None:
        await head.dispatcher.dispatch(SetRecording(on=True))
        await head.dispatcher.dispatch(SetRecording(on=False))
        await head.dispatcher.dispatch(SetRecording(on=True))

    head.run(both())
    until(lambda: head.live.trouble is not None)
    assert head.live.trouble is not None and head.live.trouble.kind == "disk_full"
    path = head.live.snapshot().recording
    assert path is not None and path != "failing.mp4", "the next one goes on"
    assert head.live.snapshot().recorded is None, "what failed is not called saved"
    head.obey(SetRecording(on=False))
    assert levels(path)


def order(path: Path, seconds: float) -> StreamOrder:
    return StreamOrder("demo", Style("pencil"), RecordingSink(path), seconds)


def test_a_stream_to_a_file_that_is_stopped_before_its_first_picture_says_so(head: Head) -> None:
    path = head.machine.folder / "out.mp4"

    async def stopped_at_once() -> None:
        stop = asyncio.Event()
        stop.set()
        await stream(head.live, order(path, 5.0), stop, lambda _: None, lambda: 0.0)

    with pytest.raises(SinkError, match="Nothing was recorded"):
        head.run(stopped_at_once())
    assert not path.exists()


def test_a_stream_to_a_file_counts_what_was_raw_where_it_leaves(head: Head) -> None:
    path = head.machine.folder / "out.mp4"

    async def work() -> dict[str, Any]:
        return await stream(head.live, order(path, 0.3), asyncio.Event(), lambda _: None, lambda: 0.0)

    report = head.run_beside(work())
    assert report["raw_frames_out"] == 0 and 0 < report["frames_out"] <= len(levels(path))
    assert set(levels(path)) == {STYLED}


def test_a_stream_to_a_file_begins_with_its_first_picture_and_keeps_pauses_as_the_still(head: Head) -> None:
    """The source pauses, and nothing comes any more before the end: the file is as long as it took."""
    path = head.machine.folder / "out.mp4"
    stop = asyncio.Event()
    work = stream(head.live, order(path, 600.0), stop, lambda _: None, lambda: 0.0)
    done = asyncio.run_coroutine_threadsafe(work, head._loop)
    until(lambda: head.source.send() or head.live.hub.styled.count > 0)
    began = time.monotonic()
    head.send(10)
    paused = time.monotonic()
    time.sleep(2.0)
    stopped = time.monotonic()
    head._loop.call_soon_threadsafe(stop.set)
    done.result(20)
    took = time.monotonic() - began
    with av.open(str(path)) as container:
        times = [frame.time for frame in container.decode(video=0)]
    assert times[0] == 0 and stopped - began - 0.3 < times[-1] < took + 0.3
    assert max(after - before for before, after in pairwise(times)) < stopped - paused - 0.5, "no gap"
    assert set(levels(path)) == {STYLED}


def test_a_disk_that_fills_up_is_told_in_time_and_the_file_is_kept(head: Head) -> None:
    path = record(head)
    until(lambda: head.live.snapshot().recording_left_seconds is not None)
    head.machine.free_bytes = 0
    until(lambda: head.live.trouble is not None)
    told = head.live.snapshot()
    assert told.trouble is not None and told.trouble.code == "recording_ended_disk_low"
    assert told.recording is None and told.recording_left_seconds is None
    assert set(levels(path)) == {SLATE}
    head.obey(SetRecording(on=True))
    refused = head.live.snapshot()
    assert refused.recording is None and refused.trouble is not None
    assert refused.trouble.code == "recording_no_room"


def test_a_recording_is_of_the_kind_that_the_user_chose(head: Head) -> None:
    head.obey(SetPreferences(preferences=Preferences(recording_container="mkv")))
    path = record(head)
    head.obey(SetRecording(on=False))
    with av.open(path) as container:
        assert "matroska" in container.format.name
    assert set(levels(path)) == {SLATE}
