"""What others wrote is shown as words: no tool tip is HTML that names a file."""

from __future__ import annotations

import ast
from pathlib import Path

from PySide6.QtGui import QTextDocument

import overpaint.gui
from overpaint.gui.words.plain_text import plain_tip

HOSTILE = '<img src="file:///etc/passwd"><b>x</b>'


def shown(tip: str) -> str:
    """What a reader of a tool tip sees: Qt takes what has a tag for HTML."""
    document = QTextDocument()
    if "<" in tip:
        document.setHtml(tip)
    else:
        document.setPlainText(tip)
    return document.toPlainText()


def test_a_tip_shows_the_very_text(qapp: object) -> None:
    assert shown(HOSTILE) != HOSTILE  # why it is needed
    for text in (HOSTILE, "a < b & c", "plain", "<qt>x", "rain & snow", "line\nline"):
        assert shown(plain_tip(text)) == text


def plain(node: ast.expr) -> bool:
    """Whether an expression is a text of ours, or made plain."""
    if isinstance(node, ast.IfExp):
        return plain(node.body) and plain(node.orelse)
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        return called in ("self.tr", "plain_tip") or called.endswith("QCoreApplication.translate")
    return isinstance(node, ast.Constant)


def test_every_tool_tip_is_ours_or_made_plain() -> None:
    folder = Path(overpaint.gui.__file__ or "").parent
    strange = [
        f"{path.relative_to(folder)}:{node.lineno}"
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith(".setToolTip")
        and not plain(node.args[0])
    ]
    assert not strange, "use overpaint.gui.words.plain_text.plain_tip"
