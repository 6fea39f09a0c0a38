"""Sentences about sources: cameras, screens, windows, and files that are played."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES: dict[str, Sentence] = {}
