"""Sentences about the words of a command."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES: dict[str, Sentence] = {}
