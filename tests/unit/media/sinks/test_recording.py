"""A recording plays everywhere, keeps every frame and its time, and survives crash and full disk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

from overpaint.errors import SinkError
from overpaint.media.audio import RATE
from overpaint.media.decoding import decoded
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.sinks.disk_room import RESERVE_BYTES
from overpaint.media.sinks.recording import RecordingSink
from overpaint.media.sinks.recording_format import RATE_CONTROLS, RecordingFormat
from overpaint.wire.preferences import RecordingQuality

pytestmark = pytest.mark.process


FRAME_NS = 33_333_333
WITH_SOUND = RecordingFormat(with_sound=True)


def styled(number: int, width: int = 320, height: int = 180) -> StyledFrame:
    image = np.full((height * 3 // 2, width), 128, np.uint8)
    image[:height] = 30 + 10 * (number % 20)
    return StyledFrame(image, number, 5_000_000_000 + number * FRAME_NS, FrameKind.STYLED)


def shades(path: Path) -> tuple[list[int], list[float]]:
    with av.open(str(path)) as container:
        frames = list(decoded(container, container.streams.video[0]))
    return [round((int(np.median(f.to_ndarray()[: f.height])) - 30) / 10) for f in frames], [
        f.time for f in frames
    ]


@pytest.mark.parametrize("kind", ["mp4", "mkv"])
def test_every_frame_is_there_at_its_own_time(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"out.{kind}"
    sink = RecordingSink(path)
    sink.open(320, 180, 30)
    numbers = [0, 1, 2, 3, 6, 7, 8]
    for number in numbers:
        sink.write(styled(number))
    sink.close()
    sink.close()
    seen, times = shades(path)
    assert seen == numbers and sink.written == len(numbers)
    assert times == pytest.approx([number / 30 for number in numbers], abs=0.002)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file stays where it is there")
@pytest.mark.parametrize("now_there", ["nothing", "another file", "a pipe", "no folder"])
def test_what_lies_in_its_place_is_neither_opened_nor_removed(tmp_path: Path, now_there: str) -> None:
    path, moved = tmp_path / "folder" / "out.mp4", tmp_path / "moved.mp4"
    path.parent.mkdir()
    sink = RecordingSink(path)
    sink.open(320, 180, 30)
    sink.write(styled(0))
    sink.write(styled(1))
    path.rename(moved)
    if now_there == "another file":
        path.write_bytes(b"precious")
    elif now_there == "a pipe":
        os.mkfifo(path)
    elif now_there == "no folder":
        path.parent.rmdir()
    sink.write(styled(2))
    with pytest.raises(SinkError, match=r"out\.mp4 was moved") as failure:
        sink.close()
    assert failure.value.kind == "lost"
    assert shades(moved)[0] == [0, 1, 2]
    assert path.exists() is (now_there in ("another file", "a pipe"))
    if now_there == "another file":
        assert path.read_bytes() == b"precious"


def test_it_says_its_size_its_rate_and_its_colours(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
    sink = RecordingSink(path)
    sink.open(1920, 1080, 30)
    for number in range(30):
        sink.write(styled(number, 1920, 1080))
    sink.close()
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.width, stream.codec_context.height) == (1920, 1080)
        assert float(stream.average_rate) == pytest.approx(30, rel=0.01)
        assert (stream.codec_context.colorspace, stream.codec_context.color_range) == (6, 1)


@pytest.mark.parametrize("kind", ["mp4", "mkv"])
def test_what_was_recorded_before_a_kill_9_can_be_played(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"crash.{kind}"
    script = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from test_recording import WITH_SOUND, clap
from overpaint.media.sinks.recording import RecordingSink
sink = RecordingSink(Path(sys.argv[1]), WITH_SOUND); sink.open(320, 180, 30)
clap(sink, 4)
os.kill(os.getpid(), signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
"""
    command = [sys.executable, "-c", script, str(path), str(Path(__file__).parent)]
    assert subprocess.run(command, check=False, timeout=60).returncode != 0
    assert len(shades(path)[0]) >= 80, "at most the last second or so is lost"
    assert len(sides(path)[1]) > 2.5 * RATE


