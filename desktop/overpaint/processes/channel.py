"""Authenticated channels: messages of bytes between two processes of one user on one machine.

A thin layer over ``multiprocessing.connection`` (Unix sockets, named pipes on Windows) that adds mutual
authentication that cannot block other callers, closing from another thread, and errors as ``LinkError``.
Must not know the messages.

First each end checks the other's user (peer credentials), and both prove that they know the secret:

    caller    nonce_c
    listener  nonce_s, HMAC(secret, "listener", nonce_c, nonce_s, address)
    caller    HMAC(secret, "caller", nonce_c, nonce_s, address)
    listener  "welcome"

The listener proves itself first, so that an impostor at a stale address learns only a random number. Each
proof includes both nonces and the role, against replay and reflection, and the address that was dialled,
against relaying from another address. HMAC-SHA-256, RFC 2104.
"""

from __future__ import annotations

import hmac
import logging
import os
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Client, Connection, Listener

from overpaint.errors import LinkError
from overpaint.processes import peers
from overpaint.processes.socket_folder import socket_folder

log = logging.getLogger(__name__)

MESSAGE_MAX_BYTES = 32 * 1024 * 1024
NONCE_BYTES = 32
HANDSHAKE_S = 5.0
"""Time limit of each step, after which the other end counts as silent."""
_PROOF_BYTES = 32
_WELCOME = b"welcome"
_LABEL = b"overpaint channel 2"
_LISTENER, _CALLER = b"listener", b"caller"
_DIAL_AGAIN_S = 0.02


class Channel:
    """One end of a connection. ``send`` from any thread, ``receive`` from one.

    Args:
        connection: Connection to the other end.
        peer_pid: Process id of the other end.

    Attributes:
        peer_pid: Process id of the other end, from the system; None where it does not tell.
    """

    def __init__(self, connection: Connection, peer_pid: int | None = None) -> None:
        self.peer_pid = peer_pid
        self._connection = connection
        self._sending = threading.Lock()
        self._guard = threading.Lock()
        self._users = 0
        self._closed = False

    def send(self, message: bytes) -> None:
        """Sends one message; blocks while the other end's buffer is full. Raises ``LinkError``."""
        with self._sending, self._in_use():
            self._connection.send_bytes(message)

    def receive(self, timeout: float | None = None) -> bytes | None:
        """Receives one message; blocks.

        Args:
            timeout: Seconds; None for no limit.

        Returns:
            The message; None after the timeout.

        Raises:
            LinkError: The other end, or this one, is closed.
        """
        with self._in_use():
            if timeout is not None and not self._connection.poll(timeout):
                return None
            return self._connection.recv_bytes(MESSAGE_MAX_BYTES)

    def close(self) -> None:
        """Ends the connection and wakes the threads that wait in ``send`` and ``receive``; idempotent.

        The descriptor is freed by its last user: were it freed at once, the next connection of this process
        would get its number, and a thread on its way into a read would take that connection's first bytes.
        """
        with self._guard:
            if self._closed:
                return
            self._closed = True
            if sys.platform == "win32":
                self._connection.close()  # a named pipe has no shutdown; closing cancels the overlapped read
            elif self._users == 0:
                self._connection.close()
            else:
                self._shut_down()  # closing a descriptor does not wake a reading thread, this does

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        """Keeps the descriptor for a block. Raises ``LinkError``, also for what fails inside."""
        with self._guard:
            if self._closed:
                raise LinkError("channel_lost")
            self._users += 1
        try:
            yield
        except (OSError, ValueError, EOFError, TypeError) as error:
            raise LinkError("channel_lost") from error
        finally:
            self._let_go()

    def _let_go(self) -> None:
        with self._guard:
            self._users -= 1
            if self._closed and self._users == 0:
                self._connection.close()

    def _shut_down(self) -> None:
        with socket.socket(fileno=os.dup(self._connection.fileno())) as duplicate, suppress(OSError):
            duplicate.shutdown(socket.SHUT_RDWR)  # fails where the other end has gone


