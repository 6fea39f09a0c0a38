"""The service's answers to requests that it refuses; they go over HTTP and the control socket."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES: dict[str, Sentence] = {}
