"""A picture of the desktop: the Screenshot portal.

Source: XDG Desktop Portal, org.freedesktop.portal.Screenshot. The desktop asks its user once whether this
program may have such pictures. Must not know what the picture is used for.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from overpaint.portal.portal_connection import Portal, PortalError
from overpaint.portal.portal_session import DIALOG_S

_INTERFACE = "Screenshot"


def take_screenshot() -> bytes:
    """Returns a picture of all screens, as a PNG file's bytes; blocks while the desktop asks its user.

    Raises:
        PortalError: There is no such portal, or it or its user refuses.
    """
    portal = Portal()
    try:
        portal.version(_INTERFACE)
        options = {"interactive": ("b", False)}
        made = portal.ask(_INTERFACE, "Screenshot", "sa{sv}", "", options=options, patience_s=DIALOG_S)
    finally:
        portal.close()
    path = Path(unquote(urlsplit(str(made.get("uri", ""))).path))
    try:
        content = path.read_bytes()
        path.unlink()  # it was made for this program, among the user's own pictures
    except OSError as error:
        raise PortalError("failed", str(error.strerror)) from error
    return content


__all__ = ["take_screenshot"]
