"""OBS's camera on Windows gets every byte of every picture, in the layout that its filter reads.

Plain memory stands in for the shared one but in the last two tests, which run on Windows (also under Wine).
"""

from __future__ import annotations

import mmap
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from overpaint.errors import SinkError
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.virtual_camera import obs_queue
from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink, camera_report
from overpaint.media.virtual_camera.obs_queue import (
    QUEUE,
    READY,
    STARTING,
    STOPPING,
    ObsQueueWriter,
    QueueLayout,
)

WIDTH, HEIGHT = 64, 36
windows_only = pytest.mark.skipif(sys.platform != "win32", reason="named memory is Windows'")


def picture(number: int) -> NDArray[np.uint8]:
    return np.random.default_rng(number).integers(0, 256, (HEIGHT * 3 // 2, WIDTH), np.uint8)


class Reader:
    """Reads the queue as the filter does: by the offsets of the header."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory

    @property
    def header(self) -> tuple[int, ...]:
        return struct.unpack_from("<9I4xQ", self._memory)

    @property
    def state(self) -> int:
        return self.header[2]

    def newest(self) -> tuple[int, NDArray[np.uint8]]:
        """The newest picture's number, and the picture as I420."""
        _, number, _, *offsets = self.header[:6]
        start = offsets[number % 3] + 32
        nv12 = np.frombuffer(self._memory[start : start + WIDTH * HEIGHT * 3 // 2], np.uint8)
        luma, chroma = nv12[: WIDTH * HEIGHT], nv12[WIDTH * HEIGHT :]
        return number, np.concatenate([luma, chroma[0::2], chroma[1::2]]).reshape(-1, WIDTH)


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> mmap.mmap:
    """The shared memory, as another program has it open."""
    size = QueueLayout(WIDTH, HEIGHT).bytes
    plain = mmap.mmap(-1, size)
    monkeypatch.setattr(obs_queue, "_shared_memory", lambda wanted: plain if wanted == size else None)
    return plain


@pytest.fixture
def writer(memory: mmap.mmap) -> ObsQueueWriter:
    return ObsQueueWriter(WIDTH, HEIGHT, 30)


def test_the_layout_is_the_one_that_the_filter_knows() -> None:
    layout = QueueLayout(1920, 1080)
    assert layout.places == (96, 96 + 3110432, 96 + 2 * 3110432)
    assert layout.bytes == 96 + 3 * 3110432


def test_every_byte_of_every_picture_reaches_a_reader(writer: ObsQueueWriter, memory: mmap.mmap) -> None:
    reader = Reader(memory)
    assert reader.header[6:] == (0, WIDTH, HEIGHT, 333333)
    assert reader.state == STARTING
    for number in range(1, 8):
        writer.send(picture(number))
        told, shown = reader.newest()
        assert told == number and reader.state == READY
        assert np.array_equal(shown, picture(number))


def test_the_picture_before_is_whole_while_the_next_is_written(
    writer: ObsQueueWriter, memory: mmap.mmap
) -> None:
    reader = Reader(memory)
    writer.send(picture(1))
    first = memory[: QueueLayout(WIDTH, HEIGHT).places[1] + 32 + WIDTH * HEIGHT * 3 // 2]
    writer.send(picture(2))
    after = memory[: len(first)]
    assert first[96:] == after[96:], "another place of the three"
    assert reader.newest()[0] == 2


def test_a_closed_queue_says_so_to_its_readers(memory: mmap.mmap, monkeypatch: pytest.MonkeyPatch) -> None:
    class Kept(mmap.mmap):
        """Memory that a reader has open, too."""

        last = b""

        def close(self) -> None:
            Kept.last = self[:12]
            super().close()

    monkeypatch.setattr(obs_queue, "_shared_memory", lambda size: Kept(-1, size))
    writer = ObsQueueWriter(WIDTH, HEIGHT, 30)
    writer.send(picture(1))
    writer.close()
    writer.close()
    assert struct.unpack("<III", Kept.last) == (1, 1, STOPPING)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


@pytest.mark.usefixtures("windows")
def test_the_sink_writes_to_it_where_obs_is_installed(
    memory: mmap.mmap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(obs_queue, "is_installed", lambda: True)
    sink = VirtualCameraSink()
    sink.open(WIDTH, HEIGHT, 30)
    sink.write(StyledFrame(picture(1), 0, 0, FrameKind.STYLED))
    assert np.array_equal(Reader(memory).newest()[1], picture(1))
    sink.close()
    assert (sink.title, sink.written) == ("OBS Virtual Camera", 1)
    assert camera_report().chosen == "OBS Virtual Camera"


@pytest.mark.usefixtures("windows")
def test_without_obs_it_says_where_the_camera_is_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obs_queue, "is_installed", lambda: False)
    with pytest.raises(SinkError, match="no virtual camera on this computer") as refusal:
        VirtualCameraSink().open(1920, 1080, 30)
    assert refusal.value.kind == "missing" and "obsproject.com" in refusal.value.mend
    problem = camera_report().problem
    assert problem is not None and problem.code == "obs_camera_missing"


@pytest.mark.usefixtures("windows")
def test_a_queue_that_another_program_feeds_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    def taken(_: int) -> mmap.mmap:
        raise FileExistsError(QUEUE)

    monkeypatch.setattr(obs_queue, "is_installed", lambda: True)
    monkeypatch.setattr(obs_queue, "_shared_memory", taken)
    with pytest.raises(SinkError, match="Another program feeds") as refusal:
        VirtualCameraSink().open(1920, 1080, 30)
    assert refusal.value.kind == "busy"


@windows_only
def test_windows_gives_the_queue_to_one_writer_alone() -> None:
    first = ObsQueueWriter(WIDTH, HEIGHT, 30)
    with pytest.raises(FileExistsError):
        ObsQueueWriter(WIDTH, HEIGHT, 30)
    if sys.platform == "win32":
        reader = Reader(mmap.mmap(-1, QueueLayout(WIDTH, HEIGHT).bytes, tagname=QUEUE))
        first.send(picture(3))
        assert np.array_equal(reader.newest()[1], picture(3))
        first.close()
        assert reader.state == STOPPING


@windows_only
def test_a_filter_is_installed_where_its_library_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform == "win32":
        import winreg

        monkeypatch.setattr(obs_queue, "FILTER", r"Software\Overpaint-of-a-test\InprocServer32")
        assert not obs_queue.is_installed()
        library = tmp_path / "obs-virtualcam-module64.dll"
        winreg.SetValue(winreg.HKEY_CURRENT_USER, obs_queue.FILTER, winreg.REG_SZ, str(library))
        try:
            assert not obs_queue.is_installed(), "OBS was removed, and its entry stayed"
            library.touch()
            assert obs_queue.is_installed()
        finally:
            winreg.DeleteKey(winreg.HKEY_CURRENT_USER, obs_queue.FILTER)
            winreg.DeleteKey(winreg.HKEY_CURRENT_USER, r"Software\Overpaint-of-a-test")
