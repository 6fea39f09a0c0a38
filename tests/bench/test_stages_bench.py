"""Where the time goes at 1080p: CPU milliseconds a frame by stage, and the whole stream over both links.

Measures and prints; asserts nothing about speed. CPU time of this process (all its threads) for the
stages; of every process that takes part, sampled from outside, for the streams.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import psutil
import pytest
from av.video.reformatter import VideoReformatter

from helpers.clips import person_clip
from helpers.fake_camera import FakeCamera
from helpers.processes import end_all, role_pid
from overpaint.errors import LinkError
from overpaint.media import pictures
from overpaint.media.decoding import decoded, i420
from overpaint.media.frames import FrameKind, StyledFrame
from overpaint.media.links.frame_ring import RingPort
from overpaint.media.opener.bounded_reader import open_file
from overpaint.media.opener.clips import open_played
from overpaint.media.sinks.recording import RecordingSink
from overpaint.processes.channel import Channel, ChannelServer, connect

FRAMES = 90
SIZE = (1920, 1080)


def cpu_ms(work: Callable[[int], object], frames: int = FRAMES) -> float:
    """Mean CPU time of one call, over all threads of this process."""
    for number in range(5):
        work(number)
    start = time.process_time()
    for number in range(frames):
        work(number)
    return (time.process_time() - start) * 1000 / frames


def ring_ms(image: np.ndarray) -> float:
    """One way through shared memory, both ends in this process."""
    arrived = threading.Semaphore(0)

    def receive(channel: Channel) -> None:
        RingPort(channel, 0, lambda *_: arrived.release()).run()

    def acknowledge(port: RingPort) -> None:
        try:
            port.run()
        except LinkError:
            pass

    server = ChannelServer(receive, "bench")
    port = RingPort(connect(server.address, server.secret), image.nbytes)
    threading.Thread(target=acknowledge, args=(port,), daemon=True).start()

    def cross(number: int) -> None:
        port.send(image, number, 0, FrameKind.STYLED)
        assert arrived.acquire(timeout=5)

    spent = cpu_ms(cross)
    port.close()
    server.close()
    return spent


def fake_camera_ms(folder: Path) -> float:
    """Writing to the virtual camera; the device is a file that is cut after every frame."""
    answer = FakeCamera(folder).run(
        """
import time
sink = VirtualCameraSink(loopbacks=devices); sink.open(1920, 1080, 30)
frame = StyledFrame(picture(1), 0, 0, FrameKind.STYLED)
for _ in range(5): sink.write(frame)
spent = 0.0
for _ in range(60):
    start = time.process_time(); sink.write(frame); spent += time.process_time() - start
    os.truncate(Path(sys.argv[2]) / "video10", 0)
say(ms=spent * 1000 / 60)
"""
    )
    return float(answer["ms"])


def screen_ms(image: np.ndarray) -> float:
    """From Qt's captured frame (BGRX, as screens give it) to I420."""
    from PySide6.QtCore import QSize
    from PySide6.QtMultimedia import QVideoFrame, QVideoFrameFormat

    from overpaint.media.sources.qt_frames import to_i420

    layout = QVideoFrameFormat(QSize(*SIZE), QVideoFrameFormat.PixelFormat.Format_BGRX8888)
    frame = QVideoFrame(layout)
    assert frame.map(QVideoFrame.MapMode.WriteOnly)
    np.frombuffer(frame.bits(0), np.uint8)[:] = pictures.to_bgrx(image).reshape(-1)
    frame.unmap()
    return cpu_ms(lambda _: to_i420(frame))


def painting_ms(width: int, height: int, image: np.ndarray) -> float:
    """Painting in the window's own stage."""
    from PySide6.QtWidgets import QApplication

    from overpaint.assets import asset_dir
    from overpaint.gui.appearance.theme import Theme
    from overpaint.gui.connection.preview_receiver import Shown
    from overpaint.gui.widgets.stage import StageView

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    stage = StageView(Theme(app, asset_dir("icons")))
    stage.resize(width, height)
    stage.show()
    for _ in range(20):
        app.processEvents()
        time.sleep(0.01)
    bgrx = pictures.to_bgrx(pictures.resize(image, width, height))

    def paint(_: int) -> None:
        stage.show_picture(Shown(bgrx))
        stage.repaint()

    spent = cpu_ms(paint, 40)
    stage.close()
    return spent


