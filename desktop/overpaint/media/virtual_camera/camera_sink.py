"""The virtual camera sink: styled frames as a webcam that every other program can choose.

On Linux it writes to v4l2loopback. On Windows and macOS it feeds OBS's virtual camera through pyvirtualcam,
which only this module imports; it is optional there, because its licence is incompatible with those of other
parts (docs/licences.md). The sink chooses the device, explains what is missing and how to mend it, and
notices a device that goes away. Its owner writes a frame at once after ``open`` and then keeps writing,
because browsers list a loopback device only after its first frame and drop it after its close. Must not know
sessions, slates or rates.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from overpaint.errors import SinkError
from overpaint.media.frames import StyledFrame
from overpaint.media.virtual_camera.driver_setup import MODPROBE, RELOAD, driver_missing
from overpaint.media.virtual_camera.driver_state import driver_facts
from overpaint.media.virtual_camera.obs_extension import extension_error
from overpaint.media.virtual_camera.v4l2 import (
    LoopbackDevice,
    LoopbackDevices,
    LoopbackWriter,
    SettledFormat,
)

I420_FOURCC = "YU12"
_CHECK_EVERY_FRAMES = 30
OBS_LIBRARY = "pyvirtualcam>=0.15,<0.16"
"""Requirement of the extra ``obs-camera``."""


class _Output(Protocol):
    """The open output of a sink."""

    def send(self, image: NDArray[np.uint8]) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class CameraReport:
    """The report on the virtual camera: whether other programs can list it, and if not, why.

    Attributes:
        devices: The loopback devices of this machine (Linux only).
        chosen: Title of the device that would be used; empty when there is none.
        path: Its node on Linux, else its name; empty when there is none.
        problem: Why there is none, with a mend; None when all is well.
        advice: A limitation of a working camera; else empty.
    """

    devices: tuple[LoopbackDevice, ...]
    chosen: str
    path: str
    problem: SinkError | None
    advice: str


class VirtualCameraSink:
    """A sink to the system's virtual camera (v4l2loopback on Linux, OBS's camera elsewhere).

    v4l2loopback takes I420 as it is; for OBS's camera on Windows (NV12) and macOS (UYVY) pyvirtualcam
    converts it by libyuv, which is cheaper from I420 than from any RGB layout.

    Args:
        device: Node or title of the device to use; the system's first suitable one when empty.
        loopbacks: Where to look for devices on Linux.

    Attributes:
        title: As other programs list it; known once open.
        path: Its node on Linux, else its name; known once open.
        written: Frames written so far.
    """

    def __init__(self, device: str = "", loopbacks: LoopbackDevices | None = None) -> None:
        self.title = device or "virtual camera"
        self.written = 0
        self._device = device
        self._loopbacks = loopbacks or LoopbackDevices()
        self._camera: _Output | None = None
        self.path = ""
        self._node = 0
        self._format = SettledFormat(I420_FOURCC, 0, 0)
        self._until_check = 0

    def open(self, width: int, height: int, fps: float) -> None:
        """Takes the device for frames of exactly this size. The caller sends the first frame at once.

        Raises:
            SinkError: ``missing``, ``busy``, ``denied`` or ``unsupported``, with the command that mends it.
        """
        self.close()
        if width % 2 or height % 2:
            raise SinkError("virtual_camera_size_odd", width=width, height=height)
        self._format = SettledFormat(I420_FOURCC, width, height)
        if sys.platform == "linux":
            self._open_loopback()
        else:
            self._camera = camera = _open_obs_camera(width, height, fps, self._device or None)
            self.title = self.path = str(camera.device)

    def write(self, frame: StyledFrame) -> None:
        """Writes one frame to the device.

        Raises:
            SinkError: The device is gone (``lost``), or the frame has another size (``unsupported``).
        """
        if self._camera is None:
            raise SinkError("virtual_camera_not_open")
        if (frame.width, frame.height) != (self._format.width, self._format.height):
            raise SinkError(
                "virtual_camera_other_size",
                width=self._format.width,
                height=self._format.height,
                frame_width=frame.width,
                frame_height=frame.height,
            )
        self._check_node()
        try:
            self._camera.send(frame.image)
        except OSError:
            self._lose()
        self._check_arrival()
        self.written += 1

    def close(self) -> None:
        """Closes the device: other programs no longer see a camera. Idempotent."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()

    def _open_loopback(self) -> None:
        device = choose(self._loopbacks, self._device, self._format)
        if device.state != "free":
            try:
                self._loopbacks.unstick(device.path)
            except OSError as error:
                raise _stuck(device, error) from error
        try:
            self._camera = LoopbackWriter(device.path, self._format)
        except OSError as error:
            raise _refused_by_driver(device, error) from error
        self.title, self.path = device.title, device.path
        self._node = _node(device.path)
        self._until_check = 0

    def _check_node(self) -> None:
        # A node removed and created again is another device, though the old one still accepts pictures: 2 µs.
        if self._node and _node(self.path) != self._node:
            self._lose()

    def _check_arrival(self) -> None:
        """Checks at intervals that the device carries the written format: 20 µs."""
        if not self._node:
            return
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


