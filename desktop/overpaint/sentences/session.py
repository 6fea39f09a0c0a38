"""Sentences about a live session, its link and its changes."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES = {
    "webrtc_library_unfit": Sentence("{sentence}", "{mend}", "refused"),
    "webrtc_blocked": Sentence(
        "No picture gets through to the service.",
        "Use shared_memory on one machine, or allow UDP between this machine and the service,"
        " or let the service name a TURN server (serve --ice-server).",
    ),
    "webrtc_answer_unusable": Sentence(
        "The service's answer to the link cannot be used: {reason}.", kind="refused"
    ),
    "webrtc_refused": Sentence("The service refuses the link: {sentence}", "{mend}", "refused"),
    "webrtc_without_picture": Sentence("The service sends no picture in this room.", kind="refused"),
}