def test_cpu_ms_by_stage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.setNumThreads(1)
    with open_played(open_file(person_clip())) as clip:
        container = clip.container
        stream = container.streams.video[0]
        stream.codec_context.thread_count = 1
        start, frames = time.process_time(), []
        for frame in decoded(container, stream):
            frames.append(frame)
            if len(frames) >= FRAMES:
                break
        decode_ms = (time.process_time() - start) * 1000 / len(frames)
    reformatter = VideoReformatter()
    images = [i420(frame, *SIZE, reformatter) for frame in frames[:30]]
    image = images[0]
    recording = RecordingSink(tmp_path / "bench.mp4")
    recording.open(*SIZE, 30)

    def record(number: int) -> None:
        recording.write(StyledFrame(images[number % 30], number, number * 33_333_333, FrameKind.STYLED))

    rows = [
        ("capture: decode the clip's frame", decode_ms),
        ("convert: clip → 1080p I420", cpu_ms(lambda n: i420(frames[n % len(frames)], *SIZE, reformatter))),
        ("convert: screen BGRA → I420", screen_ms(image)),
        ("link: shared memory, one way", ring_ms(image)),
        ("camera: write to the device", fake_camera_ms(tmp_path)),
        ("recording: H.264", cpu_ms(record)),
        (
            "preview: shrink to 960×540, to BGRX",
            cpu_ms(lambda _: pictures.to_bgrx(pictures.resize(image, 960, 540))),
        ),
        ("preview: 1080p to BGRX", cpu_ms(lambda _: pictures.to_bgrx(image))),
        ("window: paint at 960×540", painting_ms(960, 540, image)),
        ("window: paint at 1920×1080", painting_ms(1920, 1080, image)),
    ]
    recording.close()
    with capsys.disabled():
        print(f"\n{'CPU ms a frame, 1080p':44}{'ms':>8}")
        for name, spent in rows:
            print(f"{name:44}{spent:8.2f}")


@pytest.mark.parametrize("prompt", ["colour grade", "ink comic"])
@pytest.mark.parametrize("link", ["shared_memory", "webrtc"])
@pytest.mark.parametrize("output", ["null", "mp4"])
def test_the_whole_stream(
    tmp_path: Path, data_folder: Path, capsys: pytest.CaptureFixture[str], link: str, prompt: str, output: str
) -> None:
    place = str(tmp_path / "out.mp4") if output == "mp4" else "null"
    stream = subprocess.Popen(
        [
            *(sys.executable, "-m", "overpaint", "stream", "--source", str(person_clip())),
            *("--prompt", prompt, "--output", place, "--link", link, "--seconds", "12", "--json"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(6)
    core = role_pid(data_folder, "core")
    before = {pid: _cpu_s(pid) for pid in (stream.pid, core) if pid}
    began = time.monotonic()
    time.sleep(5)
    wall = time.monotonic() - began
    cores = {pid: (_cpu_s(pid) - spent) / wall for pid, spent in before.items()}
    out, errors = stream.communicate(timeout=60)
    end_all(data_folder)
    assert stream.returncode == 0, errors
    report = json.loads(out)
    with capsys.disabled():
        delay = report["latency_ms"]
        print(
            f"\n{link:14}{prompt:14}{output:6}{report['fps']:6.2f} fps  "
            f"delay {delay['p50']} / {delay['p95']} ms  dropped {report['dropped']}  cores: live "
            f"{cores[stream.pid]:.2f}, core {cores.get(core or 0, 0):.2f}  load {os.getloadavg()[0]:.1f}"
        )


def _cpu_s(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)
