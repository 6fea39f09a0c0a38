"""A session bus of the test's own (dbus-daemon) that starts no services, and a server of methods on a bus."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from jeepney import DBusAddress, HeaderFields, Message, MessageType, message_bus, new_error, new_method_return
from jeepney.io.blocking import open_dbus_connection
from jeepney.low_level import HeaderFields as Fields
from jeepney.wrappers import new_signal

needs_bus = pytest.mark.skipif(shutil.which("dbus-daemon") is None, reason="needs dbus-daemon")

_CONFIGURATION = """<busconfig><type>session</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>"""

Answer = tuple[str, tuple[Any, ...]]
"""Signature and values of a reply."""
Method = Callable[[Message], Answer]


class RefusedError(Exception):
    """A method that answers with an error; its text is the sentence."""


@contextmanager
def session_bus(folder: Path) -> Iterator[str]:
    """A bus, whose address is returned; the folder's path must be short."""
    configuration = folder / "bus.conf"
    configuration.write_text(_CONFIGURATION.format(folder / "bus"))
    daemon = subprocess.Popen(
        ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--print-address"],
        stdout=subprocess.PIPE,
    )
    try:
        assert daemon.stdout is not None
        yield daemon.stdout.readline().decode().strip()
    finally:
        daemon.terminate()
        daemon.wait(10)
        assert daemon.stdout is not None
        daemon.stdout.close()


class BusServer:
    """A server of methods under a well-known name.

    Args:
        address: Of the bus.
        name: Its name there.
        methods: By interface and method; a property is the interface's ``Get PROPERTY``.
    """

    def __init__(self, address: str, name: str, methods: Mapping[tuple[str, str], Method]) -> None:
        self._methods = methods
        self._bus = open_dbus_connection(address, enable_fds=True)
        self._bus.bus_proxy.RequestName(name)
        self._guard = threading.Lock()
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def emit(
        self, path: str, interface: str, member: str, signature: str, values: tuple[Any, ...], to: str = ""
    ) -> None:
        """Sends a signal, to one program or all."""
        signal = new_signal(DBusAddress(path, interface=interface), member, signature, values)
        if to:
            signal.header.fields[Fields.destination] = to
        with self._guard:
            self._bus.send(signal)

    def close(self) -> None:
        """Leaves the bus."""
        with suppress(OSError):
            self._bus.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(10)
        self._bus.close()

    def _serve(self) -> None:
        with suppress(OSError, ValueError):
            while True:
                message = self._bus.receive()
                if message.header.message_type is MessageType.method_call:
                    self._reply(message)

    def _reply(self, message: Message) -> None:
        fields = message.header.fields
        interface, member = fields.get(HeaderFields.interface, ""), fields[HeaderFields.member]
        if interface == "org.freedesktop.DBus.Properties" and member == "Get":
            interface, member = message.body[0], f"Get {message.body[1]}"
        method = self._methods.get((interface, member))
        try:
            if method is None:
                raise RefusedError(f"no {interface} {member}")
            signature, values = method(message)
            reply = new_method_return(message, signature or None, values)
        except RefusedError as error:
            reply = new_error(message, "org.freedesktop.DBus.Error.Failed", "s", (str(error),))
        with self._guard:
            self._bus.send(reply)


def sender(message: Message) -> str:
    """The unique name of the program that called."""
    return str(message.header.fields[HeaderFields.sender])


__all__ = ["BusServer", "RefusedError", "message_bus", "needs_bus", "sender", "session_bus"]