@pytest.mark.parametrize(
    "frames", [pytest.param(0, marks=pytest.mark.full), 1, pytest.param(2, marks=pytest.mark.full)]
)
@pytest.mark.parametrize("there_before", [False, True])
def test_a_recording_that_is_killed_at_once_can_be_played_or_is_not_there(
    tmp_path: Path, frames: int, there_before: bool
) -> None:
    """It can from its second frame on; what it replaces stays until then."""
    path = tmp_path / "crash.mp4"
    if there_before:
        path.write_bytes(b"another recording")
    script = """
import os, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from test_recording import styled
from overpaint.media.sinks.recording import RecordingSink
sink = RecordingSink(Path(sys.argv[1])); sink.open(320, 180, 30)
for number in range(int(sys.argv[3])): sink.write(styled(number))
os._exit(9)
"""
    subprocess.run(
        [sys.executable, "-c", script, str(path), str(Path(__file__).parent), str(frames)],
        check=False,
        timeout=60,
    )
    if frames < 2:
        assert path.exists() is there_before
        assert not there_before or path.read_bytes() == b"another recording"
    else:
        assert shades(path)[0] == [0]


@pytest.mark.parametrize("there_before", [False, True])
def test_a_recording_without_frames_leaves_no_file_and_says_so(tmp_path: Path, there_before: bool) -> None:
    """A muxer that was given no frame crashes when it is closed."""
    path = tmp_path / "out.mp4"
    if there_before:
        path.write_bytes(b"another recording")
    sink = RecordingSink(path)
    sink.open(320, 180, 30)
    with pytest.raises(SinkError, match="Nothing was recorded") as told:
        sink.close()
    assert told.value.kind == "empty"
    sink.close()
    assert path.exists() is there_before, "what was there before is not touched"
    with pytest.raises(SinkError):
        sink.write(styled(0))


def test_a_recording_of_one_frame_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
    sink = RecordingSink(path)
    sink.open(320, 180, 30)
    sink.write(styled(3))
    sink.close()
    assert shades(path)[0] == [3]