def camera_report(device: str = "", loopbacks: LoopbackDevices | None = None) -> CameraReport:
    """Reports what a ``VirtualCameraSink`` would find now, without writing a picture.

    Args:
        device: As for ``VirtualCameraSink``.
        loopbacks: As for ``VirtualCameraSink``.
    """
    if sys.platform != "linux":
        return _report_by_opening(device)
    loopbacks = loopbacks or LoopbackDevices()
    devices = loopbacks.all()
    try:
        chosen = choose(loopbacks, device, SettledFormat(I420_FOURCC, 1920, 1080))
    except SinkError as problem:
        return CameraReport(devices, "", "", problem, "")
    advice = ""
    if chosen.exclusive is False:
        advice = (
            f"Chrome, and so Meet and Teams in it, will not list {chosen.title},"
            f" because it was made without exclusive_caps: {RELOAD}"
        )
    return CameraReport(devices, chosen.title, chosen.path, None, advice)


def _report_by_opening(device: str) -> CameraReport:
    """Reports by opening and closing the camera, without a picture: the only way outside Linux."""
    try:
        camera = _open_obs_camera(1920, 1080, 30.0, device or None)
    except SinkError as problem:
        return CameraReport((), "", "", problem, "")
    name = str(camera.device)
    camera.close()
    return CameraReport((), name, name, None, "")


def _open_obs_camera(width: int, height: int, fps: float, device: str | None) -> Any:
    try:
        from pyvirtualcam import Camera, PixelFormat
    except ImportError as error:
        missing = extension_error() if sys.platform == "darwin" else None
        if missing is None and getattr(sys, "frozen", False):
            missing = SinkError("obs_camera_not_in_bundle")
        raise missing or SinkError("obs_camera_library_missing", requirement=OBS_LIBRARY) from error
    try:
        return Camera(width, height, fps, fmt=PixelFormat.I420, device=device)
    except RuntimeError as error:
        raise _refused_by_obs(" ".join(str(error).split())) from error


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


def _refused_by_obs(text: str) -> SinkError:
    lower = text.lower()
    if "not found" in lower or "not installed" in lower or "did you install" in lower:
        if sys.platform == "darwin":
            return extension_error() or SinkError("obs_camera_extension_missing")
        return SinkError("obs_camera_missing")
    return SinkError("obs_camera_refused", reason=text)


def _node(path: str) -> int:
    """Returns a node's device number, or its inode for a test's file; 0 when it is gone."""
    try:
        status = os.stat(path)  # noqa: PTH116  (thirty times a second: no Path is made for it)
    except OSError:
        return 0
    return getattr(status, "st_rdev", 0) or status.st_ino  # Windows has no device numbers


__all__ = ["CameraReport", "VirtualCameraSink", "camera_report", "choose"]
