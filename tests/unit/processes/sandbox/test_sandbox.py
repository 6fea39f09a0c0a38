"""A confined process reaches nothing: each way out is tried by a real process, and refused by the system."""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from overpaint.processes.sandbox import sandbox, seatbelt
from overpaint.processes.sandbox.sandbox import Bound, Confinement

pytestmark = pytest.mark.process


linux = pytest.mark.skipif(sys.platform != "linux", reason="these are Linux's means")


def needs(bound: Bound) -> None:
    if bound not in sandbox.available().enforced:
        pytest.skip(f"this system cannot enforce: {bound}")


CONFINED = """
import ctypes, fcntl, json, os, socket, subprocess, sys, threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from overpaint.processes.sandbox import sandbox

order = json.loads(sys.argv[1])
held, folder = open(order["held"]), os.open(order["writable"][0], os.O_RDONLY)
entered = sandbox.enter(*([Path(each) for each in order[name]] for name in ("readable", "writable")))

def tried(way):
    try:
        return "done: " + str(way())
    except BaseException as error:
        return type(error).__name__

def connected(family, kind, address):
    with socket.socket(family, kind) as caller:
        caller.connect(address)
        caller.send(b"a secret")

arm = os.uname().machine == "aarch64"
ioprio_set, shmctl, semctl, msgctl = (30, 195, 191, 187) if arm else (251, 31, 66, 71)
semop, msgsnd, msgrcv = (193, 189, 188) if arm else (65, 69, 70)

def called(number, *arguments):
    if ctypes.CDLL(None, use_errno=True).syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")

def thread():
    with ThreadPoolExecutor(1) as worker:
        return worker.submit(Path(order["secret"]).read_text).result()

ways = {
    "read what is named": lambda: Path(order["readable"][0]).read_text(),
    "read what was open": lambda: held.read(),
    "write what is named": lambda: Path(order["writable"][0], "made").write_text("x"),
    "remove what is named": lambda: Path(order["writable"][0], "made").unlink(),
    "read a secret": lambda: Path(order["secret"]).read_text(),
    "list the home folder": lambda: os.listdir(Path(order["secret"]).parent),
    "read it in another thread": thread,
    "read it by a link": lambda: Path(order["link"]).read_text(),
    "write beside": lambda: Path(order["secret"]).with_name("new").write_text("x"),
    "cut a file off": lambda: os.truncate(order["secret"], 0),
    "change its rights": lambda: os.chmod(order["secret"], 0o777),
    "change its date": lambda: os.utime(order["secret"]),
    "change the rights of what was open": lambda: os.fchmod(held.fileno(), 0o666),
    "change the rights of a folder": lambda: os.fchmod(folder, 0o777),
    "give away what was open": lambda: os.fchown(held.fileno(), os.getuid(), os.getgid()),
    "label what was open": lambda: os.setxattr(held.fileno(), "user.label", b"x"),
    "take its label away": lambda: os.removexattr(held.fileno(), "user.label"),
    "flag what was open": lambda: fcntl.ioctl(held, 0x40086602, bytes(8)),
    "flag it otherwise": lambda: fcntl.ioctl(held, 0x401C5820, bytes(28)),
    "seal what was open": lambda: fcntl.ioctl(held, 0x40806685, bytes(128)),
    "hold others up": lambda: fcntl.fcntl(held, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "watch a folder": lambda: fcntl.fcntl(folder, fcntl.F_NOTIFY, 1),
    "remove others' memory": lambda: called(shmctl, 1 << 30, 0, 0),
    "remove others' semaphores": lambda: called(semctl, 1 << 30, 0, 0, 0),
    "take others' semaphores": lambda: called(semop, 1 << 30, bytes(6), 1),
    "remove others' queues": lambda: called(msgctl, 1 << 30, 0, 0),
    "send into others' queues": lambda: called(msgsnd, 1 << 30, bytes(16), 1, 0),
    "read others' queues": lambda: called(msgrcv, 1 << 30, bytes(16), 1, 0, 0),
    "remove it": lambda: os.unlink(order["secret"]),
    "see shared memory": lambda: os.listdir("/dev/shm"),
    "read another process's environment": lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    "tcp": lambda: connected(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", order["tcp"])),
    "udp": lambda: connected(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", order["udp"])),
    "tcp over IPv6": lambda: socket.socket(socket.AF_INET6),
    "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "abstract": lambda: connected(socket.AF_UNIX, socket.SOCK_STREAM, bytes.fromhex(order["abstract"])),
    "unix": lambda: connected(socket.AF_UNIX, socket.SOCK_STREAM, order["unix"]),
    "a pair of datagrams": lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM),
    "a program": lambda: subprocess.run([sys.executable, "-c", ""]),
    "a spawned program": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "another program in its place": lambda: os.execv("/bin/true", ["true"]),
    "a fork": lambda: os.fork(),
    "a signal to its parent": lambda: os.kill(os.getppid(), 0),
    "a signal to its group": lambda: os.kill(0, 0),
    "a signal to itself": lambda: os.kill(os.getpid(), 0),
    "a signal by a file": lambda: fcntl.fcntl(held, fcntl.F_SETOWN, os.getppid()),
    "a signal of its choice": lambda: fcntl.fcntl(held, 10, 9),
    "a signal by a file's owner": lambda: fcntl.ioctl(held, 0x8901, os.getppid().to_bytes(4, sys.byteorder)),
    "another's processors": lambda: os.sched_setaffinity(os.getppid(), os.sched_getaffinity(0)),
    "another's disk priority": lambda: called(ioprio_set, 1, os.getppid(), 3 << 13),
    "another's limits": lambda: __import__("resource").prlimit(os.getppid(), 0),
    "threads": lambda: threading.Thread(target=print, args=("",), kwargs={"file": sys.stderr}).start(),
    "a pair of streams": lambda: bool(socket.socketpair()),
    "count processors": lambda: os.cpu_count() > 0,
}
results = {name: tried(way) for name, way in ways.items()}
print(json.dumps({"enforced": sorted(entered.enforced), "lacking": entered.lacking, **results}))
"""