@pytest.mark.skipif(sys.platform == "win32", reason="makes a small disk with Linux's tmpfs")
@pytest.mark.parametrize(
    "room", [24576, *(pytest.param(each, marks=pytest.mark.full) for each in (0, 4096, 230_000))]
)
def test_a_disk_that_is_all_but_full_leaves_a_file_that_plays_or_none(tmp_path: Path, room: int) -> None:
    """Full from the first byte, from the first picture, or soon after; open files are not left behind."""
    script = """
import gc, os, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
import numpy as np
from overpaint.errors import SinkError
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.sinks.media_file import _plays
from overpaint.media.sinks.recording import RecordingSink
noise, folder, told = np.random.default_rng(0), Path(sys.argv[1]), []
status = os.statvfs(folder)
with (folder / "filler").open("wb") as filler:
    filler.write(bytes(status.f_bavail * status.f_frsize - int(sys.argv[3])))
path = folder / "full.mp4"
sink = RecordingSink(path, free=lambda _: 10**9)
try:
    sink.open(320, 180, 30)
    for number in range(60):
        image = noise.integers(0, 255, (270, 320), np.uint8)
        sink.write(StyledFrame(image, number, number * 33_333_333, FrameKind.STYLED))
except SinkError as error:
    told.append(error)
try:
    sink.close()
except SinkError as error:
    told.append(error)
(error,) = told
assert error.kind == "disk_full", error.kind
assert path.exists() is _plays(path, 'mp4') is ("can be played" in str(error)), error
assert path.exists() or "Nothing was recorded" in str(error)
open_files = [os.readlink(f"/proc/self/fd/{each}") for each in os.listdir("/proc/self/fd")[:-1]]
assert not any("full.mp4" in each for each in open_files)
print("kept" if path.exists() else "none")
"""
    small = tmp_path / "small"
    small.mkdir()
    result = subprocess.run(
        [
            *("unshare", "-rm", "sh", "-c"),
            'mount -t tmpfs -o size=300k none "$1" && "$2" -c "$3" "$1" "$4" "$5"',
            *("sh", str(small), sys.executable, script, str(Path(__file__).parent), str(room)),
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == ("none" if room < 30_000 else "kept")


@pytest.mark.skipif(sys.platform == "win32", reason="makes a small disk with Linux's tmpfs")
def test_a_full_disk_ends_the_recording_with_a_sentence_and_keeps_it_playable(tmp_path: Path) -> None:
    """On a real disk of 300 kB, in a mount namespace of the test's own."""
    script = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
import numpy as np
from overpaint.errors import SinkError
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.sinks.recording import RecordingSink
noise = np.random.default_rng(0)
sink = RecordingSink(Path(sys.argv[1]) / "full.mp4", free=lambda _: 10**9); sink.open(320, 180, 30)
try:
    for number in range(3000):
        image = noise.integers(0, 255, (270, 320), np.uint8)
        sink.write(StyledFrame(image, number, number * 33_333_333, FrameKind.STYLED))
except SinkError as error:
    print(error.kind, error)
try:
    sink.close()
except SinkError:
    pass
"""
    small = tmp_path / "small"
    small.mkdir()
    unshare = shutil.which("unshare")
    assert unshare is not None
    kept = tmp_path / "kept.mp4"
    result = subprocess.run(
        [
            *(unshare, "-rm", "sh", "-c"),
            'mount -t tmpfs -o size=300k none "$1" && "$2" -c "$3" "$1" "$4" && cp "$1/full.mp4" "$5"',
            *("sh", str(small), sys.executable, script, str(Path(__file__).parent), str(kept)),
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("disk_full The disk is full")
    seen, _ = shades(kept)
    assert seen


class _BrokenEncoder:
    """Raises what FFmpeg's encoders do, which is no ``OSError``."""

    def encode(self, picture: object) -> None:
        raise av.error.ExternalError(av.error.tag_to_code(b"EXT "), "Generic error in an external library")


def test_an_encoder_that_fails_ends_the_recording_with_a_sentence_and_keeps_it_playable(
    tmp_path: Path,
) -> None:
    sink = RecordingSink(tmp_path / "out.mp4")
    sink.open(320, 180, 30)
    for number in range(6):
        sink.write(styled(number))
    assert sink._encoder is not None
    sink._encoder.video = _BrokenEncoder()  # type: ignore[assignment]
    with pytest.raises(SinkError, match=r"out\.mp4 cannot be written") as failed:
        sink.write(styled(6))
    assert failed.value.kind == "lost"
    sink.close()
    assert shades(tmp_path / "out.mp4")[0] == [0, 1, 2, 3, 4, 5]


def test_an_encoder_that_fails_at_the_end_keeps_the_recording_playable(tmp_path: Path) -> None:
    sink = RecordingSink(tmp_path / "out.mp4")
    sink.open(320, 180, 30)
    for number in range(6):
        sink.write(styled(number))
    assert sink._encoder is not None
    sink._encoder.video = _BrokenEncoder()  # type: ignore[assignment]
    with pytest.raises(SinkError, match=r"out\.mp4 cannot be written"):
        sink.close()
    assert shades(tmp_path / "out.mp4")[0] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("nowhere/out.mp4", "missing"), ("out.avi", "unsupported"), ("folder.mp4", "unsupported")],
)
def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / "folder.mp4").mkdir()
    with pytest.raises(SinkError) as refused:
        RecordingSink(tmp_path / name).open(320, 180, 30)
    assert refused.value.kind == kind and refused.value.mend


