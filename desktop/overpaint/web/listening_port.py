"""The listening socket of a server. Must not know what is served on it."""

from __future__ import annotations

import errno
import socket
import sys

from overpaint.errors import ProcessError

LOOPBACK = "127.0.0.1"


def open_listener(host: str, port: int) -> socket.socket:
    """Binds a TCP socket.

    Args:
        host: Name or address to listen on.
        port: Port; 0 lets the system choose.

    Raises:
        ProcessError: ``port_in_use``, or ``start_failed`` for any other reason.
    """
    if not 0 <= port <= 65535:  # the system would take it modulo 65536
        raise ProcessError("port_out_of_range", port=port)
    listener: socket.socket | None = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        if sys.platform == "win32":
            # There SO_REUSEADDR would let two programs listen on one port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
    except OSError as error:
        if listener is not None:
            listener.close()
        raise _cannot_listen(host, port, error) from error
    return listener


def _cannot_listen(host: str, port: int, error: OSError) -> ProcessError:
    if isinstance(error, socket.gaierror):
        return ProcessError("host_unknown", host=host)
    if error.errno == errno.EADDRINUSE:
        return ProcessError("port_in_use", port=port, host=host)
    if error.errno == errno.EADDRNOTAVAIL:
        return ProcessError("host_of_other_machine", host=host)
    if error.errno == errno.EACCES:
        return ProcessError("port_denied", port=port)
    return ProcessError("port_refused", host=host, port=port, reason=str(error))