STAYS = {
    *("read what is named", "read what was open", "write what is named", "remove what is named"),
    *("a signal to itself", "threads", "a pair of streams", "count processors"),
}
FILES = {
    *("read a secret", "list the home folder", "read it in another thread", "read it by a link"),
    *("write beside", "remove it", "see shared memory", "read another process's environment"),
}


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=sandbox.environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What a confined process might reach: a home folder with a secret in it, and listeners of each kind."""
    if sys.platform != "linux":
        pytest.skip("these are Linux's means")
    folder = tmp_path_factory.mktemp("outside")
    home, own = folder / "home" / ".ssh", folder / "own"
    for each in (home, own):
        each.mkdir(parents=True)
    (home / "id").write_text("the secret")
    (folder / "picture").write_text("a picture")
    (own / "link").symlink_to(home / "id")
    abstract = b"\0overpaint-test-" + os.urandom(8)
    tcp, udp = socket.create_server(("127.0.0.1", 0)), socket.socket(type=socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    listeners = [tcp, udp]
    for address in (abstract, str(folder / "unix")):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(address)
        listener.listen()
        listeners.append(listener)
    order = {
        "held": str(folder / "picture"),
        "readable": [str(folder / "picture")],
        "writable": [str(own)],
        "secret": str(home / "id"),
        "link": str(own / "link"),
        "tcp": tcp.getsockname()[1],
        "udp": udp.getsockname()[1],
        "abstract": abstract.hex(),
        "unix": str(folder / "unix"),
    }
    done = run(CONFINED, json.dumps(order))
    assert done.returncode == 0, done.stderr
    yield json.loads(done.stdout)
    for listener in listeners:
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):  # nothing has come in
            listener.recv(1) if listener is udp else listener.accept()
        listener.close()
    assert (home / "id").read_text() == "the secret"


def test_it_can_enforce_what_it_says(outside: dict[str, Any]) -> None:
    expected = sandbox.available().enforced - {"memory", "cpu time"}  # no bounds were named
    assert set(outside["enforced"]) == expected


def test_what_a_decoder_needs_stays(outside: dict[str, Any]) -> None:
    assert {name: outside[name] for name in STAYS if not outside[name].startswith("done")} == {}


def test_no_file_is_read_or_changed_but_those_named(outside: dict[str, Any]) -> None:
    needs("files")
    assert {name: outside[name] for name in FILES} == dict.fromkeys(FILES, "PermissionError")


@pytest.mark.parametrize(
    "way",
    [
        *("tcp", "udp", "tcp over IPv6", "netlink", "abstract", "unix", "a pair of datagrams"),
        *("a program", "a spawned program", "another program in its place", "a fork"),
        *("a signal to its parent", "a signal to its group", "another's limits"),
        *("a signal by a file", "a signal of its choice", "a signal by a file's owner"),
        *("another's processors", "another's disk priority"),
        *("cut a file off", "change its rights", "change its date"),
        *("change the rights of what was open", "change the rights of a folder", "give away what was open"),
        *("label what was open", "take its label away", "flag what was open", "flag it otherwise"),
        *("seal what was open", "hold others up", "watch a folder"),
        *("remove others' memory", "remove others' semaphores", "take others' semaphores"),
        *("remove others' queues", "send into others' queues", "read others' queues"),
    ],
)
def test_there_is_no_way_out(outside: dict[str, Any], way: str) -> None:
    needs("network")
    assert outside[way] == "PermissionError"


MEMORY = """
import sys
from overpaint.processes.sandbox import sandbox
sandbox.enter(memory_bytes=200 << 20)
kept = [bytearray(100 << 20)]
try:
    kept.append(bytearray(150 << 20))
