"""Clips of every kind go in; the same frames at the same times come out, upright, with their sound."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.video.frame import VideoFrame
from numpy.typing import NDArray

from helpers.clips import portrait
from helpers.plain_engine import PlainEngine
from overpaint.engine.cpu import CpuEngine
from overpaint.engine.interface import LookRequest
from overpaint.errors import InvalidRequestError
from overpaint.folders import kernel_dir
from overpaint.media import pictures
from overpaint.transforms import clip_files, clip_transform
from overpaint.transforms.task import Transformed

Pixels = NDArray[np.uint8]
RATE = 24


def made(
    path: Path,
    size: tuple[int, int] = (160, 96),
    times_ms: list[int] | None = None,
    codec: str = "libx264",
    form: str = "mp4",
    sound: str | None = None,
    rate: int = 44_100,
    pix_fmt: str = "yuv420p",
) -> Path:
    """A clip of a person who walks through the picture; frames at these times, a tone beneath."""
    width, height = size
    times_ms = times_ms or [round(1000 * number / RATE) for number in range(24)]
    person = portrait(width + 2 * len(times_ms), height)
    with av.open(str(path), "w", format=form) as container:
        video = container.add_stream(codec, rate=RATE)
        video.width, video.height, video.pix_fmt = width, height, pix_fmt
        video.time_base = video.codec_context.time_base = Fraction(1, 1000 if form != "avi" else RATE)
        audio = container.add_stream(sound, rate=rate, layout="stereo") if sound else None
        for number, at in enumerate(times_ms):
            image = np.ascontiguousarray(person[:, 2 * number : 2 * number + width])
            frame = VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts = at if form != "avi" else number
            frame.time_base = video.codec_context.time_base
            container.mux(video.encode(frame))
        container.mux(video.encode(None))
        if audio is not None:
            samples = rate * (times_ms[-1] + 1000 // RATE) // 1000
            wave = np.zeros((2, samples), np.float32)
            wave[:, samples // 2 :] = np.sin(np.arange(samples - samples // 2) * 2 * np.pi * 440 / rate) / 2
            tone = av.AudioFrame.from_ndarray(wave, format="fltp", layout="stereo")
            tone.sample_rate, tone.pts, tone.time_base = rate, 0, Fraction(1, rate)
            container.mux(audio.encode(tone))
            container.mux(audio.encode(None))
    return path


def restyled(source: Path, prompt: str = "x") -> tuple[Transformed, list[float]]:
    shares: list[float] = []
    output = clip_transform.transform(
        source, LookRequest(prompt), source.with_name("out"), PlainEngine("clip"), shares.append
    )
    assert output.content_type == "video/mp4" and output.size == output.path.stat().st_size
    return output, shares


def frames(path: Path) -> Iterator[VideoFrame]:
    with av.open(str(path)) as container:
        yield from container.decode(video=0)


def times(path: Path) -> list[float]:
    return [float(frame.pts * frame.time_base) for frame in frames(path)]


def looks_like(ours: Path, theirs: Path, within: float = 6.0, turns: int = 0) -> None:
    for one, other in zip(frames(ours), frames(theirs), strict=True):
        expected = np.rot90(other.to_ndarray(format="rgb24"), turns)
        got = one.to_ndarray(format="rgb24")
        expected = expected[: got.shape[0], : got.shape[1]]
        assert np.abs(got.astype(float) - expected).mean() < within


def tone_begins_s(path: Path) -> float:
    """When the second, loud half of the sound begins on the clip's clock."""
    with av.open(str(path)) as container:
        for frame in container.decode(audio=0):
            samples = frame.to_ndarray()
            if not frame.format.is_planar:
                samples = samples.reshape(-1, frame.layout.nb_channels).T
            most = 1.0 if samples.dtype.kind == "f" else np.iinfo(samples.dtype).max
            loud = np.abs(samples.astype(np.float64) / most).max(0) > 0.1
            if loud.any():
                return float(frame.pts * frame.time_base) + int(loud.argmax()) / frame.sample_rate
    raise AssertionError("silence")


