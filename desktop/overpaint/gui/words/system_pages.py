"""Pages of the system's own settings where a permission is given, by the error that names it.

Sources: the URL schemes ``x-apple.systempreferences`` (macOS 13 and later) and ``ms-settings`` (Windows 10).
"""

from __future__ import annotations

from types import MappingProxyType

from overpaint.wire.messages import Trouble

_PRIVACY = "x-apple.systempreferences:com.apple.settings.PrivacySecurity.extension?"

PAGES = MappingProxyType(
    {
        "camera_denied_macos": f"{_PRIVACY}Privacy_Camera",
        "microphone_denied_macos": f"{_PRIVACY}Privacy_Microphone",
        "screen_denied_macos": f"{_PRIVACY}Privacy_ScreenCapture",
        "capture_gives_no_picture_macos": f"{_PRIVACY}Privacy_ScreenCapture",
        "obs_camera_extension_waiting": "x-apple.systempreferences:com.apple.LoginItems-Settings.extension",
        "camera_denied_windows": "ms-settings:privacy-webcam",
    }
)
"""Address of the page that mends an error, by its code."""


def page_of(trouble: Trouble | None) -> str:
    """The address of the page that mends an error; empty where there is none."""
    return PAGES.get(trouble.code, "") if trouble is not None else ""
