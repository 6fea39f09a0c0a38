"""Sentences for who runs a service: configuration, ledger, backups, addresses to listen at."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES: dict[str, Sentence] = {}
