"""What the camera shows: the newest styled frame, the last one while none comes, else the slate.

What a recording keeps: the same, with its pauses.
"""

from __future__ import annotations

import errno
import itertools
import threading
import time
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest

from helpers.chooser import Chooser
from helpers.processes import until
from overpaint.errors import SinkError
from overpaint.media.frames import FrameKind, StyledFrame, now_ns
from overpaint.media.sinks.recording import RecordingSink
from overpaint.session.output import camera_stage, sink_stage
from overpaint.session.output.camera_stage import CameraStage
from overpaint.session.output.preview_sender import preview_size
from overpaint.session.output.sink_stage import SinkStage

SLATE = np.full((270, 320), 50, np.uint8)


class Device:
    """A camera device at the edge of the machine: remembers what it was given."""

    title = "Test Camera"
    written = 0

    def __init__(self, refusals: int = 0) -> None:
        self.shown: list[int] = []
        self.opened = 0
        self.closed = 0
        self.refusals = refusals
        self.fail_after: int | None = None
        self.changed = threading.Condition()

    def open(self, width: int, height: int, fps: float) -> None:
        if self.refusals:
            self.refusals -= 1
            raise SinkError("virtual_camera_fed_already")
        self.opened += 1

    def write(self, frame: StyledFrame) -> None:
        if self.fail_after is not None and len(self.shown) >= self.fail_after:
            self.fail_after = None
            raise SinkError("camera_holder_does_not_stay")
        with self.changed:
            self.shown.append(int(frame.image[0, 0]))
            self.changed.notify_all()

    def close(self) -> None:
        self.closed += 1

    def wait_for(self, condition: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(condition, 10), self.shown


def frame(number: int, kind: FrameKind = FrameKind.STYLED) -> StyledFrame:
    return StyledFrame(np.full((270, 320), 100 + number, np.uint8), number, now_ns(), kind)


def stage_with(device: Device, user: Chooser | None = None) -> CameraStage:
    stage = CameraStage(lambda: device, (user or Chooser(SLATE)).standing, lambda: None)
    stage.start()
    return stage


def test_the_slate_is_there_at_once_and_stays_until_on_air() -> None:
    device, user = Device(), Chooser(SLATE)
    stage = stage_with(device, user)
    device.wait_for(lambda: len(device.shown) >= 3)
    user.give(frame(1), stage)
    device.wait_for(lambda: len(device.shown) >= 6)
    assert set(device.shown) == {50}, "not on air: nothing but the slate"
    user.choose(on_air=True)
    user.give(frame(2), stage)
    device.wait_for(lambda: 102 in device.shown)
    stage.stop()


def test_the_last_styled_frame_stands_while_none_comes() -> None:
    device, user = Device(), Chooser(SLATE)
    stage = stage_with(device, user)
    user.standing.patience_s = 0.5
    user.choose(on_air=True)
    user.give(frame(1), stage)
    device.wait_for(lambda: device.shown.count(101) >= 4)
    assert stage.state in ("live", "held")
    device.wait_for(lambda: device.shown[-1] == 50)
    after = device.shown[device.shown.index(101) :]
    assert after == sorted(after, reverse=True), "first the frame, then the slate, nothing else"
    stage.stop()


class Broken(Device):
    """One that fails as nobody foresaw, now and then."""

    def __init__(self, *failing: str) -> None:
        super().__init__()
        self._failing = list(failing)

    def open(self, width: int, height: int, fps: float) -> None:
        super().open(width, height, fps)
        self._fail("open")

    def write(self, frame: StyledFrame) -> None:
        self._fail("write")
        super().write(frame)

    def close(self) -> None:
        super().close()
        self._fail("close")

    def _fail(self, step: str) -> None:
        if step in self._failing:
            self._failing.remove(step)
            raise OSError(errno.EMFILE, "Too many open files")


@pytest.mark.expect_log("the camera failed")
@pytest.mark.parametrize("step", ["open", "write"])
def test_a_camera_that_fails_as_nobody_foresaw_is_opened_again(
    monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    monkeypatch.setattr(camera_stage, "RETRY_S", 0.05)
    device, said = Broken(step), list[str]()
    stage = CameraStage(lambda: device, Chooser(SLATE).standing, lambda: said.append(str(stage.trouble)))
    stage.start()
    device.wait_for(lambda: len(device.shown) >= 3)
    assert "The virtual camera has failed." in said
    until(lambda: stage.trouble is None, what="the end of the trouble")
    stage.stop()


@pytest.mark.expect_log("failed")
@pytest.mark.parametrize("step", ["write", "close"])
def test_a_recording_that_fails_as_nobody_foresaw_ends_with_a_sentence(step: str) -> None:
    device, user, told = Broken(step), Chooser(SLATE), list[SinkError]()
    sink = SinkStage(device, user.standing, told.append)
    user.choose(on_air=True)
    for number in range(2 * sink_stage.RECORDING_BACKLOG):
        user.give(frame(number % 50), sink)
    ends: list[SinkError | None] = []
    finishing = threading.Thread(target=lambda: ends.append(sink.finish()), daemon=True)
    finishing.start()
    finishing.join(10)
    assert not finishing.is_alive(), "it waits for a thread that has died"
    (error,) = told if step == "write" else ends
    assert error is not None and "Test Camera" in str(error)


def test_off_air_shows_the_slate_at_once() -> None:
    device, user = Device(), Chooser(SLATE)
    stage = stage_with(device, user)
    user.choose(on_air=True)
    user.give(frame(1), stage)
    device.wait_for(lambda: 101 in device.shown)
    user.choose(stage, on_air=False)
    user.give(frame(2), stage)
    device.wait_for(lambda: device.shown[-1] == 50)
    assert 102 not in device.shown
    stage.stop()
    assert device.shown[-1] == 50, "what a reader sees after us is the slate"


def test_what_a_reader_sees_after_the_end_is_the_slate() -> None:
    device, user = Device(), Chooser(SLATE)
    stage = stage_with(device, user)
    user.choose(on_air=True)
    user.give(frame(1), stage)
    device.wait_for(lambda: device.shown.count(101) >= 2)
    stage.stop()
    assert device.shown[-1] == 50


def test_slate_and_choices_do_not_wait_for_the_next_repetition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_stage, "REPEAT_AFTER_S", 60.0)
    device, user = Device(), Chooser(SLATE)
    stage = stage_with(device, user)
    device.wait_for(lambda: device.shown == [50])
    user.choose(on_air=True)
    user.give(frame(1), stage)
    device.wait_for(lambda: device.shown == [50, 101])
    user.choose(stage, private=True)
    device.wait_for(lambda: device.shown == [50, 101, 50])
    stage.stop()


class Stuck(Device):
    """A device that takes nothing for a while."""

    def __init__(self) -> None:
        super().__init__()
        self._door = threading.Condition()
        self._takes, self._waits = True, False

    def write(self, frame: StyledFrame) -> None:
        with self._door:
            self._waits = True
            self._door.notify_all()
            self._door.wait_for(lambda: self._takes, 10)
            self._waits = False
        super().write(frame)

    def take_nothing(self) -> None:
        """Returns once a frame waits."""
        with self._door:
            self._takes = False
            assert self._door.wait_for(lambda: self._waits, 10)

    def go_on(self) -> None:
        with self._door:
            self._takes = True
            self._door.notify_all()


@pytest.mark.parametrize(
    ("kind", "over"),
    [
        (FrameKind.STYLED, {"private": True}),
        (FrameKind.STYLED, {"on_air": False}),
        (FrameKind.ORIGINAL, {"original": False}),
    ],
    ids=["private", "off air", "no original"],
)
def test_a_frame_that_waits_for_the_device_is_not_shown_when_the_choice_is_over(
    kind: FrameKind, over: dict[str, bool]
) -> None:
    device, user = Stuck(), Chooser(SLATE)
    stage = stage_with(device, user)
    user.choose(on_air=True, original=True)
    user.give(frame(1), stage)
    device.wait_for(lambda: device.shown[-1] == 101)
    device.take_nothing()
    before = len(device.shown)
    user.give(frame(2, kind), stage)
    user.choose(**over)
    device.go_on()
    device.wait_for(lambda: len(device.shown) > before + 3)
    assert device.shown[before] == 101, "it was being written"
    assert set(device.shown[before + 1 :]) == {50}
    stage.stop()


def test_a_busy_device_is_told_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_stage, "RETRY_S", 0.05)
    device = Device(refusals=2)
    states: list[str] = []
    stage = CameraStage(lambda: device, Chooser(SLATE).standing, lambda: states.append(stage.state))
    stage.start()
    device.wait_for(lambda: 50 in device.shown)
    stage.stop()
    assert list(dict.fromkeys(states)) == ["busy", "slate", "off"]


