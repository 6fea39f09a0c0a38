"""Prompt history, with undo and redo.

Must not know widgets.
"""

from __future__ import annotations

from collections.abc import Iterable

KEPT = 60


class PromptHistory:
    """Prompt history: the applied prompts, undo and redo, and recall with the arrow keys.

    Args:
        prompts: Prompts of former starts, the oldest first.
    """

    def __init__(self, prompts: Iterable[str] = ()) -> None:
        self._entries = [prompt for prompt in prompts if prompt][-KEPT:]
        self._done: list[str] = []
        self._undone: list[str] = []
        self._at: int | None = None
        self._draft = ""

    @property
    def entries(self) -> tuple[str, ...]:
        """Every prompt once, the most recently used last."""
        return tuple(self._entries)

    @property
    def can_undo(self) -> bool:
        """Whether there is a prompt to return to."""
        return len(self._done) > 1

    def note(self, prompt: str) -> None:
        """Adds a prompt that is now in use, whether set here or by another program."""
        self._at = None
        if self._done and self._done[-1] == prompt:
            return
        self._done = [*self._done[-KEPT:], prompt]
        self._undone.clear()
        if prompt:
            self._entries = [*(other for other in self._entries if other != prompt), prompt][-KEPT:]

    def undo(self) -> str | None:
        """Undoes the prompt in use; returns the one before it, or None."""
        if not self.can_undo:
            return None
        self._undone.append(self._done.pop())
        return self._done[-1]

    def redo(self) -> str | None:
        """Redoes the prompt that was undone last; returns it, or None."""
        if not self._undone:
            return None
        self._done.append(self._undone.pop())
        return self._done[-1]

    def older(self, text: str) -> str | None:
        """Recalls the prompt before the recalled one; None at the oldest.

        Args:
            text: The field's text, kept as a draft to be recalled after the newest prompt.
        """
        if self._at is None:
            self._draft, start = text, len(self._entries)
            if self._entries and self._entries[-1] == text:
                start -= 1
        else:
            start = self._at
        if start < 1:
            return None
        self._at = start - 1
        return self._entries[self._at]

    def newer(self) -> str | None:
        """Recalls the prompt after the recalled one, or the draft after the newest; None without a recall."""
        if self._at is None:
            return None
        self._at += 1
        if self._at < len(self._entries):
            return self._entries[self._at]
        self._at = None
        return self._draft