except MemoryError:
    print("refused", len(bytearray(1 << 20)))
"""


GROWING = """
import os
from multiprocessing.shared_memory import SharedMemory
from overpaint.processes.sandbox import sandbox
memory = SharedMemory(create=True, size=4096)
memory.unlink()
sandbox.enter(memory_bytes=200 << 20)
memory.buf[:4] = b"mine"
try:
    os.pwrite(memory._fd, b"x" * 4096, 1 << 20)
except OSError as error:
    print("refused", bytes(memory.buf[:4]).decode())
"""


@linux
def test_shared_memory_that_is_open_does_not_grow() -> None:
    done = run(GROWING)
    assert done.stdout == "refused mine\n", done.stderr


@linux
def test_memory_beyond_the_bound_is_refused() -> None:
    done = run(MEMORY)
    assert (done.returncode, done.stdout) == (0, f"refused {1 << 20}\n"), done.stderr


@linux
def test_a_process_that_computes_for_ever_is_ended() -> None:
    done = run(
        "from overpaint.processes.sandbox import sandbox\nsandbox.enter(cpu_seconds=0.5)\nwhile True: pass"
    )
    assert done.returncode in (-signal.SIGXCPU, -signal.SIGKILL)


@linux
def test_a_fork_bomb_stays_one_process() -> None:
    needs("programs")
    bomb = (
        "from overpaint.processes.sandbox import sandbox\nsandbox.enter()\nimport os\ncount = 0\n"
        "for _ in range(100):\n try:\n  os.fork()\n except PermissionError:\n  count += 1\nprint(count)"
    )
    assert run(bomb).stdout == "100\n"


@linux
def test_threads_from_before_are_said_to_be_free() -> None:
    needs("files")
    program = (
        "import threading\nfrom overpaint.processes.sandbox import sandbox\nend = threading.Event()\n"
        "threading.Thread(target=end.wait).start()\nprint('files' in sandbox.enter().enforced)\nend.set()"
    )
    assert run(program).stdout == "False\n"


@linux
def test_libraries_work_inside() -> None:
    program = (
        "from overpaint.processes.sandbox import sandbox\nwhole = sandbox.enter(memory_bytes=1 << 30).whole\n"
        "import av, cv2, numpy as np\nfrom PIL import Image\n"
        "from overpaint.assets import asset_dir\n"
        "with av.open(str(asset_dir('demo') / 'demo.mp4')) as clip:\n"
        " clip.streams.video[0].thread_type = 'AUTO'\n"
        " picture = next(clip.decode(video=0)).to_ndarray(format='bgr24')\n"
        "print(whole, cv2.GaussianBlur(picture, (9, 9), 2).shape[2], Image.fromarray(picture).mode)"
    )
    done = run(program)
    assert done.stdout == f"{sandbox.available().whole} 3 RGB\n", done.stderr


def test_a_secret_of_the_parents_environment_is_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERPAINT_TEST_SECRET", "x")
    monkeypatch.setenv("LC_NUMERIC", "C")
    passed = sandbox.environment(OVERPAINT_OWN="y")
    assert "OVERPAINT_TEST_SECRET" not in passed
    assert passed["OVERPAINT_OWN"] == "y" and passed["LC_NUMERIC"] == "C"
    assert passed["OPENBLAS_NUM_THREADS"] == "1"


def test_what_holds_is_said_in_one_order() -> None:
    assert Confinement(frozenset({"cpu time", "files"})).line == "files, cpu time"
    assert Confinement(frozenset(), ("none",)).line == "nothing"


def test_the_rules_for_macos_name_the_home_folder_and_what_is_open_in_it(tmp_path: Path) -> None:
    rules = seatbelt.profile(tmp_path, [tmp_path / 'a "b"'], [tmp_path / "out"]).splitlines()
    denied = rules.index(f'(deny file-read-data (subpath "{tmp_path}"))')
    assert rules.index(f'(allow file-read* (subpath "{tmp_path}/a \\"b\\""))') > denied
    assert f'(allow file-write* (subpath "{tmp_path}/out"))' in rules
    assert "(deny network*)" in rules


# ---- the filter itself, on a machine of its own ------------------------------------------------------------

ALLOW, EPERM, ENOSYS, KILL = 0x7FFF_0000, 0x0005_0001, 0x0005_0026, 0x8000_0000


def answer(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """What the kernel would answer to a call: a classic BPF interpreter for the few operations used."""
    words = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("<IIQ6Q", number, architecture, 0, *words)
    at, held = 0, 0
    tests: dict[int, Callable[[int, int], bool]] = {
        0x15: lambda held, value: held == value,
        0x25: lambda held, value: held > value,
        0x45: lambda held, value: bool(held & value),
    }
    while True:
        code, yes, no, value = struct.unpack_from("<HBBI", program, 8 * at)
        at += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            (held,) = struct.unpack_from("<I", data, value)
        elif code == 0x54:
            held &= value
        else:
            at += yes if tests[code](held, value) else no


@pytest.mark.parametrize(
    ("machine", "architecture", "numbers"),
    [
        ("x86_64", 0xC000_003E, (0, 41, 53, 56, 59, 62, 435, 302, 16, 72)),
        ("aarch64", 0xC000_00B7, (63, 198, 199, 220, 221, 129, 435, 261, 29, 25)),
    ],
)
def test_the_filter_of_each_machine(machine: str, architecture: int, numbers: tuple[int, ...]) -> None:
    from overpaint.processes.sandbox import seccomp

    program = seccomp.filter_program(machine, 77)
    read, new_socket, pair, clone, execve, kill, clone3, prlimit, ioctl, fcntl = numbers

    def to(number: int, *arguments: int) -> int:
        return answer(program, architecture, number, *arguments)

    assert to(read) == ALLOW
    assert to(new_socket, socket.AF_INET) == to(new_socket, socket.AF_UNIX) == to(execve) == EPERM
    assert to(pair, 1, 1 | 0x80800) == ALLOW and to(pair, 1, 2) == to(pair, 2, 1) == EPERM
    assert to(clone, 0x0001_0000 | 0x100) == ALLOW and to(clone, 0x11) == EPERM
    assert to(clone3) == to(0x4000_0000 | read) == to(10_000) == ENOSYS
    assert to(kill, 77) == ALLOW and to(kill, 1) == to(kill, 0) == to(kill, 0xFFFF_FFFF) == EPERM
    assert to(prlimit, 0) == to(prlimit, 77) == ALLOW and to(prlimit, 5) == EPERM
    assert to(ioctl, 0, 0x5401) == ALLOW and to(ioctl, 0, 0x5412) == to(ioctl, 0, 0x8902) == EPERM
    assert to(ioctl, 0, 0x4008_6602) == to(ioctl, 0, 0x401C_5820) == to(ioctl, 0, 0x4080_6685) == EPERM
    assert to(fcntl, 0, 2) == ALLOW and to(fcntl, 0, 8) == to(fcntl, 0, 10) == to(fcntl, 0, 15) == EPERM
    assert to(fcntl, 0, 1024) == to(fcntl, 0, 1026) == EPERM
    assert answer(program, 0x4000_0003, 1) == KILL, "the 32-bit way in"