def test_a_device_that_is_lost_comes_back_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_stage, "RETRY_S", 0.05)
    device = Device()
    device.fail_after = 3
    stage = stage_with(device)
    device.wait_for(lambda: device.opened == 2 and len(device.shown) > 4)
    assert stage.trouble is None
    stage.stop()


class Outlasting(Device):
    """A device that goes on showing what it was given when its writer is gone."""

    def __init__(self, *, standing: bool) -> None:
        super().__init__()
        self.standing = standing
        self.patience: list[float] = []
        self.slates: list[int] = []

    def set_patience(self, seconds: float) -> None:
        self.patience.append(seconds)

    def keep_slate(self, slate: np.ndarray) -> None:
        with self.changed:
            self.slates.append(int(slate[0, 0]))
            self.changed.notify_all()


def test_what_an_earlier_process_showed_stands_until_somebody_says_what_is_to_be_shown() -> None:
    device, user = Outlasting(standing=True), Chooser(SLATE)
    stage = stage_with(device, user)
    user.standing.patience_s = 20.0
    device.wait_for(lambda: device.slates == [50])
    time.sleep(0.2)
    assert not device.shown and stage.state == "held"
    user.choose(on_air=True)
    time.sleep(0.1)
    assert not device.shown, "it comes back on air with a picture, not with the slate"
    user.give(frame(1), stage)
    device.wait_for(lambda: 101 in device.shown)
    assert device.shown[0] == 101 and 20.0 in device.patience
    user.standing.slate = np.full((270, 320), 60, np.uint8)
    device.wait_for(lambda: device.slates == [50, 60])
    assert 60 not in device.shown, "for later"
    stage.stop()


