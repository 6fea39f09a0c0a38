"""A network camera is a source: over RTSP and HTTP, with a password, back after a restart; never trusted."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import cv2
import numpy as np
import psutil
import pytest

from helpers.certificates import contexts
from helpers.matrix import few_of
from helpers.network_cameras import LOGIN, MjpegCamera, RtspCamera, switched_on
from overpaint import credentials
from overpaint.errors import CredentialError, SourceError
from overpaint.media.frames import RawFrame, StyledFrame, now_ns
from overpaint.media.network_camera.player import MEMORY_BYTES
from overpaint.media.network_camera.rtp_jpeg import JpegAssembler, tables_of
from overpaint.media.network_camera.rtp_payloads import RtpPacket
from overpaint.media.sources import parse_source
from overpaint.media.sources.network_source import NetworkSource
from overpaint.media.sources.source_factory import make_source
from overpaint.session.live import source_selection
from overpaint.session.live.camera_logins import CameraLogins
from overpaint.session.live.source_selection import SourceStage
from overpaint.session.output.frame_router import FrameHub
from overpaint.wire.framing import Framing

pytestmark = pytest.mark.process

SECRET = f"{LOGIN[0]}:{quote(LOGIN[1], '')}@"


class Listener:
    def __init__(self) -> None:
        self.frames: list[RawFrame] = []
        self.late_ms: list[float] = []
        self.error: SourceError | None = None
        self.change = threading.Condition()

    def frame(self, frame: RawFrame) -> None:
        with self.change:
            self.frames.append(frame)
            self.late_ms.append((now_ns() - frame.captured_ns) / 1e6)
            self.change.notify_all()

    def lost(self, error: SourceError) -> None:
        with self.change:
            self.error = error
            self.change.notify_all()

    def wait(self, frames: int) -> None:
        with self.change:
            assert self.change.wait_for(lambda: len(self.frames) >= frames or self.error, 20)
            assert self.error is None, self.error


def source_of(address: str) -> NetworkSource:
    spec = parse_source(address)
    assert spec.kind == "network" and spec.address is not None
    return NetworkSource(spec.address)


def check(frames: list[RawFrame]) -> None:
    """They are full HD, upright and whole, and move."""
    assert {(frame.width, frame.height) for frame in frames} == {(1920, 1080)}
    assert [frame.number for frame in frames] == list(range(len(frames)))
    left = [int(np.median(frame.image[100:900, 100:800])) for frame in frames]
    right = [int(np.median(frame.image[100:900, 1100:1800])) for frame in frames]
    assert len(set(left)) > 3 and min(right) > 215, (left, right)


def play(address: str, frames: int = 20) -> Listener:
    source, listener = source_of(address), Listener()
    source.start(1920, 1080, listener)
    listener.wait(frames)
    source.stop()
    return listener


@pytest.mark.parametrize("codec", few_of(["libx264", "libx265", "mjpeg"], ["libx264", "mjpeg"]))
def test_a_camera_is_played_over_rtsp_as_its_pictures_arrive(codec: str) -> None:
    with switched_on(lambda: RtspCamera(codec=codec)) as camera:
        listener = play(f"rtsp://127.0.0.1:{camera.port}/live", 40)
        check(listener.frames)
        assert np.median(listener.late_ms) < 100, "a picture waits for no other"


def test_the_session_of_an_rtsp_camera_is_kept_alive_also_with_another_nonce() -> None:
    with switched_on(lambda: RtspCamera(login=True)) as camera:
        source, listener = source_of(f"rtsp://{SECRET}127.0.0.1:{camera.port}/live"), Listener()
        source.start(640, 360, listener)
        camera.nonce = "9c1d"  # as cameras change it every few minutes
        deadline = time.monotonic() + 15
        while camera.requests.count("OPTIONS") < 1:
            assert time.monotonic() < deadline and listener.error is None
            time.sleep(0.05)
        since = len(listener.frames)
        listener.wait(since + 5)
        source.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="read from Linux's /proc")
def test_a_camera_is_decoded_by_a_process_that_can_open_no_other_connection_and_no_file() -> None:
    with switched_on(MjpegCamera) as camera:
        source, listener = source_of(f"http://127.0.0.1:{camera.port}/video"), Listener()
        source.start(640, 360, listener)
        listener.wait(3)
        player = next(each for each in psutil.Process().children() if "play-camera" in each.cmdline())
        status = Path(f"/proc/{player.pid}/status").read_text("ascii")
        assert "Seccomp:\t2" in status and "NoNewPrivs:\t1" in status
        assert player.rlimit(psutil.RLIMIT_DATA)[0] == MEMORY_BYTES
        assert not any(SECRET in word for word in player.cmdline())
        source.stop()


@pytest.mark.parametrize("lengths", [True, False])
def test_a_camera_is_played_over_http(lengths: bool) -> None:
    with switched_on(lambda: MjpegCamera(lengths=lengths)) as camera:
        check(play(f"http://127.0.0.1:{camera.port}/video").frames)


@pytest.mark.parametrize(("make", "scheme"), [(RtspCamera, "rtsp"), (MjpegCamera, "http")])
def test_a_camera_with_a_password_lets_in_who_has_it_and_others_are_told_once(make, scheme) -> None:
    with switched_on(lambda: make(login=True)) as camera:
        place = f"127.0.0.1:{camera.port}/live"
        check(play(f"{scheme}://{SECRET}{place}").frames)
        for wrong in ("", "alma:wrong@"):
            with pytest.raises(SourceError) as refusal:
                source_of(f"{scheme}://{wrong}{place}").start(640, 360, Listener())
            assert refusal.value.kind == "denied" and "password" in str(refusal.value)
            assert "wrong" not in str(refusal.value) + refusal.value.mend


def test_nothing_of_the_login_is_in_what_is_shown_logged_or_repeated() -> None:
    told = f"rtsp://{SECRET}cam.example:8554/h264?channel=1&password=hunter2&token=t0k"
    spec = parse_source(told)
    assert spec.name == "rtsp://cam.example:8554/h264?channel=1&password=***&token=***"
    source = source_of(told)
    assert source.identity == spec.name and source.title == "cam.example:8554"
    for text in (repr(spec), repr(spec.address), source.title, source.identity):
        assert not any(secret in text for secret in ("s3", "alma", "hunter2", "t0k"))
    assert spec.address is not None and spec.address.whole == told


@pytest.mark.parametrize(
    "address",
    ["rtsp://", "http:///video", "rtsp://cam:99999/", "http://a b/", "rtsp://[::1/", "rtsp://c\r\nX/"],
)
def test_what_is_no_address_is_refused_before_anything_is_started(address: str) -> None:
    with pytest.raises(SourceError, match="not the address of a network camera"):
        parse_source(address)


def test_each_way_to_fail_is_told_apart() -> None:
    def refused(address: str) -> SourceError:
        with pytest.raises(SourceError) as refusal:
            source_of(address).start(640, 360, Listener())
        return refusal.value

    with switched_on(MjpegCamera) as camera:
        assert "no video at this address" in str(refused(f"http://127.0.0.1:{camera.port}/nothing"))
        gone = camera.port
    assert "does not answer" in str(refused(f"http://127.0.0.1:{gone}/video"))
    with switched_on(lambda: MjpegCamera(body=("text/html", b"<html>"))) as page:
        assert "no video that Overpaint can read" in str(refused(f"http://127.0.0.1:{page.port}/"))
    with switched_on(
        lambda: MjpegCamera(body=("multipart/x-mixed-replace; boundary=x", b"--x\r\n" * 9))
    ) as ill:
        assert refused(f"http://127.0.0.1:{ill.port}/").kind in ("lost", "")


@pytest.mark.parametrize("quality", [5, 50, 80, 99])
def test_the_tables_of_a_jpeg_without_them_are_those_of_its_quality(quality: int) -> None:
    """As another encoder of JPEG has them, OpenCV's."""
    jpeg = cv2.imencode(".jpg", np.zeros((16, 16, 3), np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    tables = b"".join(part[3:67] for part in jpeg.tobytes().split(b"\xff\xdb")[1:])
    assert tables_of(quality) == tables


def test_a_jpeg_of_which_a_packet_is_missing_is_left_out() -> None:
    pictures: list[bytes] = []
    assembler = JpegAssembler(lambda data, _: pictures.append(data))

    def packet(offset: int, data: bytes, timestamp: int, marker: bool = False) -> None:
        head = bytes([0]) + offset.to_bytes(3, "big") + bytes([1, 50, 2, 2])
        assembler.add(RtpPacket(26, marker, 0, timestamp, head + data))

    for timestamp, offsets in enumerate(([0, 4, 8], [0, 8], [4, 8], [0, 4, 8])):
        for offset in offsets:
            packet(offset, b"%04d" % offset, timestamp, marker=offset == 8)
    assert len(pictures) == 2 and len(set(pictures)) == 1
    assert pictures[0].startswith(b"\xff\xd8") and pictures[0].endswith(b"000000040008\xff\xd9")


def test_a_camera_with_tls_is_played_only_if_its_certificate_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls, _ = contexts(tmp_path, "127.0.0.1")
    with switched_on(lambda: MjpegCamera(login=True, tls=tls)) as camera:
        address = f"https://{SECRET}127.0.0.1:{camera.port}/live"
        with pytest.raises(SourceError, match="Nobody vouches for the certificate") as refusal:
            play(address)
        assert "SSL_CERT_FILE" in refusal.value.mend and camera.asked == 0, "it gets no password"
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "127.0.0.1.pem"))
        check(play(address).frames)


