"""Pictures of all screens as they are now, for the selection of a region.

Most systems give them at once. On Wayland the desktop's portal makes one picture of all screens, and asks its
user the first time, which takes a thread. Must not know what they are used for.
"""

from __future__ import annotations

import logging
import threading

from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtGui import QGuiApplication, QImage, QPixmap

from overpaint.portal import is_wayland
from overpaint.portal.portal_connection import PortalError
from overpaint.portal.screenshot import take_screenshot

log = logging.getLogger(__name__)


class ScreenPictures(QObject):
    """Takes pictures of all screens, one after another call."""

    taken = Signal(list)
    """The picture of each screen, a ``QPixmap`` in the screens' order; a null one where there is none."""
    _arrived = Signal(QImage)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._arrived.connect(self._cut)

    def take(self) -> None:
        """Takes them; ``taken`` is emitted, perhaps only when the user has answered."""
        if is_wayland():
            threading.Thread(target=self._ask, name="screenshot", daemon=True).start()
        else:
            self.taken.emit([screen.grabWindow(0) for screen in QGuiApplication.screens()])

    def _ask(self) -> None:
        picture = QImage()
        try:
            picture = QImage.fromData(take_screenshot())
        except PortalError as error:
            log.info("no picture of the screens: %s", error)
        except Exception:
            log.exception("no picture of the screens, for an unknown reason")
        self._arrived.emit(picture)

    def _cut(self, whole: QImage) -> None:
        """Cuts the picture of all screens into one for each; it may have more pixels than Qt's units."""
        pictures = []
        for screen in QGuiApplication.screens():
            desktop, place = screen.virtualGeometry(), screen.geometry()
            scale = whole.width() / max(1, desktop.width())
            corner = (place.topLeft() - desktop.topLeft()) * scale
            pictures.append(QPixmap.fromImage(whole.copy(QRect(corner, place.size() * scale))))
        self.taken.emit([each if not whole.isNull() else QPixmap() for each in pictures])
