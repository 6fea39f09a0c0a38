"""The last seconds are kept in bounded memory, and saved as a file that plays, with sound in step."""

from __future__ import annotations

import gc
from pathlib import Path

import av
import numpy as np
import psutil
import pytest

from overpaint.errors import SinkError
from overpaint.media.audio import RATE
from overpaint.media.decoding import decoded
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.sinks.disk_room import RESERVE_BYTES
from overpaint.media.sinks.encoder import GROUP_S
from overpaint.media.sinks.recording_format import RecordingFormat
from overpaint.media.sinks.replay_buffer import REPLAY_S, ReplaySink

pytestmark = pytest.mark.process

BEGIN_NS = 5_000_000_000
FRAME_NS = 33_333_333


def opened(seconds: float = REPLAY_S, **format: bool | str) -> ReplaySink:
    sink = ReplaySink(RecordingFormat(**format), seconds)  # type: ignore[arg-type]
    sink.open(320, 180, 30)
    return sink


def keep(sink: ReplaySink, begin: int, end: int, step_ns: int = FRAME_NS) -> None:
    """Frames by number, with a flash and a click in the middle of each second; sound comes later."""
    for number in range(begin, end):
        image = np.full((270, 320), 128, np.uint8)
        image[:180] = 230 if number % 30 == 15 else 30 + number % 7
        sink.write(StyledFrame(image, number, BEGIN_NS + number * step_ns, FrameKind.STYLED))
        at = np.arange(max(0, number - 4) * 1600, max(0, number - 3) * 1600) % RATE - RATE // 2
        loud = np.where((at >= 0) & (at < 100), 20_000, 0).astype(np.int16)
        sink.write_sound(np.stack((loud, loud), axis=1))


def frames(path: Path) -> list[tuple[float, int]]:
    """Time and shade of each picture."""
    with av.open(str(path)) as container:
        pictures = decoded(container, container.streams.video[0])
        return [(each.time, int(np.median(each.to_ndarray()[:180]))) for each in pictures]


def clicks(path: Path) -> list[float]:
    with av.open(str(path)) as container:
        parts = [(frame.time, frame.to_ndarray()[0]) for frame in container.decode(audio=0)]
    loud = np.flatnonzero(np.abs(np.concatenate([samples for _, samples in parts])) > 0.2)
    return [parts[0][0] + at / RATE for at in loud[np.diff(loud, prepend=-RATE) > RATE // 2]]


@pytest.mark.parametrize("kind", ["mp4", "mkv"])
def test_a_saved_replay_has_the_last_thirty_seconds_with_sound_in_step(tmp_path: Path, kind: str) -> None:
    sink, path = opened(with_sound=True), tmp_path / f"replay.{kind}"
    keep(sink, 0, 45 * 30)
    sink.save(path)
    seen = frames(path)
    lasted = seen[-1][0] - seen[0][0]
    assert seen[0][0] < 0.05 and REPLAY_S <= lasted <= REPLAY_S + GROUP_S + 0.05
    assert sink.seconds == pytest.approx(lasted, abs=0.05), "an MP4 shows its first picture for the lead, too"
    assert len(seen) == pytest.approx(lasted * 30, abs=2), "no frame is missing"
    flashes, heard = [at for at, shade in seen if shade > 130], clicks(path)
    assert len(flashes) >= 29 and len(heard) >= 28
    assert heard == pytest.approx(flashes[: len(heard)], abs=0.002)


def test_what_was_kept_for_a_shorter_time_is_saved_whole_and_keeping_goes_on(tmp_path: Path) -> None:
    sink = opened(with_sound=True)
    keep(sink, 0, 60)
    sink.save(tmp_path / "first.mp4")
    keep(sink, 60, 90)
    sink.save(tmp_path / "second.mp4")
    assert [len(frames(tmp_path / name)) for name in ("first.mp4", "second.mp4")] == [60, 90]


def test_its_memory_has_a_bound_whatever_is_shown() -> None:
    sink, noise = opened(4, quality="small"), np.random.default_rng(0)
    most = 0
    for number in range(12 * 30):
        image = noise.integers(0, 255, (270, 320), np.uint8)
        sink.write(StyledFrame(image, number, BEGIN_NS + number * FRAME_NS, FrameKind.STYLED))
        most = max(most, sink.size)
    assert most <= RecordingFormat("small").most_bits / 8 * (4 + 2 * GROUP_S)
    sink.close()
    assert sink.size == 0


def test_in_a_pause_with_few_pictures_it_is_as_long(tmp_path: Path) -> None:
    sink, path = opened(6), tmp_path / "replay.mp4"
    keep(sink, 0, 40, step_ns=500_000_000)
    sink.save(path)
    assert 6.0 <= frames(path)[-1][0] <= 6.0 + GROUP_S


def test_before_the_first_picture_and_after_the_end_there_is_nothing_to_save(tmp_path: Path) -> None:
    sink = opened()
    for _ in range(2):
        with pytest.raises(SinkError, match="no last seconds") as empty:
            sink.save(tmp_path / "replay.mp4")
        assert empty.value.kind == "empty"
        sink.close()
    assert not list(tmp_path.glob("*.*"))


@pytest.mark.parametrize(
    ("name", "free", "kind"),
    [("nowhere/a.mp4", 10**9, "missing"), ("a.avi", 10**9, "unsupported"), ("a.mp4", 10**6, "disk_full")],
)
def test_a_place_that_cannot_take_it_is_refused_and_nothing_is_lost(
    tmp_path: Path, name: str, free: int, kind: str
) -> None:
    sink = ReplaySink(RecordingFormat(), free=lambda _: RESERVE_BYTES + free)
    sink.open(320, 180, 30)
    keep(sink, 0, 45)
    with pytest.raises(SinkError) as refused:
        sink.save(tmp_path / name)
    assert refused.value.kind == kind and refused.value.mend
    assert not list(tmp_path.glob("*.*")) and sink.seconds > 1.4


@pytest.mark.full
def test_a_replay_that_begins_anew_again_and_again_keeps_no_memory(tmp_path: Path) -> None:
    """As it does with each pause of the session."""

    def memory() -> float:
        gc.collect()
        return psutil.Process().memory_info().rss / 2**20

    def once() -> None:
        sink = opened(with_sound=True)
        keep(sink, 0, 40)
        sink.save(tmp_path / "replay.mp4")
        sink.close()

    once()
    before = memory()
    for _ in range(30):
        once()
    assert memory() - before < 12
