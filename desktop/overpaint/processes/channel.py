"""Messages of bytes between two processes of one user on one machine.

A thin shell over ``multiprocessing.connection`` (Unix sockets, named pipes on Windows) that adds
what it lacks here: authentication that cannot hold up other callers, closing from another thread,
and errors as ``LinkError``. Must not know what is said.
"""

from __future__ import annotations

import hmac
import logging
import os
import secrets
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Client, Connection, Listener

from overpaint.errors import LinkError

log = logging.getLogger(__name__)

MESSAGE_MAX_BYTES = 32 * 1024 * 1024
_CHALLENGE_BYTES = 32
_WELCOME = b"welcome"


class Channel:
    """One end of a connection. ``send`` from any thread, ``receive`` from one."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._closed = False

    def send(self, message: bytes) -> None:
        """Sends one message; blocks while the other end's buffer is full. Raises ``LinkError``."""
        try:
            with self._sending:
                self._connection.send_bytes(message)
        except (OSError, ValueError, EOFError) as error:
            raise LinkError("The other process is gone.", kind="lost") from error

    def receive(self, timeout: float | None = None) -> bytes | None:
        """Waits for one message.

        Args:
            timeout: Seconds; None waits for ever.

        Returns:
            The message; None when the time is over.

        Raises:
            LinkError: The other end, or this one, is closed.
        """
        try:
            if timeout is not None and not self._connection.poll(timeout):
                return None
            return self._connection.recv_bytes(MESSAGE_MAX_BYTES)
        except (OSError, ValueError, EOFError, TypeError) as error:
            raise LinkError("The other process is gone.", kind="lost") from error

    def close(self) -> None:
        """Ends the connection and wakes whoever waits in ``receive``; idempotent."""
        if self._closed:
            return
        self._closed = True
        # Closing a descriptor does not wake a thread that reads from it; shutting the socket down does.
        # A named pipe (Windows) has no such step: there the close itself cancels the overlapped read.
        with suppress(OSError, AttributeError, ValueError):
            duplicate = socket.socket(fileno=os.dup(self._connection.fileno()))
            with duplicate:
                duplicate.shutdown(socket.SHUT_RDWR)
        with suppress(OSError):
            self._connection.close()


class ChannelServer:
    """Accepts connections and runs a handler for each, in a thread of its own.

    Args:
        handler: Called with each authenticated channel; the channel is closed when it returns.
        name: For the threads' names.

    Attributes:
        address: Where callers connect to; a path (Unix) or a pipe's name (Windows).
        secret: What callers must know; handed over only to the same user.
    """

    def __init__(self, handler: Callable[[Channel], None], name: str) -> None:
        self._handler = handler
        self._name = name
        self.secret = secrets.token_hex(32)
        self._listener = Listener(backlog=16)
        self.address = str(self._listener.address)
        self._channels: set[Channel] = set()
        self._guard = threading.Lock()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._accept, name=f"{name}-accept", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the listener and every connection; idempotent."""
        if self._closed.is_set():
            return
        self._closed.set()
        with suppress(OSError, EOFError):
            Client(self.address).close()  # wakes the accepting thread
        with suppress(OSError):
            self._listener.close()
        with self._guard:
            channels = tuple(self._channels)
        for channel in channels:
            channel.close()

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                connection = self._listener.accept()
            except (OSError, EOFError):
                if not self._closed.is_set():
                    log.exception("%s: cannot accept", self._name)
                return
            if self._closed.is_set():
                connection.close()
                return
            threading.Thread(
                target=self._serve, args=(connection,), name=f"{self._name}-serve", daemon=True
            ).start()

    def _serve(self, connection: Connection) -> None:
        channel = Channel(connection)
        with self._guard:
            self._channels.add(channel)
        try:
            if _let_in(channel, self.secret):
                self._handler(channel)
        except LinkError:
            pass
        except Exception:
            log.exception("%s: a connection failed", self._name)
        finally:
            with self._guard:
                self._channels.discard(channel)
            channel.close()


def connect(address: str, secret: str) -> Channel:
    """Connects to a ``ChannelServer`` of the same user.

    Raises:
        LinkError: Nobody listens there (``refused``), or the secret is wrong.
    """
    try:
        # On Windows a pipe, with the same methods.
        channel = Channel(Client(address))  # type: ignore[arg-type, unused-ignore]
    except (OSError, EOFError) as error:
        raise LinkError("Nobody listens at that address.", kind="refused") from error
    try:
        challenge = channel.receive(timeout=5.0)
        if challenge is None:
            raise LinkError("The other process does not answer.", kind="refused")
        channel.send(_answer(challenge, secret))
        if channel.receive(timeout=5.0) != _WELCOME:
            raise LinkError("The other process refused the connection.", kind="refused")
    except LinkError:
        channel.close()
        raise
    return channel


def _let_in(channel: Channel, secret: str) -> bool:
    challenge = secrets.token_bytes(_CHALLENGE_BYTES)
    channel.send(challenge)
    answer = channel.receive(timeout=5.0)
    if answer is None or not hmac.compare_digest(answer, _answer(challenge, secret)):
        return False
    channel.send(_WELCOME)
    return True


def _answer(challenge: bytes, secret: str) -> bytes:
    return hmac.digest(secret.encode(), challenge, "sha256")
