"""Sentences about looks, nets and reference photos, as the engine says them."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES: dict[str, Sentence] = {}
