"""A v4l2loopback device as the output of the virtual camera (Linux).

It chooses the device, explains what is missing and how to mend it, and notices a device that goes away. Must
not know sessions, slates or rates.
"""

from __future__ import annotations

import os
from typing import NoReturn

from overpaint.errors import SinkError
from overpaint.media.frames import Picture
from overpaint.media.virtual_camera.driver_setup import MODPROBE, RELOAD, driver_missing
from overpaint.media.virtual_camera.driver_state import driver_facts
from overpaint.media.virtual_camera.v4l2 import (
    LoopbackDevice,
    LoopbackDevices,
    LoopbackWriter,
    SettledFormat,
)

I420_FOURCC = "YU12"
_CHECK_EVERY_FRAMES = 30


class LoopbackOutput:
    """A loopback device, open for I420 pictures of one size.

    Args:
        loopbacks: Where to look for devices.
        wanted: Node or title of the device; the first suitable one when empty.
        width: Pixels of every picture.
        height: Pixels of every picture.

    Raises:
        SinkError: ``missing``, ``busy``, ``denied`` or ``unsupported``, with the command that mends it.

    Attributes:
        title: Its name in other programs.
        path: Its node.
    """

    def __init__(self, loopbacks: LoopbackDevices, wanted: str, width: int, height: int) -> None:
        self._loopbacks = loopbacks
        self._format = SettledFormat(I420_FOURCC, width, height)
        device = choose(loopbacks, wanted, self._format)
        if device.state != "free":
            try:
                loopbacks.unstick(device.path)
            except OSError as error:
                raise _stuck(device, error) from error
        try:
            self._writer = LoopbackWriter(device.path, self._format)
        except OSError as error:
            raise _refused_by_driver(device, error) from error
        self.title, self.path = device.title, device.path
        self._node = _node(device.path)
        self._until_check = 0

    def send(self, image: Picture) -> None:
        """Writes one picture. Raises ``SinkError``: the device is gone (``lost``)."""
        # A node removed and created again is another device, though the old one still accepts pictures: 2 µs.
        if _node(self.path) != self._node:
            self._lose()
        try:
            self._writer.send(image)
        except OSError:
            self._lose()
        self._check_arrival()

    def close(self) -> None:
        """Closes the device. Idempotent."""
        self._writer.close()

    def _check_arrival(self) -> None:
        """Checks at intervals that the device carries the written format: 20 µs."""
        if self._until_check > 0:
            self._until_check -= 1
            return
        self._until_check = _CHECK_EVERY_FRAMES
        if self._loopbacks.settled(self.path) != self._format:
            self._lose()

    def _lose(self) -> NoReturn:
        self.close()
        raise SinkError("virtual_camera_gone", camera=self.title, command=MODPROBE)


def choose(loopbacks: LoopbackDevices, wanted: str, carried: SettledFormat) -> LoopbackDevice:
    """Chooses the loopback device: the named one, else Overpaint's own, else a free one.

    A device fed by another program, or held with another picture format, is never chosen; where one is
    labelled for Overpaint, no other is chosen.

    Args:
        loopbacks: The loopback devices.
        wanted: Node or title; any suitable device when empty.
        carried: Format to be written.

    Raises:
        SinkError: There is none (``missing``), or none is usable (``busy``, ``denied``).
    """
    devices = loopbacks.all()
    if wanted:
        devices = tuple(device for device in devices if wanted in (device.path, device.title))
    elif any(device.own for device in devices):
        devices = tuple(device for device in devices if device.own)
    if not devices:
        raise _missing(loopbacks, wanted)
    usable = [device for device in devices if _usable(loopbacks, device, carried)]
    if not usable:
        raise _unusable(devices)
    # OBS's own loopback is chosen last, so that both programs can have a camera.
    return min(usable, key=lambda device: device.title.startswith("OBS"))


def _usable(loopbacks: LoopbackDevices, device: LoopbackDevice, carried: SettledFormat) -> bool:
    if device.state == "denied":
        return False
    if device.settled is None:
        return device.state != "busy"
    # It is held, so its format cannot be changed. Readers may have our pictures (a call that went on while
    # Overpaint was restarted); another producer's pictures would mix with ours.
    try:
        return device.settled == carried and not loopbacks.is_fed(device.path)
    except OSError:
        return False


def _missing(loopbacks: LoopbackDevices, wanted: str) -> SinkError:
    if loopbacks.module_loaded and wanted:
        return SinkError("virtual_camera_name_unknown", camera=wanted, command=RELOAD)
    return driver_missing(driver_facts(loaded=loopbacks.module_loaded))


def _unusable(devices: tuple[LoopbackDevice, ...]) -> SinkError:
    """Returns the error that says why none of these devices, the best first, is usable."""
    device = devices[0]
    if all(each.state == "denied" for each in devices):
        return SinkError("virtual_camera_denied", camera=device.title)
    device = next(each for each in devices if each.state != "denied")
    size = device.settled
    if size is None:
        return SinkError("virtual_camera_busy", camera=device.title, node=device.path)
    return SinkError(
        "virtual_camera_busy_at_size",
        camera=device.title,
        width=size.width,
        height=size.height,
        node=device.path,
    )


def _stuck(device: LoopbackDevice, error: OSError) -> SinkError:
    if isinstance(error, PermissionError):
        return SinkError("virtual_camera_denied", camera=device.title)
    return SinkError("virtual_camera_stuck", camera=device.title, reason=str(error.strerror), command=RELOAD)


def _refused_by_driver(device: LoopbackDevice, error: OSError) -> SinkError:
    if isinstance(error, PermissionError):
        return SinkError("virtual_camera_denied", camera=device.title)
    return SinkError(
        "virtual_camera_refused", camera=device.title, reason=str(error.strerror), node=device.path
    )


def _node(path: str) -> int:
    """Returns a node's device number, or its inode for a test's file; 0 when it is gone."""
    try:
        status = os.stat(path)  # noqa: PTH116  (thirty times a second: no Path is made for it)
    except OSError:
        return 0
    return getattr(status, "st_rdev", 0) or status.st_ino  # Windows has no device numbers
