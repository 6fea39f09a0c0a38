"""Sentences about pictures and clips that are restyled as files."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES: dict[str, Sentence] = {}
