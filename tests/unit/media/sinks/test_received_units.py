"""H.264 that was received goes into recordings without being encoded again, wherever that is no worse."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

from helpers.chooser import Chooser
from helpers.received_stream import (
    FRAME_NS,
    HEIGHT,
    WIDTH,
    Received,
    file_numbers,
    file_pictures,
    without_unit,
)
from overpaint.media import pictures
from overpaint.media.frames import StyledFrame
from overpaint.media.hold_policy import Choices
from overpaint.media.sinks.recording import RecordingSink
from overpaint.media.sinks.recording_format import RATE_CONTROLS, SILENT, RecordingFormat
from overpaint.media.sinks.replay_buffer import ReplaySink
from overpaint.media.sinks.unit_chain import KEY_EVERY_NS, KEY_LATEST_NS
from overpaint.session.output import sink_stage
from overpaint.session.output.sink_stage import SinkStage

pytestmark = pytest.mark.process


def opened(path: Path, format: RecordingFormat = SILENT, fps: float = 30) -> RecordingSink:
    sink = RecordingSink(path, format)
    sink.open(WIDTH, HEIGHT, fps)
    return sink


def record(sink: RecordingSink, frames: Iterable[StyledFrame]) -> None:
    """One after another: what the file asks for, the next picture can be."""
    for frame in frames:
        sink.write(frame)


@pytest.mark.parametrize("kind", ["mp4", "mkv"])
def test_a_file_has_the_very_pictures_that_were_received_each_at_its_time(tmp_path: Path, kind: str) -> None:
    path, service = tmp_path / f"out.{kind}", Received()
    sink = opened(path)
    numbers = [*range(60), *range(64, 90)]
    record(sink, (service.frame(number) for number in numbers))
    sink.close()
    assert sink.copied >= len(numbers) - 2, "all but those before the first key frame that was asked for"
    seen = file_pictures(str(path))
    assert len(seen) == len(numbers)
    same = sum(
        np.array_equal(image, service.shown[number]) for number, (_, image) in zip(numbers, seen, strict=True)
    )
    assert same == sink.copied
    assert [at for at, _ in seen] == pytest.approx([number / 30 for number in numbers], abs=0.002)


def test_a_player_can_begin_every_four_seconds(tmp_path: Path) -> None:
    path, service = tmp_path / "out.mp4", Received()
    sink = opened(path)
    record(sink, (service.frame(number) for number in range(15 * 30)))
    sink.close()
    assert sink.copied > 440
    with av.open(str(path)) as container:
        keys = [float(p.pts * p.time_base) for p in container.demux(video=0) if p.size and p.is_keyframe]
    assert np.diff(keys).max() < KEY_EVERY_NS / 1e9 + 0.2
    with av.open(str(path)) as container:
        container.seek(9_000_000)
        frame = next(container.decode(video=0))
    assert 4.5 < frame.time <= 9


def test_a_sender_without_further_key_frames_is_encoded_in_the_end(tmp_path: Path) -> None:
    """Else nobody could look in its middle, and a replay would forget nothing."""
    path, service = tmp_path / "out.mp4", Received(obeys=False)
    sink = opened(path)
    record(sink, (service.frame(number, key=number == 5) for number in range(10 * 30)))
    sink.close()
    assert sink.copied == pytest.approx(KEY_LATEST_NS / FRAME_NS, abs=2)
    assert service.asked <= 5, "each key frame takes bits from the pictures that others see"
    assert file_numbers(str(path)) == list(range(300))


def test_a_sender_of_more_bits_than_the_file_may_have_is_encoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ceiling = replace(RATE_CONTROLS["standard"], ceiling=100_000)
    monkeypatch.setitem(RATE_CONTROLS, "standard", ceiling)  # type: ignore[arg-type]
    noise = np.random.default_rng(1).integers(16, 235, (4, HEIGHT * 3 // 2, WIDTH), np.uint8)
    path, service = tmp_path / "out.mp4", Received()
    sink = opened(path)
    record(sink, (service.frame(number, image=noise[number % 4]) for number in range(120)))
    sink.close()
    assert 0 < sink.copied < 110
    assert len(file_pictures(str(path))) == 120


def test_after_a_gap_pictures_are_encoded_until_a_key_frame_and_no_picture_is_broken(tmp_path: Path) -> None:
    path, service = tmp_path / "out.mp4", Received()
    sink, gone = opened(path), {40, 41, 120, 200}
    for number in range(260):
        frame = service.frame(number)
        if number not in gone:
            sink.write(frame)
    sink.close()
    assert 150 < sink.copied < 256 and service.asked >= 3
    assert file_numbers(str(path)) == [number for number in range(260) if number not in gone]


def test_frames_of_a_service_on_this_computer_are_encoded_between(tmp_path: Path) -> None:
    """A failover and back: the first service again with another stream and the same encoder."""
    path, numbers = tmp_path / "out.mkv", iter(range(400))
    sink, copied = opened(path), []
    for service in (Received(), None, Received()):
        source = service or Received()
        for _ in range(80):
            frame = source.frame(next(numbers))
            sink.write(frame if service else without_unit(frame))
        copied.append(sink.copied)
    sink.close()
    assert copied[0] > 70 and copied[1] == copied[0] and copied[2] > copied[1] + 10
    assert file_numbers(str(path)) == list(range(240))


@pytest.mark.parametrize(
    ("first", "then"),
    [("", "ref=1:cabac=0:deblock=0,1,1:chroma-qp-offset=5"), ("sps-id=31", "sps-id=31")],
    ids=["another encoder", "the ids of the file's own"],
)
def test_parameter_sets_that_the_file_does_not_name_do_not_go_in(
    tmp_path: Path, first: str, then: str
) -> None:
    path, before, after = tmp_path / "out.mp4", Received(parameters=first), Received(parameters=then)
    sink = opened(path)
    record(sink, (before.frame(number) for number in range(30)))
    known = sink.copied
    record(sink, (after.frame(number) for number in range(30, 60)))
    sink.close()
    assert sink.copied == known and (known > 25) is (first == "")
    assert file_numbers(str(path)) == list(range(60))


@pytest.mark.parametrize(
    ("fps", "format"),
    [(30, RecordingFormat("small")), (60, RecordingFormat(fps=30)), (30, RecordingFormat(height=90))],
    ids=["a small file", "half the frames", "smaller pictures"],
)
def test_what_the_user_chose_for_the_file_is_encoded(
    tmp_path: Path, fps: float, format: RecordingFormat
) -> None:
    path, service = tmp_path / "out.mp4", Received()
    sink = opened(path, format, fps)
    record(sink, (service.frame(number) for number in range(30)))
    sink.close()
    assert sink.copied == 0 and service.asked == 0
    assert len(file_pictures(str(path))) >= 15


class Watched(RecordingSink):
    """A recording that tells which frames were written."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._numbers: set[int] = set()
        self._told = threading.Condition()
        self.open(WIDTH, HEIGHT, 30)

    def write(self, frame: StyledFrame) -> None:
        super().write(frame)
        with self._told:
            self._numbers.add(frame.number)
            self._told.notify_all()

    def wait_for(self, number: int) -> None:
        with self._told:
            assert self._told.wait_for(lambda: number in self._numbers, 60)


