"""The network camera source: an IP camera, or a phone with a camera app, by its address.

Its process is ``network_camera.player``. Must not know protocols; must show and log no secret of the address.
"""

from __future__ import annotations

from overpaint.errors import SourceError
from overpaint.media.network_camera.camera_address import NetworkAddress
from overpaint.media.network_camera.player import COMMAND, REASONS, CameraOrder
from overpaint.media.sources.played_source import PlayedSource


class NetworkSource(PlayedSource):
    """A network camera; each frame has the time of its arrival.

    Args:
        address: Its address, with what it needs to be let in.
    """

    def __init__(self, address: NetworkAddress) -> None:
        super().__init__(PlayedCamera(address), address.place, address.public)


class PlayedCamera:
    """A network camera as it is played; see ``Played``.

    Args:
        address: Its address.
    """

    command = COMMAND
    reasons = REASONS

    def __init__(self, address: NetworkAddress) -> None:
        self._address = address
        self.name = address.place

    def check(self) -> None:
        """See ``Played``: only the network can tell."""

    def order(self, address: str, secret: str, size: tuple[int, int], memory: str) -> bytes:
        """See ``Played``."""
        return CameraOrder(address, secret, self._address.whole, *size, memory).line()

    def refusal(self, reason: str) -> SourceError:
        """See ``Played``."""
        camera = self.name
        if reason == "unknown":
            return SourceError("network_camera_unknown", camera=camera)
        if reason in ("unreachable", "slow"):
            return SourceError("network_camera_unreachable", camera=camera)
        if reason == "certificate":
            return SourceError("network_camera_certificate", camera=camera)
        if reason == "denied":
            return SourceError("network_camera_denied", camera=camera)
        if reason == "missing":
            return SourceError("network_camera_not_there", camera=camera)
        if reason == "refused":
            return SourceError("network_camera_refuses", camera=camera)
        if reason == "no_video":
            return SourceError("network_camera_without_video", camera=camera)
        if reason == "silent":
            return SourceError("network_camera_silent", camera=camera)
        if reason == "waits":
            return SourceError("network_camera_stalls", camera=camera)
        if reason == "lost":
            return SourceError("network_camera_lost", camera=camera)
        return SourceError("network_camera_unreadable", camera=camera)
