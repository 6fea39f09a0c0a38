"""The TCP connection to a network camera, opened before its process enters the sandbox.

Must not know protocols above TLS.
"""

from __future__ import annotations

import socket
import ssl

from overpaint.media.network_camera.camera_address import NetworkAddress

CONNECT_S = 5.0
SILENCE_S = 5.0
"""Time without any data after which a camera counts as lost."""


class CameraError(Exception):
    """The end of a camera's pictures.

    Args:
        reason: One of ``player.REASONS``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Connections:
    """Connections to one camera; TLS begins with their first use, in the sandbox.

    Args:
        address: The camera.
        count: Number of connections; no further ones can be opened later.

    Raises:
        CameraError: It cannot be reached ("unreachable"), or there is no such name ("unknown").
    """

    def __init__(self, address: NetworkAddress, count: int = 1) -> None:
        self._host = address.host
        tls = address.scheme in ("rtsps", "https")
        self._context = ssl.create_default_context() if tls else None
        try:
            self._waiting = [
                socket.create_connection((address.host, address.port), CONNECT_S) for _ in range(count)
            ]
        except socket.gaierror as error:
            raise CameraError("unknown") from error
        except (OSError, UnicodeError) as error:
            raise CameraError("unreachable") from error

    def next(self) -> socket.socket:
        """Returns the next connection.

        Raises:
            CameraError: Nobody vouches for its certificate ("certificate"), or it is lost ("lost").
        """
        link = self._waiting.pop(0)
        link.settimeout(SILENCE_S)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._context is None:
            return link
        try:
            return self._context.wrap_socket(link, server_hostname=self._host)
        except ssl.SSLCertVerificationError as error:
            raise CameraError("certificate") from error
        except OSError as error:
            raise CameraError("lost") from error
