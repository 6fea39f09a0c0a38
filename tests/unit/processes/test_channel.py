"""Two processes of one user find each other and talk; nobody else gets in, nobody holds the line."""

from __future__ import annotations

import socket
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from overpaint.errors import LinkError, ProcessError
from overpaint.processes.channel import Channel, ChannelServer, connect
from overpaint.processes.roles import Role, call, read_note


def echo(channel: Channel) -> None:
    while (message := channel.receive()) is not None:
        channel.send(message)


def test_what_is_sent_comes_back_whole() -> None:
    server = ChannelServer(echo, "echo")
    channel = connect(server.address, server.secret)
    for size in (0, 1, 1_000_000):
        channel.send(b"x" * size)
        assert channel.receive(timeout=5) == b"x" * size
    channel.close()
    server.close()


def test_a_wrong_secret_gets_no_further_than_the_door() -> None:
    reached = threading.Event()
    server = ChannelServer(lambda _: reached.set(), "door")
    with pytest.raises(LinkError):
        connect(server.address, "wrong")
    assert not reached.is_set()
    server.close()


def test_a_caller_that_says_nothing_does_not_hold_up_the_next() -> None:
    from multiprocessing.connection import Client

    server = ChannelServer(echo, "patient")
    silent = Client(server.address)
    channel = connect(server.address, server.secret)
    channel.send(b"still there?")
    assert channel.receive(timeout=5) == b"still there?"
    silent.close()
    channel.close()
    server.close()


def test_closing_wakes_whoever_waits_for_a_message() -> None:
    server = ChannelServer(echo, "wake")
    channel = connect(server.address, server.secret)
    ended = threading.Event()

    def wait() -> None:
        with pytest.raises(LinkError):
            channel.receive()
        ended.set()

    threading.Thread(target=wait).start()
    channel.close()
    assert ended.wait(5)
    server.close()


class SlowReader(Connection):
    """A connection whose reader loses the processor between its decision to read and the read."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor)
        self.reading = threading.Event()
        self.going_on = threading.Event()

    def recv_bytes(self, maxlength: int | None = None) -> bytes:
        self.reading.set()
        assert self.going_on.wait(20)
        return super().recv_bytes(maxlength)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no descriptors")
def test_a_reader_never_takes_the_bytes_of_the_next_connection() -> None:
    """The number of a freed descriptor goes to the next connection that this process opens."""
    near, far = socket.socketpair()
    connection = SlowReader(near.detach())
    channel = Channel(connection)
    descriptor = connection.fileno()
    lost: list[LinkError] = []

    def read() -> None:
        try:
            channel.receive()
        except LinkError as error:
            lost.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    assert connection.reading.wait(20)
    channel.close()
    with far, socket.socket() as following:
        assert following.fileno() != descriptor
        connection.going_on.set()
        reader.join(20)
    assert [error.kind for error in lost] == ["lost"]
    assert connection.closed


def test_a_closed_server_ends_its_connections() -> None:
    server = ChannelServer(echo, "ending")
    channel = connect(server.address, server.secret)
    server.close()
    with pytest.raises(LinkError):
        channel.receive(timeout=5)
    with pytest.raises(LinkError):
        connect(server.address, server.secret)


def test_a_role_is_held_once_and_found_by_its_note(data_folder: Path) -> None:
    server = ChannelServer(echo, "role")
    role = Role(data_folder, "core")
    role.take()
    role.announce(server.address, server.secret)
    if sys.platform != "win32":  # there it inherits the rights of the data folder
        assert ((data_folder / "core.json").stat().st_mode & 0o077) == 0
    with pytest.raises(ProcessError) as refused:
        Role(data_folder, "core").take()
    assert refused.value.kind == "already_running"
    channel = call(data_folder, "core")
    assert channel is not None
    channel.close()
    server.close()
    assert call(data_folder, "core") is None, "a stale note leads nowhere"
    role.leave()
    Role(data_folder, "core").take()


@pytest.mark.parametrize(
    "words", ["", "[]", "7", "{}", '{"pid": 1}', '{"pid": "1", "address": "", "secret": ""}']
)
def test_a_note_that_cannot_be_read_is_none(data_folder: Path, words: str) -> None:
    (data_folder / "core.json").write_text(words)
    assert read_note(data_folder, "core") is None
    assert call(data_folder, "core") is None
