"""The service's answers to requests that it refuses; they go over HTTP and the control socket."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

SENTENCES = {
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
