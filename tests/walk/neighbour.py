"""Another program: a window that moves, pictures that can be dragged out of it, a place to drop on.

Started as ``neighbour.py TITLE DROPPED X Y WIDTH HEIGHT PICTURE...``; what is dropped on it is written to
the file ``DROPPED``, a path a line.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, QTimer, QUrl
from PySide6.QtGui import QColor, QDrag, QDragEnterEvent, QDropEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget


class Neighbour(QWidget):
    """Left half: drag from it. Right half: drop on it."""

    def __init__(self, dropped: Path, pictures: list[str]) -> None:
        super().__init__()
        self._dropped = dropped
        self._pictures = pictures
        self._hue = 0
        self.setAcceptDrops(True)
        timer = QTimer(self, interval=100)
        timer.timeout.connect(self._turn)
        timer.start()

    def _turn(self) -> None:
        self._hue = (self._hue + 5) % 360
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Two halves in colours that change."""
        painter = QPainter(self)
        half = self.width() // 2
        painter.fillRect(0, 0, half, self.height(), QColor.fromHsv(self._hue, 200, 220))
        painter.fillRect(half, 0, half, self.height(), QColor.fromHsv((self._hue + 120) % 360, 200, 220))
        painter.drawText(20, 40, "drag 20 pictures from here")
        painter.drawText(half + 20, 40, "drop here")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Begins to drag all pictures."""
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(path) for path in self._pictures])
        drag = QDrag(self)
        drag.setMimeData(mime)
        drag.exec(Qt.DropAction.CopyAction)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Notes them."""
        self._dropped.write_text("\n".join(url.toLocalFile() for url in event.mimeData().urls()), "utf-8")
        event.acceptProposedAction()


def main() -> int:
    """Runs it."""
    title, dropped, x, y, width, height, *pictures = sys.argv[1:]
    app = QApplication([])
    window = Neighbour(Path(dropped), pictures)
    window.setWindowTitle(title)
    window.setGeometry(int(x), int(y), int(width), int(height))
    window.show()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
