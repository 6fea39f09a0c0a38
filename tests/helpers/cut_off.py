"""What of a window has less room than it needs to be read."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget


def cut_off(widget: QWidget) -> list[QWidget]:
    """Texts, fields and buttons that are too small, of those that are visible."""
    seen = [each for each in widget.findChildren(QWidget) if each.isVisible()]
    texts = [each for each in seen if isinstance(each, QLabel) and each.wordWrap()]
    controls = [each for each in seen if isinstance(each, QLineEdit | QAbstractButton)]
    return [
        *(each for each in texts if each.height() < each.heightForWidth(each.width())),
        *(each for each in controls if each.height() < each.minimumSizeHint().height()),
        *(each for each in controls if each.width() < each.minimumSizeHint().width()),
    ]