class ChannelServer:
    """A server of channels, which runs a handler for each connection in its own thread.

    Args:
        handler: Called with each authenticated channel; the channel is closed when it returns.
        name: For the threads' names.

    Attributes:
        address: Its address: a path (Unix) or a pipe's name (Windows).
        secret: The callers' secret; given only to the same user.
    """

    def __init__(self, handler: Callable[[Channel], None], name: str) -> None:
        self._handler = handler
        self._name = name
        self.secret = secrets.token_hex(32)
        # A full backlog makes callers wait, whether the process is busy or hung.
        self._listener = Listener(_new_address(), backlog=16)
        self.address = str(self._listener.address)
        self._channels: set[Channel] = set()
        self._guard = threading.Lock()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._accept, name=f"{name}-accept", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Closes the listener and every connection; idempotent."""
        if self._closed.is_set():
            return
        self._closed.set()
        with suppress(OSError, EOFError):
            _dial(self.address, 1.0).close()  # wakes the accepting thread
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
            channel.peer_pid = _own_peer(connection, dialled=False)
            if _let_in(channel, self.secret, self.address):
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
    """Connects to a ``ChannelServer`` of the same user, which proves that it knows the secret, too.

    Raises:
        LinkError: Nobody listens there, it belongs to another user, or the secrets differ (``refused``); it
        accepts the connection and does not answer (``silent``).
    """
    try:
        connection = _dial(address, HANDSHAKE_S)
    except TimeoutError as error:
        raise LinkError("channel_silent") from error
    except (OSError, EOFError) as error:
        raise LinkError("channel_without_listener") from error
    channel = Channel(connection)
    try:
        channel.peer_pid = _own_peer(connection, dialled=True)
        _introduce(channel, secret, address)
    except LinkError:
        channel.close()
        raise
    return channel


def _own_peer(connection: Connection, *, dialled: bool) -> int | None:
    """Returns the other end's process id if it is the same user's. Raises ``LinkError``."""
    try:
        peer = peers.peer_of(connection, dialled=dialled)
    except OSError as error:
        raise LinkError("channel_peer_gone") from error
    if peer.ours is False:
        raise LinkError("channel_of_another_user")
    return peer.pid


def _introduce(channel: Channel, secret: str, address: str) -> None:
    """Does the caller's part of the handshake. Raises ``LinkError``."""
    own = secrets.token_bytes(NONCE_BYTES)
    try:
        channel.send(own)
        said = _heard(channel)
        theirs, proof = said[:NONCE_BYTES], said[NONCE_BYTES:]
        right = _proof(secret, _LISTENER, own, theirs, address)
        if len(theirs) != NONCE_BYTES or not hmac.compare_digest(proof, right):
            raise LinkError("channel_without_secret")
        channel.send(_proof(secret, _CALLER, own, theirs, address))
        if _heard(channel) != _WELCOME:
            raise LinkError("channel_refused")
    except LinkError as error:
        if error.kind == "lost":
            raise LinkError("channel_refused") from error
        raise


def _let_in(channel: Channel, secret: str, address: str) -> bool:
    """Does the listener's part; returns whether the caller knows the secret. Raises ``LinkError``."""
    theirs = _heard(channel)
    if len(theirs) != NONCE_BYTES:
        return False
    own = secrets.token_bytes(NONCE_BYTES)
    channel.send(own + _proof(secret, _LISTENER, theirs, own, address))
    if not hmac.compare_digest(_heard(channel), _proof(secret, _CALLER, theirs, own, address)):
        return False
    channel.send(_WELCOME)
    return True


def _heard(channel: Channel) -> bytes:
    """Receives the next message of a handshake. Raises ``LinkError``."""
    said = channel.receive(timeout=HANDSHAKE_S)
    if said is None:
        raise LinkError("channel_silent")
    return said


def _proof(secret: str, role: bytes, of_caller: bytes, of_listener: bytes, address: str) -> bytes:
    """Returns the proof of knowing the secret in this handshake; the address comes last, since only its
    length varies.
    """
    said = b"\0".join((_LABEL, role)) + of_caller + of_listener + address.encode("utf-8", "surrogateescape")
    return hmac.digest(secret.encode(), said, "sha256")


# ---- addresses ---------------------------------------------------------------------------------------


def _dial(address: str, within_s: float) -> Connection:
    """Connects. Raises ``TimeoutError`` where a process no longer accepts, or another ``OSError``."""
    if sys.platform == "win32":
        return Client(address)  # type: ignore[return-value, unused-ignore] # a pipe, with the same methods
    ends = time.monotonic() + within_s
    while True:
        with socket.socket(socket.AF_UNIX) as end:
            end.settimeout(max(_DIAL_AGAIN_S, ends - time.monotonic()))
            try:
                end.connect(address)
            except BlockingIOError as error:  # its backlog is full
                if time.monotonic() > ends:
                    raise TimeoutError from error
            else:
                end.setblocking(True)
                return Connection(end.detach())
        time.sleep(_DIAL_AGAIN_S)


def _new_address() -> str:
    """Returns a path in a private folder, or an unguessable pipe name."""
    if sys.platform == "win32":
        return rf"\\.\pipe\overpaint-{secrets.token_hex(16)}"
    return str(socket_folder() / f"listener-{secrets.token_hex(4)}")