@pytest.mark.full
def test_a_silent_camera_is_said_to_stall_and_then_lost() -> None:
    with switched_on(MjpegCamera) as camera:
        source, listener = source_of(f"http://127.0.0.1:{camera.port}/video"), Listener()
        source.start(640, 360, listener)
        listener.wait(5)
        camera.quiet.set()
        deadline, stalled = time.monotonic() + 15, False
        while listener.error is None:
            assert time.monotonic() < deadline
            stalled |= source.trouble is not None and "its last one stands" in str(source.trouble)
            time.sleep(0.05)
        assert stalled and listener.error.kind == "lost"
        source.stop()


class Nobody:
    def deliver(self, frame: StyledFrame) -> None: ...


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - it waits for the stage's own tries
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(("make", "scheme"), [(RtspCamera, "rtsp"), (MjpegCamera, "http")])
async def test_a_camera_that_was_restarted_is_back_by_itself_and_let_in_again(
    monkeypatch: pytest.MonkeyPatch, make, scheme
) -> None:
    monkeypatch.setattr(source_selection, "RETRY_S", 0.1)
    hub = FrameHub(Nobody(), lambda error: stage.lost(error))
    stage = SourceStage(
        lambda spec, _: make_source(spec, None, None, Path()), list, hub, (640, 360), lambda: None
    )
    camera = await asyncio.to_thread(make, login=True)
    public = f"{scheme}://127.0.0.1:{camera.port}/live"
    await stage.choose(f"{scheme}://{SECRET}127.0.0.1:{camera.port}/live")
    assert (stage.text, stage.identity) == (public, public)
    await asyncio.to_thread(camera.close)
    await until(lambda: stage.error is not None)
    camera = await asyncio.to_thread(lambda: make(camera.port, login=True))
    await until(lambda: stage.error is None)
    seen = hub.originals.newest
    await until(lambda: hub.originals.newest is not seen)
    assert [choice.source for choice in stage.choices] == [public]
    await stage.close()
    await asyncio.to_thread(camera.close)


