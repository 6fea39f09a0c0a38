"""The webcam source, through QtMultimedia: choice of a mode, and the reason when a camera does not open.

Overpaint's own virtual camera is never offered: its picture would be fed back.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from overpaint.errors import SourceError
from overpaint.media.sources import SourceInfo, Wishes
from overpaint.media.sources.identities import camera_identity
from overpaint.media.sources.qt_frames import is_readable
from overpaint.media.sources.qt_loop import MainThread
from overpaint.media.sources.qt_source import MOST_FPS, QtSource, as_it_comes
from overpaint.media.virtual_camera.v4l2 import OWN_TITLE, LoopbackDevices, written_here
from overpaint.wire.sources import CameraFormat, SourceOffer

if TYPE_CHECKING:
    from PySide6.QtMultimedia import (
        QCamera,
        QCameraDevice,
        QCameraFormat,
        QMediaCaptureSession,
        QMediaDevices,
        QVideoSink,
    )

_OBS_TITLE = "OBS Virtual Camera"
_ANSWER_SECONDS = 60.0
"""Time for the user to answer whether the camera may be used."""
_REQBUFS = 0xC0145608
_BUFFERS = struct.Struct("=5I")
_BUFFER_TYPE_CAPTURE, _MEMORY_MMAP = 1, 1


def by_worth(
    formats: Iterable[CameraFormat], width: int, height: int, fps: float = 30.0
) -> list[CameraFormat]:
    """Sorts formats for a wanted size and rate: fast enough ones first, then by nearest size, then by cost.

    A USB webcam gives 1080p at 30 frames a second only as MJPG and at 5 uncompressed; a smaller
    picture that moves is better than a large one that does not.
    """

    def cost(mode: CameraFormat) -> tuple[int, float, bool, float]:
        ranks = enumerate((fps - 1, 29.0, 24.0, 15.0, 0.0))
        slow = next(rank for rank, least in ranks if mode.fps >= least)
        shown = min(width / mode.width, height / mode.height)
        # Enlarging blurs, which is worse than scaling down.
        distance = shown - 1 if shown > 1 else (1 / shown - 1) / 2
        aspect = abs(mode.width * height - mode.height * width) / (mode.height * width)
        return slow, distance + aspect, mode.compressed, abs(mode.fps - fps)

    return sorted(dict.fromkeys(formats), key=cost)


def list_cameras(main_thread: MainThread) -> tuple[SourceInfo, ...]:
    """Lists the cameras usable as a source, by number."""
    return main_thread.call(
        lambda: tuple(
            SourceInfo(f"camera:{index}", device.description(), "camera", _identity(device))
            for index, device in enumerate(_cameras())
        )
    )


class CameraSource(QtSource):
    """A webcam; once started, it stays the same camera when started again, whatever its number.

    Args:
        index: Its number in ``list_cameras``.
        main_thread: Qt's thread.
        wishes: Returns the user's options.
    """

    def __init__(self, index: int, main_thread: MainThread, wishes: Wishes = as_it_comes) -> None:
        super().__init__(main_thread, wishes)
        self.title = f"camera {index}"
        self._index = index
        self._camera: QCamera | None = None
        self._session: QMediaCaptureSession | None = None
        self._devices: QMediaDevices | None = None
        self._id = b""
        self._fps = 30.0

    def _open(self, sink: QVideoSink) -> None:
        from PySide6.QtMultimedia import QCamera, QMediaCaptureSession, QMediaDevices

        device = self._find()
        self.title, self._id = device.description(), bytes(device.id().data())
        self.identity = _identity(device)
        self._camera = QCamera(device)
        self._camera.errorOccurred.connect(self._on_error)
        self._choose_format(device, self._camera)
        self._session = QMediaCaptureSession()
        self._session.setCamera(self._camera)
        self._session.setVideoSink(sink)
        self._devices = QMediaDevices()
        self._devices.videoInputsChanged.connect(self._on_devices)
        self._with_permission()

    def _choose_format(self, device: QCameraDevice, camera: QCamera) -> None:
        """Sets the user's format, else the best one; the camera's own choice where none can be read."""
        offered, wishes = _formats(device), self._wishes(self.identity)
        formats = by_worth(offered, *self._size, wishes.fps)
        self.offer = SourceOffer(formats=tuple(formats))
        if formats:
            taken = wishes.format if wishes.format in offered else formats[0]
            camera.setCameraFormat(offered[taken])
            # Of a format that the user chose, all that it has.
            self._fps = min(MOST_FPS if taken == wishes.format else wishes.fps, taken.fps or MOST_FPS)

    @property
    def fps(self) -> float:
        """Most frames a second that are passed on."""
        return self._fps

    def _find(self) -> QCameraDevice:
        cameras = _cameras()
        if self.identity:
            for camera in cameras:
                if _identity(camera) == self.identity:
                    return camera
            raise self._unplugged()
        if self._index < len(cameras):
            return cameras[self._index]
        if cameras:
            there = ", ".join(f"camera:{n} ({camera.description()})" for n, camera in enumerate(cameras))
            raise SourceError("camera_unknown", number=self._index, choices=there)
        if _is_denied():
            raise _denied_error()
        raise SourceError("camera_missing")

    def _with_permission(self) -> None:
        """Starts the camera; where the system asks the user (macOS), once they have agreed."""
        from PySide6.QtCore import QCameraPermission, QCoreApplication, Qt

        app, camera = QCoreApplication.instance(), self._camera
        if app is None or camera is None:
            return
        status = app.checkPermission(QCameraPermission())
        if status == Qt.PermissionStatus.Denied:
            raise _denied_error()
        if status == Qt.PermissionStatus.Granted:
            camera.start()
            return

        def answered(permission: QCameraPermission) -> None:
            if app.checkPermission(permission) == Qt.PermissionStatus.Granted:
                camera.start()
            else:
                self._fail(_denied_error())

        self.first_frame_seconds = _ANSWER_SECONDS
        app.requestPermission(QCameraPermission(), camera, answered)

    def _shut(self) -> None:
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.errorOccurred.disconnect(self._on_error)
            camera.stop()
        if self._devices is not None:
            self._devices.videoInputsChanged.disconnect(self._on_devices)
        self._session = self._devices = None

    def _no_picture(self) -> SourceError:
        if _is_busy(self._id):
            return self._busy()
        return SourceError("camera_gives_no_picture", camera=self.title)

    def _silent(self) -> None:
        self._fail(SourceError("camera_silent", camera=self.title))

    def _on_devices(self) -> None:
        from PySide6.QtMultimedia import QMediaDevices

        if all(device.id().data() != self._id for device in QMediaDevices.videoInputs()):
            self._fail(self._unplugged())

    def _on_error(self, _kind: QCamera.Error, text: str) -> None:
        from PySide6.QtMultimedia import QMediaDevices

        if all(device.id().data() != self._id for device in QMediaDevices.videoInputs()):
            error = self._unplugged()
        elif "in use" in text.lower() or _is_busy(self._id):  # the words of Qt's Linux backend
            error = self._busy()
        else:
            error = SourceError("camera_refused", camera=self.title, reason=text.rstrip("."))
        self._fail(error)

    def _unplugged(self) -> SourceError:
        return SourceError("camera_unplugged", camera=self.title)

    def _busy(self) -> SourceError:
        return SourceError("camera_busy", camera=self.title)


def _cameras() -> list[QCameraDevice]:
    """Lists cameras without those fed by Overpaint or by nobody; on the main thread."""
    from PySide6.QtMultimedia import QMediaDevices

    hidden = _output_nodes()
    return [
        device
        for device in QMediaDevices.videoInputs()
        if not device.description().startswith(OWN_TITLE)
        and device.id().data() not in hidden
        and (sys.platform == "linux" or device.description() != _OBS_TITLE)
    ]


def _identity(device: QCameraDevice) -> str:
    name = bytes(device.id().data()).decode("utf-8", "replace")
    return camera_identity(name, device.description())


def _output_nodes() -> set[bytes]:
    """Lists loopback devices fed by nobody or by this process (Linux)."""
    return {
        device.path.encode()
        for device in LoopbackDevices().all()
        if device.settled is None or written_here(device.path)
    }


def _formats(device: QCameraDevice) -> dict[CameraFormat, QCameraFormat]:
    """Returns the readable formats; of those that look the same to a user, the first."""
    from PySide6.QtMultimedia import QVideoFrameFormat

    jpeg = QVideoFrameFormat.PixelFormat.Format_Jpeg
    found: dict[CameraFormat, QCameraFormat] = {}
    for each in device.videoFormats():
        size = each.resolution()
        if is_readable(each.pixelFormat()) and not size.isEmpty():
            format_ = CameraFormat(
                width=size.width(),
                height=size.height(),
                fps=round(each.maxFrameRate(), 2),
                compressed=each.pixelFormat() == jpeg,
            )
            found.setdefault(format_, each)
    return found


def _is_denied() -> bool:
    """Returns whether there are cameras that this user may not open (Linux; elsewhere Qt asks)."""
    nodes = list(Path("/dev").glob("video*")) if sys.platform == "linux" else []
    return bool(nodes) and not any(os.access(node, os.R_OK | os.W_OK) for node in nodes)


def _is_busy(node: bytes) -> bool:
    """Returns whether another program streams from a camera (Linux): only then are buffers refused."""
    if sys.platform != "linux":
        return False
    import fcntl

    try:
        descriptor = os.open(node, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        return error.errno == errno.EBUSY
    try:
        fcntl.ioctl(descriptor, _REQBUFS, _BUFFERS.pack(1, _BUFFER_TYPE_CAPTURE, _MEMORY_MMAP, 0, 0))
    except OSError as error:
        return error.errno == errno.EBUSY
    finally:
        os.close(descriptor)
    return False


def _denied_error() -> SourceError:
    if sys.platform == "linux":
        error = SourceError("camera_denied_linux")
    elif sys.platform == "darwin":
        error = SourceError("camera_denied_macos")
    else:
        error = SourceError("camera_denied_windows")
    return error