# ---- format


def noisy(number: int, width: int = 640, height: int = 360) -> StyledFrame:
    """What is hardest to encode."""
    image = np.random.default_rng(number).integers(0, 255, (height * 3 // 2, width), np.uint8)
    return StyledFrame(image, number, number * FRAME_NS, FrameKind.STYLED)


@pytest.mark.parametrize(
    ("quality", "fps", "most"), [("standard", 30, 0), ("standard", 60, 0), ("high", 60, 30), ("small", 30, 0)]
)
def test_a_quality_never_takes_more_than_its_ceiling(
    tmp_path: Path, quality: RecordingQuality, fps: int, most: int
) -> None:
    path = tmp_path / "out.mp4"
    sink = RecordingSink(path, RecordingFormat(quality, fps=most))
    sink.open(640, 360, fps)
    for number in range(3 * fps):
        sink.write(replace(noisy(number), captured_ns=number * FRAME_NS * 30 // fps))
    sink.close()
    ceiling = RATE_CONTROLS[quality].ceiling
    # The buffer of the rate control, one second, is full at the beginning.
    assert 2.0 * ceiling < path.stat().st_size * 8 < 4.2 * ceiling


def test_a_recording_of_720_rows_is_scaled_down_and_a_smaller_picture_is_not(tmp_path: Path) -> None:
    for rows, columns, shown in ((1080, 1920, (1280, 720)), (360, 640, (640, 360)), (1080, 1080, (720, 720))):
        path = tmp_path / f"{rows}x{columns}.mp4"
        sink = RecordingSink(path, RecordingFormat(height=720))
        sink.open(columns, rows, 30)
        sink.write(styled(3, columns, rows))
        sink.close()
        with av.open(str(path)) as container:
            context = container.streams.video[0].codec_context
            assert (context.width, context.height) == shown
        assert shades(path)[0] == [3]


def test_sixty_frames_a_second_are_kept_or_thinned_out_to_thirty(tmp_path: Path) -> None:
    for fps, kept in ((0, list(range(20))), (30, list(range(0, 20, 2)))):
        path = tmp_path / f"{fps}.mp4"
        sink = RecordingSink(path, RecordingFormat(fps=fps))
        sink.open(320, 180, 60)
        for number in range(20):
            frame = styled(number)
            sink.write(StyledFrame(frame.image, number, number * FRAME_NS // 2, FrameKind.STYLED))
        sink.close()
        seen, times = shades(path)
        assert seen == kept and times == pytest.approx([number / 60 for number in kept], abs=0.002)


def test_the_slate_is_never_thinned_out(tmp_path: Path) -> None:
    """It is what the user wants to be seen at once."""
    path = tmp_path / "out.mp4"
    sink = RecordingSink(path, RecordingFormat(fps=30))
    sink.open(320, 180, 60)
    for number, kind in enumerate((FrameKind.STYLED, FrameKind.SLATE, FrameKind.STYLED, FrameKind.STYLED)):
        sink.write(StyledFrame(styled(number).image, number, number * FRAME_NS // 2, kind))
    sink.close()
    assert shades(path)[0] == [0, 1, 2]


# ---- room on the disk


def test_a_disk_that_fills_up_ends_the_recording_while_there_is_room_and_it_plays(tmp_path: Path) -> None:
    free = 10**9
    path = tmp_path / "out.mp4"
    sink = RecordingSink(path, free=lambda _: free)
    sink.open(320, 180, 30)
    for number in range(60):
        sink.write(styled(number))
    free = RESERVE_BYTES - 1
    with pytest.raises(SinkError, match=r"out\.mp4 has ended and is saved") as ended:
        for number in range(60, 120):
            sink.write(styled(number))
    assert ended.value.kind == "disk_full"
    sink.close()
    assert 60 < len(shades(path)[0]) <= 91, "at the next reading, once a second"


def test_a_recording_tells_how_long_the_disk_lasts(tmp_path: Path) -> None:
    """At first at the highest rate, later at its own; what it leaves to others does not count."""
    room = 1_500_000 * 120
    sink = RecordingSink(tmp_path / "out.mp4", free=lambda _: RESERVE_BYTES + room)
    assert sink.left_s is None
    sink.open(640, 360, 30)
    assert sink.left_s == pytest.approx(120)
    for number in range(150):
        sink.write(noisy(number))
    assert sink.left_s == pytest.approx(120, rel=0.2), "noise takes the highest rate"
    for number in range(150, 500):
        sink.write(StyledFrame(styled(1, 640, 360).image, number, number * FRAME_NS, FrameKind.STYLED))
    assert sink.left_s is not None and sink.left_s > 1000
    sink.close()


def test_without_room_for_some_seconds_no_recording_begins(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
    sink = RecordingSink(path, free=lambda _: RESERVE_BYTES + 1_000_000)
    with pytest.raises(SinkError, match="too little room on the disk to record: 51 MB") as refused:
        sink.open(320, 180, 30)
    assert refused.value.kind == "disk_full" and refused.value.mend
    assert not path.exists()


def test_a_disk_that_does_not_tell_its_room_stops_nothing(tmp_path: Path) -> None:
    def unknown(folder: Path) -> int:
        raise OSError("not supported")

    sink = RecordingSink(tmp_path / "out.mp4", free=unknown)
    sink.open(320, 180, 30)
    for number in range(40):
        sink.write(styled(number))
    sink.close()
    assert sink.left_s is None and len(shades(sink.path)[0]) == 40


# ---- sound


def clap(sink: RecordingSink, seconds: int) -> None:
    """Writes a flash and a click at one moment, in the middle of each second; sound comes later."""
    sent = 0
    for number in range(30 * seconds):
        frame = styled(number)
        frame.image[:180] = 230 if number % 30 == 15 else 30
        sink.write(frame)
        count = number * RATE // 30 - 4_000 - sent
        if count > 0:
            at = np.arange(sent, sent + count) % RATE - RATE // 2
            sound = np.where((at >= 0) & (at < 100), 20_000, 0).astype(np.int16)
            sink.write_sound(np.stack((sound, sound), axis=1))
            sent += count


def sides(path: Path) -> tuple[float, np.ndarray]:
    """When the sound of a recording begins, and its left side."""
    with av.open(str(path)) as container:
        frames = list(container.decode(audio=0))
    return frames[0].time, np.concatenate([frame.to_ndarray()[0] for frame in frames])


@pytest.mark.parametrize("kind", ["mp4", "mkv"])
def test_a_click_is_beside_its_flash_to_the_millisecond(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"out.{kind}"
    sink = RecordingSink(path, WITH_SOUND)
    sink.open(320, 180, 30)
    clap(sink, 4)
    sink.close()
    numbers, times = shades(path)
    flashes = [at for shade, at in zip(numbers, times, strict=True) if shade > 15]
    begins, sound = sides(path)
    loud = np.flatnonzero(np.abs(sound) > 0.2)
    clicks = begins + loud[np.diff(loud, prepend=-RATE) > RATE // 2] / RATE
    assert len(flashes) == 4 and len(clicks) >= 3
    assert clicks == pytest.approx(flashes[: len(clicks)], abs=0.002)


@pytest.mark.parametrize("frames", [1, 2, 5])
def test_a_recording_ends_well_before_any_sound_has_come(tmp_path: Path, frames: int) -> None:
    path = tmp_path / "out.mp4"
    sink = RecordingSink(path, WITH_SOUND)
    sink.open(320, 180, 30)
    for number in range(frames):
        sink.write(styled(number))
    sink.close()
    assert shades(path)[0] == list(range(frames))