def test_what_an_earlier_process_showed_stands_while_frames_come_that_are_not_for_others() -> None:
    device, user = Outlasting(standing=True), Chooser(SLATE)
    stage = stage_with(device, user)
    user.standing.patience_s = 60.0
    device.wait_for(lambda: device.slates == [50])
    for number in range(5):
        user.give(frame(number), stage)
        time.sleep(0.02)
    assert not device.shown and stage.state == "held"
    stage.stop()


@pytest.mark.parametrize("said", ["private", "off air", "nothing"])
def test_what_stands_gives_way_to_the_slate_at_once_or_after_a_while(said: str) -> None:
    device, user = Outlasting(standing=True), Chooser(SLATE)
    user.standing.patience_s = 0.2 if said == "nothing" else 60.0
    stage = stage_with(device, user)
    device.wait_for(lambda: device.slates == [50])
    if said == "private":
        user.choose(stage, private=True)
    elif said == "off air":
        user.choose(stage, on_air=False)
    device.wait_for(lambda: len(device.shown) > 2)
    assert set(device.shown) == {50}
    stage.stop()


class Mirror(Device):
    """A device whose output somebody may tamper with."""

    def __init__(self, shows: Callable[[np.ndarray], np.ndarray]) -> None:
        super().__init__()
        self._shows = shows
        self._last: np.ndarray | None = None

    def write(self, frame: StyledFrame) -> None:
        super().write(frame)
        self._last = frame.image

    def read_back(self, seconds: float):
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if self._last is not None:
                yield self._shows(self._last)
            time.sleep(0.01)


def test_a_check_reads_its_own_picture_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_stage, "CHECK_S", 0.5)
    for device, found in (
        (Mirror(lambda image: image.copy()), True),
        (Mirror(lambda image: 255 - image), False),
        (Device(), None),
    ):
        user = Chooser(SLATE)
        stage = stage_with(device, user)
        assert stage.check() is found
        user.choose(on_air=True)
        user.give(frame(7), stage)
        assert stage.check() is found
        stage.stop()
    monkeypatch.setattr(camera_stage, "OPEN_S", 0.1)
    refusing = stage_with(Device(refusals=1000))
    assert refusing.check() is None, "there is nothing to read yet"
    refusing.stop()


class SlowSink:
    title = "slow"
    written = 0

    def __init__(self, fail_at: int | None = None) -> None:
        self.numbers: list[int] = []
        self.kinds: list[FrameKind] = []
        self.closed = False
        self.gate = threading.Event()
        self._fail_at = fail_at

    def open(self, width: int, height: int, fps: float) -> None: ...

    def write(self, frame: StyledFrame) -> None:
        self.gate.wait(5)
        if frame.number == self._fail_at:
            raise SinkError("recording_none_disk_full")
        self.numbers.append(frame.number)
        self.kinds.append(frame.kind)

    def close(self) -> None:
        self.closed = True


def test_a_sink_that_pauses_keeps_what_came_meanwhile_and_counts_what_did_not_fit() -> None:
    sink = SlowSink()
    stage = SinkStage(sink, Chooser(SLATE).standing, lambda _: None)
    for number in range(60):
        stage.put(frame(number))
        time.sleep(0.001)
    sink.gate.set()
    assert stage.finish() is None
    kept = [number for number, kind in zip(sink.numbers, sink.kinds, strict=True) if not kind.is_slate]
    assert sink.closed and kept == sorted(kept)
    assert stage.dropped == 60 - len(kept) > 0


def test_a_sink_that_fails_is_reported_once_and_still_closed() -> None:
    sink = SlowSink(fail_at=2)
    sink.gate.set()
    errors: list[SinkError] = []
    stage = SinkStage(sink, Chooser(SLATE).standing, errors.append)
    for number in range(6):
        stage.put(frame(number))
    stage.finish()
    assert [error.kind for error in errors] == ["disk_full"]
    assert sink.numbers == [0, 1] and sink.closed


