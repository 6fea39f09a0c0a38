"""Hostile files at every door of the desktop: nothing is run, nothing else is read, nobody is called, and the
next honest picture is served.
"""

from __future__ import annotations

import base64
import ctypes
import os
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import av
import psutil
import pytest
from PySide6.QtCore import QByteArray, QMimeData, QSize
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from helpers.hostile_media import HARMFUL, harmful, reaching
from helpers.small_media import clip, picture
from overpaint.errors import MediaError, UsageError
from overpaint.gui.files.images import decoded, own_jpeg
from overpaint.gui.files.photo_intake import PhotoReader
from overpaint.gui.files.thumbnails import read_picture
from overpaint.media.opener.bounded_reader import open_file
from overpaint.media.opener.clips import open_played
from overpaint.media.opener.decoder import PictureDecoder
from overpaint.session.output.slate import slate

pytestmark = pytest.mark.process


MAGENTA = (255, 0, 255)
ROOM = QSize(96, 54)


@dataclass
class Canary:
    """A file that nobody may open, a server that nobody may call, a program that nobody may run."""

    folder: Path
    file: Path
    port: int
    ran: Path
    watch: int
    calls: list[bool]

    def untouched(self) -> bool:
        try:
            touched = os.read(self.watch, 4096)
        except BlockingIOError:
            touched = b""
        return not touched and not self.calls and not self.ran.exists()


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canary]:
    if sys.platform != "linux":
        pytest.skip("inotify is Linux's")
    folder = tmp_path_factory.mktemp("hostile")
    file = folder / "canary.mp4"
    file.write_bytes(clip())
    library = ctypes.CDLL(None, use_errno=True)
    watch = library.inotify_init1(os.O_NONBLOCK)
    opened_or_read = 0x20 | 0x1
    assert library.inotify_add_watch(watch, str(file).encode(), opened_or_read) > 0
    programs = folder / "programs"
    programs.mkdir()
    ran = folder / "ran"
    for name in ("gs", "gswin64c", "rsvg-convert", "pdftoppm"):
        (programs / name).write_text(f"#!/bin/sh\necho {name} >> {ran}\n")
        (programs / name).chmod(0o755)
    listener = socket.create_server(("127.0.0.1", 0))
    calls: list[bool] = []

    def listen() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            connection.close()
            calls.append(True)

    threading.Thread(target=listen, daemon=True).start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
        yield Canary(folder, file, listener.getsockname()[1], ran, watch, calls)
    listener.close()
    os.close(watch)


@pytest.fixture(scope="module")
def decoder(canary: Canary) -> Iterator[PictureDecoder]:
    with PictureDecoder() as one:
        yield one


@pytest.fixture(scope="module")
def hostile(canary: Canary) -> dict[str, bytes]:
    made = {**reaching(canary.file, canary.port), **harmful()}
    canary.untouched()  # making them is no attack
    return made


NAMES = [*reaching(Path("/canary.mp4"), 1), *HARMFUL]
DECODES = {
    "PNG with text that grows without end",
    "PNG with a colour profile that grows without end",
    "GIF of 100,000 pictures",
    "WebP of 100,000 pictures",
    "picture that is a page too",
    "clip that is a picture too",
    "PNG cut in half",
    "MP4 whose index is zeros",
}
"""May be decoded: what is harmful in them is left alone."""

Door = Callable[[PictureDecoder, Path], object]


def thumbnail(decoder: PictureDecoder, path: Path) -> QImage | None:
    image = read_picture(decoder, path, ROOM)
    return None if image.isNull() else image


def photo(decoder: PictureDecoder, path: Path) -> object:
    return told_by_reader(decoder, lambda reader: reader.read_file(str(path)))


def preset(decoder: PictureDecoder, path: Path) -> object:
    data = base64.b64encode(path.read_bytes()).decode()
    return told_by_reader(decoder, lambda reader: reader.read_data(data))


def pasted(decoder: PictureDecoder, path: Path) -> object:
    return told_by_reader(decoder, lambda reader: reader.read_image(path.read_bytes()))


