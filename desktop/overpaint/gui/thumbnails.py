"""Pictures of files for showing: decoded in a thread, small ones remembered.

Qt reads what it can; formats that it lacks (HEIC, AVIF) are read by Pillow, and of a clip a frame near
its beginning by FFmpeg. Must not know the queue.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from pathlib import Path

from PySide6.QtCore import QObject, QRunnable, QSize, Qt, QThread, QThreadPool, Signal
from PySide6.QtGui import QImage, QImageReader, QPixmap

log = logging.getLogger(__name__)

REMEMBERED = 400
CLIP_ENDINGS = (".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi")
_CLIP_START_S = 1.0
"""Many clips begin in the dark."""


class Thumbnails(QObject):
    """Small pictures of files.

    Args:
        size: Filled wholly by every picture, physical pixels.
    """

    ready = Signal(str)
    """The picture of a path is there now."""

    _read = Signal(str, QImage)

    def __init__(self, size: QSize, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._size = size
        self._kept: OrderedDict[str, QPixmap | None] = OrderedDict()
        self._asked: set[str] = set()
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._pool.setThreadPriority(QThread.Priority.LowPriority)
        self._read.connect(self._keep, Qt.ConnectionType.QueuedConnection)

    def picture(self, path: str) -> QPixmap | None:
        """The picture of a file; None while it is being read, and where there is none."""
        if path in self._kept:
            self._kept.move_to_end(path)
            return self._kept[path]
        if path not in self._asked:
            self._asked.add(path)
            self._pool.start(_Job(path, self._size, self._read))
        return None

    def wait(self) -> None:
        """Waits for what is under way (before the program ends)."""
        self._pool.clear()
        self._pool.waitForDone(2000)

    def _keep(self, path: str, image: QImage) -> None:
        self._asked.discard(path)
        self._kept[path] = None if image.isNull() else QPixmap.fromImage(image)
        while len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)
        self.ready.emit(path)


class _Job(QRunnable):
    def __init__(self, path: str, size: QSize, read: object) -> None:
        super().__init__()
        self._path = path
        self._size = size
        self._done = read

    def run(self) -> None:
        image = read_picture(Path(self._path), self._size)
        if not image.isNull():
            image = image.scaled(
                self._size,
                Qt.AspectRatioMode.KeepAspectRatioByExpanding,
                Qt.TransformationMode.SmoothTransformation,
            )
            rest = image.size() - self._size
            image = image.copy(rest.width() // 2, rest.height() // 2, self._size.width(), self._size.height())
        self._done.emit(self._path, image)  # type: ignore[attr-defined]


def read_picture(path: Path, room: QSize) -> QImage:
    """A picture file, or a frame of a clip, at about the size at which it covers ``room``.

    Blocks. Returns a null image where nothing can be read.
    """
    try:
        if path.suffix.lower() in CLIP_ENDINGS:
            return _frame(path, room)
        image = _still(path, room)
        return image if not image.isNull() else _rare(path, room)
    except Exception as error:  # a thread's root: decoders raise whatever damaged files make of them
        log.info("no picture of %s", path.name, exc_info=error)
        return QImage()


def _still(path: Path, room: QSize) -> QImage:
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    whole = reader.size()
    if whole.isValid() and (whole.width() > 2 * room.width() or whole.height() > 2 * room.height()):
        # Turned pictures are scaled before they are turned: the larger side counts for both.
        side = max(room.width(), room.height())
        reader.setScaledSize(whole.scaled(QSize(side, side), Qt.AspectRatioMode.KeepAspectRatioByExpanding))
    return reader.read()


def _rare(path: Path, room: QSize) -> QImage:
    import pillow_heif
    from PIL import Image, ImageOps

    pillow_heif.register_heif_opener(thumbnails=False)
    with Image.open(path) as picture:
        picture.thumbnail((2 * room.width(), 2 * room.height()))
        upright = ImageOps.exif_transpose(picture).convert("RGBA")
    data = upright.tobytes()
    return QImage(data, *upright.size, 4 * upright.width, QImage.Format.Format_RGBA8888).copy()


def _frame(path: Path, room: QSize) -> QImage:
    import av

    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        start = stream.start_time or 0
        if container.duration and container.duration > 2_000_000 * _CLIP_START_S and stream.time_base:
            container.seek(start + int(_CLIP_START_S / stream.time_base), stream=stream)
        frame = next(container.decode(stream))
        scale = min(1.0, max(room.width() / frame.width, room.height() / frame.height))
        width, height = max(1, round(frame.width * scale)), max(1, round(frame.height * scale))
        rgb = frame.reformat(width=width, height=height, format="rgb24").to_ndarray()
    image = QImage(rgb.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888)
    return image.copy()