def recorded(path: Path) -> list[tuple[float, int]]:
    """Times and levels of a recording."""
    with av.open(str(path)) as container:
        return [(frame.time, round(int(frame.to_ndarray()[0, 0]), -1)) for frame in container.decode(video=0)]


def test_a_recording_lasts_as_long_as_it_took_pauses_and_all(tmp_path: Path) -> None:
    """Begun in privacy and ended while held: the still that the camera shows is in it for that long."""
    user, path = Chooser(SLATE), tmp_path / "out.mp4"
    sink = RecordingSink(path)
    sink.open(320, 180, 30)
    user.choose(private=True)
    began = time.monotonic()
    stage = SinkStage(sink, user.standing, lambda _: None, at_once=True)
    marks = [("slate", 0.0)]

    def then(what: str) -> None:
        marks.append((what, time.monotonic() - began))

    time.sleep(0.7)
    then("frames")
    user.choose(stage, private=False)
    for number in (0, 10, 20):
        user.give(frame(number), stage)
        time.sleep(0.05)
    then("slate")
    user.choose(stage, private=True)
    user.give(frame(90), stage)
    time.sleep(0.3)
    then("held")
    user.choose(stage, private=False, held=True)
    time.sleep(0.7)
    assert stage.finish() is None
    took = time.monotonic() - began
    seen = recorded(path)
    assert seen[0] == (0.0, 50) and seen[-1][1] == 190, "the last frame, which stands"
    assert seen[-1][0] == pytest.approx(took, abs=0.25)
    for (what, at), (_, until_s) in itertools.pairwise([*marks, ("end", took)]):
        levels = [level for seconds, level in seen if at + 0.06 < seconds < until_s - 0.06]
        assert what not in ("slate", "held") or set(levels) <= ({50} if what == "slate" else {190})
    assert {100, 110, 120} <= {level for _, level in seen}


def test_a_recording_keeps_no_frame_that_may_not_be_shown_any_more(tmp_path: Path) -> None:
    """Frames wait for a slow disk: when their turn comes the choice that allowed them is over."""
    user, sink = Chooser(SLATE), SlowSink()
    stage = SinkStage(sink, user.standing, lambda _: None)
    user.choose(original=True)
    for number in range(5):
        user.give(frame(number, FrameKind.ORIGINAL), stage)
    time.sleep(0.05)
    user.choose(original=False)
    sink.gate.set()
    assert stage.finish() is None
    assert sink.kinds[1:5] == [FrameKind.SLATE] * 4, "the first one was being written"
    assert set(sink.kinds[5:]) <= {FrameKind.SLATE}
    assert stage.originals == 1


def test_a_frame_that_waits_for_the_disk_is_not_recorded_in_privacy() -> None:
    user, sink = Chooser(SLATE), SlowSink()
    stage = SinkStage(sink, user.standing, lambda _: None)
    for number in range(1, 5):
        user.give(frame(number), stage)
    time.sleep(0.05)
    user.choose(private=True)
    sink.gate.set()
    assert stage.finish() is None
    assert sink.numbers[:4] == [1, 0, 0, 0] and set(sink.kinds[1:]) == {FrameKind.SLATE}


def test_a_frame_that_comes_in_privacy_is_no_frame_of_a_stream_to_a_file() -> None:
    user, sink = Chooser(SLATE), SlowSink()
    sink.gate.set()
    stage = SinkStage(sink, user.standing, lambda _: None)
    user.choose(private=True)
    user.give(frame(1), stage)
    user.choose(private=False)
    user.give(frame(2), stage)
    assert stage.finish() is None
    assert sink.numbers == [2]


def test_a_choice_is_recorded_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sink_stage, "STILL_EVERY_S", 60.0)
    user, sink = Chooser(SLATE), SlowSink()
    sink.gate.set()
    stage = SinkStage(sink, user.standing, lambda _: None, at_once=True)
    until(lambda: sink.kinds == [FrameKind.SLATE], 10)
    user.give(frame(1), stage)
    until(lambda: sink.kinds[-1] is FrameKind.STYLED, 10)
    user.choose(stage, private=True)
    until(lambda: sink.kinds[-1] is FrameKind.SLATE, 10)
    assert stage.finish() is None


@pytest.mark.parametrize(
    ("wanted", "size"),
    [
        ((960, 540), (960, 540)),
        ((960, 960), (960, 540)),
        ((3840, 2160), (1920, 1080)),
        ((0, 0), (0, 0)),
        ((934, 526), (934, 526)),  # not 524: the window would stretch each one
        ((934, 530), (934, 524)),
    ],
)
def test_a_preview_is_never_larger_than_its_place_nor_than_the_picture(
    wanted: tuple[int, int], size: tuple[int, int]
) -> None:
    assert preview_size(wanted, 1920, 1080) == size
