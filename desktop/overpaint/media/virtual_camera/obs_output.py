"""OBS's virtual camera as the output: its queue on Windows (``obs_queue``), pyvirtualcam on macOS.

Only this module imports pyvirtualcam. It is optional, because its licence is incompatible with those of
other parts (docs/licences.md). It gets I420, from which its libyuv makes what OBS's camera takes on macOS
(UYVY), at less cost than from any RGB layout. Must not know sessions, slates or rates.
"""

from __future__ import annotations

import sys
from typing import Any

from overpaint.errors import SinkError
from overpaint.media.virtual_camera import obs_queue
from overpaint.media.virtual_camera.obs_extension import extension_error

OBS_LIBRARY = "pyvirtualcam>=0.15,<0.16"
"""Requirement of the extra ``obs-camera``."""


def open_obs_camera(width: int, height: int, fps: float, device: str | None) -> Any:
    """Opens it for I420 pictures of a size; returns an ``ObsQueueWriter``, or pyvirtualcam's ``Camera``.

    Raises:
        SinkError: It is ``missing`` or ``busy``, or its library is not installed (``unsupported``).
    """
    if sys.platform == "win32":
        if not obs_queue.is_installed():
            raise SinkError("obs_camera_missing")
        try:
            return obs_queue.ObsQueueWriter(width, height, fps)
        except OSError as error:
            raise SinkError("obs_camera_busy") from error
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


def _refused_by_obs(text: str) -> SinkError:
    lower = text.lower()
    if "not found" in lower or "not installed" in lower or "did you install" in lower:
        if sys.platform == "darwin":
            return extension_error() or SinkError("obs_camera_extension_missing")
        return SinkError("obs_camera_missing")
    return SinkError("obs_camera_refused", reason=text)
