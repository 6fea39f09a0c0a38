"""Sentences of the engine about looks, nets and reference photos."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

_INSTALL_AGAIN = "Install Overpaint again."

SENTENCES = {
    "look_too_slow": Sentence(
        "{look} is too slow for live video on this machine.", "Use it for pictures and clips.", "too_slow"
    ),
    "own_look_broken": Sentence(
        "{look} does not work any more ({reason}). Another look stands in for it.", kind="net_failed"
    ),
    "reference_photo_malformed": Sentence(
        "The reference photo is empty or not a colour picture.", "Choose another photo.", "bad_reference"
    ),
    "look_file_unreadable": Sentence("The look {file} cannot be read: {reason}.", _INSTALL_AGAIN, "bad_look"),
    "style_unreadable": Sentence("The style {style} cannot be read.", _INSTALL_AGAIN, "missing_assets"),
    "language_unreadable": Sentence(
        "The language {file} cannot be read: {reason}.", _INSTALL_AGAIN, "bad_words"
    ),
    "net_is_no_file": Sentence("It is no file.", kind="bad_model"),
    "net_unreadable": Sentence("It cannot be read ({reason}).", kind="bad_model"),
    "net_too_large": Sentence("It is larger than {megabytes} MB.", kind="bad_model"),
    "net_file_refused": Sentence("The net will not do: {reason}.", kind="bad_model"),
    "net_not_opened": Sentence("This net cannot be opened ({reasons}).", kind="bad_model"),
    "net_failed": Sentence("The net failed: {reason}", kind="net_failed"),
    "net_gives_no_picture": Sentence("It gives no colour picture.", kind="net_failed"),
}
