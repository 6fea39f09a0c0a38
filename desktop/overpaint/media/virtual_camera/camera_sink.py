"""The virtual camera sink: styled frames as a webcam that every other program can choose.

On Linux it writes to v4l2loopback and PipeWire (``linux_camera``), on Windows and macOS it feeds OBS's
virtual camera (``obs_output``). Its owner writes a frame at once after ``open`` and then keeps writing,
because browsers list a loopback device only after its first frame and drop it after its close. Must not know
sessions, slates or rates.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from overpaint.errors import SinkError
from overpaint.media.frames import StyledFrame
from overpaint.media.virtual_camera import obs_queue
from overpaint.media.virtual_camera.driver_setup import RELOAD
from overpaint.media.virtual_camera.linux_camera import PIPEWIRE, LinuxCamera
from overpaint.media.virtual_camera.loopback_output import I420_FOURCC, choose
from overpaint.media.virtual_camera.obs_output import open_obs_camera
from overpaint.media.virtual_camera.pipewire.node import TITLE, node_problem
from overpaint.media.virtual_camera.v4l2 import LoopbackDevice, LoopbackDevices, SettledFormat
from overpaint.wire.camera import CameraListing
from overpaint.wire.messages import trouble_of


@dataclass(frozen=True, slots=True)
class CameraReport:
    """The report on the virtual camera: whether other programs can list it, and if not, why.

    Attributes:
        devices: The loopback devices of this machine (Linux only).
        chosen: Title of the camera that would be used; empty when there is none.
        path: Its node on Linux, empty where it is in PipeWire alone; elsewhere its name.
        problem: Why there is none, with a mend; None when all is well.
        advice: A limitation of a working loopback device; else empty.
        pipewire: Whether PipeWire would list it.
        lacking: Why programs that use V4L2 would not list it, while PipeWire does; else None.
    """

    devices: tuple[LoopbackDevice, ...] = ()
    chosen: str = ""
    path: str = ""
    problem: SinkError | None = None
    advice: str = ""
    pipewire: bool = False
    lacking: SinkError | None = None

    @property
    def listing(self) -> CameraListing:
        """Who would list it."""
        return CameraListing(path=self.path, pipewire=self.pipewire, lacking=trouble_of(self.lacking))


class VirtualCameraSink:
    """A sink to the system's virtual camera (``LinuxCamera`` on Linux, OBS's camera elsewhere).

    Args:
        device: Node or title of the device to use, on Linux also ``pipewire``; what is there when empty.
        loopbacks: Where to look for devices on Linux.

    Attributes:
        title: As other programs list it; known once open.
        written: Frames written so far.
    """

    def __init__(self, device: str = "", loopbacks: LoopbackDevices | None = None) -> None:
        self.title = device or "virtual camera"
        self.written = 0
        self._device = device
        self._loopbacks = loopbacks or LoopbackDevices()
        self._camera: Any = None
        self._size = (0, 0)

    def open(self, width: int, height: int, fps: float) -> None:
        """Takes the camera for frames of exactly this size. The caller sends the first frame at once.

        Raises:
            SinkError: ``missing``, ``busy``, ``denied`` or ``unsupported``, with the command that mends it.
        """
        self.close()
        if width % 2 or height % 2:
            raise SinkError("virtual_camera_size_odd", width=width, height=height)
        self._size = (width, height)
        if sys.platform == "linux":
            self._camera = LinuxCamera(self._loopbacks, self._device, width, height)
            self.title = self._camera.title
        else:
            self._camera = open_obs_camera(width, height, fps, self._device or None)
            self.title = str(self._camera.device)

    @property
    def listing(self) -> CameraListing:
        """Who can list it now."""
        camera = self._camera
        return camera.listing if isinstance(camera, LinuxCamera) else CameraListing(path=self.title)

    @property
    def read(self) -> bool:
        """Whether a program reads it in PipeWire."""
        return isinstance(self._camera, LinuxCamera) and self._camera.read

    def write(self, frame: StyledFrame) -> None:
        """Writes one frame to the camera.

        Raises:
            SinkError: The camera is gone (``lost``), or the frame has another size (``unsupported``).
        """
        if self._camera is None:
            raise SinkError("virtual_camera_not_open")
        width, height = self._size
        if (frame.width, frame.height) != (width, height):
            raise SinkError(
                "virtual_camera_other_size",
                width=width,
                height=height,
                frame_width=frame.width,
                frame_height=frame.height,
            )
        try:
            self._camera.send(frame.image)
        except SinkError:
            self.close()
            raise
        self.written += 1

    def close(self) -> None:
        """Closes the camera: other programs no longer see it. Idempotent."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()


def camera_report(device: str = "", loopbacks: LoopbackDevices | None = None) -> CameraReport:
    """Reports what a ``VirtualCameraSink`` would find now, without writing a picture.

    Args:
        device: As for ``VirtualCameraSink``.
        loopbacks: As for ``VirtualCameraSink``.
    """
    if sys.platform != "linux":
        return _report_elsewhere(device)
    if device == PIPEWIRE:
        problem = node_problem()
        return CameraReport(chosen="" if problem else TITLE, problem=problem, pipewire=problem is None)
    loopbacks = loopbacks or LoopbackDevices()
    devices = loopbacks.all()
    pipewire = not device and node_problem() is None
    try:
        chosen = choose(loopbacks, device, SettledFormat(I420_FOURCC, 1920, 1080))
    except SinkError as problem:
        if pipewire and problem.kind == "missing":
            return CameraReport(devices, TITLE, pipewire=True, lacking=problem)
        return CameraReport(devices, problem=problem)
    advice = ""
    if chosen.exclusive is False:
        advice = (
            f"Chrome, and so Meet and Teams in it, will not list {chosen.title},"
            f" because it was made without exclusive_caps: {RELOAD}"
        )
    return CameraReport(devices, chosen.title, chosen.path, advice=advice, pipewire=pipewire)


def _report_elsewhere(device: str) -> CameraReport:
    """Reports outside Linux; on macOS by opening and closing the camera, the only way there."""
    if sys.platform == "win32":
        if not obs_queue.is_installed():
            return CameraReport(problem=SinkError("obs_camera_missing"))
        return CameraReport(chosen=obs_queue.TITLE, path=obs_queue.TITLE)
    try:
        camera = open_obs_camera(1920, 1080, 30.0, device or None)
    except SinkError as problem:
        return CameraReport(problem=problem)
    name = str(camera.device)
    camera.close()
    return CameraReport(chosen=name, path=name)


__all__ = ["CameraReport", "VirtualCameraSink", "camera_report"]
