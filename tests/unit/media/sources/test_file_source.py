"""A file plays as a camera would: at its own rate, upright, fitted, over and over; else it is refused."""

from __future__ import annotations

import threading
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from helpers.clips import person_clip, portrait
from overpaint.errors import SourceError
from overpaint.media import pictures
from overpaint.media.frames import RawFrame
from overpaint.media.sources import parse_source
from overpaint.media.sources.file_source import FileSource

pytestmark = pytest.mark.process


class Listener:
    def __init__(self, wanted: int) -> None:
        self.frames: list[RawFrame] = []
        self.error: SourceError | None = None
        self.done = threading.Event()
        self._wanted = wanted

    def frame(self, frame: RawFrame) -> None:
        self.frames.append(frame)
        if len(self.frames) >= self._wanted:
            self.done.set()

    def lost(self, error: SourceError) -> None:
        self.error = error
        self.done.set()


def play(source: FileSource, wanted: int, width: int = 1920, height: int = 1080) -> Listener:
    listener = Listener(wanted)
    source.start(width, height, listener)
    assert listener.done.wait(20)
    source.stop()
    return listener


def grey_clip(path: Path, count: int = 10) -> Path:
    """A clip whose frame n is of grey 20 + 20 n."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        for number in range(count):
            image = np.full((360, 320), 128, np.uint8)
            image[:240] = 20 + 20 * number
            frame = av.VideoFrame.from_ndarray(image, format="yuv420p")
            frame.pts, frame.time_base = number, Fraction(1, 30)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def brightest(frames: list[RawFrame]) -> np.ndarray:
    """The luma of the brightest; which of a clip's pictures arrive depends on how busy the machine is."""
    return max((frame.image[:1080] for frame in frames), key=np.mean)


def test_a_clip_of_a_person_arrives_at_full_hd_numbered_and_timed() -> None:
    frames = play(FileSource(person_clip()), 20).frames
    assert all(frame.image.shape == (1620, 1920) and frame.image.dtype == np.uint8 for frame in frames)
    assert [frame.number for frame in frames] == list(range(len(frames)))
    times = [frame.captured_ns for frame in frames]
    assert times == sorted(set(times))
    assert frames[0].image[:1080].std() > 20


def test_a_clip_starts_again_at_its_end_with_new_numbers(tmp_path: Path) -> None:
    frames = play(FileSource(grey_clip(tmp_path / "grey.mp4")), 25).frames
    shades = [round((int(np.median(frame.image[:1080, 500:1400])) - 20) / 20) for frame in frames]
    # Where the machine is busy the ring passes over pictures, as a camera does.
    steps = [(after - before) % 10 for before, after in pairwise(shades)]
    assert steps.count(1) >= 5 and steps.count(0) <= 2, "one after another"
    assert any(after < before for before, after in pairwise(shades))
    assert [frame.number for frame in frames[:25]] == list(range(25))


def test_four_by_three_is_fitted_between_bars_and_never_stretched(tmp_path: Path) -> None:
    luma = brightest(play(FileSource(grey_clip(tmp_path / "grey.mp4")), 9).frames)
    assert (luma[:, :236] == 16).all() and (luma[:, -236:] == 16).all()
    assert (luma[:, 244:-244] > 100).all()


def test_a_phone_clip_stands_upright(tmp_path: Path) -> None:
    """A 320×240 clip marked as turned by 90° is portrait: bars left and right of a 810-wide picture."""
    plain, turned = grey_clip(tmp_path / "grey.mp4"), tmp_path / "turned.mp4"
    data = bytearray(plain.read_bytes())
    at = data.index(b"tkhd") + 4 + 4 + 36  # the display matrix of the track header (ISO 14496-12, 8.3.2)
    matrix = [0, 0x10000, 0, -0x10000 & 0xFFFFFFFF, 0, 0, 0, 0, 0x40000000]
    data[at : at + 36] = b"".join(value.to_bytes(4, "big") for value in matrix)
    turned.write_bytes(data)
    luma = brightest(play(FileSource(turned), 9).frames)
    assert (luma[:, :550] == 16).all() and (luma[:, 560:1360] > 100).all() and (luma[:, 1370:] == 16).all()