async def test_a_wrong_password_is_not_tried_again_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cameras lock themselves after a few."""
    monkeypatch.setattr(source_selection, "RETRY_S", 0.01)
    hub = FrameHub(Nobody(), lambda error: stage.lost(error))
    stage = SourceStage(
        lambda spec, _: make_source(spec, None, None, Path()), list, hub, (640, 360), lambda: None
    )
    with switched_on(lambda: MjpegCamera(login=True)) as camera:
        await stage.choose(f"http://{SECRET}127.0.0.1:{camera.port}/live")
        stage.logins = CameraLogins()
        camera.quiet.set()
        stage.lost(SourceError("network_camera_denied", camera="it"))
        await until(lambda: stage.error is not None)
        asked = camera.asked
        await asyncio.sleep(0.5)
        assert camera.asked == asked
        await stage.close()


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What the keyring has of network cameras."""
    kept: dict[str, str] = {}
    monkeypatch.setattr(credentials, "set_camera_address", kept.__setitem__)
    monkeypatch.setattr(credentials, "get_camera_address", kept.get)
    monkeypatch.setattr(credentials, "delete_camera_address", kept.pop)
    return kept


def test_a_login_is_stored_in_the_keyring_only_and_only_if_that_is_wished(keyring: dict[str, str]) -> None:
    logins = CameraLogins()
    spec = parse_source(f"rtsp://{SECRET}cam.example/live")
    logins.used(spec)
    assert logins.cameras == {"rtsp://cam.example/live": False} and not keyring
    logins.keep(spec.name)
    assert logins.cameras == {"rtsp://cam.example/live": True}
    assert keyring == {"rtsp://cam.example/live": f"rtsp://{SECRET}cam.example/live"}
    again = CameraLogins()  # after a restart
    again.cameras = dict(logins.cameras)
    assert again.completed(parse_source(spec.name)).address == spec.address


