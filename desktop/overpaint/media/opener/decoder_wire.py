"""The byte stream between a decoder process and its owner: a socket pair, or two pipes on Windows.

Over a socket an open file can be sent with a message (``SCM_RIGHTS``, unix(7)). Must not know messages.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import IO, Protocol

from overpaint.processes.sandbox import sandbox


class Broken(Exception):  # noqa: N818 - an end, not an error: who reads decides
    """The end of the stream: the other end is gone."""


class Port(Protocol):
    """One end of the stream."""

    def send(self, data: bytes | memoryview, descriptor: int | None = None) -> None:
        """Sends all data, and an open file with its first byte. Raises ``Broken``."""

    def receive(self, size: int) -> bytearray:
        """Receives exactly ``size`` bytes; closes open files that come with them. Raises ``Broken``."""

    def receive_first(self, size: int, within_s: float | None) -> tuple[bytearray, int | None]:
        """Receives the first bytes of a message, and the open file that came with them.

        Raises:
            Broken: The other end is gone, or nothing came in time (where the system can tell).
        """

    def close(self) -> None:
        """Closes it; idempotent."""


class SocketPort:
    """One end of a socket pair. Not for Windows."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end

    def send(self, data: bytes | memoryview, descriptor: int | None = None) -> None:
        """See ``Port``."""
        if sys.platform == "win32":
            raise Broken
        try:
            if descriptor is None:
                self._socket.sendall(data)
            else:
                sent = socket.send_fds(self._socket, [data], [descriptor])
                self._socket.sendall(memoryview(data)[sent:])
        except OSError as error:
            raise Broken from error

    def receive(self, size: int) -> bytearray:
        """See ``Port``."""
        data = bytearray(size)
        view, at = memoryview(data), 0
        try:
            while at < size:
                count = self._socket.recv_into(view[at:])
                if count == 0:
                    raise Broken
                at += count
        except OSError as error:
            raise Broken from error
        return data

    def receive_first(self, size: int, within_s: float | None) -> tuple[bytearray, int | None]:
        """See ``Port``."""
        if sys.platform == "win32":
            raise Broken
        try:
            self._socket.settimeout(within_s)
            first, descriptors, _, _ = socket.recv_fds(self._socket, size, 1)
            self._socket.settimeout(None)
        except OSError as error:
            raise Broken from error
        if not first:
            raise Broken
        rest = self.receive(size - len(first))
        return bytearray(first) + rest, descriptors[0] if descriptors else None

    def close(self) -> None:
        """See ``Port``."""
        self._socket.close()


class PipePort:
    """Two pipes, for Windows, where files are passed by path."""

    def __init__(self, reading: IO[bytes], writing: IO[bytes]) -> None:
        self._reading = reading
        self._writing = writing

    def send(self, data: bytes | memoryview, descriptor: int | None = None) -> None:
        """See ``Port``."""
        assert descriptor is None
        try:
            self._writing.write(data)
            self._writing.flush()
        except (OSError, ValueError) as error:
            raise Broken from error

    def receive(self, size: int) -> bytearray:
        """See ``Port``."""
        data = bytearray(size)
        view, at = memoryview(data), 0
        try:
            while at < size:
                part = self._reading.read(size - at)
                if not part:
                    raise Broken
                view[at : at + len(part)] = part
                at += len(part)
        except (OSError, ValueError) as error:
            raise Broken from error
        return data

    def receive_first(self, size: int, within_s: float | None) -> tuple[bytearray, int | None]:
        """See ``Port``; it waits as long as its owner lives."""
        return self.receive(size), None

    def close(self) -> None:
        """See ``Port``."""
        self._reading.close()
        self._writing.close()


def start(command: Sequence[str]) -> tuple[subprocess.Popen[bytes], Port]:
    """Starts a decoder process, with its port on its standard input (on Windows: and output).

    Raises:
        OSError: It cannot be started.
    """
    if sys.platform == "win32":
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=subprocess.CREATE_NO_WINDOW,
            env=sandbox.environment(),
        )
        assert child.stdin is not None and child.stdout is not None
        return child, PipePort(child.stdout, child.stdin)
    ours, its = socket.socketpair()
    with its:
        try:
            child = subprocess.Popen(
                command,
                stdin=its.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # Ctrl+C in the terminal is handled by its owner, which ends it.
                start_new_session=True,
                env=sandbox.environment(),
            )
        except BaseException:
            ours.close()
            raise
    return child, SocketPort(ours)


def own_port() -> Port:
    """Returns the port of this process, which ``start`` started."""
    if sys.platform == "win32":
        writing = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # libraries' prints must not become answers
        return PipePort(os.fdopen(os.dup(0), "rb"), writing)
    return SocketPort(socket.socket(fileno=os.dup(0)))


def end_with_owner() -> None:
    """Makes this process end at once when its owner is gone, whatever it is doing.

    On Windows it ends when it next reads or writes.
    """
    if sys.platform != "win32":
        threading.Thread(target=_await_end, name="owner", daemon=True).start()


def _await_end() -> None:
    if sys.platform == "win32":
        return
    import select

    poll = select.poll()
    poll.register(0, 0)  # a hang-up is always reported
    poll.poll()
    os._exit(0)
