"""A file is played by a confined process: one that dies, hangs or lies costs nothing but the file."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import psutil
import pytest

from helpers import hostile_media
from helpers.clips import person_clip
from helpers.processes import until
from overpaint.errors import SourceError
from overpaint.media.frames import RawFrame
from overpaint.media.links.frame_ring import LentRing
from overpaint.media.sources import played_source
from overpaint.media.sources.file_source import FileSource, PlayedFile
from overpaint.media.sources.played_source import DiedError, PlayerProcess
from overpaint.processes import children
from overpaint.processes.sandbox import sandbox

pytestmark = pytest.mark.process


SIZE = (320, 180)


class Listener:
    def __init__(self) -> None:
        self.count = 0
        self.error: SourceError | None = None
        self._news = threading.Condition()

    def frame(self, frame: RawFrame) -> None:
        with self._news:
            self.count += 1
            self._news.notify_all()

    def lost(self, error: SourceError) -> None:
        with self._news:
            self.error = error
            self._news.notify_all()

    def plays_on(self, more: int = 3) -> None:
        with self._news:
            wanted = self.count + more
            assert self._news.wait_for(lambda: self.count >= wanted or self.error, 40)
            assert self.error is None, self.error

    def is_lost(self) -> SourceError:
        with self._news:
            assert self._news.wait_for(lambda: self.error is not None, 40)
            assert self.error is not None
            return self.error


@pytest.fixture
def source() -> Iterator[FileSource]:
    played = FileSource(person_clip())
    yield played
    played.stop()
    assert player() is None, "nothing is left behind"


def player() -> psutil.Process | None:
    """The process that plays a file for this one."""
    for child in psutil.Process().children():
        try:
            if "play-file" in child.cmdline():
                return child
        except psutil.Error:
            continue
    return None


def runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def the_player() -> psutil.Process:
    found = player()
    assert found is not None
    return found


def test_a_file_is_decoded_by_a_confined_process(source: FileSource) -> None:
    listener = Listener()
    source.start(*SIZE, listener)
    listener.plays_on()
    process = the_player()
    if sys.platform == "linux":
        status = Path(f"/proc/{process.pid}/status").read_text("ascii")
        if "network" in sandbox.available().enforced:
            assert "\nSeccomp:\t2\n" in status
        assert "\nNoNewPrivs:\t1\n" in status
    assert process.children() == [], "nobody works for it who is not confined"
    source.stop()
    assert not runs(process.pid), "it ends with its source"
    assert listener.error is None


@pytest.mark.expect_log("has died")
def test_a_process_that_dies_is_started_again_once(source: FileSource) -> None:
    listener = Listener()
    source.start(*SIZE, listener)
    listener.plays_on()
    first = the_player()
    first.kill()
    listener.plays_on(5)
    second = the_player()
    assert second.pid != first.pid
    second.kill()
    error = listener.is_lost()
    assert error.kind == "unreadable" and "crashes" in str(error) and error.mend


@pytest.mark.expect_log("hangs")
@pytest.mark.expect_log("has died")
@pytest.mark.skipif(sys.platform == "win32", reason="no process is stopped there")
def test_a_process_that_hangs_is_replaced(source: FileSource) -> None:
    listener = Listener()
    source.start(*SIZE, listener)
    listener.plays_on()
    hung = the_player()
    hung.send_signal(signal.SIGSTOP)
    until(lambda: (now := player()) is not None and now.pid != hung.pid, 30)
    listener.plays_on()


STALLS = """
import os, sys, time
from overpaint.media import decoding, file_player

shown, plain_read, plain_i420 = [], os.read, decoding.i420

def i420(*frame):
    shown.append(True)
    if {hangs} and len(shown) == 9:
        time.sleep(60)
    return plain_i420(*frame)

def read(descriptor, size):
    if not {hangs} and len(shown) >= 9:
        shown.clear()
        time.sleep(6)
    return plain_read(descriptor, size)

