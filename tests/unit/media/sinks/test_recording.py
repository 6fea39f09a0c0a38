"""A recording plays everywhere, keeps every frame and its time, and survives crash and full disk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest

from overpaint.errors import SinkError
from overpaint.media.decoding import decoded
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.sinks.recording import RecordingSink

pytestmark = pytest.mark.process


FRAME_NS = 33_333_333


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


def test_every_frame_is_there_at_its_own_time(tmp_path: Path) -> None:
    path = tmp_path / "out.mp4"
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


def test_what_was_recorded_before_a_crash_can_be_played(tmp_path: Path) -> None:
    path = tmp_path / "crash.mp4"
    script = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from test_recording import styled
from overpaint.media.sinks.recording import RecordingSink
sink = RecordingSink(Path(sys.argv[1])); sink.open(320, 180, 30)
for number in range(120): sink.write(styled(number))
os._exit(9)
"""
    subprocess.run(
        [sys.executable, "-c", script, str(path), str(Path(__file__).parent)], check=False, timeout=60
    )
    seen, _ = shades(path)
    assert len(seen) >= 80, "at most the last second or so is lost"


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
    "room", [65536, *(pytest.param(each, marks=pytest.mark.full) for each in (0, 4096, 230_000))]
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
from overpaint.media.sinks.recording import RecordingSink, _plays
noise, folder, told = np.random.default_rng(0), Path(sys.argv[1]), []
status = os.statvfs(folder)
with (folder / "filler").open("wb") as filler:
    filler.write(bytes(status.f_bavail * status.f_frsize - int(sys.argv[3])))
path = folder / "full.mp4"
sink = RecordingSink(path)
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
assert path.exists() is _plays(path) is ("can be played" in str(error)), error
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
    assert result.stdout.strip() == ("none" if room < 100_000 else "kept")


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
sink = RecordingSink(Path(sys.argv[1]) / "full.mp4"); sink.open(320, 180, 30)
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
    sink._stream = _BrokenEncoder()  # type: ignore[assignment]
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
    sink._stream = _BrokenEncoder()  # type: ignore[assignment]
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
