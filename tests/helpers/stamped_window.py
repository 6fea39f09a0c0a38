"""A window that shows a stamped clip: CLIP WIDTH HEIGHT; "WIDTH HEIGHT" on its input resizes it."""

from __future__ import annotations

import sys
import threading

import av
from PySide6.QtCore import QMetaObject, Qt, QTimer, Slot
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

TITLE = "Stamped window"


class Picture(QWidget):
    """The clip's next picture, fifteen times a second."""

    def __init__(self, clip: str) -> None:
        super().__init__()
        self.setWindowTitle(TITLE)
        with av.open(clip) as file:
            decoded = [frame.reformat(640, 360, "bgra").to_ndarray() for frame in file.decode(video=0)]
        self._frames = decoded[::2]
        self._number = 0
        self._size = (640, 360)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._turn)
        self._timer.start(66)

    def want(self, width: int, height: int) -> None:
        """From any thread."""
        self._size = (width, height)
        QMetaObject.invokeMethod(self, "fit", Qt.ConnectionType.QueuedConnection)

    @Slot()
    def fit(self) -> None:
        self.setFixedSize(*self._size)

    def _turn(self) -> None:
        self._number = (self._number + 1) % len(self._frames)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        frame = self._frames[self._number]
        height, width = frame.shape[:2]
        image = QImage(frame.data, width, height, width * 4, QImage.Format.Format_RGB32)
        painter = QPainter(self)
        painter.drawImage(self.rect(), image)
        painter.end()


def main() -> None:
    app = QApplication(sys.argv[:1])
    picture = Picture(sys.argv[1])
    picture.setFixedSize(int(sys.argv[2]), int(sys.argv[3]))
    picture.show()
    print("shown", flush=True)

    def listen() -> None:
        for line in sys.stdin:
            width, height = line.split()
            picture.want(int(width), int(height))

    threading.Thread(target=listen, daemon=True).start()
    app.exec()


if __name__ == "__main__":
    main()
