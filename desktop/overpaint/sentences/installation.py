"""Sentences about this installation and its data folder, before there is a window."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES: dict[str, Sentence] = {}