def test_colours_are_right_for_hd_and_for_pictures(tmp_path: Path) -> None:
    photo = portrait()
    path = tmp_path / "photo.png"
    cv2.imwrite(str(path), photo)
    source = FileSource(path)
    frames = play(source, 5).frames
    assert source.fps == 30.0
    assert len({frame.number for frame in frames}) == len(frames), "a still is a stream too"
    back = pictures.to_bgr(frames[-1].image)
    assert np.abs(back.astype(int) - photo).mean() < 4


def test_a_clip_with_hd_colours_is_converted(tmp_path: Path) -> None:
    """Pure red in BT.709 comes out as pure red in BT.601."""
    path = tmp_path / "red.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30, options={"qp": "0"})
        stream.width, stream.height, stream.pix_fmt = 1280, 720, "yuv420p"
        stream.codec_context.colorspace = 1
        image = np.empty((1080, 1280), np.uint8)
        image[:720], image[720:900], image[900:] = 63, 102, 240
        for number in range(3):
            frame = av.VideoFrame.from_ndarray(image, format="yuv420p")
            frame.pts, frame.time_base, frame.colorspace = number, Fraction(1, 30), 1
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    blue, green, red = pictures.to_bgr(play(FileSource(path), 2).frames[0].image)[540, 960]
    assert red > 245 and green < 10 and blue < 10


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("notes.mp4", b"These are my notes.\n" * 400, "unreadable"),
        ("notes.txt", b"\x1b[31mplain text that FFmpeg would draw as ANSI art\n" * 400, "unreadable"),
        ("empty.mp4", b"", "unreadable"),
        ("list.m3u8", b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", "unreadable"),
        ("list.ffconcat", b"ffconcat version 1.0\nfile notes.txt\n", "unreadable"),
        ("noise.mkv", np.random.default_rng(0).bytes(50_000), "unreadable"),
    ],
)
def test_what_is_no_picture_is_refused_with_a_sentence(
    tmp_path: Path, name: str, content: bytes, kind: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError) as refused:
        FileSource(path).start(1920, 1080, Listener(1))
    assert refused.value.kind == kind
    assert name in str(refused.value) and refused.value.mend


def test_a_truncated_clip_is_unreadable(tmp_path: Path) -> None:
    path = grey_clip(tmp_path / "cut.mp4")
    path.write_bytes(path.read_bytes()[:600])
    with pytest.raises(SourceError) as refused:
        FileSource(path).start(1920, 1080, Listener(1))
    assert refused.value.kind == "unreadable"


def test_the_words_for_sources(tmp_path: Path) -> None:
    assert parse_source("camera").index == 0
    assert (parse_source("screen:1").kind, parse_source("screen:1").index) == ("screen", 1)
    part = parse_source("screen:1@10,20,640,360")
    assert (part.kind, part.index, part.region) == ("screen", 1, (10, 20, 640, 360))
    assert parse_source("window:Mozilla: Firefox").name == "Mozilla: Firefox"
    assert parse_source("demo").kind == "demo"
    with pytest.raises(SourceError) as missing:
        parse_source(str(tmp_path / "nothing.mp4"))
    assert missing.value.kind == "missing"
    with pytest.raises(SourceError) as folder:
        parse_source(str(tmp_path))
    assert folder.value.kind == "unreadable"


def test_stop_ends_delivery(tmp_path: Path) -> None:
    listener = Listener(3)
    source = FileSource(grey_clip(tmp_path / "grey.mp4"))
    source.start(320, 240, listener)
    assert listener.done.wait(10)
    source.stop()
    count = len(listener.frames)
    source.stop()
    assert len(listener.frames) == count and listener.error is None
