"""Keys that single controls handle, for the sheet of shortcuts: they work while the control has the focus.

One place lists them; a test compares it with what the controls look for. Must not know the controls.
"""

from __future__ import annotations

from PySide6.QtCore import QKeyCombination, QObject
from PySide6.QtGui import QKeySequence

_Keys = str | QKeySequence.StandardKey
_Row = tuple[str, tuple[_Keys, ...]]


class ControlKeys(QObject):
    """List of the keys of controls."""

    def _table(self) -> dict[str, tuple[_Row, ...]]:
        keys = QKeySequence.StandardKey
        return {
            self.tr("In the prompt"): (
                (self.tr("A former prompt, or the next one again"), ("Up", "Down")),
                (self.tr("Undo a change of the prompt, or redo it"), (keys.Undo, keys.Redo)),
                (self.tr("Paste a photo"), (keys.Paste,)),
            ),
            self.tr("On the picture"): (
                (self.tr("Compare with the original while it is held"), ("Space",)),
                (self.tr("Move the dividing line, or put it away"), ("Left", "Right", "Esc")),
            ),
            self.tr("In the looks"): (
                (self.tr("Use the look"), ("Return",)),
                (self.tr("Use the words of the search as the prompt"), ("Shift+Return",)),
                (self.tr("Clear the search, or close the gallery"), ("Esc",)),
            ),
            self.tr("In the list of files"): (
                (self.tr("Remove a file, or cancel it"), ("Del",)),
                (self.tr("Move a file up or down"), ("Alt+Up", "Alt+Down")),
                (self.tr("Copy a result, or save it elsewhere"), (keys.Copy, keys.Save)),
            ),
            self.tr("In the view of a file"): (
                (self.tr("The file before, or the next"), ("PgUp", "PgDown")),
                (self.tr("Zoom in or out"), ("+", "-")),
                (self.tr("The whole picture, or its own size"), ("0", "1")),
                (self.tr("The line to the left or right edge"), ("Home", "End")),
                (self.tr("Move a zoomed picture"), ("Shift+Left", "Shift+Right")),
            ),
            self.tr("While something is cut from the screen"): (
                (self.tr("Take the whole screen, or none of it"), ("Return", "Esc")),
            ),
        }

    def rows(self) -> dict[str, list[tuple[str, str]]]:
        """By heading: what each does, and its keys as this system writes them."""
        native = QKeySequence.SequenceFormat.NativeText
        return {
            heading: [
                (words, " · ".join(QKeySequence(each).toString(native) for each in keys))
                for words, keys in rows
            ]
            for heading, rows in self._table().items()
        }

    def combinations(self) -> set[QKeyCombination]:
        """All of them, the modifiers included."""
        sequences = (
            QKeySequence(each) for rows in self._table().values() for _, keys in rows for each in keys
        )
        # The stubs do not know that a sequence can be indexed.
        return {sequence[0] for sequence in sequences if sequence.count()}  # type: ignore[index]