def told_by_reader(decoder: PictureDecoder, ask: Callable[[PhotoReader], None]) -> object:
    """The picture that a reader of photos gives; None where it says why there is none."""
    reader = PhotoReader(decoder)
    told: list[object] = []
    reader.photo_read.connect(lambda data, image: told.append(image))
    reader.refused.connect(lambda sentence: told.append(sentence))
    ask(reader)
    reader._pool.waitForDone(60_000)
    from PySide6.QtCore import QCoreApplication

    QCoreApplication.processEvents()
    assert len(told) == 1
    if isinstance(told[0], str):
        assert told[0] and "Traceback" not in told[0]
        return None
    return told[0]


def command_line(decoder: PictureDecoder, path: Path) -> object:
    """The photo of ``--reference``, and the look pictures' one: the file's bytes."""
    return refusal_is_none(lambda: decoder.data(path.read_bytes(), (64, 64)))


def live_source(decoder: PictureDecoder, path: Path) -> object:
    """What plays a file, before its first frame; it runs in a sandboxed process, here without one."""

    def opened() -> object:
        with open_played(open_file(path)) as played:
            try:
                return next(played.container.decode(video=0), None)
            except (av.FFmpegError, IndexError):
                return None

    return refusal_is_none(opened)


def refusal_is_none(work: Callable[[], object]) -> object:
    try:
        return work()
    except MediaError as error:
        assert str(error).endswith(".") and error.kind
        return None


DOORS: dict[str, Door] = {
    "thumbnail": thumbnail,
    "photo": photo,
    "preset": preset,
    "clipboard": pasted,
    "command line": command_line,
    "live source": live_source,
}


FEW = {"EPS", "PNG with text that grows without end", "MP4 whose index is zeros"}
EVERY_RUN = "photo"
"""The door at which every run tries all files; at the others a few."""


@pytest.mark.parametrize(
    ("name", "door"),
    [
        pytest.param(name, door, marks=() if door == EVERY_RUN or name in FEW else pytest.mark.full)
        for name in NAMES
        for door in DOORS
    ],
)
def test_a_hostile_file_is_refused_or_harmless(
    qapp: object, canary: Canary, decoder: PictureDecoder, hostile: dict[str, bytes], name: str, door: str
) -> None:
    path = canary.folder / ("holiday.mp4" if door == "live source" else "holiday.png")
    path.write_bytes(hostile[name])
    shown = DOORS[door](decoder, path)
    assert canary.untouched()
    if name not in DECODES:
        assert shown is None
    if name == "EPS":  # and now and then: the next honest picture is served
        path.write_bytes(clip() if door == "live source" else picture())
        assert DOORS[door](decoder, path) is not None


def test_the_canary_sings(canary: Canary) -> None:
    """What is promised above would be noticed if it were not so."""
    canary.file.read_bytes()
    assert not canary.untouched()
    assert canary.untouched()


def test_a_reference_to_another_file_is_really_one(canary: Canary, hostile: dict[str, bytes]) -> None:
    """FFmpeg itself, told to follow it, opens the canary: the MOV above is no blunt weapon."""
    path = canary.folder / "reference.mov"
    path.write_bytes(hostile["MOV that lies in another file"])
    opened: list[str] = []

    def follow(url: str, flags: int, options: dict[str, str]) -> object:
        opened.append(url)
        raise OSError("enough")

    told = {"enable_drefs": "1", "use_absolute_path": "1"}
    with (
        path.open("rb") as file,
        suppress(OSError),
        av.open(file, options=told, io_open=follow) as container,
    ):
        next(container.decode(video=0), None)
    assert any(canary.file.name in url for url in opened)


