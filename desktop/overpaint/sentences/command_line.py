"""Sentences about the words of a command."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES = {
    "ice_server_unreadable": Sentence(
        "A STUN or TURN server cannot be read.",
        "Write stun:HOST:PORT, or turn:USER:PASSWORD@HOST:PORT (IPv6 by a name).",
    ),
}