decoding.i420, os.read = i420, read
sys.exit(file_player.run_player())
"""


def stalling(monkeypatch: pytest.MonkeyPatch, *, hangs: bool) -> None:
    """The player; its decoder hangs after some pictures, or a read of its disk takes six seconds."""
    program = STALLS.format(hangs=hangs)
    monkeypatch.setattr(children, "command", lambda *words: [sys.executable, "-c", program, *words])


@pytest.mark.full
def test_a_slow_disk_holds_the_last_picture_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, source: FileSource
) -> None:
    stalling(monkeypatch, hangs=False)
    listener = Listener()
    source.start(*SIZE, listener)
    listener.plays_on()
    first = the_player()
    until(lambda: source.trouble is not None, 30)
    assert source.trouble is not None and "too slow" in str(source.trouble) and source.trouble.mend
    listener.plays_on(5)
    until(lambda: source.trouble is None, 30)
    assert the_player().pid == first.pid, "it is not taken for hung"


@pytest.mark.expect_log("hangs")
@pytest.mark.expect_log("has died")
def test_a_decoder_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch, source: FileSource) -> None:
    """It has no disk to wait for."""
    stalling(monkeypatch, hangs=True)
    listener = Listener()
    source.start(*SIZE, listener)
    listener.plays_on()
    hung = the_player()
    until(lambda: (now := player()) is not None and now.pid != hung.pid, 30)
    listener.plays_on()
    assert source.trouble is None


@pytest.mark.expect_log("has died")
def test_what_was_said_of_a_slow_disk_ends_with_its_process(
    monkeypatch: pytest.MonkeyPatch, source: FileSource
) -> None:
    stalling(monkeypatch, hangs=False)
    listener = Listener()
    source.start(*SIZE, listener)
    listener.plays_on()
    until(lambda: source.trouble is not None, 30)
    monkeypatch.undo()
    the_player().kill()
    listener.plays_on(5)
    assert source.trouble is None, "it plays"


def test_a_process_that_cannot_be_started_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[LentRing] = []

    def ring(capacity: int) -> LentRing:
        made.append(LentRing(capacity))
        return made[-1]

    monkeypatch.setattr(played_source, "LentRing", ring)
    monkeypatch.setattr(children, "command", lambda *words: [str(Path("nowhere") / "python"), *words])
    before = threading.active_count()
    source = FileSource(person_clip())
    with pytest.raises(SourceError) as refused:
        source.start(*SIZE, Listener())
    assert refused.value.kind == "lost" and refused.value.mend
    source.stop()
    (memory,) = (each.memory.name for each in made)
    with pytest.raises(FileNotFoundError):
        SharedMemory(memory)
    until(lambda: threading.active_count() == before, what="the threads of its server to end")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    os.mkfifo(path)
    with pytest.raises(SourceError) as refused:
        FileSource(path).start(*SIZE, Listener())
    assert refused.value.kind == "unreadable"


# ---- a process that was taken over -------------------------------------------------------------------------

TAKEN_OVER = """
import sys, time
import numpy as np
from overpaint.media import file_player
from overpaint.media.links.frame_ring import RingPort