def test_a_clip_keeps_size_frames_times_and_colours(tmp_path: Path) -> None:
    source = made(tmp_path / "in")
    seen = clip_transform.inspect(source)
    assert (seen.content_type, seen.width, seen.height, seen.frames) == ("video/mp4", 160, 96, 24)
    assert seen.seconds == pytest.approx(1.0, abs=0.05)
    output, shares = restyled(source)
    looks_like(output.path, source)
    assert times(output.path) == pytest.approx(times(source), abs=0.0005)
    assert shares == sorted(shares) and shares[-1] == 1.0
    with av.open(str(output.path)) as container:
        context = container.streams.video[0].codec_context
        assert (context.name, context.pix_fmt) == ("h264", "yuv420p")
        assert (context.colorspace, context.color_primaries, context.color_trc, context.color_range) == (
            6,
            1,
            1,
            1,
        )
    head = output.path.read_bytes()
    assert head.index(b"moov") < head.index(b"mdat")
    assert {path.name for path in tmp_path.iterdir()} == {"data", "in", "out"}


def test_the_encoder_works_beside_the_look(tmp_path: Path) -> None:
    output, _ = restyled(made(tmp_path / "in"))
    # x264 writes into the clip how it was set.
    threads = min(clip_transform.ENCODER_THREADS, os.cpu_count() or 1)
    written = output.path.read_bytes()
    assert f" threads={threads} ".encode() in written and b" sliced_threads=0 " in written


def test_a_variable_rate_stays_one(tmp_path: Path) -> None:
    at = [0, 10, 20, 300, 333, 1000, 1001, 1500, 1700, 2900]
    source = made(tmp_path / "in", times_ms=at)
    output, _ = restyled(source)
    assert times(output.path) == pytest.approx([one / 1000 for one in at], abs=0.0005)


@pytest.mark.parametrize(
    ("form", "codec", "sound", "rate", "media"),
    [
        ("mp4", "libx264", "aac", 44_100, "video/mp4"),
        ("mov", "libx264", "pcm_s16le", 48_000, "video/quicktime"),
        ("webm", "libvpx-vp9", "libopus", 48_000, "video/webm"),
        ("matroska", "mpeg4", "flac", 96_000, "video/x-matroska"),
        ("avi", "mpeg4", "libmp3lame", 22_050, "video/x-msvideo"),
    ],
)
def test_every_kind_of_clip_keeps_its_sound_in_time(
    tmp_path: Path, form: str, codec: str, sound: str, rate: int, media: str
) -> None:
    source = made(tmp_path / "in", codec=codec, form=form, sound=sound, rate=rate)
    assert clip_transform.inspect(source).content_type == media
    output, _ = restyled(source)
    looks_like(output.path, source)
    assert times(output.path) == pytest.approx(times(source), abs=0.002)
    with av.open(str(output.path)) as container:
        assert container.streams.audio[0].codec_context.name == "aac"
    assert tone_begins_s(output.path) == pytest.approx(tone_begins_s(source), abs=0.03)


def test_aac_goes_over_packet_by_packet(tmp_path: Path) -> None:
    source = made(tmp_path / "in", sound="aac")
    output, _ = restyled(source)
    assert _sound_bytes(output.path) == _sound_bytes(source)


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_clip_comes_out_upright(tmp_path: Path, degrees: int) -> None:
    made(tmp_path / "plain.mp4", sound="aac")
    source = tmp_path / "in"
    _turn(tmp_path / "plain.mp4", source, degrees)
    rotation = next(frames(source)).rotation
    assert rotation % 360 in (degrees, 360 - degrees)
    seen = clip_transform.inspect(source)
    assert (seen.width, seen.height) == ((160, 96) if degrees == 180 else (96, 160))
    output, _ = restyled(source)
    assert next(frames(output.path)).rotation == 0
    looks_like(output.path, source, turns=round(rotation / 90) % 4)


@pytest.mark.parametrize(
    ("size", "kept"), [((101, 77), (100, 76)), ((34, 20), (34, 20)), ((63, 130), (62, 130))]
)
def test_odd_and_small_clips_keep_their_size_but_for_an_odd_line(
    tmp_path: Path, size: tuple[int, int], kept: tuple[int, int]
) -> None:
    source = made(tmp_path / "in", size=size, pix_fmt="yuv444p")
    seen = clip_transform.inspect(source)
    assert (seen.width, seen.height) == kept
    output, _ = restyled(source)
    first = next(frames(output.path))
    assert (first.width, first.height) == kept
    looks_like(output.path, source, within=10)