def test_the_lists_hold_where_a_demuxer_follows_references(
    canary: Canary, hostile: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even with references switched on: no protocol is allowed, and every further file is refused."""
    from overpaint.media.opener import clips

    plain = clips.options
    monkeypatch.setattr(
        clips, "options", lambda name: plain(name) | {"enable_drefs": "1", "use_absolute_path": "1"}
    )
    path = canary.folder / "reference.mov"
    path.write_bytes(hostile["MOV that lies in another file"])
    assert live_source(PictureDecoder(), path) is None
    assert canary.untouched()


# ---- what is no regular file ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["fifo", "device", "folder", "socket", "loop", "nowhere", "fifo by a link"])
def test_what_is_no_file_is_refused_at_once(
    canary: Canary, decoder: PictureDecoder, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "holiday.png"
    match kind:
        case "fifo":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case "socket":
            with socket.socket(socket.AF_UNIX) as end:
                end.bind(str(path))
        case "loop":
            path.symlink_to(path)
        case "fifo by a link":
            os.mkfifo(tmp_path / "pipe")
            path.symlink_to(tmp_path / "pipe")
    done: list[object] = []
    worker = threading.Thread(
        target=lambda: done.append([DOORS[door](decoder, path) for door in ("thumbnail", "live source")]),
        daemon=True,
    )
    worker.start()
    worker.join(30)
    assert done == [[None, None]]
    with pytest.raises(UsageError, match=r"holiday\.png"):
        slate(64, 36, str(path))


def test_a_file_that_grows_is_as_large_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "growing.png"
    path.write_bytes(b"12345")
    with open_file(path) as file:
        with path.open("ab") as more:
            more.write(b"6" * 1000)
        assert file.read() == b"12345"


# ---- the process ------------------------------------------------------------------------------------------


def test_a_decoder_that_is_killed_or_stopped_spoils_one_picture() -> None:
    import signal

    from overpaint.media.opener.decoder import DecoderLimits

    with PictureDecoder(DecoderLimits(wall_s=20.0)) as decoder:
        assert decoder.data(picture(), (96, 64)).shape == (64, 96, 3)
        os.kill(decoder.pid or 0, signal.SIGKILL)
        assert decoder.data(picture(), (96, 64)).shape == (64, 96, 3)
    with PictureDecoder(DecoderLimits(wall_s=0.5)) as decoder:
        try:
            decoder.data(picture(), (96, 64))  # it loads for longer than that, or does not
        except MediaError as error:
            assert error.kind == "too_costly"
    with pytest.raises(MediaError, match="closing"):
        decoder.data(picture(), (96, 64))


LIAR = """
import socket, struct, sys
end = socket.socket(fileno=0)
while end.recv(65536):
    end.sendall({answer!r})
"""


def refusal(head: bytes) -> bytes:
    return struct.pack(">II", len(head), 0) + head


@pytest.mark.expect_log("no answer that fits")
@pytest.mark.parametrize(
    "answer",
    [
        struct.pack(">II", 3, 0) + b"xyz",
        struct.pack(">II", 2, 0) + b"[]",
        struct.pack(">II", 9, 0) + b"123456789",
        struct.pack(">II", 0xFFFFFFFF, 0),
        struct.pack(">II", 24, 12) + b'{"shape": [1000, 1, 3]}' + b" " + bytes(12),
        struct.pack(">II", 24, 12) + b'{"shape": [-2, -2, 3]} ' + b" " + bytes(12),
        struct.pack(">II", 24, 0) + b'{"code":"picture_empty",',
        struct.pack(">II", 4096, 0) + b"[" * 4096,
        refusal(b'{"code":"picture_full","params":{}}'),
        refusal(b'{"code":"The disk is full.","params":{}}'),
        refusal(b'{"code":"keyring_locked","params":{"reason":"a"}}'),
        refusal(b'{"code":"picture_empty","params":{"more":"a"}}'),
        refusal(b'{"code":"picture_empty","params":[]}'),
        refusal(b'{"code":["picture_empty"],"params":{}}'),
        refusal(b'{"code":"decoder_does_not_start","params":{"reason":["a"]}}'),
        refusal(b'{"code":"decoder_does_not_start","params":{"reason":"a\\u001b[2J"}}'),
        refusal(b'{"code":"decoder_does_not_start","params":{"reason":"a\\nOverpaint: run this"}}'),
        refusal(b'{"code":"decoder_does_not_start","params":{"reason":"a\\u2028b"}}'),
        refusal(b'{"code":"media_file_too_large","params":{"bytes":1,"limit_mb":"\\u202ez"}}'),
        refusal(b'{"code":"decoder_does_not_start","params":{"reason":"' + b"a" * 1000 + b'"}}'),
    ],
)
def test_a_decoder_that_was_taken_over_gives_no_picture(answer: bytes) -> None:
    """Nor any words that a terminal or a log would act on."""
    liar = [sys.executable, "-c", LIAR.format(answer=answer)]
    with PictureDecoder(command=liar) as decoder, pytest.raises(MediaError) as refused:
        decoder.data(picture(), (4, 4))
    assert str(refused.value) == "The file is damaged."


SENDER = """
import os, socket
from overpaint.media.opener.decoder_messages import packed
end = socket.socket(fileno=os.dup(0))
while end.recv(65536):
    socket.send_fds(end, [(packed({{"shape": [1, 1, 3]}}, 3) + b"abc")[:{size}]], [1])
    if {size} < 8: break
"""


@pytest.mark.parametrize("size", [100, 1])
@pytest.mark.skipif(sys.platform == "win32", reason="no descriptor goes over a pipe")
def test_a_decoder_that_was_taken_over_leaves_no_file_open_with_its_owner(size: int) -> None:
    with PictureDecoder(command=[sys.executable, "-c", SENDER.format(size=size)]) as decoder:
        before = psutil.Process().num_fds()
        for _ in range(8):
            with suppress(MediaError):
                decoder.data(b"x", (4, 4))
        assert psutil.Process().num_fds() < before + 4


def test_who_is_interrupted_leaves_no_answer_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """As by a lack of memory for the picture."""
    from overpaint.media.opener.decoder_wire import PipePort, SocketPort

    port: type[PipePort | SocketPort] = PipePort if sys.platform == "win32" else SocketPort
    receive = port.receive

    def lacking(self: PipePort | SocketPort, size: int) -> bytearray:
        if size > 4096:
            raise MemoryError
        return receive(self, size)  # type: ignore[arg-type]

    with PictureDecoder() as decoder:
        with monkeypatch.context() as short, pytest.raises(MemoryError):
            short.setattr(port, "receive", lacking)
            decoder.data(picture(), (96, 64))
        assert decoder.data(picture(), (48, 32)).shape == (32, 48, 3)


def test_many_who_wait_are_bounded() -> None:
    from overpaint.media.opener.decoder import DecoderLimits

    limits = DecoderLimits(waiting=1)
    with PictureDecoder(limits, [sys.executable, "-c", "import time; time.sleep(60)"]) as decoder:
        first = threading.Thread(target=lambda: refusal_is_none(lambda: decoder.data(picture(), (4, 4))))
        first.start()
        while decoder.pid is None:
            pass
        with pytest.raises(MediaError, match="Too many"):
            decoder.data(picture(), (4, 4))
        decoder.close()
        first.join(10)
        assert not first.is_alive()


def test_the_decoder_sees_no_home_and_no_network(decoder: PictureDecoder) -> None:
    from overpaint.processes.sandbox import sandbox

    decoder.data(picture(), (4, 4))
    status = Path(f"/proc/{decoder.pid}/status").read_text("ascii")
    if "network" in sandbox.available().enforced:
        assert "Seccomp:\t2" in status
    assert "NoNewPrivs:\t1" in status
    environment = Path(f"/proc/{decoder.pid}/environ").read_bytes()
    assert b"KEY=" not in environment and b"TOKEN=" not in environment


# ---- Qt ---------------------------------------------------------------------------------------------------


def test_our_own_pictures_are_read_by_their_own_reader_alone(qapp: object, canary: Canary) -> None:
    assert not own_jpeg(picture(form="JPEG")).isNull()
    for strange in (reaching(canary.file, canary.port)["SVG"], picture()):
        assert own_jpeg(strange).isNull()


def test_what_another_program_pastes_is_never_decoded_by_qt(qapp: object) -> None:
    from overpaint.gui.files.images import holds_picture, picture_in

    mime = QMimeData()
    mime.setData("image/png", QByteArray(picture()))
    assert not holds_picture(mime)  # made here: no image
    mime.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))
    assert isinstance(picture_in(mime), QImage)


def test_a_pasted_picture_of_another_program_comes_as_its_file(
    qtbot: QtBot, decoder: PictureDecoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overpaint.gui.files import images

    monkeypatch.setattr(images, "_IN_THIS_PROCESS", "nobody's")
    mime = QMimeData()
    mime.setData("image/svg+xml", QByteArray(b"<svg/>"))
    assert not images.holds_picture(mime) and images.picture_in(mime) is None
    mime.setData("image/jpeg", QByteArray(picture(form="JPEG")))
    given = images.picture_in(mime)
    assert isinstance(given, bytes)
    assert decoded(decoder, given, images.WHOLE).size() == QSize(96, 64)
