"""OBS's virtual camera as the output (Windows and macOS), fed through pyvirtualcam.

Only this module imports pyvirtualcam. It is optional, because its licence is incompatible with those of
other parts (docs/licences.md). It gets I420, from which its libyuv makes what OBS's camera takes (NV12 on
Windows, UYVY on macOS), at less cost than from any RGB layout. Must not know sessions, slates or rates.
"""

from __future__ import annotations

import sys
from typing import Any

from overpaint.errors import SinkError

OBS_LIBRARY = "pyvirtualcam>=0.15,<0.16"
"""Requirement of the extra ``obs-camera``."""


def open_obs_camera(width: int, height: int, fps: float, device: str | None) -> Any:
    """Opens it for I420 pictures of a size; returns pyvirtualcam's ``Camera``.

    Raises:
        SinkError: It is ``missing`` or ``busy``, or its library is not installed (``unsupported``).
    """
    try:
        from pyvirtualcam import Camera, PixelFormat
    except ImportError as error:
        raise SinkError("obs_camera_library_missing", requirement=OBS_LIBRARY) from error
    try:
        return Camera(width, height, fps, fmt=PixelFormat.I420, device=device)
    except RuntimeError as error:
        raise _refused_by_obs(" ".join(str(error).split())) from error


def _refused_by_obs(text: str) -> SinkError:
    lower = text.lower()
    if "not found" in lower or "not installed" in lower or "did you install" in lower:
        if sys.platform == "darwin":
            return SinkError("obs_camera_extension_missing")
        return SinkError("obs_camera_missing")
    return SinkError("obs_camera_refused", reason=text)
