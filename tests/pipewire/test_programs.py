"""Programs that are not ours read the camera from a real PipeWire: GStreamer, Chromium, Firefox.

In a system of ``tests/pipewire/run.sh``, by ``make test-pipewire``.
"""

from __future__ import annotations

import functools
import http.server
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.browser import browser
from helpers.camera_portal import CameraPortal
from helpers.firefox import firefox
from helpers.pipewire_session import PipeWireSession
from helpers.processes import end_all, overpaint, until
from overpaint.media import pictures
from overpaint.media.frames import FrameKind, Picture, StyledFrame
from overpaint.media.virtual_camera.browser_cameras import FIREFOX_SWITCH
from overpaint.media.virtual_camera.camera_sink import VirtualCameraSink
from overpaint.session.output.slate import slate

WIDTH, HEIGHT = 1920, 1080
SECONDS = 5
CAPS = ("format=I420", "format=NV12", "format=YUY2", "format=I420,width=1280,height=720")


@pytest.fixture(scope="module")
def session() -> Iterator[PipeWireSession]:
    with pytest.MonkeyPatch.context() as patch:
        session = PipeWireSession(patch)
        session.start()
        portal = CameraPortal(session.folder, patch)
        yield session
        portal.close()
        session.close()


def red_and_blue() -> Picture:
    bgr = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    bgr[:, : WIDTH // 2] = (0, 0, 255)
    bgr[:, WIDTH // 2 :] = (255, 0, 0)
    return pictures.from_bgr(bgr)


@contextmanager
def camera(image: Picture, fps: float = 30) -> Iterator[VirtualCameraSink]:
    """A camera that shows one picture; what it costs is printed."""
    sink, ended = VirtualCameraSink("pipewire"), threading.Event()
    sink.open(WIDTH, HEIGHT, fps)
    spent: list[float] = []

    def run() -> None:
        next_s = time.monotonic()
        while not ended.is_set():
            began = time.thread_time()
            sink.write(StyledFrame(image, 0, 0, FrameKind.STYLED))
            if sink.read:
                spent.append(time.thread_time() - began)
            next_s = max(next_s + 1 / fps, time.monotonic())
            ended.wait(next_s - time.monotonic())

    thread = threading.Thread(target=run, name="camera")
    thread.start()
    try:
        yield sink
    finally:
        ended.set()
        thread.join()
        sink.close()
        mean_ms = 1000 * float(np.mean(spent or [0]))
        print(f"CPU of a picture that is read: {mean_ms:.2f} ms, {len(spent)} of them")


@functools.cache
def page_address() -> str:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None: ...

    handler = functools.partial(Quiet, directory=str(Path(__file__).parent))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://localhost:{server.server_port}/camera.html"


def read_by_gstreamer(count: int, caps: str, target: Path) -> bytes:
    source = f"pipewiresrc target-object=overpaint_camera num-buffers={count}"
    words = f"gst-launch-1.0 -q {source} ! video/x-raw,{caps} ! filesink location={target}"
    subprocess.run(words.split(), check=True, timeout=60)
    return target.read_bytes()


def test_pipewires_own_tools_list_it_with_every_layout(session: PipeWireSession) -> None:
    with camera(red_and_blue()):
        dump = json.loads(subprocess.run(["pw-dump"], capture_output=True, check=True).stdout)
    nodes = [each for each in dump if each["type"].endswith(":Node")]
    found = [each for each in nodes if each["info"]["props"].get("node.name") == "overpaint_camera"]
    assert len(found) == 1
    properties = found[0]["info"]["props"]
    assert properties["node.description"] == "Overpaint Camera"
    assert (properties["media.class"], properties["media.role"]) == ("Video/Source", "Camera")
    offered = {
        (each["format"], each["size"]["width"], each["framerate"]["max"]["num"])
        for each in found[0]["info"]["params"]["EnumFormat"]
    }
    assert {name for name, _, _ in offered} == {"I420", "NV12", "YUY2"}
    assert {width for _, width, _ in offered} == {1920, 1280} and {fps for _, _, fps in offered} == {60}


@pytest.mark.parametrize("caps", CAPS)
@pytest.mark.parametrize("fps", [30, 60])
def test_gstreamer_reads_it(session: PipeWireSession, tmp_path: Path, caps: str, fps: int) -> None:
    with camera(red_and_blue(), fps):
        data = read_by_gstreamer(30, f"{caps},framerate={fps}/1", tmp_path / "out")
    if caps == "format=I420":
        assert data == red_and_blue().tobytes() * 30
    elif "1280" in caps:
        frames = np.frombuffer(data, np.uint8).reshape(30, 1080, 1280)
        assert np.array_equal(frames[-1], pictures.resize(red_and_blue(), 1280, 720))
    else:
        assert len(data) == 30 * WIDTH * HEIGHT * (4 if "YUY2" in caps else 3) // 2


def assert_seen(said: dict[str, Any]) -> None:
    print(said)
    assert said["cameras"] == ["Overpaint Camera"]
    assert said["size"] == [WIDTH, HEIGHT] and said["fps"] > 0
    assert np.abs(np.subtract(said["left"], (255, 0, 0))).max() < 30
    assert np.abs(np.subtract(said["right"], (0, 0, 255))).max() < 30


def seen_by_chromium(folder: Path, *flags: str) -> dict[str, Any]:
    with browser(folder, None, "--use-fake-ui-for-media-stream", *flags) as chromium:
        said: dict[str, Any] = json.loads(chromium.page(page_address()).run(f"look({SECONDS})"))
        return said


def test_chromium_sees_it_once_its_flag_is_set(session: PipeWireSession, tmp_path: Path) -> None:
    with camera(red_and_blue()):
        assert seen_by_chromium(tmp_path / "off")["cameras"] == [], "as it comes, it lists V4L2's cameras"
        # On a busy machine its capture process often ends by a check of its own ("race_checker").
        for attempt in range(6):
            said = seen_by_chromium(tmp_path / str(attempt), "--enable-features=WebRtcPipeWireCamera")
            if said.get("fps"):
                break
        assert_seen(said)


def test_firefox_sees_it_once_its_preference_is_set(session: PipeWireSession, tmp_path: Path) -> None:
    with camera(red_and_blue()):
        for on in (False, True):
            with firefox(tmp_path / str(on), {FIREFOX_SWITCH: on}) as page:
                page.go(page_address())
                said = json.loads(page.run(f"look({SECONDS})"))
            if on:
                assert_seen(said)
            else:
                assert said["cameras"] == [], "as it comes, it lists V4L2's cameras"


def test_the_demo_comes_out_of_the_camera_restyled(
    session: PipeWireSession, data_folder: Path, tmp_path: Path
) -> None:
    """The whole program, without a driver and without a word about PipeWire."""
    words = "stream --source demo --output camera --patience 300 --json --prompt"
    command = [sys.executable, "-m", "overpaint", *words.split(), "black and white"]
    still = slate(WIDTH, HEIGHT)
    try:
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as stream:
            shown: list[Picture] = []

            def looked() -> bool:
                try:
                    data = read_by_gstreamer(1, "format=I420", tmp_path / "out")
                except subprocess.CalledProcessError:  # not there yet
                    return False
                shown.append(np.frombuffer(data, np.uint8).reshape(HEIGHT * 3 // 2, WIDTH))
                return not np.array_equal(shown[-1], still)

            until(looked, 300)
            stream.send_signal(signal.SIGINT)
            report = json.loads(stream.communicate(timeout=60)[0])
    finally:
        end_all(data_folder)
    luma, u, v = pictures.planes(shown[-1])
    assert luma.std() > 10 and max(abs(u.astype(int) - 128).max(), abs(v.astype(int) - 128).max()) <= 4
    assert report["frames_out"] > 0 and report["raw_frames_out"] == 0
    print(report)


def test_doctor_says_who_sees_the_camera(session: PipeWireSession) -> None:
    findings = {each["part"]: each for each in json.loads(overpaint("doctor", "--json").stdout)}
    assert findings["camera output"]["text"].startswith("Overpaint Camera (in PipeWire only")
    programs = findings["camera programs"]
    assert "media.webrtc.camera.allow-pipewire in about:config" in programs["mend"]
    assert "chrome://flags/#enable-webrtc-pipewire-camera" in programs["mend"]
    assert "Chromium lists V4L2's cameras." in programs["text"]
    session.stop()
    try:
        findings = {each["part"]: each for each in json.loads(overpaint("doctor", "--json").stdout)}
    finally:
        session.start()
    assert findings["camera output"]["verdict"] == "missing"