def test_a_forgotten_camera_leaves_nothing_behind(keyring: dict[str, str]) -> None:
    logins = CameraLogins()
    door, phone = parse_source(f"rtsp://{SECRET}door/live"), parse_source("http://phone/video")
    for spec in (door, phone):
        logins.used(spec)
    logins.keep(door.name)
    logins.rename(door.name, "  Front   door ")
    assert (logins.title(door.name), logins.title(phone.name)) == ("Front door", "phone")
    logins.forget(door.name)
    assert (keyring, logins.cameras, logins.names) == ({}, {phone.name: False}, {})
    bare = parse_source(door.name)
    assert logins.completed(bare) == bare, "its login is not in memory either"


def test_a_camera_is_not_forgotten_while_its_password_stays_in_the_keyring(
    keyring: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logins = CameraLogins()
    logins.used(parse_source(f"rtsp://{SECRET}door/live"))
    logins.keep("rtsp://door/live")

    def locked(_: str) -> None:
        raise CredentialError("keyring_silent", variable="")

    monkeypatch.setattr(credentials, "delete_camera_address", locked)
    with pytest.raises(CredentialError, match="door cannot be forgotten"):
        logins.forget("rtsp://door/live")
    assert logins.cameras == {"rtsp://door/live": True}


async def test_the_camera_in_use_has_its_name_and_is_not_forgotten(keyring: dict[str, str]) -> None:
    hub = FrameHub(Nobody(), lambda error: stage.lost(error))
    stage = SourceStage(
        lambda spec, _: make_source(spec, None, None, Path()), list, hub, (640, 360), lambda: None
    )
    with switched_on(MjpegCamera) as camera:
        address = f"http://127.0.0.1:{camera.port}/video"
        await stage.choose(address)
        stage.name_camera(address, "Phone")
        assert (stage.title, stage.choices[0].title) == ("Phone", "Phone")
        stage.frame(Framing(mirror=True))
        with pytest.raises(SourceError, match="Phone is in use"):
            await stage.forget_camera(address)
        await stage.choose("demo")
        await stage.forget_camera(address)
        assert not stage.choices and address not in stage.framings
        await stage.close()
