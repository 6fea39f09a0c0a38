"""Thumbnails of the looks: the shipped ones, replaced by the user's own picture in each look.

Reads and decodes in a worker thread. Must not know where pictures come from, nor how they are laid out.
"""

from __future__ import annotations

import base64
import logging
from pathlib import Path

from PySide6.QtCore import QObject, QRunnable, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QImage, QPixmap

from overpaint.gui.files.images import own_jpeg, shipped_webp
from overpaint.gui.looks.look_lists import SCENE
from overpaint.wire.looks import LookPicture

log = logging.getLogger(__name__)

SCENE_SIZE = QSize(320, 180)
"""Size of a scene's thumbnail, pixels."""


class LookPictures(QObject):
    """Thumbnail cache of the looks, by name.

    Args:
        folder: Folder of the shipped thumbnails, ``NAME.webp``.
        scenes: Folder of the scenes' pictures, which are large, and read when they are first wanted.
    """

    changed = Signal(str)
    """The thumbnail of the look with this name has changed."""

    _decoded = Signal(str, QImage, bool)

    def __init__(self, folder: Path, parent: QObject | None = None, scenes: Path | None = None) -> None:
        super().__init__(parent)
        self._scenes = scenes
        self._begun: set[str] = set()
        self._pictures: dict[str, QPixmap] = {}
        self._own: set[str] = set()
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._decoded.connect(self._keep, Qt.ConnectionType.QueuedConnection)
        self._pool.start(_Shipped(self, folder))

    def picture(self, name: str) -> QPixmap | None:
        """The newest thumbnail of a look; None if there is none yet."""
        found = self._pictures.get(name)
        scene = name.removeprefix(SCENE)
        if found is None and self._scenes is not None and scene not in ("", name) and name not in self._begun:
            self._begun.add(name)
            self._pool.start(_Scene(self, name, self._scenes / f"{scene}.webp"))
        return found

    def is_own(self, name: str) -> bool:
        """Whether the thumbnail is made from the user's picture, not shipped."""
        return name in self._own

    def show_own(self, painted: LookPicture) -> None:
        """Loads the user's own picture in a look."""
        self._pool.start(_Own(self, painted))

    def wait(self) -> None:
        """Waits for the worker thread, before the program ends."""
        self._pool.clear()
        self._pool.waitForDone(1000)

    def _keep(self, name: str, image: QImage, own: bool) -> None:
        if own:
            self._own.add(name)
        elif name in self._own:
            return
        self._pictures[name] = QPixmap.fromImage(image)
        self.changed.emit(name)


class _Shipped(QRunnable):
    def __init__(self, pictures: LookPictures, folder: Path) -> None:
        super().__init__()
        self._pictures = pictures
        self._folder = folder

    def run(self) -> None:
        try:
            for path in sorted(self._folder.glob("*.webp")):
                image = shipped_webp(path)
                if not image.isNull():
                    self._pictures._decoded.emit(path.stem, image, False)
        except Exception:
            log.exception("the looks' pictures could not be read")


class _Scene(QRunnable):
    def __init__(self, pictures: LookPictures, name: str, path: Path) -> None:
        super().__init__()
        self._pictures, self._name, self._path = pictures, name, path

    def run(self) -> None:
        try:
            # A live process of another version may know scenes that this window has no picture of.
            image = shipped_webp(self._path, SCENE_SIZE) if self._path.is_file() else QImage()
            if not image.isNull():
                self._pictures._decoded.emit(self._name, image, False)
        except Exception:
            log.exception("the picture of %s could not be read", self._name)


class _Own(QRunnable):
    def __init__(self, pictures: LookPictures, painted: LookPicture) -> None:
        super().__init__()
        self._pictures = pictures
        self._painted = painted

    def run(self) -> None:
        try:
            image = own_jpeg(base64.b64decode(self._painted.picture))
            if not image.isNull():
                self._pictures._decoded.emit(self._painted.name, image, True)
        except Exception:
            log.exception("a look's picture could not be read")