def test_only_whole_clips_are_taken(tmp_path: Path) -> None:
    for form, codec in (
        ("mp4", "libx264"),
        ("matroska", "libx264"),
        ("webm", "libvpx-vp9"),
        ("avi", "mpeg4"),
    ):
        source = made(tmp_path / "in", form=form, codec=codec, times_ms=[i * 40 for i in range(100)])
        content = source.read_bytes()
        source.write_bytes(content[: len(content) // 2])
        with pytest.raises(InvalidRequestError, match="damaged"):
            clip_transform.inspect(source)


def test_a_clip_with_its_index_in_front_is_refused_when_its_end_is_missing(tmp_path: Path) -> None:
    restyled(made(tmp_path / "in", sound="aac"))
    content = (tmp_path / "out").read_bytes()
    (tmp_path / "in").write_bytes(content[:-200])
    with pytest.raises(InvalidRequestError, match=r"ends too early|damaged"):
        clip_transform.inspect(tmp_path / "in")


def test_damage_on_the_way_is_the_clips_fault_and_leaves_no_target(tmp_path: Path) -> None:
    source = made(tmp_path / "in", times_ms=[i * 40 for i in range(100)])
    content = bytearray(source.read_bytes())
    begin = content.index(b"mdat") + 4
    middle = (begin + content.rindex(b"moov")) // 2
    content[middle : middle + 400] = b"\xff" * 400
    source.write_bytes(content)
    clip_transform.inspect(source)
    with pytest.raises(InvalidRequestError, match="damaged"):
        restyled(source)
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.part").exists()


def test_the_length_is_counted_and_not_believed(tmp_path: Path) -> None:
    source = made(tmp_path / "in", size=(64, 64), times_ms=[0, 300_000, 602_000])
    content = bytearray(source.read_bytes())
    for box in (b"mvhd", b"mdhd"):  # ISO 14496-12 8.2.2, 8.4.2: duration of a version 0 box
        at = content.index(box) + 4 + 16
        content[at : at + 4] = (1000).to_bytes(4, "big")
    source.write_bytes(content)
    with pytest.raises(InvalidRequestError, match="10 minutes"):
        clip_transform.inspect(source)


def test_a_song_with_a_cover_is_no_clip(tmp_path: Path) -> None:
    source = tmp_path / "in"
    with av.open(str(source), "w", format="mp4") as container:
        audio = container.add_stream("aac", rate=44_100, layout="mono")
        tone = av.AudioFrame.from_ndarray(np.zeros((1, 44_100), np.float32), format="fltp", layout="mono")
        tone.sample_rate, tone.pts, tone.time_base = 44_100, 0, Fraction(1, 44_100)
        container.mux(audio.encode(tone))
        container.mux(audio.encode(None))
    with pytest.raises(InvalidRequestError, match="no moving picture"):
        clip_transform.inspect(source)


def test_a_restyled_clip_is_what_the_engine_makes_of_its_frames(tmp_path: Path) -> None:
    source = made(tmp_path / "in")
    engine = CpuEngine(1, kernel_dir())
    output = clip_transform.transform(source, LookRequest("ink"), tmp_path / "out", engine, lambda _: None)
    look = engine.compile(LookRequest("ink"), 160, 96)
    for ours, theirs in zip(frames(output.path), frames(source), strict=True):
        expected = pictures.to_bgr(look.apply(theirs.to_ndarray()))
        got = pictures.to_bgr(ours.to_ndarray())
        assert np.abs(got.astype(float) - expected).mean() < 8


def _sound_bytes(path: Path) -> list[bytes]:
    with av.open(str(path)) as container:
        return [bytes(packet) for packet in container.demux(audio=0) if packet.size]


def _turn(source: Path, target: Path, degrees: int) -> None:
    """Writes a turn into the track header (ISO 14496-12 8.3.2: the matrix of ``tkhd``)."""
    content = bytearray(source.read_bytes())
    one, zero, minus = (0x10000).to_bytes(4, "big"), bytes(4), (-0x10000).to_bytes(4, "big", signed=True)
    a, b, c, d = {
        90: (zero, one, minus, zero),
        180: (minus, zero, zero, minus),
        270: (zero, minus, one, zero),
    }[degrees]
    at = content.index(b"tkhd") + 4 + 40
    content[at : at + 36] = a + b + zero + c + d + zero + zero + zero + (0x40000000).to_bytes(4, "big")
    target.write_bytes(content)


# ---- how much work it may be --------------------------------------------------------------------------


def test_a_clip_of_more_pixels_in_all_than_one_may_have_is_refused_before_it_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Size and length are each within their bounds: it is their product that costs."""
    clip = made(tmp_path / "clip")
    monkeypatch.setattr(clip_files, "VIDEO_MAX_PIXELS", 160 * 96 * 24)
    assert clip_transform.inspect(clip).frames == 24
    monkeypatch.setattr(clip_files, "VIDEO_MAX_PIXELS", 160 * 96 * 24 - 1)
    with pytest.raises(InvalidRequestError, match=r"24 frames of 160 × 96 pixels.*are the limit"):
        clip_transform.inspect(clip)


@pytest.mark.parametrize(
    ("width", "height", "rate", "minutes"),
    [
        (1920, 1080, 30, 10),
        (1920, 1080, 60, 10),
        (1080, 1920, 60, 10),
        (3840, 2160, 30, 5),
        (1280, 720, 60, 10),
    ],
)
def test_clips_that_people_have_are_within_the_bound(
    width: int, height: int, rate: int, minutes: int
) -> None:
    clip_files.check_work(width, height, rate * 60 * minutes)


def test_an_hour_of_processor_time_for_one_clip_is_refused() -> None:
    with pytest.raises(InvalidRequestError, match=r"95\.9 thousand million in all; 75 thousand million"):
        clip_files.check_work(8192, 7808, 1500)


def converted(source: Path, content_type: str, side: int) -> tuple[Path, list[float]]:
    shares: list[float] = []
    target = source.with_name("converted")
    output = clip_transform.convert(source, target, content_type, side, shares.append)
    assert output == Transformed(target, content_type, target.stat().st_size)
    assert {path.name for path in source.parent.iterdir()} <= {"data", source.name, "converted"}
    return target, shares


@pytest.mark.parametrize("sound", ["aac", "libmp3lame"])
def test_another_container_has_the_same_pictures_times_and_sound(tmp_path: Path, sound: str) -> None:
    source = made(tmp_path / "in", times_ms=[0, 10, 20, 300, 333, 1000, 1001, 1500], sound=sound)
    output, shares = converted(source, "video/x-matroska", 0)
    with av.open(str(output)) as container:
        assert container.format.name.startswith("matroska")
        assert container.streams.audio[0].codec_context.name == "aac"
    looks_like(output, source, within=0.0001)
    # Matroska has no negative times: the encoder's first, silent samples move picture and sound alike.
    begin = times(output)[0]
    assert [at - begin for at in times(output)] == pytest.approx(times(source), abs=0.0011)
    assert tone_begins_s(output) - begin == pytest.approx(tone_begins_s(source), abs=0.03)
    assert shares == sorted(shares) and shares[-1] == 1.0


@pytest.mark.parametrize(
    ("size", "side", "wanted"),
    [
        ((160, 96), 80, (80, 48)),
        ((96, 160), 80, (48, 80)),
        ((160, 96), 4000, (160, 96)),
        ((161, 97), 80, (80, 48)),
    ],
)
def test_a_clip_is_shrunk_to_its_longer_side_and_never_enlarged(
    tmp_path: Path, size: tuple[int, int], side: int, wanted: tuple[int, int]
) -> None:
    even = size[0] % 2 == 0
    source = made(tmp_path / "in", size, sound="aac", pix_fmt="yuv420p" if even else "yuv444p")
    output, _ = converted(source, "video/mp4", side)
    shown = [frame.to_ndarray(format="rgb24") for frame in frames(output)]
    assert {image.shape[1::-1] for image in shown} == {wanted}
    assert times(output) == pytest.approx(times(source), abs=0.0011)
    for image, frame in zip(shown, frames(source), strict=True):
        small = frame.reformat(*wanted, format="rgb24", interpolation="BICUBIC").to_ndarray()
        assert np.abs(image.astype(float) - small).mean() < 6
    assert tone_begins_s(output) == pytest.approx(tone_begins_s(source), abs=0.03)


def test_a_clip_of_another_codec_becomes_h264(tmp_path: Path) -> None:
    source = made(tmp_path / "in", codec="libvpx-vp9", form="webm", sound="libopus", rate=48_000)
    output, _ = converted(source, "video/mp4", 0)
    with av.open(str(output)) as container:
        assert [stream.codec_context.name for stream in container.streams] == ["h264", "aac"]
    looks_like(output, source)


def test_what_is_no_clip_is_not_converted(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.write_bytes(b"no clip")
    with pytest.raises(InvalidRequestError):
        clip_transform.convert(source, tmp_path / "out", "video/mp4", 80, lambda _: None)
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith("out")]
