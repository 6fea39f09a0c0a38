"""Plain text from others, never taken for markup: file names, titles of windows, prompts of presets.

Qt takes a tool tip for HTML when it looks like it, and then loads the pictures that it names: any local file,
and on Windows one of another machine. Must not know widgets.
"""

from __future__ import annotations

import html


def plain_tip(text: str) -> str:
    """A tool tip that shows this very text."""
    if "<" not in text and "&lt;" not in text:  # what Qt looks for (``Qt::mightBeRichText``)
        return text
    return f"<qt>{html.escape(text)}</qt>".replace("\n", "<br>")
