"""Sentences about the app itself: its settings, folders, hotkeys and windows."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES: dict[str, Sentence] = {}
