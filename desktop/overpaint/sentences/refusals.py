"""The service's answers to requests that it refuses; they go over HTTP and the control socket."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES = {
    "room_for_watching_only": Sentence("This room can only be watched."),
    "room_full": Sentence("This room has {viewers} viewers already."),
    "room_token_wrong": Sentence("This is not the token of this room."),
    "room_resource_of_another_token": Sentence("This WHIP or WHEP resource was made with another token."),
    "room_fragments_exhausted": Sentence("At most {fragments} ICE fragments are taken; make a new offer."),
    "room_resource_unknown": Sentence("There is no such WHIP or WHEP resource."),
    "room_ended": Sentence("This room has ended."),
    "sdp_offer_unanswerable": Sentence("The SDP offer cannot be answered: {reason}."),
    "sdp_offer_refused": Sentence("The body is not an SDP offer that this room takes: {reason}."),
    "sdp_candidate_unreadable": Sentence("The body has a candidate that cannot be read."),
    "sdp_too_many_candidates": Sentence("The body has more than {candidates} candidates."),
    "idempotency_key_reused": Sentence("Idempotency-Key: was used before with another body."),
    "credits_short": Sentence(
        "This costs {amount} credits and the balance is {balance}.",
        "Add credits with: overpaint credits add N --key-name NAME",
    ),
    "account_uploads_full": Sentence(
        "This account has as many uploads as it may have at a time: {files} files, {megabytes} MB."
        " Each is kept for a day."
    ),
    "job_not_in_progress": Sentence("There is no such job in progress."),
    "job_unknown_to_ledger": Sentence("There is no such job."),
}
