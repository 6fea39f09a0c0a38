"""The watch on readers of Overpaint's camera, in whichever way they reach it.

Who opens a V4L2 device is seen from here (``device_readers``); of PipeWire's node the camera process tells.
Must not know what the answer is used for.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from overpaint.media.virtual_camera.device_readers import DeviceReaders
from overpaint.wire.camera import CameraListing

log = logging.getLogger(__name__)


class CameraReaders:
    """A watch on readers, until it is closed.

    Args:
        listing: Who can list the camera.
        writer: Process id of its producer, which does not count as a reader.
        changed: Called, from any thread, when ``read`` or the listing has changed.

    Raises:
        OSError: The system does not tell.
    """

    def __init__(self, listing: CameraListing, writer: int, changed: Callable[[], None]) -> None:
        self._guard = threading.Lock()
        self._changed = changed
        self._in_pipewire = self._closed = False
        self._listing, self._writer = listing, writer
        self._device = DeviceReaders(listing.path, writer, changed) if listing.path else None

    @property
    def read(self) -> bool:
        """Whether a program reads the camera now."""
        device = self._device
        return self._in_pipewire or (device is not None and device.read)

    def close(self) -> None:
        """Ends it; idempotent."""
        with self._guard:
            self._closed = True
            device, self._device = self._device, None
        if device is not None:
            device.close()

    def follow(self, writer: int) -> None:
        """Sets another producer."""
        self._writer = writer
        if self._device is not None:
            self._device.follow(writer)

    def tell(self, listing: CameraListing, in_pipewire: bool) -> None:
        """Takes what the camera process tells: who can list the camera, and whether PipeWire's is read."""
        if in_pipewire != self._in_pipewire:
            log.info("camera: PipeWire's is %s", "read" if in_pipewire else "not read")
        elif listing == self._listing:
            return
        self._in_pipewire = in_pipewire
        former, self._listing = self._listing, listing
        if listing.path != former.path:
            self._watch(listing.path)
        self._changed()

    def _watch(self, path: str) -> None:
        """Watches another device, or none."""
        device: DeviceReaders | None = None
        if path:
            try:
                device = DeviceReaders(path, self._writer, self._changed)
            except OSError as error:
                log.info("camera: who reads it cannot be told: %s", error)
        with self._guard:
            former, self._device = self._device, None if self._closed else device
            unwanted = (former, device if self._closed else None)
        for each in unwanted:
            if each is not None:
                each.close()
