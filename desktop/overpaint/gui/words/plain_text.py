"""Escaping of untrusted text for tool tips: file names, window titles, prompts of presets.

Qt renders a tool tip as HTML if it looks like HTML, and then loads the pictures that it refers to: any local
file, and on Windows files of other machines. Must not know widgets.
"""

from __future__ import annotations

import html


def plain_tip(text: str) -> str:
    """Returns a tool tip that shows a text literally."""
    if "<" not in text and "&lt;" not in text:  # the test of ``Qt::mightBeRichText``
        return text
    return f"<qt>{html.escape(text)}</qt>".replace("\n", "<br>")
