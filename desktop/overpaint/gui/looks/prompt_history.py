"""The history of prompts, to go through and to undo the last one.

Must not know widgets.
"""

from __future__ import annotations

from collections.abc import Iterable

KEPT = 60


class PromptHistory:
    """The applied prompts, in order.

    Args:
        prompts: Those of earlier times, the oldest first.
    """

    def __init__(self, prompts: Iterable[str] = ()) -> None:
        self._entries = [prompt for prompt in prompts if prompt][-KEPT:]
        self._done: list[str] = []
        self._undone: list[str] = []
        self._at: int | None = None
        self._draft = ""

    @property
    def entries(self) -> tuple[str, ...]:
        """Every prompt once, the one used last at the end."""
        return tuple(self._entries)

    @property
    def can_undo(self) -> bool:
        """Whether there is a prompt to go back to."""
        return len(self._done) > 1

    def note(self, prompt: str) -> None:
        """A prompt is in use now, whoever has set it."""
        self._at = None
        if self._done and self._done[-1] == prompt:
            return
        self._done = [*self._done[-KEPT:], prompt]
        self._undone.clear()
        if prompt:
            self._entries = [*(other for other in self._entries if other != prompt), prompt][-KEPT:]

    def undo(self) -> str | None:
        """Takes the prompt in use back; the one before it, or None."""
        if not self.can_undo:
            return None
        self._undone.append(self._done.pop())
        return self._done[-1]

    def redo(self) -> str | None:
        """The prompt that was taken back last, in use again; None when there is none."""
        if not self._undone:
            return None
        self._done.append(self._undone.pop())
        return self._done[-1]

    def older(self, text: str) -> str | None:
        """The prompt before the one that is looked at; None at the oldest.

        Args:
            text: What stands in the field: kept, and found again after the newest.
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
        """The prompt after the one that is looked at, at last what stood in the field before."""
        if self._at is None:
            return None
        self._at += 1
        if self._at < len(self._entries):
            return self._entries[self._at]
        self._at = None
        return self._draft
