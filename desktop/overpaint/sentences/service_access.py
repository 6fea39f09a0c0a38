"""Sentences about reaching a service: address, key, credits, and what a service answers."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES: dict[str, Sentence] = {}
