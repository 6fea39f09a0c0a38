"""Sentences about processes and the channels between them."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES = {
    "link_closed": Sentence("The link is closed."),
    "link_of_another_version": Sentence("The other process speaks another version of Overpaint."),
    "shared_memory_refused": Sentence("The shared memory of the other process cannot be opened."),
    "frame_of_another_size": Sentence("The desktop sent a frame of another size."),
    "player_broke_the_rules": Sentence("The process that plays a file broke the rules."),
    "qt_is_ending": Sentence("Overpaint is ending."),
}
