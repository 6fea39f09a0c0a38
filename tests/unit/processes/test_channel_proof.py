"""Both ends of a channel prove that they know the secret, and are of the same user, before a word is said.

The impostors here listen for real at the address of a note whose process is gone, as another user of the
machine could.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path

import pytest

from overpaint.errors import LinkError
from overpaint.processes import channel as channels
from overpaint.processes import peers
from overpaint.processes.channel import ChannelServer, connect
from overpaint.processes.roles import Role, call

pytestmark = pytest.mark.process


SECRET = "5e" * 32
GRANT = json.dumps({"url": "http://127.0.0.1:1", "key": "ovp_live_stolen"}).encode()


class Impostor:
    """Listens where it should not, and plays a server that knows no secret.

    Args:
        play: What it does with a caller.
        address: Where.

    Attributes:
        heard: What callers said, in order.
    """

    def __init__(self, play: Callable[[Impostor, Connection], None], address: str | None = None) -> None:
        self._listener = Listener(address)
        self.address = str(self._listener.address)
        self.heard: list[bytes] = []
        self._play = play
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def listen(self, caller: Connection) -> bytes:
        said = caller.recv_bytes() if caller.poll(2) else b""
        self.heard.append(said)
        return said

    def close(self) -> None:
        self._listener.close()

    def _run(self) -> None:
        while True:
            try:
                caller = self._listener.accept()
            except OSError:
                return
            try:
                with caller:
                    self._play(self, caller)
            except (OSError, EOFError):
                pass


def welcomes(impostor: Impostor, caller: Connection) -> None:
    """As it was enough until now: any challenge, any answer, "welcome"."""
    caller.send_bytes(os.urandom(32))
    impostor.listen(caller)
    caller.send_bytes(b"welcome")
    caller.send_bytes(GRANT)
    while impostor.listen(caller):
        pass


def reflects(impostor: Impostor, caller: Connection) -> None:
    """Gives back whatever it is told."""
    for _ in range(3):
        caller.send_bytes(impostor.listen(caller))


def makes_it_up(impostor: Impostor, caller: Connection) -> None:
    """The right lengths, the wrong secret."""
    impostor.listen(caller)
    caller.send_bytes(os.urandom(64))
    impostor.listen(caller)
    caller.send_bytes(b"welcome")


@pytest.fixture
def genuine() -> Iterator[ChannelServer]:
    """Tells its grant to whoever gets in."""
    server = ChannelServer(lambda channel: channel.send(GRANT), "genuine")
    yield server
    server.close()


@pytest.mark.parametrize("play", [welcomes, reflects, makes_it_up])
def test_a_listener_that_does_not_know_the_secret_is_not_believed(
    play: Callable[[Impostor, Connection], None],
) -> None:
    impostor = Impostor(play)
    with pytest.raises(LinkError) as refused:
        connect(impostor.address, SECRET)
    impostor.close()
    assert refused.value.kind == "refused"
    assert all(SECRET not in said.hex() and SECRET.encode() not in said for said in impostor.heard)


def test_the_address_of_a_stale_note_leads_to_nobody(data_folder: Path) -> None:
    role = Role(data_folder, "core")
    role.take()
    gone = ChannelServer(lambda channel: channel.send(GRANT), "gone")
    role.announce(gone.address, gone.secret)
    gone.close()
    impostor = Impostor(welcomes, gone.address)
    assert call(data_folder, "core") is None
    impostor.close()
    role.leave()


def test_what_a_genuine_server_says_is_of_no_use_at_another_address(genuine: ChannelServer) -> None:
    """A relay: the caller dials the impostor, who passes every word to the real one and back."""

    def relay(impostor: Impostor, caller: Connection) -> None:
        with Client(genuine.address) as real:
            for _ in range(8):
                if real.poll(0.1):
                    caller.send_bytes(real.recv_bytes())
                if caller.poll(0.1):
                    real.send_bytes(impostor.listen(caller))

    impostor = Impostor(relay)
    with pytest.raises(LinkError):
        connect(impostor.address, genuine.secret)
    impostor.close()


def test_a_caller_cannot_pass_by_giving_back_what_it_was_told(genuine: ChannelServer) -> None:
    """Neither the server's own proof nor one of another conversation is a caller's proof."""
    with Client(genuine.address) as caller:
        caller.send_bytes(os.urandom(channels.NONCE_BYTES))
        said = caller.recv_bytes()
        caller.send_bytes(said[channels.NONCE_BYTES :])
        with pytest.raises(EOFError):
            while caller.poll(5):
                assert GRANT not in caller.recv_bytes()


@pytest.mark.parametrize(
    "words", [b"", b"x", os.urandom(32), os.urandom(5000)], ids=["none", "one", "32", "5000"]
)
def test_a_caller_without_the_secret_hears_nothing(genuine: ChannelServer, words: bytes) -> None:
    with Client(genuine.address) as caller:
        caller.send_bytes(words)
        heard = []
        with pytest.raises((EOFError, ConnectionError)):
            while caller.poll(5):
                heard.append(caller.recv_bytes())
                caller.send_bytes(words)
    assert GRANT not in heard


def test_both_ends_know_which_process_the_other_is(genuine: ChannelServer) -> None:
    channel = connect(genuine.address, genuine.secret)
    assert channel.peer_pid == os.getpid()
    channel.close()


@pytest.mark.skipif(sys.platform == "win32", reason="sockets in the file system")
def test_nobody_else_can_be_first_at_an_address(genuine: ChannelServer) -> None:
    folder = Path(genuine.address).parent.stat()
    assert folder.st_mode & 0o077 == 0 and folder.st_uid == os.geteuid()
    other = ChannelServer(lambda _: None, "other")
    assert other.address != genuine.address
    other.close()


@pytest.mark.skipif(sys.platform == "win32", reason="sockets in the file system")
def test_a_process_that_ends_leaves_no_address_behind_and_says_nothing() -> None:
    program = (
        "from overpaint.processes.channel import ChannelServer\n"
        "server = ChannelServer(lambda channel: None, 'left open')\n"
        "print(server.address)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "" and not Path(done.stdout.strip()).parent.exists()


AS_NOBODY = textwrap.dedent(
    """
    import os, socket, sys
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    os.chmod(sys.argv[1], 0o777)
    listener.listen()
    print("ready", flush=True)
    caller, _ = listener.accept()
    caller.settimeout(5)
    print(len(caller.recv(100)), flush=True)
    """
)


@pytest.mark.skipif(
    sys.platform == "win32" or (hasattr(os, "geteuid") and os.geteuid() != 0), reason="becomes another user"
)
def test_a_listener_of_another_user_is_told_nothing() -> None:
    """Not even a nonce: the system says whose it is."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        address = f"{folder}/listener"
        words = [sys.executable, "-c", AS_NOBODY, address]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as other:
            assert other.stdout is not None and other.stdout.readline() == "ready\n"
            with pytest.raises(LinkError, match="another user"):
                connect(address, SECRET)
            assert other.stdout.readline() == "0\n"


@pytest.mark.skipif(
    sys.platform == "win32" or (hasattr(os, "geteuid") and os.geteuid() != 0), reason="becomes another user"
)
def test_a_caller_of_another_user_is_told_nothing(
    genuine: ChannelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the folder's mode did not keep it out."""
    monkeypatch.setattr(peers, "own_user", lambda: 4711)
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(genuine.address)
        caller.settimeout(5)
        assert caller.recv(100) == b""


def test_a_secret_in_hand_lets_in(genuine: ChannelServer) -> None:
    channel = connect(genuine.address, genuine.secret)
    assert channel.receive(timeout=5) == GRANT
    channel.close()


def test_two_conversations_have_nothing_in_common(genuine: ChannelServer) -> None:
    said = []
    for _ in range(2):
        with Client(genuine.address) as caller:
            caller.send_bytes(bytes(channels.NONCE_BYTES))
            said.append(caller.recv_bytes())
    assert said[0] != said[1] and said[0][32:] != said[1][32:]