def played(order, port, disk):
    picture = np.zeros((order.height * 3 // 2, order.width), np.uint8)
    {conduct}
    time.sleep(60)

file_player._played = played
file_player.MEMORY_BYTES = 400 << 20
sys.exit(file_player.run_player())
"""


def taken_over(monkeypatch: pytest.MonkeyPatch, conduct: str) -> None:
    """Another program in the place of the one that plays files."""
    program = TAKEN_OVER.format(conduct=conduct)
    monkeypatch.setattr(children, "command", lambda *words: [sys.executable, "-c", program, *words])


@pytest.mark.parametrize(
    "conduct",
    [
        "port.tell(b'?')",
        "port.tell(b'o' + b'few')",
        "port.tell(file_player.OPENED + file_player._number.pack(float('nan')))",
        "port.tell(file_player.ASPECT + file_player._number.pack(-1.0))",
        "port.tell(b'r' + b'because')",
        "port._channel.send(bytes([1]) + bytes(12) + b'another_ring')",
    ],
)
def test_words_that_break_the_rules_end_its_process(monkeypatch: pytest.MonkeyPatch, conduct: str) -> None:
    taken_over(monkeypatch, conduct)
    process = PlayerProcess(PlayedFile(person_clip()), SIZE, 1, lambda *_: None, lambda _: None)
    with pytest.raises(DiedError):
        process.opened()
    process.end()
    assert not runs(process.pid)


@pytest.mark.expect_log("has died")
def test_what_is_said_once_is_not_said_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = "port.tell(file_player.OPENED + file_player._number.pack(30.0))\n"
    taken_over(monkeypatch, f"{opened}    {opened}")
    listener = Listener()
    source = FileSource(person_clip())
    source.start(*SIZE, listener)
    assert "crashes" in str(listener.is_lost())
    source.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="shared memory is seen as files there")
def test_it_removes_nobody_elses_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a pipe to a process that is not confined."""
    other = SharedMemory(create=True, size=4096)
    order = f"REGISTER:/{other.name}:shared_memory\n".encode()
    conduct = (
        "import os, stat\n    for end in range(3, 64):\n        try:\n"
        f"            stat.S_ISFIFO(os.fstat(end).st_mode) and os.write(end, {order!r})\n"
        "        except OSError:\n            pass\n    return 'denied'"
    )
    taken_over(monkeypatch, conduct)
    with pytest.raises(SourceError) as refused:
        FileSource(person_clip()).start(*SIZE, Listener())
    assert refused.value.kind == "denied"
    time.sleep(1.0)  # time enough for what must not come
    assert Path("/dev/shm", other.name).exists()
    other.close()
    other.unlink()


@pytest.mark.expect_log("has died")
def test_pictures_of_another_size_end_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    taken_over(
        monkeypatch,
        "port.tell(file_player.OPENED + file_player._number.pack(30.0))\n"
        "    port.send(picture[:9], 0, 0, file_player.FrameKind.ORIGINAL)",
    )
    listener = Listener()
    source = FileSource(person_clip())
    source.start(*SIZE, listener)
    assert "crashes" in str(listener.is_lost()) and listener.count == 0
    source.stop()


def test_a_file_that_takes_too_much_memory_is_named_as_that(monkeypatch: pytest.MonkeyPatch) -> None:
    if "memory" not in sandbox.available().enforced:
        pytest.skip("this system cannot bound memory")
    conduct = "try:\n        bytearray(600 << 20)\n    except MemoryError:\n        return 'memory'"
    taken_over(monkeypatch, conduct)
    with pytest.raises(SourceError, match="more memory to play than is allowed"):
        FileSource(person_clip()).start(*SIZE, Listener())


def test_it_reads_no_other_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if "files" not in sandbox.available().enforced:
        pytest.skip("this system cannot limit what is read")
    secret = tmp_path / "id"
    secret.write_text("the secret")
    conduct = f"return 'denied' if not _reads({str(secret)!r}) else 'end'"
    reads = (
        "def _reads(path):\n    try:\n        return open(path).read()\n    except PermissionError:\n"
        "        return ''\n"
    )
    program = reads + TAKEN_OVER.format(conduct=conduct)
    monkeypatch.setattr(children, "command", lambda *words: [sys.executable, "-c", program, *words])
    with pytest.raises(SourceError) as refused:
        FileSource(person_clip()).start(*SIZE, Listener())
    assert refused.value.kind == "denied"


def test_it_ends_with_whoever_started_it() -> None:
    program = (
        "import os, sys, threading\nfrom pathlib import Path\n"
        "from overpaint.media.sources.file_source import FileSource\n"
        "class Listener:\n"
        " def frame(self, frame): shown.set()\n"
        " def lost(self, error): print(error, flush=True)\n"
        "shown = threading.Event()\nsource = FileSource(Path(sys.argv[1]))\n"
        "source.start(320, 180, Listener())\nshown.wait()\nprint(source._player.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(person_clip())],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    until(lambda: not runs(int(done.stdout)))


PLAYS_ALL = """
import json, sys
from pathlib import Path
from overpaint.errors import LinkError
from overpaint.media import file_player
from overpaint.processes.sandbox import sandbox

class Port:
    def tell(self, word): pass
    def send(self, *picture): raise LinkError("link_closed")  # one picture is enough

folder = Path(sys.argv[1])
sandbox.enter([folder], memory_bytes=file_player.MEMORY_BYTES)
answers = {}
for path in sorted(folder.iterdir()):
    try:
        order = file_player.PlayOrder("", "", str(path), 640, 360, "")
        answers[path.name] = file_player._played(order, Port(), file_player._DiskWait())
    except LinkError:
        answers[path.name] = "played"
print(json.dumps(answers))
"""


def test_hostile_files_are_refused_or_shown_and_reach_nothing(tmp_path: Path) -> None:
    """Each as the process that plays files meets it: in the sandbox, beside a file that they name."""
    canary, folder = tmp_path / "canary.mp4", tmp_path / "files"
    canary.write_bytes(person_clip().read_bytes())
    folder.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        reaching = hostile_media.reaching(canary, server.getsockname()[1])
        for name, content in (reaching | hostile_media.harmful()).items():
            (folder / name).write_bytes(content)
        command = [sys.executable, "-c", PLAYS_ALL, str(folder)]
        done = subprocess.run(
            command, env=sandbox.environment(), capture_output=True, text=True, timeout=80, check=False
        )
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    answers = json.loads(done.stdout or "{}")
    assert answers.keys() == (reaching | hostile_media.harmful()).keys(), done.stderr
    assert {name for name in reaching if answers[name] != "unreadable"} == set()
    assert set(answers.values()) <= {"unreadable", "too_large", "memory", "played"}