@pytest.mark.parametrize("choice", ["private", "held"])
def test_nothing_that_came_in_privacy_or_hold_is_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choice: str
) -> None:
    monkeypatch.setattr(sink_stage, "STILL_EVERY_S", 60.0)  # a busy machine makes no pauses of its own
    service, user, sink = Received(), Chooser(pictures.black(WIDTH, HEIGHT)), Watched(tmp_path / "out.mp4")
    user.give(service.frame(0))
    stage = SinkStage(sink, user.standing, lambda error: pytest.fail(str(error)), at_once=True)
    sink.wait_for(0)
    given = {0}
    for number in range(1, 150):
        if number in (60, 90):
            user.choose(stage, **{choice: number == 60})
        frame = service.frame(number)
        if not user.choices.held:  # as the live process hands them on
            user.give(frame, stage)
        if user.choices == Choices():
            given.add(number)
            sink.wait_for(number)
    assert stage.finish() is None
    assert sink.copied > 110
    seen = file_numbers(sink.title)
    # What stands when privacy ends is the newest picture.
    assert given <= set(seen) <= given | ({89} if choice == "private" else set())
    assert seen.count(0 if choice == "private" else 59) > 1, "the still stood in the pause"


def test_a_flash_is_at_its_moment_and_the_sound_beside_it(tmp_path: Path) -> None:
    path, service = tmp_path / "out.mp4", Received()
    sink = opened(path, RecordingFormat(with_sound=True))
    dark, bright = (np.full((HEIGHT * 3 // 2, WIDTH), 128, np.uint8) for _ in range(2))
    dark[:HEIGHT], bright[:HEIGHT] = 30, 230
    for number in range(120):
        sink.write(service.frame(number, image=bright if number % 30 == 15 else dark))
        at = np.arange(number * 1600, number * 1600 + 1600) % 48_000 - 24_000
        loud = np.where((at >= 0) & (at < 100), 20_000, 0).astype(np.int16)
        sink.write_sound(np.stack((loud, loud), axis=1))
    sink.close()
    assert sink.copied >= 118
    flashes = [at for at, image in file_pictures(str(path)) if image[0, 0] > 120]
    with av.open(str(path)) as container:
        parts = [(frame.time, frame.to_ndarray()[0]) for frame in container.decode(audio=0)]
    loud = np.flatnonzero(np.abs(np.concatenate([samples for _, samples in parts])) > 0.2)
    clicks = [parts[0][0] + at / 48_000 for at in loud[np.diff(loud, prepend=-48_000) > 24_000]]
    # AAC begins with a block of silence, before the first picture.
    assert flashes == pytest.approx([0.5 + 1024 / 48_000 + at for at in range(4)], abs=0.002)
    assert clicks == pytest.approx(flashes, abs=0.02)


def test_a_replay_that_began_before_the_service_sent_h264_has_that_as_it_came(tmp_path: Path) -> None:
    path, service = tmp_path / "replay.mp4", Received()
    sink = ReplaySink(RecordingFormat(), seconds=5)
    sink.open(WIDTH, HEIGHT, 30)
    for number in range(300):
        frame = service.frame(number)
        sink.write(without_unit(frame) if number < 60 else frame)
    sink.save(path)
    sink.close()
    seen = file_pictures(str(path))
    assert 5 <= len(seen) / 30 <= 5 + KEY_EVERY_NS / 1e9 + 0.2
    first = 300 - len(seen)
    assert all(np.array_equal(image, service.shown[first + at]) for at, (_, image) in enumerate(seen))
    assert seen[0][0] == pytest.approx(0, abs=0.002)


@pytest.mark.parametrize("kind", ["mp4", "mkv"])
def test_what_was_received_before_a_kill_9_can_be_played(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"crash.{kind}"
    script = """
import os, sys
sys.path[:0] = sys.argv[2:]
from pathlib import Path
from test_received_units import Received, opened, record
service, sink = Received(), opened(Path(sys.argv[1]))
record(sink, (service.frame(number) for number in range(110)))
assert sink.copied > 100
os._exit(9)
"""
    here = Path(__file__).parent
    command = [sys.executable, "-c", script, str(path), str(here), str(here.parents[2])]
    assert subprocess.run(command, check=False, timeout=60).returncode == 9
    numbers = file_numbers(str(path))
    assert numbers == list(range(len(numbers))) and len(numbers) >= 75, "at most the last second is lost"
