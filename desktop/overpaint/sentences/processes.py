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
    "loop_is_ending": Sentence("The process is ending."),
    "channel_of_another_user": Sentence(
        "The process at that address belongs to another user.", kind="refused"
    ),
    "channel_without_listener": Sentence("Nobody listens at that address.", kind="refused"),
    "channel_without_secret": Sentence(
        "The process at that address does not know the secret.", kind="refused"
    ),
    "channel_refused": Sentence("The other process refused the connection.", kind="refused"),
    "channel_silent": Sentence("The other process does not answer.", kind="silent"),
    "channel_peer_gone": Sentence("The other process is gone.", kind="refused"),
    "channel_lost": Sentence("The other process is gone."),
    "role_taken": Sentence(
        "Overpaint's {role} process is already running for this data folder.",
        "Use that one, or name another folder with --data-dir.",
        "already_running",
    ),
    "process_does_not_start": Sentence("{process} does not start: {sentence}", "See {log}."),
    "core_does_not_start": Sentence("The service core does not start.", "See {log}."),
    "command_does_not_end": Sentence("overpaint {command} does not come to its end."),
    "standby_stopped": Sentence("It is stopped."),
    "standby_silent": Sentence("It does not answer."),
}
