"""The real program, which also says four times a second what is visible in it and where.

Started as ``program.py REPORT DATA_FOLDER``: only the report is added, so that a driver with mouse and
keyboard finds its way as eyes would.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QRect, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

from overpaint.cli import run
from overpaint.gui.files.queue_model import TransformListModel
from overpaint.gui.widgets.transforms.transform_list import TransformList
from overpaint.gui.window import MainWindow

EVERY_MS = 250


def named(name: str, kind: str, place: QRect, on: QWidget) -> dict[str, Any]:
    corner = on.mapToGlobal(QPoint(0, 0)) + place.topLeft()
    box = [corner.x(), corner.y(), place.width(), place.height()]
    return {"name": name, "kind": kind, "box": box, "window": title_around(on)}


def title_around(widget: QWidget) -> str:
    """The title of the window that a widget, or a menu, belongs to: on Wayland places are inside that."""
    window = widget.window()
    while not window.windowTitle() and (parent := window.parentWidget()) is not None:
        window = parent.window()
    return window.windowTitle()


def things() -> Iterator[dict[str, Any]]:
    """Everything visible that has a name."""
    for top in QApplication.topLevelWidgets():
        if not top.isVisible():
            continue
        if top.windowTitle():
            yield named(top.windowTitle(), "window", top.rect(), top)
        if isinstance(top, QMenu):
            for action in top.actions():
                yield named(action.text(), "action", top.actionGeometry(action), top)
        for widget in top.findChildren(QWidget):
            if not widget.isVisible() or widget.visibleRegion().isEmpty():
                continue
            text = widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""
            if isinstance(widget, QLineEdit | QPlainTextEdit):
                text = widget.text() if isinstance(widget, QLineEdit) else widget.toPlainText()
            name = widget.accessibleName() or text
            if name:
                yield named(name, type(widget).__name__, widget.rect(), widget) | {
                    "enabled": widget.isEnabled(),
                    "text": text,
                }
            if isinstance(widget, QAbstractItemView) and widget.model() is not None:
                yield from rows(widget)


def rows(view: QAbstractItemView) -> Iterator[dict[str, Any]]:
    """What a list shows."""
    for row in range(view.model().rowCount()):
        index = view.model().index(row, 0)
        status = index.data(TransformListModel.StatusRole) if isinstance(view, TransformList) else None
        yield named(str(index.data()), "row", view.visualRect(index), view.viewport()) | {"text": str(status)}


def report(path: Path, number: int) -> None:
    """Writes it down, whole or not at all."""
    window = next((top for top in QApplication.topLevelWidgets() if isinstance(top, MainWindow)), None)
    snapshot = window.model.snapshot if window is not None else None
    said = {
        "number": number,
        "things": list(things()),
        "frame": window.frameGeometry().getRect() if window is not None else None,
        "painted": window.stage.painted if window is not None else 0,
        "live": snapshot.model_dump(exclude={"looks", "sources"}) if snapshot is not None else None,
    }
    draft = path.with_suffix(".tmp")
    draft.write_text(json.dumps(said), "utf-8")
    draft.replace(path)


def main() -> int:
    """Runs it."""
    path = Path(sys.argv[1])
    show = MainWindow.open

    def open_and_report(window: MainWindow) -> None:
        show(window)
        timer = QTimer(window, interval=EVERY_MS)
        numbers = count(1)
        timer.timeout.connect(lambda: report(path, next(numbers)))
        timer.start()

    MainWindow.open = open_and_report  # type: ignore[method-assign]
    return run(["--data-dir", sys.argv[2]])


if __name__ == "__main__":
    sys.exit(main())
